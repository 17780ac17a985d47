"""What an outlook is made of, by the sample crawl."""

from __future__ import annotations

import pytest

from focuscrawl.frontier.states import State
from focuscrawl.items import LINK, SEED, Link
from focuscrawl.store.engines.database import Database
from focuscrawl.store.engines.records import packed_text
from focuscrawl.store.outlook import (
    Missed,
    behind_irrelevant,
    ended_without_page,
    harvest_so_far,
    last_fetches,
    lowest_priority,
    missed,
    page_count,
    texts_by_verdict,
    unfetched,
)
from focuscrawl.store.pages.links import encode
from focuscrawl.url.hosts import uid_of
from focuscrawl.url.key import url_key
from tests.report import sample

OUTSIDE = "http://elsewhere.example.org/"


@pytest.fixture
def db(sampled: Database) -> Database:
    sampled.execute("update host set best_priority=0.4 where origin='http://news.example.com'")
    for page_id, (url, *_) in enumerate(sample.PAGES, 1):
        key = url_key(url)
        sample.insert(
            sampled, "fetches", worker=1, hid=key.hid, uid=key.uid, page_id=page_id, at=float(page_id), status=200,
            priority=page_id / 10, depth=1, distance=int(page_id == 2), tries=0, hops=0, kind=int(page_id == 1), parent=1,
        )  # fmt: skip
    return sampled


def refuse(db: Database, rule: str, page_id: int, *urls: str) -> None:
    for url in urls:
        sample.insert(db, "refused", hid=sample.hid(url), uid=uid_of(url), rule=rule, page_id=page_id)


def test_the_last_fetches_that_links_had_led_to(db: Database) -> None:
    found = harvest_so_far(db)
    assert found.last == ((0.2, True), (0.3, False), (0.4, False)), "the seed is not among them, a repeat is no find"
    assert (found.pages, found.relevant, found.since) == (4, 3, 2)
    assert (found.best, found.later) == ((0.4,), True)
    db.execute("delete from url where state=2")
    assert not harvest_so_far(db).later
    assert list(last_fetches(db, 2)) == [(0.4, False), (0.3, False)]


def test_a_crawl_without_a_find_has_waited_since_its_first_page(db: Database) -> None:
    db.execute("update page set relevant=0")
    assert harvest_so_far(db).since == 4


def test_the_ends_of_tunnels_are_counted(db: Database) -> None:
    assert behind_irrelevant(db) == 1


def test_hosts_that_the_scope_keeps_out_are_named_by_the_links_to_them(db: Database) -> None:
    urls = [f"{OUTSIDE}{number}" for number in range(4)]
    db.execute("update body set links=? where page_id=2", (encode([Link(url, refused="host") for url in urls]),))
    refuse(db, "host", 2, *urls)
    assert missed(db) == [Missed("host", "elsewhere.example.org", 4, 0, 0)]
    db.execute("update page set relevant=0 where page_id=2")
    assert missed(db) == [], "irrelevant pages link anywhere"


def test_what_was_found_on_another_way_is_not_missed(db: Database) -> None:
    urls = [f"http://news.example.com/deep/{number}" for number in range(3)]
    refuse(db, "depth", 1, *urls)
    assert [(each.rule, each.urls) for each in missed(db)] == [("depth", 3)]
    sample.add_url(db, urls[0], State.QUEUED)
    assert missed(db) == [], "two are not worth a word"


def test_tunnels_count_where_relevant_pages_lie(db: Database) -> None:
    refuse(db, "tunnel", 4, *(f"http://news.example.com/t/{number}" for number in range(5)))
    refuse(db, "tunnel", 4, *(f"http://blog.example.org/t/{number}" for number in range(5)))
    assert missed(db) == [Missed("tunnel", "news.example.com", 5, 3, 3)]
    db.execute("update host set pages=31 where name='news.example.com'")
    assert missed(db) == []


def test_robots_and_full_hosts(db: Database) -> None:
    for number in range(3):
        sample.add_url(db, f"http://news.example.com/p/{number}", State.DENIED, error="robots", parent=1, kind=LINK)
        sample.add_url(db, f"http://news.example.com/q/{number}", State.QUEUED, parent=1)
    assert missed(db) == [Missed("robots", "news.example.com", 4, 3, 3)]
    assert missed(db, 3)[1:] == [Missed("max_pages_per_host", "news.example.com", 4, 3, 3)]
    assert len(missed(db, 4)) == 1


def test_what_waits_and_what_cannot_be_stored(db: Database) -> None:
    keys = [url_key(url).url_id for url in (sample.WAITING, sample.WAITING_LOW, sample.RETRIED, sample.SEED, sample.FAILED)]
    assert unfetched(db, keys) == dict(zip(keys, (0.4, 0.1, 0.5), strict=False))
    assert lowest_priority(db) == 0.1
    assert ended_without_page(db) == {url_key(url).url_id for url in (sample.FAILED, sample.DENIED)}
    assert page_count(db) == 4


def test_texts_by_verdict(db: Database) -> None:
    assert [url for url, _ in texts_by_verdict(db, True, 9)] == [sample.PAGES[1][0], sample.SEED]
    assert texts_by_verdict(db, False, 9) == [("http://blog.example.org/x?q=1", "Off topic\nmain text 正文")]


def test_hosts_of_seeds_without_text_and_links(db: Database) -> None:
    """As a site whose pages scripts make."""
    db.execute("update url set kind=?", (SEED,))
    db.execute("update host set links=0 where name='blog.example.org'")
    assert [(each.rule, each.host) for each in missed(db)] == [("empty", "blog.example.org")]
    db.execute("update body set text=?", (packed_text(" ".join(map(str, range(200)))),))
    assert missed(db) == []
