"""The crawl's order strategy, as the components of one process use it: made once the topic is there, shown every fetch
that has ended, also those of other workers and of earlier runs, and asked for what it thinks of waiting URLs now.

Invariant: the strategy sees each fetch once, in about the order of the commits; what it changes is written with a commit.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from functools import partial

import orjson

from focuscrawl.config.job import CrawlJob
from focuscrawl.config.options import Options
from focuscrawl.crawl.several_topics import CrawlTopic, SharedTopics
from focuscrawl.crawl.topic import TopicMaker
from focuscrawl.frontier.url_cache import UrlCache
from focuscrawl.items import Page
from focuscrawl.store.crawl_store import CrawlStore
from focuscrawl.store.engines.meta import read_meta, set_meta
from focuscrawl.store.frontier.discover import Rescored
from focuscrawl.store.pages.fetch_log import START, Cursor
from focuscrawl.url.key import UrlId
from models.link.tunnelling import make_tunnelling
from models.order.combined import Combined
from models.order.protocol import Change, Order, OrderContext
from models.order.strategies import STRATEGIES, learns, make_order

BY_DEPTH = frozenset({"breadth-first", "depth-first"})
"""Strategies whose priorities are made of the depth, which is 0 for seeds."""
STATE_KEY = "order_strategy"
BATCH = 20
"""Fetches read back at once."""
MOST_BEHIND = 2000
"""Fetches of other workers that are caught up with at most: when they are much faster, this one skips some."""
SLICE = 0.02
"""Seconds of the event loop that reading back takes in one go."""
MOST_CHANGES = 20_000
"""Changes from read-back fetches that are collected before they are written: of most URLs only the last one counts."""
WRITTEN = 500
"""Changes that are written in one operation."""


class Ordering:
    """One strategy in one process."""

    def __init__(self, job: CrawlJob, options: Options, topic: CrawlTopic, cache: UrlCache) -> None:
        self._job, self._options, self._topic, self._cache = job, options, topic, cache
        self.strategy = job.arguments.strategy
        self.focused = STRATEGIES[self.strategy].focused
        self._learns = learns(self.strategy, options.frontier_weight_prior, job.arguments.important)
        self.tunnelling = make_tunnelling(
            options.linkscore_tunnelling, options.linkscore_tunnel_depth, options.frontier_random_seed
        )
        self.shown = 0
        """Fetches of other workers and earlier runs that were shown."""
        self.seen = 0
        """Fetches that have ended, as far as the strategy knows: those shown and this process's own."""
        self._first_number = 0
        self._order: Order | None = None
        self._early: list[Page] = []
        """Failures and redirects that ended before the topic was there."""
        self._store: CrawlStore
        self._last: Cursor = START
        self._behind: int | None = None
        self._switched = False
        self._catching = asyncio.Lock()

    async def open(self, store: CrawlStore, first_number: int) -> None:
        """Note where the log of fetches begins for us. `first_number`: discovery numbers begin there."""
        self._store, self._first_number = store, first_number
        self._last = await store.before_last_fetches(self._options.linkscore_replay_pages)
        before = await store.call(partial(read_meta, key=STATE_KEY))
        self._switched = before is not None and before != self.strategy
        await store.call(partial(set_meta, key=STATE_KEY, value=self.strategy))

    def start_priority(self, base: float, number: int) -> float:
        """Of a seed or an example page: `base`, or the place before all links by their depth; `number`: place in its list."""
        # Seeds have depth 0, and keep the order of their list by a difference that no depth makes.
        return base - 1.0 - number * 1e-9 if self.strategy in BY_DEPTH else base

    def see(self, page: Page) -> None:
        """A fetch has ended; the links that are not refused get score, parts and priority."""
        self.seen += 1
        if self._topic.busy:
            self._early.append(page)
            return
        if self._order is None:
            self._order = self._make()
            for early in self._early:
                self._order.see(early)
            self._early.clear()
        self._order.see(page)

    def take(self) -> list[Rescored]:
        """What is to be written about waiting URLs, since the last call."""
        changes = self._order.changes() if self._order else []
        return [row_of(change) for change in {change.key: change for change in changes}.values()]  # the last of each URL counts

    def settle(self, rescored: Sequence[Rescored]) -> None:
        """These have been written: the cache may not hold back links that are better than the new priorities."""
        for row in rescored:
            self._cache.rescore(row.url_id[1], row.priority)

    async def catch_up(self, stopping: Callable[[], object] = lambda: False) -> None:
        """Show the strategy what others have committed since the last call; at the first one, the last pages of the
        earlier runs. Returns early when `stopping()` says so."""
        async with self._catching:
            changed: dict[UrlId, Rescored] = {}
            while not self._topic.busy and not stopping():
                batch, last = await self._store.ended_fetches(self._last, BATCH, self._behind)
                until = time.monotonic() + SLICE
                for one in batch:
                    self._show(one.page(), changed)
                    if time.monotonic() > until:
                        await asyncio.sleep(0)
                        until = time.monotonic() + SLICE
                self._last = last
                if len(batch) < BATCH:
                    break
                if len(changed) > MOST_CHANGES:
                    await self._write(changed)
            if not self._topic.busy:
                # Earlier runs are read to their end; from now on it is other workers that this one must keep up with.
                self._switched, self._behind = False, MOST_BEHIND
            await self._write(changed)

    def _show(self, page: Page, changed: dict[UrlId, Rescored]) -> None:
        if page.verdict:
            self.tunnelling.see(page)
        self.shown += 1
        if not self._learns and not self._switched:
            self.seen += 1
            return
        self.see(page)
        if self._switched:
            self._rank_again(page, changed)
        changed.update((row.url_id, row) for row in self.take())

    def _rank_again(self, page: Page, changed: dict[UrlId, Rescored]) -> None:
        """The last run had another strategy: what its pages' links are worth is told by this one."""
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
        if isinstance(self._topic, SharedTopics):
            return Combined({name: self._make_one(maker) for name, maker in self._topic.makers.items()})
        return self._make_one(self._topic)

    def _make_one(self, topic: TopicMaker) -> Order:
        context = OrderContext(
            topic.model, topic.scorer, topic.segmenter, topic.job.seeds, self._job.arguments.important,
            self._options.frontier_weight_prior, self._first_number, self._options.frontier_random_seed,
        )  # fmt: skip
        return make_order(self.strategy, context)


def row_of(change: Change) -> Rescored:
    """As the store takes it."""
    return Rescored(change.key, change.priority, orjson.dumps(change.parts).decode() if change.parts else "")
