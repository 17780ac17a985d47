"""Notices a page that a user's spider, or a spider middleware, kept to itself."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterable, AsyncIterator
from typing import TYPE_CHECKING, Any

from focuscrawl.items import Lease, Page
from focuscrawl.scrapy_side.crawl_runner import crawl_of
from focuscrawl.scrapy_side.responses import HELD

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from focuscrawl.crawl.process import CrawlProcess

logger = logging.getLogger(__name__)


class KeptPagesMiddleware:
    """Sees last what the spider has made of an answer. Where no Page is among it, the URL is given up, which ends its lease: a
    crawl would wait for it forever. Pages of which the topic is being made come later, from `start`."""

    def __init__(self, crawl: CrawlProcess) -> None:
        self._crawl = crawl

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> KeptPagesMiddleware:
        return cls(crawl_of(crawler))

    async def process_spider_output(self, response: Response, result: AsyncIterable[Any]) -> AsyncIterator[Any]:
        lease: Lease | None = response.meta.get("lease")
        came = lease is None or lease.robots
        async for made in result:
            came = came or (isinstance(made, Page) and made.lease is lease)
            yield made
        if came or response.meta.get(HELD) or lease is None or not self._crawl.leases.holds(lease):
            return
        logger.error("not stored, because the spider's parse, or a spider middleware, did not yield the page: %s", lease.url)
        await self._crawl.set_aside(Page(lease, lease.url, fetched_at=self._crawl.store.clock()), "dropped")
