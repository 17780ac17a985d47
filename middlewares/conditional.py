"""Has the page changed since we fetched it? Conditional requests (RFC 9110, section 13) where we hold validators."""

from __future__ import annotations

from typing import TYPE_CHECKING

from middlewares.ports import lease_of

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.statscollectors import StatsCollector

ASKED = "conditional"
"""Key in request.meta: the request carried validators, so that a 304 means "not modified"."""


class ConditionalMiddleware:
    """Adds If-None-Match and If-Modified-Since; counts `conditional/asked_count` and `conditional/unmodified_count`."""

    def __init__(self, stats: StatsCollector):
        self.stats = stats

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> ConditionalMiddleware:
        assert crawler.stats is not None
        return cls(crawler.stats)

    def process_request(self, request: Request) -> None:
        lease = lease_of(request)
        request.meta[ASKED] = False
        if lease is None or lease.robots:
            return
        for name, value in (("If-None-Match", lease.etag), ("If-Modified-Since", lease.last_modified)):
            if value and _is_sendable(value):
                request.headers[name] = value
                request.meta[ASKED] = True
        if request.meta[ASKED]:
            self.stats.inc_value("conditional/asked_count")

    def process_response(self, request: Request, response: Response) -> Response:
        if response.status == 304 and request.meta.get(ASKED):
            self.stats.inc_value("conditional/unmodified_count")
        return response


def _is_sendable(value: str) -> bool:
    """Validators are texts of the server: only plain ones go back to it."""
    return len(value) <= 1_000 and value.isascii() and value.isprintable()
