"""The frontier as Scrapy's scheduler: leases small batches of the best URLs of hosts that may be asked now.

Invariant: the buffer holds leases only, never more than one round of requests; links never become Requests before they
are leased. When nothing is ready, the scheduler sleeps exactly until the next host or retry is due.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from typing import Any

from scrapy import Spider, signals
from scrapy.core.scheduler import Scheduler
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.http import Request
from scrapy.utils.defer import deferred_from_coro
from twisted.internet.defer import Deferred

from focuscrawl.crawl.recrawl import RANK_SECONDS
from focuscrawl.crawl.session import CrawlSession, session_of
from focuscrawl.crawl.sharing import EXCHANGE_SECONDS
from focuscrawl.frontier.stop_rules import Stop
from focuscrawl.items import Lease, Page
from focuscrawl.scrapy_side.responses import error_name
from focuscrawl.store.engines.writer import StorageError
from focuscrawl.store.workers.control import Wanted
from focuscrawl.store.workers.lifecycle import BEAT_SECONDS, WorkerLostError

logger = logging.getLogger(__name__)

OTHERS_SECONDS = 0.2
"""Between looks at what another worker does."""
CLOSE_SECONDS = 0.2
"""Between looks whether a close can end."""
SHORTEST_SLEEP = 0.02
"""A host that is due but has no place left is looked at again after so long, or when an answer comes."""
FOLLOW_SECONDS = 1.0
"""Between looks at what other workers have fetched, and at what waits."""
START_GRACE = 5.0
"""Seconds that the start of a crawl waits for an example page which is not due yet, or due and yet not to be had."""


class FrontierScheduler:
    """Scrapy's scheduler interface over the session's store."""

    def __init__(self, crawler: Crawler, session: CrawlSession) -> None:
        self._crawler = crawler
        self._session = session
        self._buffer: deque[Lease] = deque()
        self._local: deque[Request] = deque()
        self._held: dict[tuple[int, int], Lease] = {}
        self._more = asyncio.Event()
        self._starved_since: float | None = None
        """Of the start: since when nothing was leased and nothing is on the way."""
        self._tasks: list[asyncio.Task[None]] = []
        self._spider: Spider

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> FrontierScheduler | Scheduler:
        """Scrapy's own scheduler where there is no crawl: in `scrapy shell` and `fetch`."""
        try:
            session = session_of(crawler)
        except NotConfigured:
            return Scheduler.from_crawler(crawler)
        scheduler = cls(crawler, session)
        crawler.signals.connect(scheduler._item_error, signals.item_error)
        crawler.signals.connect(scheduler._spider_error, signals.spider_error)
        return scheduler

    def open(self, spider: Spider) -> Deferred[None]:
        self._spider = spider
        return deferred_from_coro(self._open())

    async def _open(self) -> None:
        await self._session.open()
        parts = (
            self._refill(), self._beat(), self._follow(), self._exchange(), self._rank(), self._watch_clock(),
            self._watch_close(),
        )  # fmt: skip
        self._tasks = [asyncio.ensure_future(part) for part in parts]
        for task in self._tasks:
            task.add_done_callback(self._task_ended)

    def _task_ended(self, task: asyncio.Task[None]) -> None:
        """None of them may die in silence: the crawl would hang, or be taken for dead."""
        error = None if task.cancelled() else task.exception()
        if isinstance(error, StorageError):
            logger.error("the frontier stops: %s", error)
            self._session.stop("failure", "the store cannot be written")
        elif error is not None:
            logger.error("the frontier failed: %r", error, exc_info=error)
            self._session.stop("failure", "see the error above")

    def close(self, reason: str) -> Deferred[None]:
        return deferred_from_coro(self._close(reason))

    async def _close(self, reason: str) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._session.close(reason)

    def has_pending_requests(self) -> bool:
        """Always: the crawl ends by `CrawlSession.stop`, which knows what waits."""
        return True

    def enqueue_request(self, request: Request) -> bool:
        """Requests made by the spider itself (robots redirects); they go out next."""
        self._local.append(request)
        return True

    def next_request(self) -> Request | None:
        if self._local:
            return self._local.popleft()
        if len(self._buffer) <= self._session.options.concurrent_requests // 4:
            self._more.set()
        return self._request(self._buffer.popleft()) if self._buffer else None

    def done(self, lease: Lease) -> None:
        """The lease has ended by its commit."""
        self._held.pop(lease.url_id, None)
        self._more.set()

    async def give_back(self, lease: Lease, wait: float = 0.0) -> None:
        """The lease is returned unfetched."""
        self.done(lease)
        await self._session.store.release([lease], wait)

    def _request(self, lease: Lease) -> Request:
        spider: Any = self._spider
        return Request(
            lease.url,
            callback=spider.parse_robots if lease.robots else spider.parse,
            errback=spider.failed_robots if lease.robots else spider.failed,
            priority=round(1000 * lease.priority),
            dont_filter=True,
            meta={"lease": lease},
        )

    async def _refill(self) -> None:
        """Keep the buffer filled; ends when the crawl stops."""
        session, wanted = self._session, max(2, self._session.options.concurrent_requests)
        await session.catch_up()
        if session.recrawling.on:  # here, for heartbeats, operators and signals are heard meanwhile
            await session.recrawling.begin()
        while not session.stop_reason:
            self._more.clear()
            if session.control.waits:
                self._starved_since = None
                await self._more.wait()
                continue
            if session.topic.waits_for_other:
                await asyncio.sleep(OTHERS_SECONDS)
                continue
            robots = sum(lease.robots for lease in self._held.values())
            on_way = len(self._held) - session.topic.held
            room = session.room(len(self._held) - robots, robots)
            count = min(wanted // 2 - len(self._buffer), room, 2 * wanted - on_way)
            if count <= 0:
                if session.topic.kind_wanted and not on_way:
                    self._finish_start()  # max_pages allows no further page to define the topic
                else:
                    await self._more.wait()
                continue
            try:
                leases, due = await session.store.lease(count, session.topic.kind_wanted)
            except WorkerLostError:
                session.lost()
                return
            if leases:
                self._starved_since = None
                session.allocation.leased()
                await session.robots.load(leases)
                self._held.update((lease.url_id, lease) for lease in leases)
                session.inc("frontier/leased_count", len(leases))
                self._buffer.extend(leases)
                self._wake_engine()
            else:
                await self._nothing_ready(due)

    async def _nothing_ready(self, due: float | None) -> None:
        """Sleep until something is due, or end the crawl when nothing will be for long."""
        session = self._session
        wait = None if due is None else max(SHORTEST_SLEEP, due - session.store.clock())
        on_way = len(self._held) - session.topic.held
        if session.topic.kind_wanted and not on_way:
            now = asyncio.get_running_loop().time()
            self._starved_since = self._starved_since or now
            # The second: what is due may be out of reach, as the next page of a host that has all its max_pages_per_host.
            if wait is None or wait > START_GRACE or now - self._starved_since > START_GRACE:
                self._finish_start()
                return
        patience = session.options.frontier_idle_stop
        if not self._held and not session.topic.busy and (wait is None or wait > patience):
            if await self._all_is_done(patience):
                await self._end_empty()
                return
            wait = min(wait or 1.0, 1.0)
        try:
            await asyncio.wait_for(
                self._more.wait(), min(wait if wait is not None else 1.0, 1.0 if session.topic.busy else 60.0)
            )
        except TimeoutError:
            return

    async def _all_is_done(self, patience: float) -> bool:
        """Nothing falls due within `patience`, and nobody holds what may. (What a dead worker held may have come back since
        nothing was found.)"""
        session = self._session
        held, due = await session.store.others()
        soon = due is not None and due - session.store.clock() <= patience
        return not held and not soon and not await session.allocation.waits(session.store)

    async def _end_empty(self) -> None:
        session = self._session
        if await session.recrawling.rank():
            return  # sitemaps and feeds have told of more
        held_back = await session.control.held_back(session.store)
        if session.recrawling.on:
            reason, why = await session.recrawling.ending(session.options.frontier_idle_stop)
            session.stop(reason, why + held_back)
        else:
            session.stop_or_recrawl(Stop("empty", await session.allocation.why_ending(session.store) + held_back))

    def _finish_start(self) -> None:
        """Make the topic of the pages that are there."""
        if problem := self._session.topic.finish_start():
            self._session.stop("no_topic", problem)

    def _wake_engine(self) -> None:
        """The engine asks again at once. It has no public call for this (Scrapy 2.19); its 5 s heartbeat would do, late."""
        slot = getattr(self._crawler.engine, "_slot", None)
        if slot is not None:
            slot.nextcall.schedule()

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            await self._session.beat()
            await self._obey()

    async def _obey(self) -> None:
        """Do what operators want: end, or give back what they do not want fetched. What they have added or released is
        looked for at once. (What has left the buffer is stopped by `middlewares.operator`.)"""
        control = self._session.control
        if control.wanted is Wanted.STOP:
            self._session.stop("stopped", control.why)
        back = [lease for lease in self._buffer if control.refuses(lease)]
        if back:
            self._buffer = deque(lease for lease in self._buffer if not control.refuses(lease))
            for lease in back:
                self._held.pop(lease.url_id, None)
            await self._session.store.release(back)
        self._more.set()

    async def _follow(self) -> None:
        """What other workers find, the order strategy of this one knows soon; and when nothing good waits, the crawl ends."""
        while True:
            await asyncio.sleep(FOLLOW_SECONDS)
            await self._session.catch_up()
            await self._session.look_at_what_waits()

    async def _exchange(self) -> None:
        """What one worker learns reaches the others; a kill costs what was learned since."""
        while True:
            await asyncio.sleep(EXCHANGE_SECONDS)
            await self._session.exchange()

    async def _rank(self) -> None:
        """What falls due while a recrawl runs gets its place."""
        while True:
            await asyncio.sleep(RANK_SECONDS)
            await self._session.recrawling.rank()
            self._more.set()

    async def _watch_clock(self) -> None:
        minutes = self._session.job.arguments.minutes
        if minutes:
            await asyncio.sleep(60 * minutes)
            self._session.stop("minutes", f"the {minutes:g} minutes are over")

    async def _watch_close(self) -> None:
        """Scrapy 2.19 asks whether a close may end only behind responses. One that begins while pages of `start` are the
        last in the pipelines would never end, and there is no public way to ask."""
        while True:
            await asyncio.sleep(CLOSE_SECONDS)
            scraper: Any = self._crawler.engine.scraper if self._crawler.engine else None
            slot = scraper.slot if scraper else None
            if slot is not None and slot.closing is not None and not slot.closing.called:
                scraper._check_if_closing()

    def _spider_error(self, failure: Any, response: Any) -> None:
        """The spider raised. Scrapy does not await handlers of this signal."""
        request = getattr(response, "request", None)
        if request is not None and "lease" in request.meta:
            task = asyncio.ensure_future(self._end_failed(failure, request))
            task.add_done_callback(self._task_ended)

    async def _end_failed(self, failure: Any, request: Request) -> None:
        """The page is set aside, a robots.txt counts as unreachable, and the lease ends."""
        lease: Lease = request.meta["lease"]
        if self._storage_failed(lease, failure):
            return
        if lease.robots:
            spider: Any = self._spider
            await spider.robots.unreachable(request, error_name(failure.value))
            return
        await self._set_aside(Page(lease, lease.url, fetched_at=self._session.store.clock()))

    def _storage_failed(self, lease: Lease, failure: Any) -> bool:
        """Whether it is the store that did not take it: no fault of the URL, which stays leased until this process ends."""
        if not isinstance(failure.value, StorageError):
            return False
        logger.error("not stored, to be fetched again by the next start: %s (%s)", lease.url, failure.value)
        self._session.stop("failure", "the store cannot be written")
        self.done(lease)
        return True

    async def _item_error(self, item: Any, failure: Any) -> None:
        """A pipeline raised: the page is set aside, and its lease ends."""
        if isinstance(item, Page) and not self._storage_failed(item.lease, failure):
            logger.error("internal error on %s: %r", item.url, failure.value)
            await self._set_aside(item)

    async def _set_aside(self, page: Page) -> None:
        try:
            await self._session.fail(page, "internal")
        finally:
            self.done(page.lease)  # whatever happens: the crawl would wait for it without end
