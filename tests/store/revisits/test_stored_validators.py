"""What a lease says of the stored version: validators only where they may be believed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from focuscrawl.frontier.lanes import lifted
from focuscrawl.items import Lease
from focuscrawl.recrawl.state import SiteProfile
from focuscrawl.store.engines.database import Database
from focuscrawl.store.frontier.discover import DiscoveredUrl, discover
from focuscrawl.store.frontier.leasing import lease
from focuscrawl.store.revisits.known_url import with_stored_validators
from focuscrawl.store.revisits.revisit_rows import write_profile
from focuscrawl.url.key import url_key
from tests.factories import limits
from tests.store.revisits.shop import NOW, URL, WORDS, Shop

LIMITS = limits(9)


@pytest.fixture
def shop(db: Database) -> Shop:
    made = Shop(db)
    made.answer(WORDS, headers=(("ETag", '"7"'), ("Last-Modified", "Mon, 01 Jun 2026 10:00:00 GMT"), ("Content-Length", "9")))
    return made


def test_a_stored_page(shop: Shop) -> None:
    held = shop.later(1).leased()
    assert (held.etag, held.last_modified, held.length) == ('"7"', "Mon, 01 Jun 2026 10:00:00 GMT", 9)
    assert (held.revisit, held.trusted, held.stored_at) == (True, True, NOW)


def test_a_page_that_nobody_has_fetched(db: Database) -> None:
    discover(db, [DiscoveredUrl(URL, lifted(0.5))], NOW)
    [held] = with_stored_validators(db, lease(db, 1, 1, NOW, LIMITS))
    assert not held.revisit
    assert is_bare(held)


def test_a_host_that_lies_is_not_asked(shop: Shop) -> None:
    write_profile(shop.db, SiteProfile(url_key(URL)[2], headers_wrong=1))
    held = shop.later(1).leased()
    assert held.revisit
    assert is_bare(held)


def test_the_tenth_visit_reads(shop: Shop) -> None:
    shop.db.execute("update revisit set unread=9")
    assert is_bare(shop.later(1).leased())


@pytest.mark.parametrize(("truncated", "bare"), [("disconnect", True), ("gzip", True), ("length", False), ("", False)])
def test_what_broke_off_is_fetched_whole(shop: Shop, truncated: str, bare: bool) -> None:
    shop.db.execute("update page set truncated=?", (truncated,))
    assert is_bare(shop.later(1).leased()) is bare


def test_what_seems_gone_is_fetched_whole(shop: Shop) -> None:
    shop.later(1).answer([], 404)
    assert is_bare(shop.later(2).leased())


def test_many_leases_at_once(shop: Shop) -> None:
    held = shop.later(1).leased()
    many = with_stored_validators(
        shop.db, [*(replace(held, uid=n + 1, revisit=False) for n in range(1200)), replace(held, revisit=False)]
    )
    assert [one.revisit for one in many] == [False] * 1200 + [True]


def is_bare(held: Lease) -> bool:
    """Nothing to ask with and nothing to compare with."""
    return (held.etag, held.last_modified, held.length, held.trusted) == ("", "", -1, False)
