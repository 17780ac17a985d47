from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from focuscrawl.items import Link, Page
from focuscrawl.url.key import UrlId
from focuscrawl.url.normalize import split
from models.order.exploration import Exploration
from models.order.learned import EXPLORE, GROUPS, LearnedOrder
from models.order.places import directory_number, host_numbers, is_index_page, looks_like_hub
from models.order.pool import Pool
from models.order.protocol import OrderContext
from models.topic.vsm import TopicModel
from tests.models.order.pages import added, key_of, page

GOOD, BAD = "http://a.example/good/", "http://a.example/bad/"


def _links(count: int, start: int = 0) -> list[Link]:
    """Links that say nothing, half of them into a directory that keeps what nobody promised."""
    both = [Link(f"{folder}{n}.html", "more", "more", "ul/li/a") for n in range(start, start + count) for folder in (GOOD, BAD)]
    return [Link(link.url, link.anchor, link.context, link.position + ("" if GOOD in link.url else ".x")) for link in both]


def _taught(context: OrderContext, without: frozenset[str] = frozenset()) -> LearnedOrder:
    order = LearnedOrder(context, without)
    order.see(page("http://a.example/", _links(40)))
    for number in range(12):
        order.see(page(f"{GOOD}{number}.html", [], True))
        order.see(page(f"{BAD}{number}.html", [], False))
    return order


def _late(order: LearnedOrder) -> dict[str, Link]:
    last = page("http://a.example/late/", _links(2, 100))
    order.see(last)
    return {link.url: link for link in last.links}


def test_a_directory_that_kept_its_promise_comes_first(context: OrderContext) -> None:
    links = _late(_taught(context))
    assert links[f"{GOOD}100.html"].priority > 2 * links[f"{BAD}100.html"].priority


def test_waiting_urls_are_scored_again_by_what_was_learned(context: OrderContext) -> None:
    order = _taught(context, frozenset({"exploration"}))
    told = {change.key: change for change in order.changes()}
    good, bad = told[key_of(f"{GOOD}30.html")], told.get(key_of(f"{BAD}30.html"))
    assert good.priority > 0.3
    assert bad is None or bad.priority < good.priority
    assert sum(part for _, part in good.parts) == pytest.approx(good.priority, abs=1e-4)
    assert order.changes() == []


def test_parts_add_up_to_the_score(context: OrderContext) -> None:
    for link in _late(_taught(context)).values():
        assert sum(link.parts.values()) == pytest.approx(link.score, abs=1e-4)
        assert 0 <= link.score == link.priority <= 1


def test_what_is_new_is_explored_when_nothing_promises(context: OrderContext) -> None:
    order = LearnedOrder(context)
    order.see(page("http://a.example/", [*_links(30), Link("http://a.example/api/index.html", "more", "more", "nav/a")]))
    explored = set()
    for number in range(25):
        order.see(page(f"{BAD}{number}.html", [], False))
        explored |= {change.key for change in order.changes() if change.priority == EXPLORE}
    assert key_of("http://a.example/api/index.html") in explored
    assert len(explored) < 25


def _explored_by(order: LearnedOrder, waiting: list[str], fetches: range) -> list[str]:
    """Which of these are explored while irrelevant pages are fetched; those that a.example serves are fetched, too."""
    urls, found = {key_of(url): url for url in waiting}, list[str]()
    for number in fetches:
        order.see(page(f"{BAD}{number}.html", [], False))
        new = [urls[change.key] for change in order.changes() if change.priority == EXPLORE and change.key in urls]
        for url in new:
            if url.startswith("http://a.example"):
                order.see(page(url, [], False))
        found += new
    return found


def test_hosts_that_never_answer_hinder_no_exploration(context: OrderContext) -> None:
    order = LearnedOrder(context)
    dead = [f"https://dead{n}.example/{name}/" for n in range(40) for name in "abc"]
    new = [f"http://a.example/new{n}/" for n in range(40)]
    order.see(page("http://a.example/", [*_links(60), *[Link(url, "more", "more") for url in [*dead, *new]]]))
    found = _explored_by(order, dead + new, range(60))
    hosts = [url.split("/")[2] for url in found if url in dead]
    assert len(set(hosts)) == len(hosts)
    assert 4 <= len(hosts) < 20
    assert sum(url in new for url in found) > 10


