"""Is the page about the topic? Score, verdict and the terms that counted."""

from __future__ import annotations

from time import perf_counter

from scrapy.crawler import Crawler

from focuscrawl.crawl.session import session_of
from focuscrawl.crawl.topics import CrawlTopic
from focuscrawl.items import Page


class RelevancePipeline:
    """Judges pages that were read; example pages are relevant by definition."""

    def __init__(self, topic: CrawlTopic) -> None:
        self._topic = topic

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> RelevancePipeline:
        return cls(session_of(crawler).topic)

    def process_item(self, page: Page) -> Page:
        if not page.collected:
            return page
        start = perf_counter()
        self._topic.judge(page)
        page.timings["relevance"] = 1000 * (perf_counter() - start)
        return page
