"""What holds for every strategy."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from focuscrawl.items import Duplicate, Link, Page
from focuscrawl.url.key import UrlId
from models.order.learned import LearnedOrder
from models.order.places import host_numbers
from models.order.protocol import Order, OrderContext
from models.order.strategies import STRATEGIES, make_order
from tests.models.order.pages import crawl, key_of, page, url_of

ANCHORS = ("database sql", "more", "索引 数据库", "home")
Graph = dict[int, list[tuple[int, str]]]
graphs = st.dictionaries(st.integers(0, 7), st.lists(st.tuples(st.integers(0, 7), st.sampled_from(ANCHORS)), max_size=6))
every = pytest.mark.parametrize("name", STRATEGIES)


def as_web(graph: Graph) -> dict[str, Sequence[str | Link]]:
    return {url_of(n): [Link(url_of(t), anchor, anchor) for t, anchor in graph.get(n, [])] for n in range(8)}


def reachable(web: dict[str, Sequence[str | Link]]) -> set[str]:
    found, ways = {url_of(0)}, [url_of(0)]
    for url in ways:
        for link in web[url]:
            assert isinstance(link, Link)
            if link.url not in found:
                found.add(link.url)
                ways.append(link.url)
    return found


@every
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(graph=graphs)
def test_all_that_is_reachable_is_fetched_once(name: str, graph: Graph, context: OrderContext) -> None:
    web = as_web(graph)
    done = crawl(make_order(name, context), web, [url_of(0)], [url_of(n) for n in (1, 2, 5)])
    assert sorted(done) == sorted(reachable(web))


@every
def test_a_resumed_crawl_shows_the_same_pages_and_goes_on_alike(name: str, context: OrderContext) -> None:
    def taught() -> Order:
        order = make_order(name, context)
        for number in range(5):
            order.see(page(url_of(number), [Link(url_of(number + k), ANCHORS[k % 4]) for k in range(1, 4)], number % 2 == 0))
            order.changes()
        return order

    first, second = page(url_of(5), [url_of(6), url_of(7)]), page(url_of(5), [url_of(6), url_of(7)])
    taught().see(first)
    taught().see(second)
    assert [link.priority for link in first.links] == [link.priority for link in second.links]


def failed(error: str, status: int = 0) -> Page:
    made = page(url_of(3), relevant=False)
    made.error, made.status, made.verdict = error, status, None
    return made


def redirected() -> Page:
    made = page(url_of(3))
    made.status, made.redirect, made.verdict = 301, url_of(4), None
    return made


def repeated() -> Page:
    made = page(url_of(3), [url_of(5)])
    made.duplicate = Duplicate(1, url_of(1), "exact", 1.0)
    made.links[0].refused = "duplicate"
    return made


@every
@pytest.mark.parametrize("odd", [failed("timeout"), failed("", 404), redirected(), repeated(), page(url_of(3), [url_of(3)])])
def test_odd_pages_are_taken_as_they_come(name: str, odd: Page, context: OrderContext) -> None:
    order = make_order(name, context)
    order.see(page(url_of(0), [url_of(3), url_of(5)]))
    order.see(odd)
    order.see(page(url_of(5), [url_of(3), url_of(6)], relevant=False))
    order.see(page(url_of(0), [url_of(5)]))  # again
    assert all(math.isfinite(change.priority) for change in order.changes())


@every
def test_the_frontier_is_told_only_of_urls_that_wait(name: str, context: OrderContext) -> None:
    order, waiting, fetched = make_order(name, context), set[UrlId](), set[UrlId]()
    for number in range(60):
        seen = page(url_of(number), [Link(url_of((7 * number + k) % 90), ANCHORS[k % 4]) for k in range(5)], number % 3 == 0)
        order.see(seen)
        fetched.add(key_of(seen.url))
        waiting.update(key_of(link.url) for link in seen.links)
        keys = [change.key for change in order.changes()]
        assert len(keys) == len(set(keys))
        assert set(keys) <= waiting - fetched


def test_strategies_are_described(context: OrderContext) -> None:
    assert all(strategy.summary for strategy in STRATEGIES.values())
    with pytest.raises(KeyError):
        make_order("by-chance", context)


@every
def test_a_page_that_is_shown_again_teaches_nothing(name: str, context: OrderContext) -> None:
    """Its links that may be followed now get a priority. It counted twice for its host, and lost its other links."""
    told = []
    for again in (False, True):
        order = make_order(name, context)
        for number in range(30):
            order.see(page(url_of(number), [url_of(to) for to in range(number, number + 9)], number % 3 == 0))
        if again:
            once_more = page(url_of(2), ["http://h2.example/late"], False)
            once_more.again = True
            order.see(once_more)
            assert once_more.links[0].priority != 0.0
        order.changes()
        last = page(url_of(30), [url_of(to) for to in range(60)])
        order.see(last)
        told.append([(link.score, link.parts) for link in last.links])
    assert told[0] == told[1]


def test_a_page_that_is_shown_again_counts_once_for_its_host(context: OrderContext) -> None:
    order = LearnedOrder(context)
    once, again = page("http://a.example/", ["http://b.example/"]), page("http://a.example/", ["http://c.example/"])
    again.again = True
    for each in (once, again, again):
        order.see(each)
    host, _, _ = host_numbers("http://a.example")
    counts = order._exploration
    assert (counts._hosts[host], counts._fruitful[host], counts._relevant, counts._fetches) == (1, 1, 1, 1)
    assert again.links[0].priority > 0
