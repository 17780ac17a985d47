"""Reading sitemaps and feeds: what they say of known pages, and which other pages are new and may be fetched.

They are always parsed in a process of its own, with limits of CPU time and memory. Their entries, up to 50 000, are looked up
in slices, so that the event loop is never held up.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from focuscrawl.crawl.long_work import in_slices
from focuscrawl.crawl.process import CrawlProcess
from focuscrawl.items import Link, Page, SourceEntry
from focuscrawl.links.extract import MAX_LINKS
from focuscrawl.reading.worker import Job
from focuscrawl.recrawl.entries import SourceContent, source_rule
from focuscrawl.recrawl.read_source import content_of
from focuscrawl.store.revisits.sources import MOST_NESTED, is_hardly_known, share_of, unknown
from focuscrawl.url.hosts import host_name, in_site
from focuscrawl.url.readable import url_text

MOST_NEW = 500
"""Most new pages that one visit of a sitemap or feed brings to the frontier; the latest are taken."""
MOST_ON_TOPIC = 50
"""The same in an ordinary crawl, which takes only what speaks of the topic, the nearest to it. With 200, what links led to came
too late (docs/experiments.md)."""
MOST_FURTHER = 200
"""Most further sitemaps that one visit of an index brings."""
SLICE = 500
"""Entries that are looked up in one operation on the store."""
SLICE_SECONDS = 0.02
"""How long comparing entries with the topic holds the event loop at once."""


class SourceReader:
    """Fills a Page from a sitemap or feed: `kind`, `entries`, `links` (new pages), `feeds` (further sitemaps), `left` and
    `share`."""

    def __init__(self, crawl: CrawlProcess) -> None:
        self._crawl, self._rules = crawl, crawl.link_rules

    async def read(self, page: Page) -> None:
        """Fill `page`, or set its error `parse` if it is broken, or neither a sitemap nor a feed."""
        content = await self._content(page)
        if content is None:
            return
        page.entries = [*content.entries, *content.further]
        self._crawl.counting.inc(f"signals/{page.kind}_count")
        self._crawl.counting.inc("signals/entry_count", len(content.entries))
        await self._add_new(page, content)

    async def read_seed(self, page: Page) -> None:
        """Give a page that was read, and that is a sitemap or feed, the links to its entries: it was given as one more list."""
        content = await self._content(page)
        if content is not None:
            page.links = [_link(entry, page) for entry in content.entries[:MAX_LINKS]]
            page.kind, further = "index", [entry.url for entry in content.further]
            crawl = self._crawl
            if not content.sites and (crawl.reads_sources or crawl.recrawling.on):
                page.feeds = further[:MOST_FURTHER]
            elif page.lease.distance < MOST_NESTED:
                page.lists = further[:MAX_LINKS]

    async def _content(self, page: Page) -> SourceContent | None:
        """What the sitemap or feed has, the latest first, after which `page` is of that kind. None: it cannot be read, and the
        page has the error."""
        arguments = {"url": page.url, "kind": str(page.lease.kind), "now": str(page.fetched_at)}
        arguments["content_type"] = page.content_type
        answer = await self._crawl.reading_process.read(Job("focuscrawl.recrawl.read_source:read_apart", page.body, arguments))
        if answer.error:
            page.error = answer.error
            self._crawl.counting.inc("signals/broken_count")
            return None
        content = await asyncio.to_thread(_latest_first, answer.result)  # 50 000 objects
        page.kind = "feed" if content.feed else "sitemap"
        return content

    async def _add_new(self, page: Page, content: SourceContent) -> None:
        """Set the new pages and further sitemaps that may be fetched, whether others were left for later visits, and the share
        of relevant pages on the host."""
        page.share = await self._crawl.store.call(share_of, hid=page.lease.hid)
        scope = self._crawl.job.scope
        wanted, others, most = await self._choose(page, content.entries)
        new, left = await self._new(wanted, most, lambda url: self._rules.link_rule(Link(url), page))
        if not left:  # the scope alone, because the other rules remember what they were asked
            _, left = await self._new(others, 0, scope.refuses)
        page.links = [_link(entry, page) for entry in new]
        page.left = left and not self._rules.page_rule(page)
        if page.lease.distance < MOST_NESTED:
            further, left = await self._new(content.further, MOST_FURTHER, lambda url: source_rule(scope, url))
            page.feeds = [entry.url for entry in further]
            page.left |= left
        self._crawl.counting.inc("signals/new_count", len(page.links))

    async def _choose(
        self, page: Page, entries: Sequence[SourceEntry]
    ) -> tuple[Sequence[SourceEntry], Sequence[SourceEntry], int]:
        """(the entries that may be taken, the best first; the others; how many of the former to take)."""
        if self._crawl.recrawling.on:
            return entries, [], MOST_NEW
        near, others = await self._on_topic(entries)
        if await self._crawl.store.call(is_hardly_known, hid=page.lease.hid):
            return [*near, *others], [], MOST_NEW
        return near, others, MOST_ON_TOPIC

    async def _new(
        self, entries: Sequence[SourceEntry], most: int, refused: Callable[[str], str]
    ) -> tuple[list[SourceEntry], bool]:
        """The first `most` entries that the frontier does not know and that no rule refuses, and whether there are more."""
        new: list[SourceEntry] = []
        for start in range(0, len(entries), SLICE):
            batch = entries[start : start + SLICE]
            urls = await self._crawl.store.call(unknown, urls=[entry.url for entry in batch])
            new += [entry for entry in batch if entry.url in urls and not refused(entry.url)]
            if len(new) > most:
                break
            await asyncio.sleep(0)
        return new[:most], len(new) > most

    async def _on_topic(self, entries: Sequence[SourceEntry]) -> tuple[list[SourceEntry], list[SourceEntry]]:
        """The entries whose title or URL speaks of the topic, the nearest to it first, and the others."""
        near: list[tuple[float, SourceEntry]] = []
        others: list[SourceEntry] = []
        async for entry in in_slices(entries, SLICE_SECONDS):
            similarity = self._crawl.topic.similarity(f"{entry.title} {url_text(entry.url)}")
            if similarity > 0:
                near.append((similarity, entry))
            else:
                others.append(entry)
        return [entry for _, entry in sorted(near, key=lambda pair: -pair[0])], others


def _latest_first(values: dict[str, Any]) -> SourceContent:
    content = content_of(values)
    for entries in (content.entries, content.further):
        entries.sort(key=lambda entry: -entry.modified)
    return content


def _link(entry: SourceEntry, page: Page) -> Link:
    return Link(
        entry.url,
        entry.title,
        entry.summary or entry.title,
        page.kind,
        in_site=in_site(host_name(entry.url), host_name(page.url)),
    )
