"""Notices a page that a user's spider, spider middleware or pipeline kept to itself: its lease ends, or the crawl would wait
for it forever."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterable, AsyncIterator
from typing import Any

from scrapy.crawler import Crawler
from scrapy.exceptions import DropItem
from scrapy.http import Response
from scrapy.pipelines import ItemPipelineManager

from focuscrawl.crawl.process import CrawlProcess
from focuscrawl.items import Lease, Page
from focuscrawl.scrapy_side.crawl_runner import crawl_of, has_crawl
from focuscrawl.scrapy_side.failures import DROPPED
from focuscrawl.scrapy_side.responses import HELD

logger = logging.getLogger(__name__)


class KeptPagesMiddleware:
    """Sees last what the spider has made of an answer. Where no Page is among it, the URL is given up, which ends its
    lease. Pages of which the topic is being made come later, from `start`."""

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
        await self._crawl.give_up(Page(lease, lease.url, fetched_at=self._crawl.store.clock()), DROPPED)


class PagePipelines(ItemPipelineManager):
    """Scrapy's chain of pipelines. A Page that went in and was not committed was lost on the way: a user's pipeline returned
    nothing, or something else in its place. It is dropped, which ends its lease."""

    async def process_item_async(self, item: Any) -> Any:
        done = await super().process_item_async(item)
        assert self.crawler is not None
        if isinstance(item, Page) and has_crawl(self.crawler) and crawl_of(self.crawler).leases.holds(item.lease):
            logger.error("not stored, because a pipeline below 400 in ITEM_PIPELINES did not return the page: %s", item.url)
            raise DropItem("a pipeline did not return it")
        return done
