"""Does robots.txt allow this URL? Asks the rules in the store; never fetches them itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.statscollectors import StatsCollector

from focuscrawl.politeness.robots import RobotsFile
from focuscrawl.scrapy_side.crawl_runner import crawl_of, has_crawl
from focuscrawl.scrapy_side.failures import Refused
from focuscrawl.scrapy_side.responses import OWN_TOOL, lease_of
from focuscrawl.url.normalize import split


class RobotsSource(Protocol):
    """The store's robots rules."""

    def rules(self, origin: str) -> RobotsFile | None:
        """Rules of `http://host[:port]`; None while they are unknown or the origin must not be asked."""


class RobotsMiddleware:
    """Refuses what robots.txt forbids to `agent`, and origins whose rules are not known now.

    The frontier asks for the rules before it hands out pages, so `robots-unknown` means that they expired in between:
    the URL waits. Counts `robots/refused_count` and `robots/unknown_count`.
    """

    def __init__(self, source: Callable[[], RobotsSource], agent: str, stats: StatsCollector):
        self._source = source
        self.agent = agent
        self.stats = stats

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> RobotsMiddleware:
        assert crawler.stats is not None
        if not crawler.settings.getbool("ROBOTSTXT_OBEY") or not has_crawl(crawler):
            raise NotConfigured  # without a crawl, Scrapy's own middleware asks, see `middlewares.foreign_spiders`
        agent = crawler.settings.get("ROBOTSTXT_USER_AGENT") or "focuscrawl"
        return cls(lambda: crawl_of(crawler).robots, agent, crawler.stats)

    def process_request(self, request: Request) -> None:
        lease = lease_of(request)
        if request.meta.get(OWN_TOOL) or (lease is not None and lease.robots):
            return
        origin, _ = split(request.url)
        rules = self._source().rules(origin)
        if rules is None:
            self.stats.inc_value("robots/unknown_count")
            raise Refused("robots-unknown", origin)
        if not rules.allowed(request.url, self.agent):
            self.stats.inc_value("robots/refused_count")
            raise Refused("robots", rules.rule(request.url, self.agent))
