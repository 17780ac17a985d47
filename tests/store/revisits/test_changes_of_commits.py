"""From the commits of visits to what `scrapy changes` tells, on both engines."""

from __future__ import annotations

import pytest

from focuscrawl.items import Verdict
from focuscrawl.recrawl.state import DAY
from focuscrawl.store.engines.database import Database
from focuscrawl.store.pages.stored import stored_pages
from focuscrawl.store.revisits.change_log import PageChange, changes_of
from focuscrawl.store.revisits.versions import diff_of, purge_texts
from tests.store.revisits.shop import NOW, URL, WORDS, Shop


@pytest.fixture
def shop(db: Database) -> Shop:
    return Shop(db)


def told(shop: Shop, since: float) -> list[tuple[str, str]]:
    return [(change.net.value, change.reason) for change in changes_of(shop.db, since, shop.now + 1)]


def one(shop: Shop, since: float) -> PageChange:
    (found,) = changes_of(shop.db, since, shop.now + 1)
    return found


def test_a_rewritten_page_is_told_with_its_diff(shop: Shop) -> None:
    shop.answer(WORDS)
    assert told(shop, NOW) == [("new", "new")]
    shop.later(10).answer([*WORDS, "epilogue"])
    shop.later(10).answer([*WORDS, "epilogue", "coda"])
    change = one(shop, NOW + DAY)
    assert (change.net.value, change.version, change.last_version, change.words_added) == ("changed", 1, 2, 2)
    step = diff_of(shop.db, change.page_id, change.last_version)
    assert step is not None
    assert [piece.text.strip() for piece in step.pieces if piece.kind == "added"] == ["coda"]
    assert told(shop, NOW) == [("new", "new")]


def test_a_page_that_vanishes_and_comes_back(shop: Shop) -> None:
    shop.answer(WORDS)
    shop.later(1).answer([], 404)
    assert told(shop, shop.now) == [("suspect", "suspect")]
    suspected = shop.now
    shop.later(1).answer(WORDS)
    assert told(shop, suspected) == []
    assert told(shop, shop.now) == []
    for days in (1, 1, 3):
        shop.later(days).answer([], 404)
    assert (one(shop, suspected).reason, one(shop, suspected).status) == ("gone", 404)
    assert list(stored_pages(shop.db)) == []
    gone = shop.now
    assert purge_texts(shop.db, gone + DAY)[1] == 1
    shop.later(90)
    shop.db.execute("update site_profile set soft404_probed_at=?", (shop.now,))
    shop.answer(WORDS)
    assert told(shop, gone + DAY) == [("new", "back")]
    assert [page.text for page in stored_pages(shop.db)] == [" ".join(WORDS)]


def test_a_page_that_has_moved_names_its_new_home(shop: Shop) -> None:
    shop.answer(WORDS)
    page = shop.later(5).page([], 301)
    page.redirect = "http://a.test/home"
    shop.commit(page)
    change = one(shop, shop.now)
    assert (change.net.value, change.reason, change.moved_to) == ("gone", "moved", "http://a.test/home")


def test_a_page_that_turns_to_something_else_leaves_and_may_join_again(shop: Shop) -> None:
    shop.answer(WORDS)
    shop.later(5).answer([*WORDS, "advertisement"], verdict=Verdict(0.01, False, 0.2))
    assert told(shop, NOW + DAY) == [("gone", "left")]
    left = shop.now
    shop.later(5).answer(WORDS)
    assert told(shop, left + DAY) == [("new", "joined")]
    assert told(shop, NOW + DAY) == [("changed", "changed")]
    assert [page.url for page in stored_pages(shop.db)] == [URL]
