"""Sitemaps and feeds in an ordinary crawl: those of hosts that look good are visited once, for pages that no link leads to.

A host looks good when enough of its pages are relevant, or when a seed or example has no link that leads further on it. Then
its sitemaps and feeds are visited before anything else, at most MOST_VISITS of them, and those of their entries that speak of
the topic enter the frontier like links (`crawl.sources`). Those that other hosts of seeds and examples name are visited when
nothing else is left to fetch.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from focuscrawl.items import EXAMPLE, SEED, SOURCES, Page
from focuscrawl.recrawl.entries import source_rule
from focuscrawl.store.commit import Committed
from focuscrawl.store.crawl_store import CrawlStore
from focuscrawl.store.revisits.revisit_rows import wake_unread
from focuscrawl.store.revisits.sources import given_hosts, wake_sources
from focuscrawl.url.key import url_key
from focuscrawl.url.scope import Scope

MOST_VISITS = 5
"""Most sitemaps and feeds of a host that one process visits, redirects included. Large sites have hundreds."""


class SiteSources:
    """The sitemaps and feeds that one process has visited."""

    def __init__(self, store: CrawlStore, scope: Scope) -> None:
        """`scope`: a sitemap or feed outside of it is not visited."""
        self._store, self._scope = store, scope
        self._good: set[int] = set()
        """Hosts that looked good."""
        self._asked: set[int] = set()
        """Hosts of seeds and examples that `nothing_else` has looked at."""
        self._left: dict[int, int] = {}
        """By host, how many more sources may be visited; a host that is missing here has MOST_VISITS left."""

    async def committed(self, page: Page, done: Committed) -> None:
        """Note a page that was stored, or a source that was visited: it may lead to others, by a redirect or as an index."""
        hid = page.lease.hid
        if page.lease.kind in SOURCES:
            further = [page.redirect] if page.redirect else page.feeds
            if further:  # whoever let it be visited: another worker did, or a host of the same site that looked good
                urls = [url_key(url).url_id for url in further]
                await self._visit(hid, lambda left: self._store.call(wake_unread, urls=urls, limit=left))
            return
        only_way = page.lease.kind in (SEED, EXAMPLE) and not any(link.in_site for link in page.links)
        if done.page_id and hid not in self._good and (page.relevant or only_way):
            self._good.add(hid)  # before the answer, because other pages of the host are committed meanwhile
            if await self._visit_new(hid, depth=page.lease.depth, only_way=only_way) is None:
                self._good.discard(hid)

    async def nothing_else(self) -> bool:
        """Nothing else is left to fetch. Returns whether sitemaps or feeds will be visited now."""
        woken = 0
        for hid in sorted(set(await self._store.call(given_hosts)) - self._good - self._asked):
            self._asked.add(hid)
            woken += await self._visit_new(hid, nothing_else=True) or 0
        return woken > 0

    async def _visit_new(self, hid: int, **why: Any) -> int | None:
        """Let sources of a host be visited that never were. Returns how many; None if the host does not look good. `why`: as
        for `wake_sources`."""

        def admits(url: str) -> bool:
            return not source_rule(self._scope, url)

        store, now = self._store, self._store.clock()
        return await self._visit(hid, lambda left: store.call(wake_sources, hid=hid, limit=left, now=now, admits=admits, **why))

    async def _visit(self, hid: int, wake: Callable[[int], Awaitable[int | None]]) -> int | None:
        """Let sources of a host be visited by `wake`, which takes the number of those left and returns how many there are."""
        left, self._left[hid] = self._left.get(hid, MOST_VISITS), 0  # other pages of the host are committed meanwhile
        woken = await wake(left) if left else 0
        self._left[hid] += left - (woken or 0)
        return woken
