"""The frontier as Scrapy's scheduler: it hands out the leases of the crawl process as requests, and handles errors."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from typing import Any

from scrapy import Spider, signals
from scrapy.core.scheduler import Scheduler
from scrapy.crawler import Crawler
from scrapy.http import Request
from scrapy.utils.defer import deferred_from_coro
from twisted.internet.defer import Deferred

from focuscrawl.crawl.process import CrawlProcess
from focuscrawl.errors import BadInput
from focuscrawl.items import Lease, Page
from focuscrawl.politeness.robots import MAX_BYTES
from focuscrawl.scrapy_side.compat import end_idle_close, is_running
from focuscrawl.scrapy_side.crawl_runner import crawl_of, has_crawl
from focuscrawl.scrapy_side.failures import DROPPED, error_name
from focuscrawl.scrapy_side.responses import MOST_BYTES
from focuscrawl.store.engines.writer import StorageError

logger = logging.getLogger(__name__)

CLOSE_SECONDS = 0.2
"""Between checks whether a close can end."""


class FrontierScheduler:
    """Scrapy's scheduler interface over the crawl process."""

    def __init__(self, crawler: Crawler, crawl: CrawlProcess) -> None:
        self._crawler = crawler
        self._crawl = crawl
        self._local: deque[Request] = deque()
        self._opened = False
        self._runs = False
        self._spider: Spider

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> FrontierScheduler | Scheduler:
        """Scrapy's own scheduler where there is no crawl: in `scrapy shell`, `fetch` and `parse`, for a user's own spiders."""
        if not has_crawl(crawler):
            return Scheduler.from_crawler(crawler)
        scheduler = cls(crawler, crawl_of(crawler))
        crawler.signals.connect(scheduler._begun, signals.spider_opened)
        crawler.signals.connect(scheduler._item_error, signals.item_error)
        crawler.signals.connect(scheduler._item_dropped, signals.item_dropped)
        crawler.signals.connect(scheduler._spider_error, signals.spider_error)
        return scheduler

    def open(self, spider: Spider) -> Deferred[None]:
        self._spider = spider
        return deferred_from_coro(self._open())

    async def _open(self) -> None:
        try:
            await self._crawl.open()
        except (BadInput, StorageError) as error:
            logger.error("stopped before it had begun: %s", error)
            self._crawl.stopping.not_begun(error)
            self._crawl.tasks.start(self._end_unbegun())
            return
        self._opened = True
        self._crawl.tasks.start(self._watch_close())

    async def _end_unbegun(self) -> None:
        """End in the usual way once the engine runs. Scrapy cannot close it before, and would log tracebacks."""
        while not is_running(self._crawler):
            await asyncio.sleep(CLOSE_SECONDS)
        self._crawl.runner.close(self._crawl.stopping.reason)

    def close(self, reason: str) -> Deferred[None]:
        return deferred_from_coro(self._crawl.close(reason if self._runs else "failure"))

    def _begun(self) -> None:
        """A handler of Scrapy's signal: all components are open. If one of them raises, the crawl is closed without it."""
        self._runs = True

    def has_pending_requests(self) -> bool:
        """Always true: `Stopping.stop` ends the crawl, because it knows what waits."""
        return True

    def enqueue_request(self, request: Request) -> bool:
        """Take a request that the spider made itself (for a redirect of robots.txt). It is sent next."""
        self._local.append(request)
        return True

    def next_request(self) -> Request | None:
        if not self._opened:
            return None
        if self._local:
            return self._local.popleft()
        lease = self._crawl.leases.next()
        return self._request(lease) if lease else None

    def _request(self, lease: Lease) -> Request:
        spider: Any = self._spider
        return Request(
            lease.url,
            callback=spider.parse_robots if lease.robots else spider.parse,
            errback=spider.failed_robots if lease.robots else spider.failed,
            priority=round(1000 * lease.priority),
            dont_filter=True,
            meta={"lease": lease, MOST_BYTES: MAX_BYTES} if lease.robots else {"lease": lease},
        )

    async def _watch_close(self) -> None:
        while True:
            await asyncio.sleep(CLOSE_SECONDS)
            end_idle_close(self._crawler)

    def _spider_error(self, failure: Any, response: Any) -> None:
        """The spider raised. The work is done in a task, because Scrapy does not await handlers of this signal."""
        request = getattr(response, "request", None)
        if request is not None and "lease" in request.meta:
            self._crawl.tasks.start(self._end_failed(failure, request))

    async def _end_failed(self, failure: Any, request: Request) -> None:
        """End the lease: a page is given up, a robots.txt counts as unreachable."""
        lease: Lease = request.meta["lease"]
        if self._storage_failed(lease, failure):
            return
        if lease.robots:
            spider: Any = self._spider
            await spider.robots.unreachable(request, error_name(failure.value))
            return
        await self._crawl.give_up(Page(lease, lease.url, fetched_at=self._crawl.store.clock()))

    async def _item_error(self, item: Any, failure: Any) -> None:
        """A pipeline raised: give the page up, which ends its lease."""
        if not isinstance(item, Page) or self._storage_failed(item.lease, failure):
            return
        if self._crawl.leases.holds(item.lease):  # otherwise a user's pipeline raised after the commit
            await self._crawl.give_up(item)

    async def _item_dropped(self, item: Any) -> None:
        """A user's pipeline dropped a page: give it up, unless it was committed before and its lease has ended."""
        if isinstance(item, Page) and self._crawl.leases.holds(item.lease):
            await self._crawl.give_up(item, DROPPED)

    def _storage_failed(self, lease: Lease, failure: Any) -> bool:
        """Whether the store failed, so that the crawl stops. The URL is not to blame, and stays leased until this process
        ends."""
        if not isinstance(failure.value, StorageError):
            return False
        logger.error("not stored, to be fetched again by the next start: %s (%s)", lease.url, failure.value)
        self._crawl.stopping.stop("failure", "the store cannot be written")
        self._crawl.leases.done(lease)
        return True
