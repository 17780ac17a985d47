"""Do operators still want this request? The last check before it is sent, because a lease may wait long for its IP address."""

from __future__ import annotations

from collections.abc import Callable

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.statscollectors import StatsCollector

from focuscrawl.crawl.operator_control import OperatorControl
from focuscrawl.scrapy_side.crawl_runner import crawl_of, has_crawl
from focuscrawl.scrapy_side.failures import Aborted
from focuscrawl.scrapy_side.responses import lease_of


class OperatorMiddleware:
    """Gives back leases if the crawl is paused, their host is held, or their URL was removed; counts
    `frontier/recalled_count`."""

    def __init__(self, source: Callable[[], OperatorControl], stats: StatsCollector):
        self._source = source
        self.stats = stats

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> OperatorMiddleware:
        assert crawler.stats is not None
        if not has_crawl(crawler):
            raise NotConfigured
        return cls(lambda: crawl_of(crawler).control, crawler.stats)

    def process_request(self, request: Request) -> None:
        lease = lease_of(request)
        if lease is not None and self._source().refuses(lease):
            self.stats.inc_value("frontier/recalled_count")
            raise Aborted
