"""Scrapy's own components, for spiders that are not ours: redirects, retries, robots.txt, depth, limits of a run.

A crawl of a topic does without: its frontier, robots rules and stop rules do this for all workers together. A user's own spider
in this project, and `scrapy parse`, find what they would find in any project of Scrapy.
"""

from __future__ import annotations

from typing import Any, Self

from scrapy.crawler import Crawler
from scrapy.downloadermiddlewares import cookies, httpauth, httpcache, offsite, redirect, retry, robotstxt
from scrapy.exceptions import NotConfigured
from scrapy.extensions import closespider, logstats, memusage, throttle
from scrapy.spidermiddlewares import depth, httperror, referer, start, urllength
from scrapy.utils.spider import DefaultSpider

from focuscrawl.scrapy_side.crawl_runner import has_crawl


class WithoutCrawl:
    """Mixed in before a component of Scrapy: switches it off where a topic is crawled."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        if has_crawl(crawler):
            raise NotConfigured
        component: Any = super()
        made: Self = component.from_crawler(crawler)
        return made


class OffsiteMiddleware(WithoutCrawl, offsite.OffsiteMiddleware):
    """Requests outside `allowed_domains` are dropped."""


class RobotsTxtMiddleware(WithoutCrawl, robotstxt.RobotsTxtMiddleware):
    """ROBOTSTXT_OBEY; not for `scrapy shell` and `fetch`, where a person asks for one page."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        if crawler.spidercls is DefaultSpider:
            raise NotConfigured
        return super().from_crawler(crawler)


class HttpAuthMiddleware(WithoutCrawl, httpauth.HttpAuthMiddleware):
    """HTTPAUTH_*."""


class RetryMiddleware(WithoutCrawl, retry.RetryMiddleware):
    """RETRY_*."""


class MetaRefreshMiddleware(WithoutCrawl, redirect.MetaRefreshMiddleware):
    """METAREFRESH_*."""


class RedirectMiddleware(WithoutCrawl, redirect.RedirectMiddleware):
    """REDIRECT_*."""


class CookiesMiddleware(WithoutCrawl, cookies.CookiesMiddleware):
    """COOKIES_ENABLED, which this project sets to False."""


class HttpCacheMiddleware(WithoutCrawl, httpcache.HttpCacheMiddleware):
    """HTTPCACHE_ENABLED."""


class StartSpiderMiddleware(WithoutCrawl, start.StartSpiderMiddleware):
    """Marks requests of `start`."""


class HttpErrorMiddleware(WithoutCrawl, httperror.HttpErrorMiddleware):
    """Only answers of 2xx reach the spider."""


class RefererMiddleware(WithoutCrawl, referer.RefererMiddleware):
    """REFERER_ENABLED."""


class UrlLengthMiddleware(WithoutCrawl, urllength.UrlLengthMiddleware):
    """URLLENGTH_LIMIT."""


class DepthMiddleware(WithoutCrawl, depth.DepthMiddleware):
    """DEPTH_LIMIT."""


class CloseSpider(WithoutCrawl, closespider.CloseSpider):
    """CLOSESPIDER_*."""


class LogStats(WithoutCrawl, logstats.LogStats):
    """LOGSTATS_INTERVAL."""


class MemoryUsage(WithoutCrawl, memusage.MemoryUsage):
    """MEMUSAGE_*."""


class AutoThrottle(WithoutCrawl, throttle.AutoThrottle):
    """AUTOTHROTTLE_*."""