@pytest.mark.parametrize(("status", "error"), [(200, ""), (404, ""), (0, "robots")])
def test_a_host_that_has_answered_is_explored_on(status: int, error: str, context: OrderContext) -> None:
    order = LearnedOrder(context)
    urls = [f"http://b.example/{name}/" for name in "abc"]
    order.see(page("http://a.example/", [*_links(60), *[Link(url, "database sql", "database") for url in urls]]))
    (first,) = _explored_by(order, urls, range(30))
    answer = page(first, [], False)
    answer.status, answer.error = status, error
    order.see(answer)
    assert _explored_by(order, urls, range(30, 60))


def test_no_exploration_while_links_keep_their_promise(context: OrderContext) -> None:
    order = LearnedOrder(context)
    good = [Link(f"{GOOD}{n}.html", "database sql", "database sql", "ul/li/a") for n in range(60)]
    order.see(page("http://a.example/", good, True))
    explored = 0
    for number in range(30):
        order.see(page(f"{GOOD}{number}.html", [], True))
        explored += sum(change.priority == EXPLORE for change in order.changes())
    assert explored <= 3


def _explored(order: LearnedOrder, fetches: int) -> list[UrlId]:
    """URLs that are explored while nothing that is fetched is relevant."""
    explored = []
    for number in range(fetches):
        order.see(page(f"{BAD}{number}.html", [], False))
        explored += [change.key for change in order.changes() if change.priority == EXPLORE]
    return explored


def test_nothing_is_explored_for_fetches_of_earlier_runs_and_other_workers(context: OrderContext) -> None:
    order = LearnedOrder(context)
    order.see(page("http://a.example/", _links(60)))
    for number in range(40):
        order.see(replace(page(f"{BAD}{number}.html", [], False), logged=True))
    assert all(change.priority != EXPLORE for change in order.changes())
    assert _explored(order, 20)


@pytest.mark.parametrize(("of_host", "of_site", "host"), [(10, 0, "a.example"), (0, 10, "a.example"), (0, 10, "www.a.example")])
def test_nothing_is_explored_where_no_more_pages_may_be_stored(
    context: OrderContext, of_host: int, of_site: int, host: str
) -> None:
    order = LearnedOrder(replace(context, most_per_host=of_host, most_per_site=of_site))
    full = [f"http://{host}/new{n}/" for n in range(40)]
    other = [f"http://b.example/new{n}/" for n in range(5)]
    order.see(page("http://a.example/", [*_links(60), *[Link(url, "database sql", "database") for url in [*full, *other]]]))
    order.see(page("http://b.example/", []))
    for number in range(10):
        order.see(page(f"{GOOD}{number}.html", [], True))
    order.changes()
    found = _explored_by(order, full + other, range(40))
    assert found
    assert not set(found) & set(full)


def test_nothing_is_explored_on_hosts_that_an_operator_holds(context: OrderContext) -> None:
    held = {"http://a.example", "http://c.example"}
    order = LearnedOrder(replace(context, held=lambda: frozenset(held)))
    away = [*(f"http://a.example/new{n}/" for n in range(40)), "http://c.example/"]
    other = [f"http://b.example/new{n}/" for n in range(5)]
    order.see(page("http://a.example/", [*_links(60), *[Link(url, "database sql", "database") for url in [*away, *other]]]))
    order.see(page("http://b.example/", []))
    order.changes()
    found = _explored_by(order, away + other, range(40))
    assert found
    assert not set(found) & set(away)
    held.clear()
    assert set(_explored_by(order, away + other, range(40, 80))) & set(away)


def _explored_removed(context: OrderContext, *, told: bool) -> int:
    """How many URLs are explored that an operator has removed. `told`: the order learns of those that it wanted to move."""
    aside: set[UrlId] = set()
    order = LearnedOrder(replace(context, aside=lambda: aside) if told else context)
    removed = {key_of(url): url for url in (f"http://c.example/new{n}/" for n in range(40))}
    order.see(page("http://a.example/", [*_links(90), *[Link(url, "database sql", "database") for url in removed.values()]]))
    order.see(page("http://c.example/", []))
    explored = 0
    for number in range(60):
        order.see(page(f"{BAD}{number}.html", [], False))
        changes = order.changes()
        explored += sum(change.priority == EXPLORE and change.key in removed for change in changes)
        aside |= {change.key for change in changes} & removed.keys()
    return explored


