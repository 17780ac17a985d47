"""Sitemaps and feeds in an ordinary crawl: those of hosts that look good are visited once, for pages that no link leads to.

A host looks good when enough of its pages are relevant. Then its sitemaps and feeds are visited before anything else, at most
MOST_VISITS of them, and those of their entries that speak of the topic enter the frontier like links (`crawl.sources`).
"""

from __future__ import annotations

from functools import partial

from focuscrawl.items import SOURCES, Page
from focuscrawl.recrawl.entries import source_rule
from focuscrawl.store.commit import Committed
from focuscrawl.store.crawl_store import CrawlStore
from focuscrawl.store.revisits.revisit_rows import wake_unread
from focuscrawl.store.revisits.sources import RELEVANT, wake_sources
from focuscrawl.url.key import url_key
from focuscrawl.url.scope import Scope

RELEVANT_SHARE = 0.2
"""A host looks good from RELEVANT relevant pages on, if they are at least this share of its pages."""
MOST_VISITS = 5
"""Most sitemaps and feeds of a host that one process visits. Large sites have hundreds."""


class SiteSources:
    """Counts what this process stores of each host. `scope`: a sitemap or feed outside of it is not visited."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._stored: dict[int, tuple[int, int]] = {}
        """By host, pages and relevant pages."""
        self._left: dict[int, int] = {}
        """By host that looked good, how many more sources may be visited."""

    async def committed(self, store: CrawlStore, page: Page, done: Committed) -> None:
        """Note a page that was stored, or a sitemap that was read, which may name further ones."""
        hid = page.lease.hid
        if page.lease.kind in SOURCES:
            await self._visit_further(store, page)
        elif done.page_id and hid not in self._left and self._looks_good(hid, page):
            admits = partial(_admits, self._scope)
            visit = partial(wake_sources, hid=hid, limit=MOST_VISITS, now=store.clock(), admits=admits)
            self._left[hid] = MOST_VISITS - await store.call(visit)
            del self._stored[hid]

    async def _visit_further(self, store: CrawlStore, page: Page) -> None:
        left = self._left.get(page.lease.hid, 0)
        if left and page.feeds:
            further = [url_key(url).url_id for url in page.feeds]
            self._left[page.lease.hid] = left - await store.call(partial(wake_unread, urls=further, limit=left))

    def _looks_good(self, hid: int, page: Page) -> bool:
        pages, relevant = self._stored.get(hid, (0, 0))
        is_relevant = page.duplicate is None and page.verdict is not None and page.verdict.relevant
        pages, relevant = pages + 1, relevant + is_relevant
        self._stored[hid] = pages, relevant
        return relevant >= max(RELEVANT, RELEVANT_SHARE * pages)


def _admits(scope: Scope, url: str) -> bool:
    return not source_rule(scope, url)
