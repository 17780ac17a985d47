"""Links of stored pages that were refused when the pages were fetched, and that may be followed now.

There are three causes:

- The user asks for other links than in the run before, such as a larger scope or depth. Then all pages of earlier runs are read
  back.
- A part of the web that was closed opens again. Then the pages are read back that have links into its registered domain which
  were refused for that.
- A shorter way to a fetched page is found, because the best URLs are fetched first, not the nearest. Then its links may now be
  within `max_depth`.

`crawl.read_back` reads the pages. This module remembers what is still to be read, and queues the links that were found.

Invariant: what is still to be read is noted in the store, too, so that a later run does what this one leaves. For pages that
have come nearer it follows from their depth: the store keeps the one at which their links were judged.
"""

from __future__ import annotations

from collections.abc import Callable

from focuscrawl.frontier.url_cache import UrlCache
from focuscrawl.items import Link, Page
from focuscrawl.store.crawl_store import CrawlStore
from focuscrawl.store.engines.meta import read_meta, set_meta
from focuscrawl.store.frontier.discover import DiscoveredUrl
from focuscrawl.store.pages.reopened_links import (
    ReopenedPage,
    forget_opened,
    note_opened,
    opened_before,
    queue_links,
)
from models.link.tunnelling import next_distance

FOLLOWED_KEY = "links followed"
"""In `meta`: what decided in the last run which links the user wanted followed."""
FIND_EVERY = 200
"""Fetches between two searches for refused links, each of which reads up to 2 000 pages (`reopened_links.MOST_PAGES`) and, for
new hosts, looks through all that was refused."""
NEARER_EVERY = 1.5
"""By what factor the fetches grow between two searches for pages that have come nearer, each of which looks at all links."""


class ReopenedLinks:
    """What is to be read back of one crawl, and the links that were found."""

    def __init__(self, cache: UrlCache, reopen: Callable[[Page], list[Link]], has_depth: bool = False) -> None:
        """Args:
        reopen: takes the rule from the links of a stored page that may be followed now, and returns them.
        has_depth: whether links beyond a number of clicks from a seed are refused.
        """
        self._cache, self._reopen, self._has_depth = cache, reopen, has_depth
        self._store: CrawlStore
        self._followed = ""
        self.reads_all = False
        """Whether the pages of all earlier runs are to be read back, because the user wants other links followed now."""
        self._sites: list[str] = []
        """Registered domains with a part that has opened again, whose refused links are not queued yet; empty: new hosts. Links
        to the first one may be read just now; if it opens once more meanwhile, it stands here a second time."""
        self._next_search = 0
        """The number of fetches from which on links to the next of these are searched for."""
        self._last_nearer = 0
        """The number of fetches at the last search for shorter ways to pages."""
        self._pages: list[ReopenedPage] = []
        """Pages with links that were found and are not queued yet."""
        self.count = 0
        """New URLs that were queued by all of this."""

    async def open(self, store: CrawlStore, followed: str) -> None:
        """Find out what is to be read back.

        `followed`: what decides in this run which links the user wants followed. If that was something else in the run before,
        all pages are read back; empty: none are for this reason."""
        self._store, self._followed = store, followed
        former = await store.call(read_meta, key=FOLLOWED_KEY) if followed else None
        self.reads_all = former not in (None, followed)
        if followed and not self.reads_all:
            await self._note_followed()
        self._sites = await store.call(opened_before, worker=store.worker)

    @property
    def pending(self) -> bool:
        """Whether anything is still to be read back."""
        return self.reads_all or bool(self._sites)

    def links_of(self, page: Page) -> list[Link]:
        """The links of a page that was read back that may be followed now. They have no rule any more."""
        return self._reopen(page) if page.verdict else []

    def note(self, page: Page, page_id: int, opened: list[Link]) -> None:
        """Note these links of the page, which have a priority now, for `queue`."""
        distance = next_distance(page.relevant, page.lease.distance)
        found = [
            DiscoveredUrl(link.url, link.priority, page.lease.depth + 1, distance, parent=page_id, key=link.key)
            for link in opened
        ]
        self._pages.append(ReopenedPage(page_id, DiscoveredUrl(page.url, 0.0), page.links, found))

    async def queue(self) -> None:
        """Queue the links that were noted."""
        if not self._pages:
            return
        pages, self._pages = self._pages, []
        store = self._store
        self.count += await store.call(queue_links, pages=pages, only=store.only, now=store.clock())
        for page in pages:
            for item in page.discovered:
                self._cache.put(item.key.uid, item.priority)

    async def note_all_read(self) -> None:
        """Note that the pages of all earlier runs were read back."""
        await self._note_followed()
        self.reads_all = False

    async def _note_followed(self) -> None:
        await self._store.call(set_meta, key=FOLLOWED_KEY, value=self._followed)

    async def add(self, site: str) -> None:
        """Note that the refused links to this registered domain are to be found; empty: those to new hosts."""
        if site not in self._sites[1:]:
            self._sites.append(site)
            await self._store.call(note_opened, site=site, worker=self._store.worker)

    def next_site(self, seen: int, at_end: bool) -> str | None:
        """The registered domain whose refused links are to be found now, after `seen` fetches; None: none. `at_end`: nothing
        else is left to fetch."""
        return self._sites[0] if self._sites and (at_end or seen >= self._next_search) else None

    async def note_found(self, seen: int) -> None:
        """Note, after `seen` fetches, that all refused links to `next_site` were found."""
        site = self._sites.pop(0)
        if site not in self._sites:
            await self._store.call(forget_opened, site=site, worker=self._store.worker)
        self._next_search = seen + FIND_EVERY

    def looks_for_nearer(self, seen: int, at_end: bool) -> bool:
        """Whether to look for pages that have come nearer now, after `seen` fetches. `at_end`: nothing else is left."""
        due = self._last_nearer + 1 if at_end else max(FIND_EVERY, NEARER_EVERY * self._last_nearer)
        return self._has_depth and seen >= due

    def note_nearer_found(self, seen: int) -> None:
        """Note, after `seen` fetches, that all links of pages that have come nearer were found."""
        self._last_nearer = seen