def test_what_an_operator_has_removed_is_not_explored_for_long(context: OrderContext) -> None:
    """Of 52 explorations, 13 were of URLs that nobody would fetch."""
    assert _explored_removed(context, told=False) >= 8
    assert _explored_removed(context, told=True) <= 1


def test_a_host_that_was_silent_in_an_earlier_run_is_not_explored_again(context: OrderContext) -> None:
    order = LearnedOrder(context)
    urls = [f"http://b.example/{name}/" for name in "abc"]
    order.see(page("http://a.example/", [*_links(60), *[Link(url, "database sql", "database") for url in urls]]))
    silent = page(urls[0], [], False)
    order.see(replace(silent, status=0, error="timeout", lease=replace(silent.lease, priority=EXPLORE), logged=True))
    assert not _explored_by(order, urls, range(30))


def _explorations(order: LearnedOrder, good: list[Link], fetches: int) -> int:
    """How many there are while pages are fetched that are not of the order's topic, and `good` links wait."""
    order.see(page("http://a.example/", [*_links(60), *good], True))
    return len(_explored(order, fetches))


def test_what_is_fetched_for_another_topic_is_no_reason_to_explore(context: OrderContext) -> None:
    shared = replace(context, topics=2)
    good = [Link(f"http://good.example/{n}.html", "database sql", "database sql", "ul/li/b") for n in range(60)]
    assert _explorations(LearnedOrder(shared), good, 40) <= 3 < _explorations(LearnedOrder(context), good, 40)


def test_each_of_several_topics_explores_for_its_part_of_the_fetches(context: OrderContext) -> None:
    alone, one_of_five = (_explorations(LearnedOrder(replace(context, topics=topics)), [], 60) for topics in (1, 5))
    assert 0 < one_of_five <= alone / 2


@pytest.mark.parametrize(("expected_yield", "chosen"), [(0.0, "way on"), (1.0, "hub")])
def test_a_tunnel_that_was_begun_is_dug_on_first_where_little_is_expected(expected_yield: float, chosen: str) -> None:
    pool, exploration = Pool(), Exploration()
    hub, way_on = (added(pool, key_of(url)) for url in ("http://a.example/new/", "http://b.example/via/2.html"))
    pool.hub[hub], pool.way_on[way_on] = True, True
    for _ in range(60):
        exploration.fetched(0, 0)
        exploration.followed(expected_yield, False)
    slot = exploration.choose(pool, np.array([hub, way_on]), np.array([-1.0, -3.0]))
    assert slot == {"hub": hub, "way on": way_on}[chosen]


@pytest.mark.parametrize(("ways_on", "relevant", "chosen"), [(0, 0, "way on"), (40, 0, "hub"), (40, 4, "way on")])
def test_ways_on_that_led_nowhere_come_behind_other_new_places(ways_on: int, relevant: int, chosen: str) -> None:
    pool, exploration = Pool(), Exploration()
    exploration.answered(0)
    for _ in range(60):
        exploration.fetched(0, 0)
        exploration.showed(0, True, np.array([], np.int32))  # else every other choice would be by host
        exploration.followed(0.0, False)
    for number in range(ways_on):
        key = key_of(f"http://b.example/{number}/1.html")
        slot = added(pool, key)
        pool.way_on[slot] = True
        assert exploration.choose(pool, np.array([slot]), np.array([-1.0])) == slot
        assert pool.behind[slot]
        pool.close(key)
    for _ in range(relevant):
        exploration.led_on()
    hub, way_on = (added(pool, key_of(url)) for url in ("http://a.example/new/", "http://b.example/via/2.html"))
    pool.hub[hub], pool.way_on[way_on] = True, True
    best = exploration.choose(pool, np.array([hub, way_on]), np.array([-1.0, -3.0]))
    assert best == {"hub": hub, "way on": way_on}[chosen]


def test_what_lies_behind_a_way_on_is_remembered_until_something_relevant_lies_between(context: OrderContext) -> None:
    order = LearnedOrder(context)
    way, through, found, beyond = (Link(f"http://b.example/{name}.html", "more", "more") for name in ("1", "2", "3", "4"))
    order.see(page("http://a.example/", [way]))
    slot = order._pool.slot(key_of(way.url))
    order._pool.behind[slot] = True
    moved = page(way.url, [])
    moved.status, moved.redirect, moved.verdict = 301, "http://b.example/moved.html", None
    order.see(moved)
    order.see(page("http://c.example/", [Link(moved.redirect, "more", "more", "p/a")]))  # this link forgets nothing
    order.see(page(moved.redirect, [through], False))
    order.see(page(through.url, [found], False))
    assert order._pool.behind[order._pool.slot(key_of(found.url))]
    order.see(page(found.url, [beyond], True))
    assert not order._pool.behind[order._pool.slot(key_of(beyond.url))]
    assert order._exploration._behind_ways_on == 1


