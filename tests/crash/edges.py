"""One worker that commits a page and dies at a chosen point of the commit: python -m tests.crash.edges DIRECTORY EDGE URL.

URL: of the PostgreSQL database that holds the store; empty for SQLite."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from typing import NoReturn

from focuscrawl.frontier.outcome import FetchOutcome
from focuscrawl.frontier.states import Event
from focuscrawl.items import Duplicate, Lease, Link, Page, Verdict
from focuscrawl.store.commit import Commit, Committed
from focuscrawl.store.crawl_store import CrawlStore
from focuscrawl.store.engines.database import Database
from focuscrawl.store.frontier.discover import DiscoveredUrl
from focuscrawl.store.warc.archive import Archive
from tests.factories import limits

LIMITS = limits(8)
EDGES = ("leased", "half a record", "record written", "before the commit", "committed")
SEED, LINKED = "http://edge.test/", "http://edge.test/next"


def open_store(directory: Path, url: str) -> CrawlStore:
    return CrawlStore(directory, "edge", LIMITS, "{}", url=url)


async def leases_of(store: CrawlStore) -> list[Lease]:
    await store.beat()
    await store.add_seeds([DiscoveredUrl(SEED, 1.0, kind=1)])
    return (await store.lease(10))[0]


async def fetch(store: CrawlStore, lease: Lease) -> Committed:
    """Commit a page for a lease, with one link."""
    page = Page(lease, lease.url, 200, store.clock(), body=b"<p>text", text="text", links=[Link(LINKED)])
    page.verdict = Verdict(0.5, True, 0.1)
    change = Commit(
        page, FetchOutcome(Event.STORED), store.clock(), store.run, store.worker, discovered=[DiscoveredUrl(LINKED, 0.5)]
    )
    return await store.commit(change, no_duplicate)


def no_duplicate(db: Database, page: Page, after: int = 0) -> Duplicate | None:
    return None


def die(*_: object) -> NoReturn:
    """As by kill -9: nothing is flushed, nothing is closed."""
    os._exit(9)


def set_trap(edge: str) -> None:
    """From now on the process dies at this point."""
    write, before_commit, pwrite = Archive.write, Archive.before_commit, os.pwrite
    if edge == "half a record":
        os.pwrite = lambda file, data, at: die(pwrite(file, memoryview(data)[: len(memoryview(data)) // 2], at))
    elif edge == "record written":
        Archive.write = lambda self, page: die(write(self, page))  # type: ignore[method-assign]
    elif edge == "before the commit":
        Archive.before_commit = lambda self, db: die(before_commit(self, db))  # type: ignore[method-assign]


async def main(directory: Path, edge: str, url: str) -> None:
    store = open_store(directory, url)
    first, *_ = await leases_of(store)
    if edge == "leased":
        die()
    set_trap(edge)
    await fetch(store, first)
    die()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), sys.argv[2], sys.argv[3]))
