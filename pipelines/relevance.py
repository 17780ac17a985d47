"""Is the page about the topic? Score, verdict and the terms that counted."""

from __future__ import annotations

from time import thread_time
from typing import Any

from scrapy.crawler import Crawler

from focuscrawl.crawl.several_topics import CrawlTopic
from focuscrawl.items import Page
from focuscrawl.scrapy_side.crawl_runner import crawl_of


class RelevancePipeline:
    """Judges pages that were read; example pages are relevant by definition."""

    def __init__(self, topic: CrawlTopic) -> None:
        self._topic = topic

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> RelevancePipeline:
        return cls(crawl_of(crawler).topic)

    def process_item(self, item: Any) -> Any:
        if isinstance(item, Page) and item.collected:
            start = thread_time()
            self._topic.judge(item)
            item.timings["relevance"] = 1000 * (thread_time() - start)
        return item
