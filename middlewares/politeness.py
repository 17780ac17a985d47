"""Reports to the frontier's host row what came of each request; decides nothing itself.

It must stand closer to the downloader than whatever may fail on an answer (the unpacking of bodies, 590): exceptions of
process_response reach no other middleware, so that the end of the request would never be reported.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import Response
from scrapy.statscollectors import StatsCollector

from focuscrawl.items import Lease
from focuscrawl.politeness import pace
from focuscrawl.politeness.pace import RequestOutcome
from focuscrawl.scrapy_side.crawl_runner import crawl_of
from focuscrawl.scrapy_side.failures import Refused, error_name
from focuscrawl.scrapy_side.responses import IP_ADDRESS, WAIT, lease_of

SENT_AT = "sent_at"
"""Key of the time (epoch seconds) in request.meta."""


class PaceSink(Protocol):
    """The pace of hosts and IP addresses, which the frontier keeps."""

    def report(self, lease: Lease, outcome: RequestOutcome) -> None:
        """Note that a request under this lease has just ended."""

    async def claim(self, lease: Lease, ip_address: str) -> float:
        """Ask whether a request may be sent to `ip_address` now. Returns 0 if it may, else the seconds until it may be."""


class PolitenessMiddleware:
    """Measures and reports; counts `politeness/answer_count/CLASS` and `politeness/failure_count/ERROR`."""

    def __init__(self, sink: Callable[[], PaceSink], stats: StatsCollector, clock: Callable[[], float] = time.time):
        self._sink = sink
        self.stats = stats
        self._clock = clock

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> PolitenessMiddleware:
        assert crawler.stats is not None
        return cls(lambda: crawl_of(crawler), crawler.stats)

    async def process_request(self, request: Request) -> None:
        lease, address = lease_of(request), str(request.meta.get(IP_ADDRESS, ""))
        if lease is not None and address:
            wait = await self._sink().claim(lease, address)
            if wait > 0:
                request.meta[WAIT] = wait
                raise Refused("address-busy", address)
        request.meta.pop("download_latency", None)
        request.meta[SENT_AT] = self._clock()

    def process_response(self, request: Request, response: Response) -> Response:
        now = self._clock()
        wait = pace.retry_after_seconds((response.headers.get("Retry-After") or b"").decode("latin-1"), now)
        self.stats.inc_value(f"politeness/answer_count/{response.status // 100}xx")
        outcome = RequestOutcome(
            latency=_latency(request, now),
            status=response.status,
            retry_after=wait,
            ip_address=str(response.ip_address or request.meta.get(IP_ADDRESS, "")),
        )
        self._report(request, outcome)
        return response

    def process_exception(self, request: Request, exception: Exception) -> None:
        error = error_name(exception)
        if SENT_AT not in request.meta and error not in pace.NO_ADDRESS:
            return  # refused before it was sent: the host has not been asked
        self.stats.inc_value(f"politeness/failure_count/{error}")
        self._report(request, RequestOutcome(error=error, ip_address=str(request.meta.get(IP_ADDRESS, ""))))

    def _report(self, request: Request, outcome: RequestOutcome) -> None:
        request.meta.pop(SENT_AT, None)
        lease = lease_of(request)
        if lease is not None:
            self._sink().report(lease, outcome)


def _latency(request: Request, now: float) -> float:
    """Seconds to the first byte as Scrapy measured them, or else since the request was passed on."""
    measured = request.meta.get("download_latency")
    return float(measured) if measured is not None else max(now - float(request.meta.get(SENT_AT, now)), 0.0)
