"""Scrapy's HTTP handler with an end: a whole request has one time limit, and a stopping crawl waits for nobody."""

from __future__ import annotations

import asyncio

from scrapy.core.downloader.handlers.http11 import HTTP11DownloadHandler
from scrapy.crawler import Crawler
from scrapy.exceptions import DownloadCancelledError, DownloadFailedError, DownloadTimeoutError
from scrapy.http import Request, Response

from focuscrawl.scrapy_side.compat import limit_headers
from focuscrawl.scrapy_side.crawl_runner import crawl_of, has_crawl
from focuscrawl.scrapy_side.failures import Aborted
from focuscrawl.scrapy_side.responses import keep_encoded

TOTAL_FACTOR = 2.0
"""The whole answer may take so many DOWNLOAD_TIMEOUTs, however it trickles: Scrapy's own limit begins again with each read."""
STATUSES = range(100, 1000)
"""Three digits (RFC 9110 section 15). Twisted takes any number, which the store's columns could not hold."""


class BoundedHandler(HTTP11DownloadHandler):
    """The `aborting` event of the crawl's `Stopping` ends all downloads; without a crawl, only the time limit holds."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        limit_headers(self)
        self._aborting = crawl_of(crawler).stopping.aborting if has_crawl(crawler) else asyncio.Event()
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
                keep_encoded(request, response)
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