@pytest.mark.parametrize("found", [False, True])
def test_until_the_topic_is_found_every_other_exploration_goes_to_hosts_that_showed_others(found: bool) -> None:
    pool, exploration = Pool(), Exploration()
    barren_url, portal_url = "http://barren.example/new/", "http://portal.example/2021/7.html"
    for url in (barren_url, portal_url):
        slot = added(pool, key_of(url))
        pool.directory[slot], pool.host[slot] = directory_number(url), host_numbers(split(url)[0])[0]
    barren, portal = pool.host[pool.waiting()]
    exploration.answered(0)
    for number in range(5):
        exploration.fetched(directory_number("http://portal.example/2020/"), portal)
        exploration.showed(portal, False, np.array([number], np.int32))
    for number in range(60):
        exploration.fetched(number, barren)
        exploration.showed(barren, found, np.array([barren], np.int32))
        exploration.followed(0.0, False)
    chosen = [exploration.choose(pool, pool.waiting(), np.array([-2.0, -3.0])) for _ in range(2)]
    assert chosen == [pool.slot(key_of(barren_url)), None if found else pool.slot(key_of(portal_url))]


@pytest.mark.parametrize(
    ("of_new_hosts", "of_others", "chosen"), [(0, 0, "directory"), (30, 60, "host"), (0, 60, "directory"), (30, 0, "host")]
)
def test_a_new_host_counts_by_what_first_pages_of_hosts_have_brought(of_new_hosts: int, of_others: int, chosen: str) -> None:
    """`of_new_hosts`, `of_others`: how many of 60 first pages of hosts and of 120 other pages were relevant."""
    pool, exploration = Pool(), Exploration()
    urls = {"host": "http://new.example/x/1.html", "directory": "http://known.example/x/1.html"}
    for url in urls.values():
        slot = added(pool, key_of(url))
        pool.directory[slot], pool.host[slot] = directory_number(url), host_numbers(split(url)[0])[0]
    exploration.answered(0)
    known = host_numbers("http://known.example")[0]
    for number in range(180):
        host, relevant = (number, number < of_new_hosts) if number < 60 else (known, number < 60 + of_others)
        exploration.fetched(number, host)
        exploration.showed(host, relevant, np.array([host], np.int32))
    assert exploration.choose(pool, pool.waiting(), np.array([-3.0, -1.5])) == pool.slot(key_of(urls[chosen]))


@pytest.mark.parametrize("new", ["", "waits", "in flight"])
def test_where_nothing_is_new_what_is_nearest_to_a_seed_is_explored(new: str) -> None:
    """A forum shows all of its boards by one script: after two of twelve had been gone through, none of the others was."""
    pool, exploration = Pool(), Exploration()
    boards, topics, fresh = (
        [f"http://a.example/board?b={n}" for n in range(3)],
        ["http://a.example/board?t=1"],
        ["http://a.example/x/"],
    )
    for depth, urls in ((1, boards), (2, topics), (3, fresh if new else [])):
        for url in urls:
            slot = added(pool, key_of(url))
            pool.depth[slot], pool.directory[slot] = depth, directory_number(url)
    exploration.answered(0)
    for _ in range(30):
        exploration.fetched(directory_number(boards[0]), 0)
        exploration.followed(0.05, False)
    odds = np.array([-4.0, -3.5, -4.0, -1.0, -5.0])[: len(pool)]
    if new == "in flight":
        assert exploration.choose(pool, pool.waiting(), odds) == pool.slot(key_of(fresh[0]))
    chosen = exploration.choose(pool, pool.waiting(), odds)
    best = {"": boards[1], "waits": "http://a.example/x/"}
    assert chosen == (pool.slot(key_of(best[new])) if new in best else None)


