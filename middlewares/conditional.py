"""Has the page changed since we fetched it? Two ways to find out without its body.

Where the store has validators, the request is conditional (RFC 9110, section 13), and the server may answer 304. Where it
answers 200 all the same, the headers of the answer are compared with those of the stored version
(`focuscrawl.recrawl.validators`): if they agree, the body is not downloaded. That costs the connection, which is closed.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from scrapy import Request, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import StopDownload
from scrapy.http import Headers, Response
from scrapy.statscollectors import StatsCollector

from focuscrawl.items import Lease
from focuscrawl.recrawl.validators import LONGEST_TAG, agree, is_past, length_of
from focuscrawl.scrapy_side.responses import AGREED, ASKED, STOPPED, fields_of, lease_of


class ConditionalMiddleware:
    """Adds If-None-Match and If-Modified-Since, and stops downloads of what is stored already. Counts
    `conditional/asked_count`, `conditional/unmodified_count` (304), `conditional/agreed_count` (stopped) and
    `conditional/saved_bytes`."""

    def __init__(self, stats: StatsCollector, clock: Callable[[], float] = time.time):
        self.stats = stats
        self._clock = clock

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> ConditionalMiddleware:
        assert crawler.stats is not None
        made = cls(crawler.stats)
        if crawler.settings.getbool("RECRAWL_CHECK_HEADERS"):
            crawler.signals.connect(made.headers_received, signals.headers_received)
        return made

    def process_request(self, request: Request) -> None:
        lease = lease_of(request)
        request.meta[ASKED] = request.meta[AGREED] = False
        if lease is None or lease.robots:
            return
        for name, value in self._validators(lease):
            request.headers[name] = value
            request.meta[ASKED] = True
        if request.meta[ASKED]:
            self.stats.inc_value("conditional/asked_count")

    def headers_received(self, headers: Headers, body_length: object, request: Request) -> None:
        """A handler of Scrapy's signal. Raises StopDownload where the body, `body_length` bytes or of a length that is not
        known, need not be read. The status is not decided here: an answer other than 200 is sorted out afterwards."""
        lease = lease_of(request)
        if lease is None or lease.robots or not lease.trusted or body_length == 0:  # 0 is a 304 too: nothing is saved
            return
        if agree(lease.etag, lease.last_modified, lease.length, fields_of(headers), self._clock()):
            request.meta[AGREED] = True
            raise StopDownload(fail=False)

    def process_response(self, request: Request, response: Response) -> Response:
        if response.status == 304 and request.meta.get(ASKED):
            self.stats.inc_value("conditional/unmodified_count")
        if STOPPED in response.flags and request.meta.get(AGREED):
            if response.status == 200:
                self.stats.inc_value("conditional/agreed_count")
                self.stats.inc_value("conditional/saved_bytes", max(length_of(fields_of(response.headers)), 0))
            response.headers.pop("Content-Encoding", None)  # there is nothing to unpack, and some decoders mind
        return response

    def _validators(self, lease: Lease) -> list[tuple[str, str]]:
        """The validators that are of use. A date in the future, or an invalid one, is not (section 13.1.3)."""
        found = [("If-None-Match", lease.etag)] if _is_sendable(lease.etag) else []
        if _is_sendable(lease.last_modified) and is_past(lease.last_modified, self._clock()):
            found.append(("If-Modified-Since", lease.last_modified))
        return found


def _is_sendable(value: str) -> bool:
    """Whether a validator, which is text from the server, may be sent back: only a plain one that the store has not cut."""
    return 0 < len(value) < LONGEST_TAG and value.isascii() and value.isprintable()
