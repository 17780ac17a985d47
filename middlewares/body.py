"""Takes as much of a body as is kept, undoes its content codings, and flags it if it did not come whole."""

from __future__ import annotations

import time
from collections.abc import Callable
from math import inf

from scrapy import Request, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import StopDownload
from scrapy.http import Response, TextResponse
from scrapy.http.headers import Headers
from scrapy.responsetypes import responsetypes
from scrapy.settings import BaseSettings
from scrapy.statscollectors import StatsCollector

from focuscrawl.crawl.page_reading import is_text
from focuscrawl.scrapy_side.crawl_runner import has_crawl
from focuscrawl.scrapy_side.failures import Bomb
from focuscrawl.scrapy_side.responses import CODING, LATE, MOST_BYTES, STOPPED, UNTIL
from focuscrawl.store.warc.records import ORIGINAL_CODING
from focuscrawl.text.coding import is_known, undo

ACCEPTED = b"gzip, deflate, br, zstd"
ACCEPTED_AGAIN = b"gzip, deflate, br"
"""After a failure. Of a zstd stream that breaks off within its first block, up to 128 kB of page, nothing can be undone."""
RECEIVED = "bytes_received"
"""Key of the count of bytes in request.meta."""
LEAST = 20_000
"""An answer with at least this many bytes is kept when its time is over. A server that sends less in a minute sends no page."""


class BodyMiddleware:
    """Ends the download of what is longer than anybody will read, undoes Content-Encoding, and flags a response whose coding
    broke off or is corrupt (`responses.CODING`) or that is longer than the limit (`responses.STOPPED`).

    In a crawl the limit is `most` bytes, on the wire and unpacked, unless the request has one of its own
    (`responses.MOST_BYTES`). A request of another spider has none on the wire but DOWNLOAD_MAXSIZE, which is Scrapy's, and an
    answer that unpacks to more fails. In a crawl a download also ends shortly before its time does (`responses.UNTIL`), if so
    much has come that the server must have meant it. Counts `body/stopped_count` (downloads ended) and
    `body/broken_count/PROBLEM`.
    """

    def __init__(self, stats: StatsCollector, most: int, keeps_beginnings: bool, clock: Callable[[], float] = time.monotonic):
        self.stats = stats
        self._clock = clock
        self._most = most
        self._keeps_beginnings = keeps_beginnings

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> BodyMiddleware:
        assert crawler.stats is not None
        of_crawl = has_crawl(crawler)
        made = cls(crawler.stats, most_bytes(crawler.settings, of_crawl), of_crawl)
        crawler.signals.connect(made.headers_received, signals.headers_received)
        crawler.signals.connect(made.bytes_received, signals.bytes_received)
        return made

    def process_request(self, request: Request) -> None:
        again = "lease" in request.meta and request.meta["lease"].tries
        request.headers.setdefault("Accept-Encoding", ACCEPTED_AGAIN if again else ACCEPTED)
        for key in (RECEIVED, LATE):
            request.meta.pop(key, None)

    def headers_received(self, headers: Headers, request: Request) -> None:
        """A handler of Scrapy's signal. Lifts DOWNLOAD_MAXSIZE, at which Scrapy gives up an answer, from those of which the
        beginning can be read: text, but no film."""
        content_type = (headers.get("Content-Type") or b"").decode("latin-1")
        if MOST_BYTES in request.meta or (self._keeps_beginnings and is_text(content_type, b"")):
            request.meta["download_maxsize"] = 0

    def bytes_received(self, data: bytes, request: Request) -> None:
        """A handler of Scrapy's signal. Raises StopDownload when enough has come."""
        limit = self._limit(request)
        if not limit:
            return
        received = request.meta[RECEIVED] = request.meta.get(RECEIVED, 0) + len(data)
        late = received >= LEAST and self._keeps_beginnings and self._clock() > request.meta.get(UNTIL, inf)
        if received > limit or late:
            request.meta[LATE] = received <= limit
            self.stats.inc_value("body/stopped_count")
            raise StopDownload(fail=False)

    def process_response(self, request: Request, response: Response) -> Response:
        """Decode the body. Raises Bomb for one that unpacks to more than the limit."""
        if STOPPED in response.flags and request.meta.get(LATE):
            response.flags.append(LATE)
        codings = _codings(response)
        if not codings or not response.body:  # redirects and the like are labelled, too
            return response
        limit = self._limit(request)
        undone = undo(response.body, codings, limit or self._most)
        stopped = STOPPED in response.flags
        if undone.problem == "bomb" or (undone.problem == "length" and not limit):
            raise Bomb(f"{response.url} unpacks to more than {limit or self._most} bytes")
        if undone.problem == "length" and not stopped:
            response.flags.append(STOPPED)
        elif undone.problem and not stopped:
            response.flags.append(CODING)
            self.stats.inc_value(f"body/broken_count/{undone.problem}")
        return _with_body(response, undone.body, codings)

    def _limit(self, request: Request) -> int:
        """Most bytes that are kept of a longer answer; 0: the answer is taken whole or not at all."""
        return int(request.meta.get(MOST_BYTES, self._most if self._keeps_beginnings else 0))


def most_bytes(settings: BaseSettings, of_crawl: bool) -> int:
    """Bytes that are taken of an answer. In a crawl, who sets DOWNLOAD_MAXSIZE below ARCHIVE_BODY_BYTES means pages, too."""
    largest, kept = settings.getint("DOWNLOAD_MAXSIZE"), settings.getint("ARCHIVE_BODY_BYTES")
    return min(largest or kept, kept) if of_crawl else largest


def _codings(response: Response) -> list[str]:
    values = b",".join(response.headers.getlist("Content-Encoding")).decode("latin-1").lower()
    return [name for part in values.split(",") if (name := part.strip()) not in ("", "identity")]


def _with_body(response: Response, body: bytes, codings: list[str]) -> Response:
    """The response with this body instead of its own. Its Content-Encoding, which is not true any more, is kept for the
    archive."""
    response.headers[ORIGINAL_CODING] = response.headers.pop("Content-Encoding")
    while codings and is_known(codings[-1]):
        codings.pop()
    if codings:
        response.headers["Content-Encoding"] = ", ".join(codings)
    kind = responsetypes.from_args(headers=response.headers, url=response.url, body=body)
    if issubclass(kind, TextResponse):
        return response.replace(cls=kind, body=body, encoding=None)
    return response.replace(cls=kind, body=body)
