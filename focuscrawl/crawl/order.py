"""The crawl's order strategy, as the components of one process use it.

It is made as soon as there is a topic, is shown every fetch that has ended, including those of other workers and of earlier
runs, and says which priorities of waiting URLs are to change.

Invariant: the strategy sees each fetch once, about in the order of the commits; its changes are written with a commit. Of a URL
that is tried several times it sees the last try alone, because a timeout, say, would teach it that links like this one bring
nothing. A page is seen once more, with some of its links alone, if these were refused when it was fetched and may be followed
now: because the user asks for other links than in the run before, or a part of the web that was closed has opened again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import orjson

from focuscrawl.config.arguments import CrawlArguments
from focuscrawl.config.job import CrawlJob
from focuscrawl.config.options import Options
from focuscrawl.crawl.long_work import in_slices
from focuscrawl.crawl.relevance.several_topics import CrawlTopic
from focuscrawl.crawl.relevance.topic import TopicMaker, judge_again
from focuscrawl.crawl.reopened_links import ReopenedLinks
from focuscrawl.frontier.outcome import will_retry
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
from models.link.tunnelling import Tunnelling, make_tunnelling
from models.order.combined import Combined
from models.order.protocol import Change, Order, OrderContext
from models.order.strategies import STRATEGIES, learns, make_order

logger = logging.getLogger(__name__)

BY_DEPTH = frozenset({"breadth-first", "depth-first"})
"""Strategies whose priorities follow from the crawl depth, which is 0 for seeds."""
STATE_KEY = "order_strategy"
BATCH = 20
"""Fetches read back at once."""
MOST_BEHIND = 2000
"""Most fetches of other workers to catch up with: where they are much faster, this one skips some."""
SLICE = 0.02
"""Seconds for which reading back holds the event loop at once."""
MOST_CHANGES = 20_000
"""Changes that are collected from read-back fetches before they are written. Of each URL only the last change counts."""
MOST_ASIDE = 50_000
"""URLs that were put aside and are remembered; those forgotten are found again when the order wants one."""
WRITTEN = 500
"""Changes that are written in one operation."""


class Ordering:
    """One strategy in one process."""

    def __init__(
        self,
        job: CrawlJob,
        options: Options,
        topic: CrawlTopic,
        cache: UrlCache,
        held: Callable[[], frozenset[str]] = frozenset,
        ending: Callable[[], object] = lambda: False,
    ) -> None:
        """`held`: the origins that operators hold now. `ending`: whether the crawl ends, so that nothing more is read back."""
        self._job, self._options, self._topic, self._cache, self._held = job, options, topic, cache, held
        self._ending = ending
        self.strategy = job.arguments.strategy
        self.focused = STRATEGIES[self.strategy].focused
        self._learns = learns(self.strategy, options.frontier_weight_prior, job.arguments.important)
        self.tunnelling = tunnelling_of(options)
        self.shown = 0
        """Fetches of other workers and of earlier runs that were read back for the strategy."""
        self.seen = 0
        """All fetches that ended: this process's own, and those in `shown`."""
        self._first_number = 0
        self._order: Order | None = None
        self._aside: set[UrlId] = set()
        """URLs that the strategy wanted to give another priority, but that an operator or a rule had put aside."""
        self._early: list[Page] = []
        """Failures and redirects that ended before there was a topic."""
        self._store: CrawlStore
        self._cursor: Cursor = START
        """In the log of fetches: the strategy has been shown those before it."""
        self._most_behind: int | None = None
        self._switched = False
        """The run before had another strategy or FRONTIER_WEIGHT_PRIOR, and its fetches are being read back."""
        self._catching = asyncio.Lock()
        self._reopened = ReopenedLinks(cache, has_depth=job.arguments.max_depth is not None)

    async def open(
        self,
        store: CrawlStore,
        first_number: int,
        reopen: Callable[[Page], list[Link]] | None = None,
        followed: str = "",
    ) -> bool:
        """Find where in the log of fetches to begin. Returns whether the user wants other links followed than in the run
        before.

        Args:
            first_number: the first discovery number of this run.
            reopen: see `ReopenedLinks.open`.
            followed: see there.
        """
        self._store, self._first_number = store, first_number
        await self._reopened.open(store, reopen, followed)
        reads_all = self._reopened.reads_all
        self._cursor = (
            START
            if reads_all
            else await store.call(before_last, worker=store.worker, count=self._options.linkscore_replay_pages)
        )
        before = await store.call(read_meta, key=STATE_KEY)
        prior = self._options.frontier_weight_prior
        ranked = f"{self.strategy}, weight prior {prior:g}" if prior else self.strategy
        self._switched = before is not None and before != ranked
        await store.call(set_meta, key=STATE_KEY, value=ranked)
        return reads_all

    @property
    def follows_others(self) -> bool:
        """Whether stored pages are still to be read back for links that were refused before and may be followed now."""
        return self._reopened.pending or self._reopened.looks_for_nearer(self.seen, at_end=True)

    def start_priority(self, base: float, number: int) -> float:
        """The priority of a seed or example page: `base`, or one above those of all links where priorities follow from depth.

        `number`: its place in the list of seeds or examples, which keep their order."""
        # Seeds have depth 0. A difference smaller than that of any two depths keeps them in the order of their list.
        return base - 1.0 - number * 1e-9 if self.strategy in BY_DEPTH else base

    def see(self, page: Page) -> None:
        """Show the strategy a fetch that has ended, unless its URL is tried again. Its links that no rule refused get score,
        parts and priority."""
        self.seen += 1
        if not will_retry(page, self._options.frontier_retry_delays):
            self._rank(page)

    def _rank(self, page: Page) -> None:
        """Show the strategy a page whose links need a priority."""
        if self._topic.busy:
            self._early.append(page)
            return
        if self._order is None:  # made only now, because it scores links by the topic
            self._order = self._make()
            for early in self._early:
                self._order.see(early)
            self._early.clear()
        self._order.see(page)

    def take(self) -> list[Rescored]:
        """The changes of waiting URLs since the last call, to be written to the store."""
        changes = self._order.changes() if self._order else []
        return list(map(row_of, {change.key: change for change in changes}.values()))  # the last of each URL counts

    def put_aside(self, urls: Sequence[UrlId]) -> None:
        """Tell the strategy that these URLs do not wait any more and will not be fetched."""
        if len(self._aside) > MOST_ASIDE:
            self._aside.clear()  # costs a look-up for each that the order wants again
        self._aside.update(urls)

    def let_back(self, url: UrlId | None = None) -> None:
        """Tell the strategy that this URL, which was put aside, waits again, or that any may. Those that do not are found
        again."""
        if url is None:
            self._aside.clear()
        else:
            self._aside.discard(url)

    async def find_again(self, site: str) -> None:
        """Have the links to this registered domain (empty: to new hosts) queued that were refused because their part of the web
        brought too little, as far as they may be followed now. Only a note is made here: `catch_up` reads the pages with such
        links, or that of a later run does, if this one ends before."""
        await self._reopened.add(site)

    def settle(self, rescored: Sequence[Rescored]) -> None:
        """Tell the cache of known URLs which priorities were written. Links that are no better than what it knows do not reach
        the store, and it would else compare them with the priorities from before."""
        for row in rescored:
            self._cache.rescore(row.url_id[1], row.priority)

    async def catch_up(self, at_end: bool = False) -> None:
        """Show the strategy what others have committed since the last call; the first call shows the last pages of earlier
        runs. Returns early when the crawl ends. `at_end`: nothing else is left to fetch, so all refused links are queued that
        may be followed now."""
        async with self._catching:
            leases_wait = self._most_behind is None and not at_end  # for earlier runs to be read to their end
            await self._read_log()
            while (site := self._reopened.next_site(self.seen, at_end)) is not None and not self._stops:
                await self._find_again_at(site)
            looks = not leases_wait and self._reopened.looks_for_nearer(self.seen, at_end)  # at all links that are stored
            if looks and not self._stops:
                await self._follow_nearer()

    @property
    def _stops(self) -> bool:
        """Whether nothing more may be read back for now."""
        return bool(self._topic.busy or self._ending())

    async def _read_log(self) -> None:
        """Show the strategy the fetches that stand behind `_cursor` in the log, and write what it changes by them."""
        changed: dict[UrlId, Rescored] = {}
        while not self._stops:
            batch, cursor = await self._store.call(
                ended, after=self._cursor, worker=self._store.worker, limit=BATCH, behind=self._most_behind
            )
            # Only earlier runs stored pages that a former topic has judged.
            shows_verdicts = self._most_behind is None and (self._learns or self._switched)
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
        if not self._topic.busy:
            # Earlier runs were read to their end. From now on it is other workers that this one must keep up with.
            self._switched, self._most_behind = False, MOST_BEHIND
        await self._write(changed)

    async def _find_again_at(self, site: str) -> None:
        """Queue the links to this registered domain (empty: to new hosts) that were refused and may be followed now."""
        before, page_ids = self._reopened.count, await self._store.call(pages_refusing, site=site)
        if await self._find_again(page_ids):
            await self._reopened.note_found(self.seen)
            count = self._reopened.count - before
            logger.debug("%s: %d URLs wait that were refused before", site or "new hosts", count)

    async def _follow_nearer(self) -> None:
        """Queue the links of stored pages that were refused because they lay too deep, where a shorter way to the page was
        found since, and those of pages that come nearer by this in turn."""
        max_depth = self._job.arguments.max_depth or 0
        while await self._shorten() and (page_ids := await self._store.call(nearer_pages, max_depth=max_depth)):
            if not await self._find_again(page_ids):
                return
            await self._store.call(note_nearer, page_ids=page_ids)
        if not self._stops:
            self._reopened.note_nearer_found(self.seen)

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
                    self._rank(page)
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
        page, topic = fetch.page(), self._topic.makers.get("")
        if topic and page.verdict and (text := texts.get(page.url)):
            page.text = text
            judge_again(page, topic.page_model, topic.segmenter, topic.labels)
        return page

    def _show(self, page: Page, changed: dict[UrlId, Rescored], page_id: int) -> None:
        if page.verdict:
            self.tunnelling.see(page)
        self.shown += 1
        opened = self._reopened.links_of(page) if self._reopened.reads_all else []
        # The links of other workers' fetches have their priorities already: only a strategy that learns gains from them.
        if not (self._learns or self._switched or opened):
            self.seen += 1
            return
        self.see(page)
        if opened:
            self._reopened.note(page, page_id, opened)
        if self._switched:
            self._rank_again(page, changed)
        changed.update((row.url_id, row) for row in self.take())

    def _rank_again(self, page: Page, changed: dict[UrlId, Rescored]) -> None:
        """Give the links of a page of an earlier run, which had another strategy, the priorities of this one."""
        for link in page.links:
            if link.refused:
                continue
            key = link.key.url_id
            if key not in changed or (self.focused and link.priority > changed[key].priority):
                changed[key] = Rescored(key, link.priority)

    async def _write(self, changed: dict[UrlId, Rescored]) -> None:
        rows = list(changed.values())
        changed.clear()
        for start in range(0, len(rows), WRITTEN):
            await self._store.rescore(rows[start : start + WRITTEN])
        self.settle(rows)

    def _make(self) -> Order:
        makers = self._topic.makers
        orders = {name: self._make_one(maker, len(makers)) for name, maker in makers.items()}
        return orders[""] if "" in orders else Combined(orders)

    def _make_one(self, topic: TopicMaker, topics: int) -> Order:
        context = OrderContext(
            topic.model, topic.scorer, topic.segmenter, topic.job.seeds, first_number=self._first_number, topics=topics,
            held=self._held, aside=lambda: self._aside,
        )  # fmt: skip
        return make_order(self.strategy, in_crawl(context, self._job.arguments, self._options))


def tunnelling_of(options: Options) -> Tunnelling:
    """How far a crawl with these settings follows irrelevant pages."""
    return make_tunnelling(options.linkscore_tunnelling, options.linkscore_tunnel_depth, options.frontier_random_seed)


def in_crawl(context: OrderContext, arguments: CrawlArguments, options: Options) -> OrderContext:
    """The context with what a crawl's arguments and settings say to an order strategy."""
    return replace(
        context,
        important=arguments.important,
        weight_prior=options.frontier_weight_prior,
        random_seed=options.frontier_random_seed,
        most_per_host=arguments.max_pages_per_host or 0,
        most_per_site=arguments.max_pages_per_site or 0,
    )


def row_of(change: Change) -> Rescored:
    """A change of the strategy as the store takes it."""
    return Rescored(change.key, change.priority, orjson.dumps(change.parts).decode() if change.parts else "")
