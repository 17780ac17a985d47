"""Is the page about the topic? Score, verdict and the terms that counted. Pages come one after the other from here on, where
that decides what is fetched next."""

from __future__ import annotations

from time import thread_time
from typing import Any

from scrapy.crawler import Crawler

from focuscrawl.crawl.relevance.several_topics import CrawlTopic
from focuscrawl.crawl.turns import Turns
from focuscrawl.frontier.outcome import UNFETCHED
from focuscrawl.items import Page
from focuscrawl.scrapy_side.crawl_runner import crawl_of


class RelevancePipeline:
    """Judges pages that were read; example pages are relevant by definition."""

    def __init__(self, topic: CrawlTopic, turns: Turns) -> None:
        self._topic, self._turns = topic, turns

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> RelevancePipeline:
        crawl = crawl_of(crawler)
        return cls(crawl.topic, crawl.leases.turns)

    async def process_item(self, item: Any) -> Any:
        if isinstance(item, Page) and item.error not in UNFETCHED:
            await self._turns.judge(item.lease)
        if isinstance(item, Page) and item.collected:
            start = thread_time()
            self._topic.judge(item)
            item.timings["relevance"] = 1000 * (thread_time() - start)
        return item
