"""Scrapy's HTTP handler with an end: a whole request has one time limit, and a stopping crawl waits for nobody."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scrapy.core.downloader.handlers.http11 import _LenientHTTP11ClientFactory, _LenientHTTP11ClientProtocol
from twisted.python.failure import Failure

if TYPE_CHECKING:
    from twisted.internet.defer import Deferred
    from twisted.internet.interfaces import IAddress
    from twisted.web.iweb import IResponse
import asyncio

from scrapy.core.downloader.handlers.http11 import HTTP11DownloadHandler
from scrapy.crawler import Crawler
from scrapy.exceptions import DownloadCancelledError, DownloadFailedError, DownloadTimeoutError, NotConfigured
from scrapy.http import Request, Response

from focuscrawl.crawl.session import session_of
from focuscrawl.scrapy_side.responses import Aborted, keep

# A limit on the header section of an answer: a server that sends header fields without end is cut off.
#
# Twisted limits one line (16 KiB) but not their number, and 100 000 of them would stall the event loop for a second.


MAX_BYTES = 65_536
"""Of status line and header section, looked at after each read."""
UNFINISHED = ("STATUS", "HEADER")
"""States of Twisted's parser before the body."""


class HeadersTooLong(Exception):
    """The header section does not end."""


class LimitedProtocol(_LenientHTTP11ClientProtocol):
    """Scrapy's protocol that gives up on a header section of more than `MAX_BYTES`."""

    _head = 0

    def request(self, request: Any) -> Deferred[IResponse]:
        self._head = 0
        return super().request(request)

    def dataReceived(self, data: bytes) -> None:  # noqa: N802  (Twisted's name)
        super().dataReceived(data)  # type: ignore[no-untyped-call]
        if self._parser is None or self._parser.state not in UNFINISHED:
            return
        self._head += len(data)
        if self._head > MAX_BYTES:
            error = HeadersTooLong(f"more than {MAX_BYTES} bytes of header fields")
            self._giveUp(Failure(error))  # type: ignore[no-untyped-call]


class LimitedFactory(_LenientHTTP11ClientFactory):
    """Builds protocols with the limit; for `HTTPConnectionPool._factory`, as Scrapy does with its own."""

    def buildProtocol(self, addr: IAddress | None) -> LimitedProtocol:  # noqa: N802  (Twisted's name)
        return LimitedProtocol(self._quiescentCallback)  # type: ignore[no-untyped-call]


TOTAL_FACTOR = 2.0
"""The whole answer may take so many DOWNLOAD_TIMEOUTs, however it trickles."""
STATUSES = range(100, 1000)
"""Three digits (RFC 9110 section 15). Twisted takes any number, which the store's columns could not hold."""


class BoundedHandler(HTTP11DownloadHandler):
    """The session's `aborting` is the event that ends all downloads."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._pool._factory = LimitedFactory
        try:
            self._aborting = session_of(crawler).aborting
        except NotConfigured:
            self._aborting = asyncio.Event()
        self._limit = TOTAL_FACTOR * crawler.settings.getfloat("DOWNLOAD_TIMEOUT")
        self._running: set[asyncio.Task[Response]] = set()
        self._watch = asyncio.ensure_future(self._abort_all())

    async def download_request(self, request: Request) -> Response:
        if self._aborting.is_set():
            raise Aborted
        download = asyncio.ensure_future(super().download_request(request))
        self._running.add(download)
        try:
            async with asyncio.timeout(self._limit):
                response = await download
                if response.status not in STATUSES:
                    raise DownloadFailedError(f"{request.url} answered with the status {response.status}")
                keep(request, response)
                return response
        except TimeoutError:
            raise DownloadTimeoutError(f"{request.url} took longer than {self._limit:g} s") from None
        except (DownloadCancelledError, asyncio.CancelledError):
            if self._aborting.is_set():
                raise Aborted from None
            raise
        finally:
            self._running.discard(download)

    async def close(self) -> None:
        self._watch.cancel()
        await super().close()

    async def _abort_all(self) -> None:
        await self._aborting.wait()
        for download in tuple(self._running):
            download.cancel()
