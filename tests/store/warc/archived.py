"""A crawl whose pages lie in its archive: what reads the answers again is tried on it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path

from focuscrawl.frontier.outcome import FetchOutcome
from focuscrawl.frontier.states import Event
from focuscrawl.items import Duplicate, Fingerprint, Page, Verdict
from focuscrawl.store.commit import Commit
from focuscrawl.store.crawl_store import CrawlStore
from focuscrawl.store.crawls import Crawl
from focuscrawl.store.engines.database import Database
from focuscrawl.store.frontier.discover import DiscoveredUrl
from tests.factories import limits

PROSE = "An index is a data structure that makes queries fast, for it spares the database a look at every row. "
HTML = f"<title>Indexes</title><nav>Home About</nav><main><h1>Indexes</h1><p>{PROSE * 3}</p><p>{PROSE * 2}</p></main>"
FAST = "of the fast tier"
"""The text with which every page is stored."""
KEPT, OFF_TOPIC = "http://a.example/kept", "http://a.example/other"


def archived_crawl(
    directory: Path, pages: dict[str, bool] | None = None, html: str | Mapping[str, str] = HTML, first: int = 0
) -> Crawl:
    """A crawl that has ended, with these pages, by URL whether they are relevant; by default one of each.

    `html`: of all pages, or by URL. `first`: the number of pages that are there already."""
    asyncio.run(_fill(directory, pages or {KEPT: True, OFF_TOPIC: False}, html, first))
    return Crawl(directory.name, directory)


async def _fill(directory: Path, pages: dict[str, bool], html: str | Mapping[str, str], first: int) -> None:
    store = CrawlStore(directory, directory.name, limits(len(pages)), "{}")
    await store.beat()
    await store.add_seeds([DiscoveredUrl(url, 1.0, kind=1) for url in pages])
    for number, lease in enumerate((await store.lease(len(pages)))[0], first):
        body = (html if isinstance(html, str) else html[lease.url]).encode()
        headers = (("Content-Type", "text/html; charset=utf-8"),)
        page = Page(lease, lease.url, 200, store.clock(), headers=headers, body=body, text=FAST, content_type="text/html")
        page.fingerprint = Fingerprint(number.to_bytes(16), number)
        page.verdict = Verdict(0.5, pages[lease.url], 0.1)
        await store.commit(Commit(page, FetchOutcome(Event.STORED), store.clock(), store.run, store.worker), _original)
    store.close("finished", "{}")


def _original(db: Database, page: Page, after: int = 0) -> Duplicate | None:
    return None
