"""Page weights as a prior of every strategy, and important sites first in each."""

from __future__ import annotations

from dataclasses import replace

import pytest

from focuscrawl.graph.page_weight import weight
from focuscrawl.items import Link
from models.order.protocol import OrderContext
from models.order.strategies import STRATEGIES, learns, make_order
from models.order.weighted import PART, WeightedOrder
from tests.models.order.pages import crawl, key_of, page, url_of

NAMES = [name for name in STRATEGIES if name != "weight"]
DEEP, FLAT = "http://h.example/a/b/c/x", "http://h.example/x"


@pytest.mark.parametrize("name", NAMES)
def test_without_a_prior_an_order_is_itself(context: OrderContext, name: str) -> None:
    assert not isinstance(make_order(name, context), WeightedOrder)
    assert learns(name, 0.0, ()) is STRATEGIES[name].learns
    assert learns(name, 0.1, ())
    assert learns(name, 0.0, ("example.org",))


@pytest.mark.parametrize("name", NAMES)
def test_every_strategy_takes_it(context: OrderContext, name: str) -> None:
    seed, alone = page(url_of(0), [DEEP, FLAT]), page(url_of(0), [DEEP, FLAT])
    make_order(name, context).see(alone)
    order = make_order(name, replace(context, weight_prior=0.5))
    order.see(seed)
    assert order.focused is STRATEGIES[name].focused
    for link, before, depth in zip(seed.links, alone.links, (4, 1), strict=True):
        assert link.priority == pytest.approx(before.priority + 0.5 * weight(1, 0, 1, depth)[0])
        assert sum(link.parts.values()) == pytest.approx(link.score, abs=1e-4) or before.parts == {}
        assert link.parts[PART] > 0


@pytest.mark.parametrize("name", list(STRATEGIES))
def test_important_sites_come_first_in_every_strategy(context: OrderContext, name: str) -> None:
    order = make_order(name, replace(context, important=["good.example"]))
    pages = {url_of(0): [url_of(1), "http://www.good.example/a/b/c/d", url_of(2)], url_of(1): [], url_of(2): []}
    assert crawl(order, {**pages, "http://www.good.example/a/b/c/d": []}, [url_of(0)])[1] == "http://www.good.example/a/b/c/d"


def test_of_one_depth_the_weightier_comes_first(context: OrderContext) -> None:
    order = make_order("breadth-first", replace(context, weight_prior=1.0))
    web = {url_of(0): [DEEP, FLAT], DEEP: [], FLAT: []}
    assert crawl(order, web, [url_of(0)]) == [url_of(0), FLAT, DEEP]


def test_links_lift_what_waits(context: OrderContext) -> None:
    order = WeightedOrder(make_order("breadth-first", context), 0.5)
    first = page(url_of(0), [FLAT])
    order.see(first)
    order.see(page(url_of(1), [FLAT], depth=1))
    (change,) = order.changes()
    assert change.key == key_of(FLAT)
    gained = weight(2, 0, 1, 1)[0] - weight(1, 0, 1, 1)[0]
    assert change.priority == pytest.approx(first.links[0].priority + 0.5 * gained)


def test_a_poorer_link_lowers_nothing(context: OrderContext) -> None:
    order = WeightedOrder(make_order("best-first", context), 0.0)
    order.see(page(url_of(0), [Link(FLAT, "database sql", "database sql")]))
    order.see(page(url_of(1), [Link(FLAT, "more", "more")], relevant=False))
    assert order.changes() == []


def test_what_was_fetched_is_not_moved(context: OrderContext) -> None:
    order = WeightedOrder(make_order("breadth-first", context), 1.0)
    order.see(page(url_of(0), [FLAT]))
    order.see(page(FLAT))
    order.see(page(url_of(1), [FLAT]))
    assert order.changes() == []
