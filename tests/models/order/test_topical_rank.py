from __future__ import annotations

import pytest

from focuscrawl.items import Link
from models.order.protocol import OrderContext
from models.order.topical_rank import ALPHA, BETA, TopicalRankOrder
from tests.models.order.pages import key_of, page, url_of


def test_a_link_gets_its_share_of_the_page_and_its_own_relevance(context: OrderContext) -> None:
    order, seed = TopicalRankOrder(context), page(url_of(0), [Link(url_of(1), "database sql"), Link(url_of(2), "more")])
    order.see(seed)
    good, poor = seed.links
    share = ALPHA * BETA * 1.0 / 2
    assert poor.parts["inherited"] == pytest.approx(share)
    assert good.priority == pytest.approx(share + BETA * good.parts["relevance"] / BETA)
    assert good.priority > poor.priority


def test_rank_flows_on_over_pages_that_were_fetched(context: OrderContext) -> None:
    """0 -> 1 -> 2, then 0's rank grows by many links from relevant pages: 2 gains too, and the frontier is told."""
    order = TopicalRankOrder(context)
    order.see(page(url_of(0), [url_of(1)]))
    last = page(url_of(1), [url_of(2)])
    order.see(last)
    told = last.links[0].priority
    for number in range(3, 12):
        order.see(page(url_of(number), [Link(url_of(1), "database sql 索引", "database sql 索引")]))
    changes = {change.key: change.priority for change in order.changes()}
    assert changes[key_of(url_of(2))] > told + 0.02


def test_a_redirect_hands_its_rank_on(context: OrderContext) -> None:
    order, moved = TopicalRankOrder(context), page(url_of(0))
    moved.status, moved.redirect, moved.verdict = 301, url_of(1), None
    order.see(moved)
    seen = page(url_of(1), [url_of(2)])
    order.see(seen)
    assert seen.links[0].parts["inherited"] == pytest.approx(BETA * ALPHA * ALPHA)
