from __future__ import annotations

from dataclasses import replace

import pytest

from focuscrawl.items import Link
from models.order.protocol import OrderContext
from models.order.strategies import make_order
from tests.models.order.pages import crawl, page, url_of

TREE = {url_of(n): [url_of(2 * n + 1), url_of(2 * n + 2)] if n < 3 else [] for n in range(7)}


def test_breadth_first_goes_level_by_level(context: OrderContext) -> None:
    assert crawl(make_order("breadth-first", context), TREE, [url_of(0)]) == [url_of(n) for n in range(7)]


def test_depth_first_goes_down_first(context: OrderContext) -> None:
    order = make_order("depth-first", context)
    top, below = page(url_of(0), [url_of(1), url_of(2)]), page(url_of(1), [url_of(3)], depth=1)
    order.see(top)
    order.see(below)
    assert below.links[0].priority > top.links[0].priority > top.links[1].priority


def test_the_order_goes_on_over_runs(context: OrderContext) -> None:
    first, second = page(url_of(0), [url_of(1)]), page(url_of(2), [url_of(3)])
    make_order("breadth-first", context).see(first)
    make_order("breadth-first", replace(context, first_number=1 << 32)).see(second)
    assert first.links[0].priority > second.links[0].priority


def test_best_first_goes_by_link_score(context: OrderContext) -> None:
    seen = page(url_of(0), [Link(url_of(1), "more"), Link(url_of(2), "database sql"), Link(url_of(3), refused="scope")])
    make_order("best-first", context).see(seen)
    poor, good, refused = seen.links
    assert good.priority == good.score > poor.score
    assert good.parts
    assert (refused.score, refused.priority) == (0.0, 0.0)


@pytest.mark.parametrize(("name", "focused"), [("best-first", True), ("breadth-first", False), ("depth-first", False)])
def test_only_best_first_chooses_by_score(context: OrderContext, name: str, focused: bool) -> None:
    order = make_order(name, context)
    assert order.focused is focused
    assert order.changes() == []
