"""What searches of the web have brought, on both engines."""

from __future__ import annotations

from focuscrawl.frontier.states import State
from focuscrawl.store.engines.database import Database, transaction
from focuscrawl.store.frontier.discover import DiscoveredUrl, discover
from focuscrawl.store.frontier.searches import (
    KEPT_SECONDS,
    FoundBySearch,
    SearchHitUrl,
    SearchTotals,
    found_by,
    keep_search,
    made_lately,
    search_totals,
)
from focuscrawl.url.key import url_key
from tests.report import sample

NOW = 1_790_000_000.0
FAR, NEAR = "http://far.test/", "http://near.test/a"
PARTS = '[["search", 0.1], ["title", 0.3]]'
ROW = "select state, priority, depth, kind, parent, priority_parts from url where hid=? and uid=?"


def hit(url: str, priority: float = 0.4, title: str = "Far away") -> SearchHitUrl:
    return SearchHitUrl(DiscoveredUrl(url, priority), PARTS, title)


def keep(db: Database, query: str, *hits: SearchHitUrl, at: float = NOW) -> int:
    with transaction(db):
        return keep_search(db, f"1 {query}", query, hits, at)


def test_new_urls_enter_with_their_reason(db: Database) -> None:
    assert keep(db, "comet", hit(FAR), hit(NEAR), hit(FAR, 0.1, "again")) == 2
    key = url_key(FAR).url_id
    assert db.execute(ROW, key).fetchone() == (State.QUEUED, 0.4, 0, 0, 0, PARTS)
    assert found_by(db, key) == FoundBySearch("comet", "Far away")
    (best,) = db.execute("select best_priority from host where hid=?", key[:1]).fetchone()
    assert best == 0.4


def test_what_is_known_stays_as_it_is(db: Database) -> None:
    with transaction(db):
        discover(db, [DiscoveredUrl(NEAR, 0.2, depth=3, distance=2)], NOW)
    before = db.execute(ROW, url_key(NEAR).url_id).fetchone()
    assert keep(db, "comet", hit(NEAR, 0.9), hit(FAR)) == 1
    assert db.execute(ROW, url_key(NEAR).url_id).fetchone() == before
    assert found_by(db, url_key(NEAR).url_id) is None
    assert keep(db, "planet", hit(FAR, 0.9)) == 0
    assert found_by(db, url_key(FAR).url_id) == FoundBySearch("comet", "Far away")


def test_a_search_is_not_made_again_within_a_day(db: Database) -> None:
    assert made_lately(db, NOW) == set()
    keep(db, "comet")
    keep(db, "planet", at=NOW + 100)
    assert made_lately(db, NOW + 100) == {"1 comet", "1 planet"}
    assert made_lately(db, NOW + KEPT_SECONDS) == {"1 planet"}
    keep(db, "star", at=NOW + KEPT_SECONDS + 50)
    (kept,) = db.execute("select value from meta where key='searches'").fetchone()
    assert "comet" not in kept


def test_totals_of_a_crawl(db: Database) -> None:
    assert search_totals(db) is None
    keep(db, "comet", hit(FAR), hit(NEAR))
    keep(db, "planet", hit("http://third.test/"))
    assert search_totals(db) == SearchTotals(searches=2, found=3, pages=0, relevant=0)
    db.execute("delete from url")  # sample pages bring their own entries
    for number, (url, relevant) in enumerate([(FAR, 1), (NEAR, 0), ("http://linked.test/", 1)], 1):
        sample.add_page(db, number, url, "title", 0.5, relevant, 0, None, "en", at=NOW)
    assert search_totals(db) == SearchTotals(searches=2, found=3, pages=2, relevant=1)
