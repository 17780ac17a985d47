from __future__ import annotations

import pytest

from focuscrawl.items import Link
from focuscrawl.url.key import UrlId
from models.link import link_classifier
from models.order.naive_bayes import NaiveBayesOrder
from models.order.protocol import OrderContext
from tests.models.order.pages import key_of, page, url_of


def test_it_begins_with_link_score_and_goes_on_with_what_it_learned(
    context: OrderContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Picnics lead to relevant pages here, which LinkScore cannot know."""
    monkeypatch.setattr(link_classifier, "ENOUGH", 5)
    order, waiting = NaiveBayesOrder(context), page(url_of(0), [Link(url_of(90), "picnic"), Link(url_of(91), "news")])
    order.see(waiting)
    assert "anchor" in waiting.links[0].parts
    for number in range(1, 20):
        anchor = ("picnic", "news")[number % 2]
        order.see(page(url_of(number), [Link(url_of(number + 1), anchor, anchor)], relevant=number % 2 == 1))
        order.see(page(url_of(100 + number), [Link(url_of(number + 1), anchor, anchor)]))
        order.changes()
    seen = page(url_of(50), [Link(url_of(60), "picnic"), Link(url_of(61), "news")])
    order.see(seen)
    good, bad = seen.links
    assert good.parts == {"bayes": good.score} != bad.parts
    assert good.score > 0.5 > bad.score
    assert good.priority > bad.priority


def test_links_that_wait_are_scored_again_once_it_is_trained(context: OrderContext, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link_classifier, "ENOUGH", 3)
    order = NaiveBayesOrder(context)
    order.see(page(url_of(0), [Link(url_of(n), "picnic" if n % 2 else "news") for n in range(1, 9)]))
    order.see(page(url_of(70), [Link(url_of(80), "picnic")], relevant=False))
    assert order.changes() == []
    changes = dict[UrlId, float]()
    for number in range(1, 9):
        order.see(page(url_of(number), relevant=number % 2 == 1))
        changes |= {change.key: change.priority for change in order.changes()}
    assert changes[key_of(url_of(80))] > 0.5