@pytest.mark.parametrize(
    ("article", "first", "further"),
    [("show?id={}", "list?id=3", "list?id=3&page={}"), ("a_{}.html", "list_3.html", "list_3_{}.html")],
)
def test_what_is_told_by_a_parameter_or_a_number_is_a_place(article: str, first: str, further: str) -> None:
    """A site has its lists in one directory: only their first pages were fetched, which led to articles."""
    pool, exploration = Pool(), Exploration()
    urls = [f"http://a.example/{article.format(9)}", *(f"http://a.example/{further.format(n)}" for n in (1, 2, 3))]
    for url in urls:
        slot = added(pool, key_of(url))
        pool.directory[slot] = directory_number(url)
    exploration.answered(0)
    for _ in range(30):
        exploration.fetched(directory_number(f"http://a.example/{article.format(7)}"), 0)
        exploration.fetched(directory_number(f"http://a.example/{first}"), 0)
    chosen = exploration.choose(pool, pool.waiting(), np.array([-1.0, -2.0, -2.0, -2.0]))
    assert chosen == pool.slot(key_of(urls[2]))  # the first of the further pages is often the list itself


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("list_3_2.html", "list_3_7.html", True),
        ("list_3_2.html", "list_4_2.html", False),
        ("list_2.html", "about.html", True),
        ("2024/05/a_1.html", "2024/06/a_2.html", True),
        ("2024-05-17.html", "2023-01-02.html", True),
        ("2024-05-17.html", "about.html", True),
        ("list?id=3&page=2", "list?id=3&page=7", True),
        ("list?id=3&page=2", "list?id=4&page=2", False),
        ("show?id=3", "show?id=4", True),
        ("show?id=3", "list?id=3", False),
    ],
)
def test_places(one: str, other: str, same: bool) -> None:
    assert (directory_number(f"http://a.example/x/{one}") == directory_number(f"http://a.example/x/{other}")) == same


@pytest.mark.parametrize(
    ("name", "is_hub"),
    [
        ("docs/", True),
        ("docs/index.html", True),
        ("docs/howto-index.html?lang=en", True),
        ("api-index-full.html", True),
        ("docs/py-modindex.html", True),
        ("tags/linux.html", False),
        ("docs/dataframe-indexing.html", False),
        ("docs/sql-dropindex.html", False),
    ],
)
def test_pages_that_list_others_are_told_by_their_names(name: str, is_hub: bool) -> None:
    assert looks_like_hub(f"http://a.example/{name}") is is_hub


def test_in_the_root_of_a_host_every_name_before_a_number_is_a_place() -> None:
    """There no directory says what belongs together."""
    assert directory_number("http://a.example/news_2.html") == directory_number("http://a.example/news_3.html")
    assert directory_number("http://a.example/news_2.html") != directory_number("http://a.example/sport_2.html")


def test_the_better_of_what_is_nearest_is_explored_only_where_little_is_expected() -> None:
    pool, exploration = Pool(), Exploration()
    slot = added(pool, key_of(GOOD))
    exploration.answered(0)
    for _ in range(30):
        exploration.fetched(0, 0)
        exploration.followed(0.4, False)
    assert exploration.choose(pool, pool.waiting(), np.array([0.0])) is None
    for _ in range(30):
        exploration.followed(0.05, False)
    assert exploration.choose(pool, pool.waiting(), np.array([0.0])) == slot


@pytest.mark.parametrize("gave", [False, True])
def test_the_index_page_of_a_directory_that_gave_something_is_explored_however_much_was_fetched_there(gave: bool) -> None:
    pool, exploration = Pool(), Exploration()
    urls = ["http://barren.example/api/", "http://fruitful.example/api/"]
    for url in urls:
        slot = added(pool, key_of(url))
        pool.directory[slot], pool.hub[slot], pool.index[slot] = directory_number(url), True, is_index_page(url)
    exploration.answered(0)
    for url in urls:
        for _ in range(30):
            exploration.fetched(directory_number(url), 0)
    if gave:
        exploration.gave(directory_number(urls[1]))
    chosen = exploration.choose(pool, pool.waiting(), np.array([-2.0, -3.0]))
    assert chosen == pool.slot(key_of(urls[gave]))


