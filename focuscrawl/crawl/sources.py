"""Reading sitemaps and feeds: what they tell of pages we know, and which of the others are new and may be fetched.

They are parsed in a process of their own with limits of CPU time and memory, whatever their size, and 50 000 entries are looked
up in slices, so that the event loop is never held up.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from focuscrawl.crawl.process import CrawlProcess
from focuscrawl.items import Link, Page, SourceEntry
from focuscrawl.reading.worker import Job, ReadingWorker
from focuscrawl.recrawl.entries import SourceContent, source_rule
from focuscrawl.recrawl.read_source import content_of
from focuscrawl.store.revisits.sources import MOST_NESTED, share_of, unknown
from focuscrawl.url.hosts import host_name, in_site

MOST_NEW = 500
"""Pages that one sitemap or feed brings to the frontier in one visit: the latest."""
MOST_FURTHER = 200
"""Sitemaps that one index brings in one visit."""
SLICE = 500
"""Entries that are looked up at once."""


class SourceReader:
    """Fills a Page from a sitemap or feed: `kind`, `entries`, `links` (what nobody knows), `feeds` (further ones), `share`."""

    def __init__(self, crawl: CrawlProcess) -> None:
        self._crawl, self._rules = crawl, crawl.link_rules
        self._worker = ReadingWorker("focuscrawl.recrawl.read_source:read_apart")

    async def read(self, page: Page) -> None:
        """Or set its error `parse`, for what is neither a sitemap nor a feed too."""
        arguments = {"url": page.url, "kind": str(page.lease.kind), "now": str(page.fetched_at)}
        arguments["content_type"] = page.content_type
        answer = await self._worker.read(Job(page.body, arguments))
        if answer.error:
            page.error = answer.error
            self._crawl.counting.inc("signals/broken_count")
            return
        told = await asyncio.to_thread(_latest_first, answer.result)  # 50 000 objects
        page.kind = "feed" if told.feed else "sitemap"
        page.entries = [*told.entries, *told.further]
        self._crawl.counting.inc(f"signals/{page.kind}_count")
        self._crawl.counting.inc("signals/entry_count", len(told.entries))
        await self._look_for_new(page, told)

    async def close(self) -> None:
        """Ends the reading process."""
        await self._worker.close()

    async def _look_for_new(self, page: Page, told: SourceContent) -> None:
        page.share = await self._crawl.store.call(partial(share_of, hid=page.lease.hid))
        new = await self._new(told.entries, MOST_NEW, lambda url: self._refused(url, page))
        page.links = [_link(entry, page) for entry in new]
        if page.lease.distance < MOST_NESTED:
            scope = self._crawl.job.scope
            further = await self._new(told.further, MOST_FURTHER, lambda url: source_rule(scope, url))
            page.feeds = [entry.url for entry in further]
        self._crawl.counting.inc("signals/new_count", len(page.links))

    async def _new(self, entries: Sequence[SourceEntry], most: int, refused: Callable[[str], str]) -> list[SourceEntry]:
        """The first that nobody knows and no rule refuses."""
        found: list[SourceEntry] = []
        for start in range(0, len(entries), SLICE):
            part = entries[start : start + SLICE]
            new = await self._crawl.store.call(partial(unknown, urls=[entry.url for entry in part]))
            found += [entry for entry in part if entry.url in new and not refused(entry.url)]
            if len(found) >= most:
                break
            await asyncio.sleep(0)
        return found[:most]

    def _refused(self, url: str, page: Page) -> str:
        return self._rules.link_rule(Link(url), page)


def _latest_first(values: dict[str, Any]) -> SourceContent:
    told = content_of(values)
    for entries in (told.entries, told.further):
        entries.sort(key=lambda entry: -entry.modified)
    return told


def _link(entry: SourceEntry, page: Page) -> Link:
    return Link(
        entry.url,
        entry.title,
        entry.summary or entry.title,
        page.kind,
        in_site=in_site(host_name(entry.url), host_name(page.url)),
    )
