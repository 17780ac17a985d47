"""Which hosts of an ordinary crawl have their sitemaps and feeds visited, and how many of them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from focuscrawl.crawl.site_sources import MOST_VISITS, SiteSources
from focuscrawl.items import SITEMAP, Duplicate, Lease, Page, Verdict
from focuscrawl.store.commit import Committed
from focuscrawl.store.revisits.sources import RELEVANT
from focuscrawl.url.scope import Scope

STORED, NOT_STORED = Committed(page_id=1), Committed()


class Store:
    """Notes what is asked of it. Every visit that is asked for is one that can be made, up to `there` of each call."""

    def __init__(self, there: int) -> None:
        self.asked: list[tuple[str, int]] = []
        self._there = there

    def clock(self) -> float:
        return 1.0

    async def call(self, operation: Callable[..., int]) -> int:
        assert isinstance(operation, partial)
        limit: int = operation.keywords["limit"]
        self.asked.append((operation.func.__name__, limit))
        return min(self._there, limit)


def page(relevant: bool, hid: int = 1, **values: Any) -> Page:
    lease = Lease(hid, 1, "http://a.test/p")
    return Page(lease, lease.url, 200, verdict=Verdict(0.9, relevant, 0.5), **values)


def index(hid: int = 1) -> Page:
    lease = Lease(hid, 2, "http://a.test/sitemap.xml", kind=SITEMAP)
    return Page(lease, lease.url, 200, feeds=["http://a.test/1.xml", "http://a.test/2.xml"])


def asked(there: int, fetches: Iterable[tuple[Page, Committed]]) -> list[tuple[str, int]]:
    store, sources = Store(there), SiteSources(Scope())

    async def go() -> None:
        for fetched, done in fetches:
            await sources.committed(store, fetched, done)  # type: ignore[arg-type]

    asyncio.run(go())
    return store.asked


def test_a_host_looks_good_once() -> None:
    good = [(page(True), STORED)] * RELEVANT
    assert asked(1, good[1:]) == []
    assert asked(1, [*good, *good]) == [("wake_sources", MOST_VISITS)]


def test_few_relevant_pages_among_many_do_not_look_good() -> None:
    poor = [(page(False), STORED)] * 30
    assert asked(1, [*poor, *[(page(True), STORED)] * RELEVANT]) == []
    assert len(asked(1, [*poor, *[(page(True), STORED)] * 8])) == 1


def test_what_was_not_stored_and_duplicates_do_not_count() -> None:
    copy = page(True, duplicate=Duplicate(1, "http://a.test/1", "near", 0.9))
    assert asked(1, [(page(True), NOT_STORED), (copy, STORED), (page(True, hid=2), STORED)] * RELEVANT)[1:] == []


def test_further_sitemaps_have_what_is_left() -> None:
    good = [(page(True), STORED)] * RELEVANT
    assert asked(2, [(index(), NOT_STORED)]) == []
    further = [(index(), NOT_STORED)] * 4
    assert asked(2, [*good, *further])[1:] == [("wake_unread", MOST_VISITS - 2), ("wake_unread", MOST_VISITS - 4)]