@pytest.mark.parametrize(
    ("url", "relevant", "way_on"),
    [
        ("http://a.example/via/1.html", False, True),
        ("http://a.example/via/1.html", True, False),
        (f"{BAD}20.html", False, False),
    ],
)
def test_only_irrelevant_pages_of_new_places_show_a_way_on(
    url: str, relevant: bool, way_on: bool, context: OrderContext
) -> None:
    order = LearnedOrder(context)
    order.see(page("http://a.example/", _links(30)))
    _explored(order, 8)
    onward = Link(f"{BAD}onward.html", "more", "more", "p/a")
    listed = [Link(f"{BAD}listed{n}.html", "more", "more", "ul/li/a") for n in range(2)]
    order.see(page(url, [onward, *listed], relevant))
    marked = set(order._pool.keys(np.flatnonzero(order._pool.way_on).tolist()))
    assert marked == ({key_of(onward.url)} if way_on else set())


def test_a_hub_is_worth_what_it_leads_to(context: OrderContext) -> None:
    def value_of_hubs(without: frozenset[str]) -> float:
        order = LearnedOrder(context, without | {"exploration"})
        hubs = [Link(f"http://a.example/hub/{n}.html", "more", "more", "nav/a") for n in range(30)]
        order.see(page("http://a.example/", hubs))
        for number in range(15):
            best = [Link(f"http://a.example/p{number}-{n}", "database sql", "database sql", "li/a") for n in range(6)]
            order.see(page(f"http://a.example/hub/{number}.html", best, False))
        late = page("http://b.example/", [Link("http://a.example/hub/29.html", "more", "more", "nav/a")])
        order.see(late)
        return late.links[0].priority

    assert value_of_hubs(frozenset()) > value_of_hubs(frozenset({"hubs"})) + 0.05


def test_what_must_not_be_indexed_is_worth_what_it_leads_to(context: OrderContext) -> None:
    def value_of_lists(noindex: bool, leads: bool) -> float:
        order = LearnedOrder(context, frozenset({"exploration"}))
        order.see(page("http://a.example/", [Link(f"http://a.example/list/{n}", "links", "links", "nav/a") for n in range(30)]))
        for number in range(15):
            best = [Link(f"http://a.example/p{number}-{n}", "database sql", "database sql", "li/a") for n in range(6)]
            order.see(replace(page(f"http://a.example/list/{number}", best if leads else []), noindex=noindex))
        late = page("http://b.example/", [Link("http://a.example/list/29", "links", "links", "nav/a")])
        order.see(late)
        return late.links[0].priority

    assert value_of_lists(True, leads=False) < value_of_lists(True, leads=True) - 0.05 < value_of_lists(False, leads=False)


def test_the_target_of_a_redirect_takes_the_promise_over(context: OrderContext) -> None:
    order = _taught(context)
    moved = page(f"{GOOD}20.html")
    moved.status, moved.redirect, moved.verdict = 301, "http://b.example/new", None
    order.see(moved)
    assert order._pool.slot(key_of(moved.redirect)) is not None
    assert order._pool.enter([key_of(moved.lease.url)]) == ([None], [])


def test_failures_count_against_their_place(context: OrderContext) -> None:
    def priority(failed: bool) -> float:
        order = LearnedOrder(context, frozenset({"exploration"}))
        order.see(page("http://a.example/", _links(40)))
        for number in range(10):
            ended: Page = page(f"{GOOD}{number}.html", [], True)
            if failed:
                ended.status, ended.verdict, ended.error = 404, None, "http-404"
            order.see(ended)
        return _late(order)[f"{GOOD}100.html"].priority

    assert priority(failed=True) < priority(failed=False)


@pytest.mark.slow
@pytest.mark.parametrize("group", GROUPS)
def test_it_can_do_without_any_group(group: str, context: OrderContext) -> None:
    assert _late(_taught(context, frozenset({group})))


def test_the_same_seed_makes_the_same_order(context: OrderContext) -> None:
    first, second = (_late(_taught(context)) for _ in range(2))
    assert [link.priority for link in first.values()] == [link.priority for link in second.values()]


def test_links_to_where_the_examples_lie_come_first(context: OrderContext) -> None:
    words = ("table", "column", "join", "key")  # four pages, not copies of one
    texts = [(f"{GOOD}{number}.html", f"database sql index query {word}") for number, word in enumerate(words)]
    context = replace(context, topic=TopicModel.fit(context.segmenter, texts))
    links = _late(LearnedOrder(context))
    assert links[f"{GOOD}100.html"].priority > 1.2 * links[f"{BAD}100.html"].priority
    without = _late(LearnedOrder(context, frozenset({"examples"})))
    assert without[f"{GOOD}100.html"].priority == without[f"{BAD}100.html"].priority
