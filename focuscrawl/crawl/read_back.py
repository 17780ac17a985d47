"""Reads stored fetches back and shows them to the crawl's order strategy (`crawl.order`): those of earlier runs, those of other
workers, and pages with links that were refused and may be followed now (`crawl.reopened_links`).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence

from focuscrawl.config.options import Options
from focuscrawl.crawl.long_work import in_slices
from focuscrawl.crawl.order import Ordering
from focuscrawl.crawl.relevance.topic import judge_again
from focuscrawl.crawl.reopened_links import ReopenedLinks
from focuscrawl.frontier.url_cache import UrlCache
from focuscrawl.items import Link, Page
from focuscrawl.store.crawl_store import CrawlStore
from focuscrawl.store.engines.meta import read_meta, set_meta
from focuscrawl.store.frontier.discover import Rescored
from focuscrawl.store.pages.fetch_log import START, Cursor, Ended, before_last, ended, stored
from focuscrawl.store.pages.page_texts import fetched_texts
from focuscrawl.store.pages.reopened_links import BEFORE_LINKS, come_nearer, nearer_pages, note_nearer, pages_refusing
from focuscrawl.store.revisits.later_verdicts import judged_by_former
from focuscrawl.url.key import UrlId

logger = logging.getLogger(__name__)

STATE_KEY = "order_strategy"
BATCH = 20
"""Fetches read back at once."""
MOST_BEHIND = 2000
"""Most fetches of other workers to catch up with: where they are much faster, this one skips some."""
SLICE = 0.02
"""Seconds for which reading back holds the event loop at once."""
MOST_CHANGES = 20_000
"""Changes that are collected from read-back fetches before they are written. Of each URL only the last change counts."""
WRITTEN = 500
"""Changes that are written in one operation."""


class ReadingBack:
    """What one process reads back for its order strategy."""

    def __init__(
        self,
        ordering: Ordering,
        options: Options,
        cache: UrlCache,
        max_depth: int | None,
        reopen: Callable[[Page], list[Link]],
        ending: Callable[[], object],
    ) -> None:
        """Args:
        max_depth: most clicks from a seed.
        reopen: takes the rule from the links of a stored page that may be followed now, and returns them.
        ending: whether the crawl ends, so that nothing more is read back.
        """
        self._ordering, self._options, self._max_depth, self._ending = ordering, options, max_depth, ending
        self._store: CrawlStore
        self._cursor: Cursor = START
        """In the log of fetches: the strategy has been shown those before it."""
        self._caught_up = False
        """Whether the fetches of earlier runs were all read. Only other workers add fetches from then on."""
        self._switched = False
        """The run before had another strategy or FRONTIER_WEIGHT_PRIOR, and its fetches are being read back."""
        self._catching = asyncio.Lock()
        self._reopened = ReopenedLinks(cache, reopen, has_depth=max_depth is not None)

    async def open(self, store: CrawlStore, followed: str = "") -> bool:
        """Find where in the log of fetches to begin. Returns whether the user wants other links followed than in the run
        before. `followed`: see `ReopenedLinks.open`."""
        self._store = store
        await self._reopened.open(store, followed)
        if not (reads_all := self._reopened.reads_all):
            last = self._options.linkscore_replay_pages
            self._cursor = await store.call(before_last, worker=store.worker, count=last)
        before = await store.call(read_meta, key=STATE_KEY)
        prior = self._options.frontier_weight_prior
        ranked = f"{self._ordering.strategy}, weight prior {prior:g}" if prior else self._ordering.strategy
        self._switched = before is not None and before != ranked
        await store.call(set_meta, key=STATE_KEY, value=ranked)
        return reads_all

    @property
    def has_more_to_follow(self) -> bool:
        """Whether stored pages are still to be read back for links that were refused before and may be followed now."""
        return self._reopened.pending or self._reopened.looks_for_nearer(self._ordering.seen, at_end=True)

    async def find_again(self, site: str) -> None:
        """Have the links to this registered domain (empty: to new hosts) queued that were refused because their part of the web
        brought too little, as far as they may be followed now. Only a note is made here: `catch_up` reads the pages with such
        links, or that of a later run does, if this one ends before."""
        await self._reopened.add(site)

    async def catch_up(self, at_end: bool = False) -> None:
        """Show the strategy what others have committed since the last call; the first call shows the last pages of earlier
        runs. Returns early when the crawl ends. `at_end`: nothing else is left to fetch, so all refused links are queued that
        may be followed now."""
        async with self._catching:
            leases_wait = not self._caught_up and not at_end  # for the fetches of earlier runs to be read
            await self._read_log()
            while (site := self._reopened.next_site(self._ordering.seen, at_end)) is not None and not self._stops:
                await self._find_again_at(site)
            looks = not leases_wait and self._reopened.looks_for_nearer(self._ordering.seen, at_end)
            if looks and not self._stops:  # it looks at all links that are stored
                await self._follow_nearer()

    @property
    def _stops(self) -> bool:
        """Whether nothing more may be read back for now."""
        return bool(self._ordering.topic.busy or self._ending())

    async def _read_log(self) -> None:
        """Show the strategy the fetches that stand behind `_cursor` in the log, and write what it changes by them."""
        changed: dict[UrlId, Rescored] = {}
        behind = MOST_BEHIND if self._caught_up else None
        while not self._stops:
            batch, cursor = await self._store.call(
                ended, after=self._cursor, worker=self._store.worker, limit=BATCH, behind=behind
            )
            # Only earlier runs stored pages that a former topic has judged.
            shows_verdicts = not self._caught_up and (self._ordering.learns or self._switched)
            texts = await self._texts_to_judge(batch) if shows_verdicts else {}
            async for fetch in in_slices(batch, SLICE):
                self._show(self._judged(fetch, texts), changed, fetch.page_id)
            self._cursor = cursor
            await self._reopened.queue()
            if len(batch) < BATCH:
                break
            if len(changed) > MOST_CHANGES:
                await self._write(changed)
        if self._reopened.reads_all and not self._stops:
            await self._reopened.note_all_read()
            logger.info("links of stored pages that were refused before: %d URLs wait now", self._reopened.count)
        if not self._ordering.topic.busy:
            self._switched, self._caught_up = False, True
        await self._write(changed)

    async def _find_again_at(self, site: str) -> None:
        """Queue the links to this registered domain (empty: to new hosts) that were refused and may be followed now."""
        before, page_ids = self._reopened.count, await self._store.call(pages_refusing, site=site)
        if await self._find_again(page_ids):
            await self._reopened.note_found(self._ordering.seen)
            count = self._reopened.count - before
            logger.debug("%s: %d URLs wait that were refused before", site or "new hosts", count)

    async def _follow_nearer(self) -> None:
        """Queue the links of stored pages that were refused because they lay too deep, where a shorter way to the page was
        found since, and those of pages that come nearer by this in turn."""
        max_depth = self._max_depth or 0
        while await self._shorten() and (page_ids := await self._store.call(nearer_pages, max_depth=max_depth)):
            if not await self._find_again(page_ids):
                return
            await self._store.call(note_nearer, page_ids=page_ids)
        if not self._stops:
            self._reopened.note_nearer_found(self._ordering.seen)

    async def _shorten(self) -> bool:
        """Give known URLs the depths of the shortest ways that were found, pass by pass over all links until none is too long.
        Returns whether that was done; false if the crawl stops."""
        found, after = 0, BEFORE_LINKS
        while not self._stops:
            some, last = await self._store.call(come_nearer, after=after)
            found += some
            if last is None and not found:
                return True
            found, after = (found, last) if last else (0, BEFORE_LINKS)
        return False

    async def _find_again(self, page_ids: Sequence[int]) -> bool:
        """Queue the links of these stored pages that were refused and may be followed now. Returns whether all pages were read;
        false if the crawl stops."""
        for start in range(0, len(page_ids), BATCH):
            if self._stops:
                return False
            batch = await self._store.call(stored, page_ids=page_ids[start : start + BATCH])
            texts = await self._texts_to_judge(batch)
            async for fetch in in_slices(batch, SLICE):
                page = self._judged(fetch, texts)
                if opened := self._reopened.links_of(page):
                    links, page.links, page.again = page.links, opened, True
                    self._ordering.rank(page)
                    page.links = links
                    self._reopened.note(page, fetch.page_id, opened)
            await self._reopened.queue()
        return True

    async def _texts_to_judge(self, fetches: Sequence[Ended]) -> dict[str, str]:
        """By URL, the texts of those of the pages that a former definition of the topic has judged."""
        former = await self._store.call(judged_by_former)
        earlier = [fetch.page_id for fetch in fetches if 0 < fetch.page_id <= former]
        if not earlier:
            return {}
        return {page.url: page.text for page in await self._store.call(fetched_texts, page_ids=earlier)}

    def _judged(self, fetch: Ended, texts: Mapping[str, str]) -> Page:
        """The page of a fetch. If its text is among these, the present topic judges it."""
        page, topic = fetch.page(), self._ordering.topic.by_name.get("")
        if topic and page.verdict and (text := texts.get(page.url)):
            page.text = text
            judge_again(page, topic.page_model, topic.segmenter, topic.labels)
        return page

    def _show(self, page: Page, changed: dict[UrlId, Rescored], page_id: int) -> None:
        if page.verdict:
            self._ordering.tunnelling.see(page)
        opened = self._reopened.links_of(page) if self._reopened.reads_all else []
        # The links of other workers' fetches have their priorities already: only a strategy that learns gains from them.
        if not (self._ordering.learns or self._switched or opened):
            self._ordering.seen += 1
            return
        self._ordering.see(page)
        if opened:
            self._reopened.note(page, page_id, opened)
        if self._switched:
            self._rank_again(page, changed)
        changed.update((row.url_id, row) for row in self._ordering.take())

    def _rank_again(self, page: Page, changed: dict[UrlId, Rescored]) -> None:
        """Give the links of a page of an earlier run, which had another strategy, the priorities of this one."""
        for link in page.links:
            if link.refused:
                continue
            key = link.key.url_id
            if key not in changed or (self._ordering.focused and link.priority > changed[key].priority):
                changed[key] = Rescored(key, link.priority)

    async def _write(self, changed: dict[UrlId, Rescored]) -> None:
        rows = list(changed.values())
        changed.clear()
        for start in range(0, len(rows), WRITTEN):
            await self._store.rescore(rows[start : start + WRITTEN])
        self._ordering.settle(rows)
