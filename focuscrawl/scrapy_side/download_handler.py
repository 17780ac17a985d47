"""Scrapy's HTTP handler with an end: a whole request has one time limit, and a stopping crawl waits for nobody."""

from __future__ import annotations

import asyncio
import time
from contextlib import nullcontext
from urllib.parse import urlsplit

from scrapy.core.downloader.handlers.http11 import HTTP11DownloadHandler
from scrapy.crawler import Crawler
from scrapy.exceptions import DownloadCancelledError, DownloadFailedError, DownloadTimeoutError
from scrapy.http import Request, Response

from focuscrawl.scrapy_side.certificates import CertificateJudge
from focuscrawl.scrapy_side.compat import limit_headers, tls_options, use_tls_policy
from focuscrawl.scrapy_side.crawl_runner import crawl_of, has_crawl
from focuscrawl.scrapy_side.failures import Aborted, Refused
from focuscrawl.scrapy_side.responses import CERTIFICATE, UNTIL

TOTAL_FACTOR = 2.0
"""The whole answer may take this many DOWNLOAD_TIMEOUTs, however it trickles: Scrapy's own limit begins again with each
read."""
SOFT_SHARE = 0.9
"""At this share of that time an answer that still comes is cut and kept; the rest is for one that stalls then."""
STATUSES = range(100, 1000)
"""Three digits (RFC 9110 section 15). Twisted takes any number, which the store's columns could not hold."""


class BoundedHandler(HTTP11DownloadHandler):
    """The `aborting` event of the crawl's `Stopping` ends all downloads; without a crawl, only the time limit holds.
    Certificates are judged by TLS_POLICY, and the verdict is in `request.meta`."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        limit_headers(self)
        strict = crawler.settings.get("TLS_POLICY") == "strict" or crawler.settings.getbool("DOWNLOAD_VERIFY_CERTIFICATES")
        self._certificates = CertificateJudge(tls_options(self), strict=strict)
        use_tls_policy(self, self._certificates)
        crawl = crawl_of(crawler) if has_crawl(crawler) else None
        self._aborting = crawl.stopping.aborting if crawl else asyncio.Event()
        self._waiting_for_answer = crawl.long_work.waiting_for_answer if crawl else nullcontext
        self._limit = TOTAL_FACTOR * crawler.settings.getfloat("DOWNLOAD_TIMEOUT")
        self._running: set[asyncio.Task[Response]] = set()
        self._watch = asyncio.ensure_future(self._abort_all())

    async def download_request(self, request: Request) -> Response:
        if self._aborting.is_set():
            raise Aborted
        request.meta[UNTIL] = time.monotonic() + SOFT_SHARE * self._limit
        download = asyncio.ensure_future(super().download_request(request))
        self._running.add(download)
        try:
            async with asyncio.timeout(self._limit):
                with self._waiting_for_answer():
                    response = await download
                if response.status not in STATUSES:
                    raise DownloadFailedError(f"{request.url} answered with the status {response.status}")
                request.meta[CERTIFICATE] = self._certificates.verdict(_host(request), response.certificate)
                return response
        except TimeoutError:
            raise DownloadTimeoutError(f"{request.url} took longer than {self._limit:g} s") from None
        except DownloadFailedError:
            if problems := self._certificates.refusal(_host(request)):
                raise Refused("certificate", problems) from None
            raise
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


def _host(request: Request) -> str:
    return urlsplit(request.url).hostname or ""
