"""Which stored pages are read again where a part of the web has opened again, and as what."""

from __future__ import annotations

import pytest

from focuscrawl.dedup.methods import method
from focuscrawl.frontier.outcome import outcome_of
from focuscrawl.items import Link, Verdict
from focuscrawl.store.commit import Commit, commit
from focuscrawl.store.engines.database import Database
from focuscrawl.store.engines.page_record import WarcLocation
from focuscrawl.store.pages.duplicates import DuplicateFinder
from focuscrawl.store.pages.fetch_log import stored
from focuscrawl.store.pages.reopened_links import (
    BEFORE_LINKS,
    LinkKey,
    come_nearer,
    nearer_pages,
    note_nearer,
    pages_refusing,
)
from focuscrawl.url.key import url_key
from tests.factories import NOW, known, leased, page

FINDER = DuplicateFinder(method("simhash"))


def test_the_pages_that_refuse_links_for_their_part_are_read_as_they_were_fetched(db: Database) -> None:
    known(db, "http://a.test/1", "http://a.test/2", depth=2)
    known(db, "http://b.test/", priority=0.1)
    refused = {"http://a.test/1": ("http://b.test/x", "yield"), "http://a.test/2": ("http://b.test/y", "tunnel")}
    for lease in leased(db, 2):
        read = page(lease, title=lease.url, text=lease.url)
        read.verdict = Verdict(0.4, True, 0.2)
        url, rule = refused[lease.url]
        read.links = [Link(url, "more", refused=rule)]
        change = Commit(read, outcome_of(read, (60.0,), 1.0), NOW, 1, 1)
        change.refused = [(*link.key.url_id, link.refused) for link in read.links]
        commit(db, change, lambda *_: WarcLocation(), FINDER)
    [page_id] = pages_refusing(db, "b.test")
    assert pages_refusing(db, "") == [page_id]
    assert pages_refusing(db, "a.test") == []
    [again] = [fetch.page() for fetch in stored(db, [page_id])]
    assert again.verdict is not None
    assert (again.url, again.title, again.lease.depth, again.ok, again.logged, again.verdict.relevant) == (
        "http://a.test/1", "http://a.test/1", 2, True, True, True
    )  # fmt: skip
    assert [(link.url, link.anchor, link.refused) for link in again.links] == [("http://b.test/x", "more", "yield")]
    assert stored(db, []) == []


def test_a_link_that_another_page_has_too_is_found_by_the_one_that_names_it_in_a_closed_part(db: Database) -> None:
    """Only the first refusal of a URL was noted, here of a link with rel=nofollow, whose page does not bring it back."""
    known(db, "http://a.test/1", "http://a.test/2")
    known(db, "http://b.test/", priority=0.1)
    rules = {"http://a.test/1": ["nofollow"], "http://a.test/2": ["tunnel", "yield"]}
    for lease in leased(db, 2):
        read = page(lease, title=lease.url, text=lease.url)
        read.verdict = Verdict(0.4, True, 0.2)
        read.links = [Link("http://b.test/x", "more", refused=rule) for rule in rules[lease.url]]
        change = Commit(read, outcome_of(read, (60.0,), 1.0), NOW, 1, 1)
        change.refused = [(*link.key.url_id, link.refused) for link in read.links]
        commit(db, change, lambda *_: WarcLocation(), FINDER)
    [page_id] = pages_refusing(db, "b.test")
    assert [fetch.page().url for fetch in stored(db, [page_id])] == ["http://a.test/2"]


def shorten(db: Database) -> int:
    """Pass over all links once. Returns how many URLs have come nearer."""
    count = 0
    after: LinkKey | None = BEFORE_LINKS
    while after is not None:
        some, after = come_nearer(db, after)
        count += some
    return count


@pytest.mark.parametrize("links_at_once", [1, 2, 3, 100])
def test_pages_to_which_a_shorter_way_is_found_are_as_deep_as_that(
    db: Database, links_at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the way on which it was found first, /deep lay three clicks from a seed."""
    monkeypatch.setattr("focuscrawl.store.pages.reopened_links.MOST_LINKS", links_at_once)
    known(db, "http://a.test/", "http://a.test/near", depth=0)
    known(db, "http://a.test/deep", depth=3)
    known(db, "http://a.test/below", "http://a.test/waits", depth=7, priority=0.1)
    ways = {
        "http://a.test/": ["http://a.test/near"],
        "http://a.test/near": ["http://a.test/deep"],
        "http://a.test/deep": ["http://a.test/below", "http://a.test/waits"],
        "http://a.test/below": [],
    }
    numbers = {}
    for lease in leased(db, 4):
        read = page(lease, title=lease.url, text=lease.url)
        change = Commit(read, outcome_of(read, (60.0,), 1.0), NOW, 1, 1)
        change.inlinks = [url_key(url).url_id for url in ways[lease.url]]
        numbers[lease.url] = commit(db, change, lambda *_: WarcLocation(), FINDER).page_id
    assert nearer_pages(db, max_depth=3) == [], "as deep as they were found"
    passes = 0
    while shorten(db):
        passes += 1
    assert passes <= 2, "one click farther in each"
    assert nearer_pages(db, max_depth=9) == [], "no link lay too deep"
    deep = [numbers["http://a.test/deep"], numbers["http://a.test/below"]]
    assert nearer_pages(db, max_depth=3) == deep
    assert nearer_pages(db, max_depth=2) == deep[:1], "what /below leads to is three clicks away"
    depths = dict(db.execute("select path, depth from url").fetchall())
    assert depths == {"/": 0, "/near": 0, "/deep": 1, "/below": 2, "/waits": 2}
    assert [fetch.page().lease.depth for fetch in stored(db, deep)] == [1, 2]
    note_nearer(db, deep)
    assert nearer_pages(db, max_depth=3) == []
