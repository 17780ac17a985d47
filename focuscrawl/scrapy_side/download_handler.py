"""Scrapy's HTTP handler with an end: a whole request has one time limit, and a stopping crawl waits for nobody."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

from scrapy import signals
from scrapy.core.downloader.handlers.http11 import HTTP11DownloadHandler
from scrapy.crawler import Crawler
from scrapy.exceptions import DownloadCancelledError, DownloadFailedError, DownloadTimeoutError
from scrapy.http import Request, Response
from scrapy.utils.httpobj import urlparse_cached

from focuscrawl.scrapy_side.certificates import CertificateJudge
from focuscrawl.scrapy_side.compat import limit_answers, tls_options, use_tls_policy
from focuscrawl.scrapy_side.crawl_runner import crawl_of, has_crawl
from focuscrawl.scrapy_side.failures import Aborted, Refused
from focuscrawl.scrapy_side.responses import CERTIFICATE, UNTIL

TOTAL_FACTOR = 2.0
"""The whole answer may take this many DOWNLOAD_TIMEOUTs, however it trickles. Its head must come within one, and its body may
not pause for longer."""
PATIENCE = "download_timeout"
"""Scrapy's key in request.meta of the seconds that it waits for the whole answer; 10 without it, whatever the setting says."""
SOFT_SHARE = 0.9
"""At this share of the time for the whole answer, one that still comes is cut and kept when its next bytes come
(`middlewares.body`). One that stalls gets the rest of the time, and fails."""
STATUSES = range(100, 1000)
"""Three digits (RFC 9110 section 15). Twisted takes any number, which the store's columns could not hold."""


class BoundedHandler(HTTP11DownloadHandler):
    """The `aborting` event of the crawl's `Stopping` ends all downloads; without a crawl, only the time limit holds.
    Certificates are judged by TLS_POLICY, and the verdict is in `request.meta`."""

    _watch: asyncio.Task[None] | None = None
    """Begun with the first request, because a crawl that fails before it runs does not close its handlers."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._patience = crawler.settings.getfloat("DOWNLOAD_TIMEOUT")
        """Seconds within which the head of an answer must come, for requests that have no time of their own."""
        limit_answers(self, self._patience)
        crawler.signals.connect(self._begun, signals.headers_received)
        strict = crawler.settings.get("TLS_POLICY") == "strict" or crawler.settings.getbool("DOWNLOAD_VERIFY_CERTIFICATES")
        self._certificates = CertificateJudge(tls_options(self), strict=strict)
        use_tls_policy(self, self._certificates)
        crawl = crawl_of(crawler) if has_crawl(crawler) else None
        self._aborting = crawl.stopping.aborting if crawl else asyncio.Event()
        self._waiting_for_answer = crawl.long_work.waiting_for_answer if crawl else nullcontext
        self._limits: dict[Request, tuple[asyncio.Timeout, float]] = {}
        """Of each request that waits for the head of its answer: its time limit, and when the whole answer must be there."""
        self._running: set[asyncio.Task[Response]] = set()

    async def download_request(self, request: Request) -> Response:
        if self._aborting.is_set():
            raise Aborted
        if self._watch is None:
            self._watch = asyncio.ensure_future(self._abort_all())
        patience = float(request.meta.get(PATIENCE) or self._patience)
        limit = TOTAL_FACTOR * patience
        request.meta[UNTIL] = time.monotonic() + SOFT_SHARE * limit
        with _scrapys_patience(request, limit + 1.0):  # our limits come first
            return await self._download(request, patience, limit)

    async def _download(self, request: Request, patience: float, limit: float) -> Response:
        """The answer to a request: its head must come within `patience` seconds, and the whole within `limit`."""
        download = asyncio.ensure_future(super().download_request(request))
        self._running.add(download)
        try:
            async with asyncio.timeout(patience) as timeout:
                self._limits[request] = timeout, asyncio.get_running_loop().time() + limit
                with self._waiting_for_answer():
                    response = await download
                if response.status not in STATUSES:
                    raise DownloadFailedError(f"{request.url} answered with the status {response.status}")
                request.meta[CERTIFICATE] = self._certificates.verdict(_host(request), response.certificate)
                return response
        except TimeoutError:  # while the head was waited for, or behind it
            late = patience if request in self._limits else limit
            raise DownloadTimeoutError(f"{request.url} took longer than {late:g} s") from None
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
            self._limits.pop(request, None)

    def _begun(self, request: Request) -> None:
        """A handler of Scrapy's signal: the head of the answer is there."""
        timeout, end = self._limits.get(request, (None, 0.0))
        if timeout is not None and not timeout.expired():
            timeout.reschedule(end)
            del self._limits[request]

    async def close(self) -> None:
        if self._watch is not None:
            self._watch.cancel()
        await super().close()

    async def _abort_all(self) -> None:
        await self._aborting.wait()
        for download in tuple(self._running):
            download.cancel()


@contextmanager
def _scrapys_patience(request: Request, seconds: float) -> Iterator[None]:
    """Let Scrapy wait so long meanwhile. Afterwards the request, which may be sent again, has the patience that it had."""
    given = request.meta.get(PATIENCE)
    request.meta[PATIENCE] = seconds
    try:
        yield
    finally:
        if given is None:
            del request.meta[PATIENCE]
        else:
            request.meta[PATIENCE] = given


def _host(request: Request) -> str:
    return urlparse_cached(request).hostname or ""
