from __future__ import annotations

from focuscrawl.items import Link
from models.order.bounded import REFUSED, BoundedOrder, Downloaded, Sizes
from models.order.protocol import OrderContext
from tests.models.order.pages import page, url_of


def test_links_without_room_are_refused(context: OrderContext) -> None:
    order = BoundedOrder(context, Sizes(main=2, auxiliary=1, sample=0, head=1))
    seen = page(url_of(0), [url_of(number) for number in range(1, 6)])
    order.see(seen)
    assert [link.refused for link in seen.links] == ["", "", "", REFUSED, REFUSED]
    priorities = [link.priority for link in seen.links[:3]]
    assert priorities == sorted(priorities, reverse=True)


def test_the_best_of_the_head_comes_first(context: OrderContext) -> None:
    order = BoundedOrder(context, Sizes(main=9, auxiliary=0, sample=0, head=2))
    seen = page(url_of(0), [Link(url_of(1), "more"), Link(url_of(2), "database"), Link(url_of(3), "database sql")])
    order.see(seen)
    poor, good, behind = (link.priority for link in seen.links)
    assert good > poor > behind


def test_what_was_downloaded_takes_no_room(context: OrderContext) -> None:
    order = BoundedOrder(context, Sizes(main=1, auxiliary=0, sample=0, head=1))
    order.see(page(url_of(0)))
    seen = page(url_of(1), [url_of(0), url_of(2)])
    order.see(seen)
    assert [link.refused for link in seen.links] == ["", ""]


def test_downloaded_is_a_set_of_signed_numbers() -> None:
    done = Downloaded()
    for uid in (5, -3, 5, 2**63 - 1, -(2**63)):
        done.add(uid)
    assert len(done) == 4
    assert -3 in done
    assert 4 not in done
