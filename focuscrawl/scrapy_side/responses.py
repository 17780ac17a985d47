"""Reading one answer into its Page, with the crash mark around it."""

from __future__ import annotations

import zlib
from gzip import BadGzipFile
from time import perf_counter
from typing import Any

from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadCancelledError,
    DownloadConnectionRefusedError,
    DownloadFailedError,
    DownloadTimeoutError,
    IgnoreRequest,
    ResponseDataLossError,
    StopDownload,
)
from scrapy.http import Request, Response
from twisted.internet.error import ConnectError, ConnectionClosed, SSLError

from focuscrawl.crawl.session import CrawlSession
from focuscrawl.crawl.sources import SourceReader
from focuscrawl.items import SOFT404_PROBE, SOURCES, Lease, Page
from focuscrawl.politeness import pace
from focuscrawl.politeness.meta_robots import directives
from focuscrawl.reading.page import PageReader, Reading
from focuscrawl.recrawl.entries import source_rule
from focuscrawl.recrawl.page_signature import signature_of
from focuscrawl.url.normalize import normalize

# Did a compressed answer break off? Scrapy unpacks what is there and says nothing; this tells a cut page from a whole one.


PACKED = "packed"
"""Key of the body as sent in request.meta, from the download handler to the spider."""
GZIP = (b"gzip", b"x-gzip")
CHUNK = 1 << 20


def keep(request: Request, response: Response) -> None:
    """Remember the body of a gzip answer; it is no copy."""
    if response.headers.get("Content-Encoding") in GZIP:
        request.meta[PACKED] = response.body


def is_cut(request: Request, length: int) -> bool:
    """Whether a gzip answer that unpacked to `length` bytes has no end. Its last four bytes tell the length (RFC 1952,
    section 2.3.1): only where they do not fit is it unpacked once more."""
    packed: bytes = request.meta.pop(PACKED, b"")
    if not packed or int.from_bytes(packed[-4:], "little") == length & 0xFFFFFFFF:
        return False
    unpacker = zlib.decompressobj(wbits=31)
    try:
        while packed and not unpacker.eof:
            unpacker.decompress(packed, CHUNK)
            packed = unpacker.unconsumed_tail
    except zlib.error:
        return False
    return not unpacker.eof


# One short name for everything that can keep an answer from us; what `Page.error` and the pace's outcome hold.


class Refused(IgnoreRequest):
    """A request that was not sent, or whose answer was not taken.

    rule: `address`, `port`, `scheme`, `method`, `header`, `proxy`, `host` (the guard's), `robots`, `robots-unknown`,
    `dns`. detail: the deciding robots line, the kind of address, or `nxdomain` / `nodata` / `servfail` / `timeout` /
    `badname`.
    """

    def __init__(self, rule: str, detail: str = ""):
        super().__init__(f"{rule}: {detail}" if detail else rule)
        self.rule = rule
        self.detail = detail


class Aborted(Exception):
    """The crawl is stopping; the URL goes back to the frontier."""


def error_name(exception: BaseException) -> str:
    """The short name of a download failure that `Outcome.error` and `Page.error` use."""
    if isinstance(exception, Refused):
        return exception.rule
    for kinds, name in _NAMES:
        if isinstance(exception, kinds):
            return _cause(exception) if name == "failed" else name
    return "internal"


def _cause(exception: BaseException) -> str:
    """What ended a connection: Scrapy wraps Twisted's ResponseFailed, which holds the reasons as failures."""
    reasons = getattr(exception.__cause__, "reasons", None) or ()
    texts = " ".join(type(reason.value).__module__ + "." + type(reason.value).__name__ for reason in reasons)
    if "HeadersTooLong" in texts:
        return "headers"
    if "SSL" in texts or "OpenSSL" in texts:
        return "tls"
    return "reset" if "Connection" in texts else "protocol"


_NAMES: tuple[tuple[tuple[type[BaseException], ...], str], ...] = (
    ((Aborted,), "aborted"),
    ((CannotResolveHostError,), "dns"),
    ((DownloadTimeoutError, TimeoutError), "timeout"),
    ((DownloadConnectionRefusedError,), "connect"),
    ((DownloadCancelledError,), "length"),
    ((ResponseDataLossError,), "truncated"),
    ((StopDownload,), "stopped"),
    ((DownloadFailedError,), "failed"),
    ((BadGzipFile, zlib.error, EOFError), "coding"),
    ((IgnoreRequest,), "bomb"),  # Scrapy's own: the body unpacks to more than DOWNLOAD_MAXSIZE
    ((SSLError,), "tls"),
    ((ConnectionClosed,), "reset"),
    ((ConnectError, OSError), "connect"),
)

PROBLEMS: tuple[type[BaseException], ...] = tuple(kind for kinds, _ in _NAMES for kind in kinds)
"""All that can end a download."""


# From Scrapy's responses and failures to Pages: one name for everything that can go wrong on the way.


TEXT_TYPES = ("text/", "application/xhtml", "application/xml")
REDIRECTS = (301, 302, 303, 307, 308)
ASKED = "conditional"
"""Key in request.meta: the request carried validators, so that a 304 means "not modified"."""
AGREED = "agreed"
"""Key in request.meta: the headers of the answer agreed with those of the stored version, and the download was stopped."""
STOPPED = "download_stopped"
"""Scrapy's flag of an answer whose download was stopped."""


def page_of(response: Response, now: float) -> Page:
    """The answer as a Page, not read yet."""
    request = response.request
    assert request is not None
    lease: Lease = request.meta["lease"]
    headers = fields_of(response.headers)
    page = Page(
        lease,
        lease.url,
        response.status,
        now,
        float(request.meta.get("download_latency", 0.0)),
        str(response.ip_address or request.meta.get("address", "")),
        headers,
        fields_of(request.headers),
        response.body,
    )
    by_name = {name.lower(): value for name, value in headers}
    page.content_type = by_name.get("content-type", "")
    page.unmodified = _unmodified(request, response)
    if page.unmodified:
        return page
    page.truncated = _truncated(response.flags) or ("gzip" if is_cut(request, len(response.body)) else "")
    if response.status in REDIRECTS:
        page.redirect = normalize(by_name.get("location", ""), lease.url) or "" if by_name.get("location") else ""
    if response.status in (429, 503):
        page.retry_after = pace.retry_after_seconds(by_name.get("retry-after"), now)
    if response.status == 200 and lease.kind not in SOURCES and not is_text(page.content_type, page.body):
        page.error, page.body = "type", b""
    return page


def failed_page(failure: Any, now: float) -> Page | None:
    """A failed request as a Page that says why; None when there is no lease behind it."""
    lease = failure.request.meta.get("lease")
    if lease is None:
        return None
    return Page(lease, lease.url, fetched_at=now, error=error_name(failure.value), retry_after=failure.request.meta.get("wait"))


def is_text(content_type: str, body: bytes) -> bool:
    """Whether an answer can be read as a page: by its label, and by its first bytes where the label lies."""
    kind = content_type.partition(";")[0].strip().lower()
    start = body[:1024]
    if b"\0" in start and not start.startswith((b"\xff\xfe", b"\xfe\xff")) and b"<\0" not in start and b"\0<" not in start:
        return start.lstrip()[:1] == b"<"
    if not kind or kind.startswith(TEXT_TYPES) or "html" in kind:
        return True
    return start.lstrip()[:14].lower().startswith((b"<!doctype html", b"<html"))


def fields_of(headers: Any) -> tuple[tuple[str, str], ...]:
    """Scrapy's headers as names and values."""
    return tuple((name.decode("latin-1"), value.decode("latin-1")) for name, values in headers.items() for value in values)


def _unmodified(request: Request, response: Response) -> str:
    """As in `Page.unmodified`. A 304 that was not asked for is no answer, and only a 200 is a page."""
    if response.status == 304 and request.meta.get(ASKED):
        return "304"
    return "headers" if response.status == 200 and STOPPED in response.flags and request.meta.get(AGREED) else ""


def _truncated(flags: list[str]) -> str:
    if "dataloss" in flags:
        return "disconnect"
    return "length" if STOPPED in flags else ""


FIRST_PAGE = """<title>望远镜 telescope</title>
    <p>天文学家用望远镜观测星系。 Astronomers observe galaxies. <a href=x>链接 link</a>""".encode()
"""Holds what pages hold."""


class SpiderReader:
    """Fills a Page from its body, by the kind of its lease."""

    def __init__(self, session: CrawlSession, agent: str = "focuscrawl") -> None:
        self._session = session
        self._agent = agent
        self._reader = PageReader()
        self._sources = SourceReader(session)
        self._warm = False

    def wants(self, page: Page) -> bool:
        """An answer that is read though it is not `ok`: what a host says where there is nothing, whatever the status."""
        return page.lease.kind == SOFT404_PROBE and bool(page.body) and not page.error and is_text(page.content_type, page.body)

    async def read(self, page: Page) -> None:
        """Set text, links and the rest of `page`, or its error `parse`. One that was being read when a process died is read in
        a process of its own: if it was the page, that one dies, and if it was not, the page is none the worse for it."""
        if len(page.body) > self._session.options.archive_body_bytes:
            page.body, page.truncated = page.body[: self._session.options.archive_body_bytes], "length"
        if page.lease.kind in SOURCES:
            await self._sources.read(page)
            return
        await self._warm_up()
        mark = self._session.store.mark
        suspect = page.lease.crashes > 0
        if not suspect:
            mark.begin(page.lease.uid)
        try:
            reading = await self._reader.read(page.body, page.content_type, page.url, apart=suspect)
            if reading.error:
                page.error = reading.error
            else:
                mark.begin(page.lease.uid)
                self._fill(page, reading)
        finally:
            mark.end()

    async def _warm_up(self) -> None:
        """What the first page would load (parsers, dictionaries: up to two seconds) is loaded before it is marked: a process
        that is killed at its start again and again must not bring the best URL, which it leases first, into suspicion."""
        if not self._warm:
            self._warm = True
            reading = await self._reader.read(FIRST_PAGE, "text/html; charset=utf-8", "http://localhost/")
            self._session.topic.segmenter.terms(f"{reading.title}\n{reading.text}")

    def _fill(self, page: Page, reading: Reading) -> None:
        page.charset, page.language, page.kind = reading.charset, reading.language, reading.kind
        page.title, page.keywords, page.description = reading.title, reading.keywords, reading.description
        page.summary, page.text, page.links = reading.summary, reading.text, reading.links
        page.timings |= reading.timings
        if reading.heavy:
            self._session.inc("reading/heavy_count")
        tags = [value for name, value in page.headers if name.lower() == "x-robots-tag"]
        rules = directives(reading.robots, tags, self._agent, page.fetched_at)
        page.noindex, page.nofollow = rules.noindex, rules.nofollow
        start = perf_counter()
        page.words = self._session.topic.segmenter.terms(f"{page.title}\n{page.text}")
        page.timings["segment"] = 1000 * (perf_counter() - start)
        if page.lease.kind == SOFT404_PROBE:
            page.signature, page.links = (
                signature_of(page.title, page.words, f"{page.title}\n{page.text}", self._session.dedup.simhash),
                [],
            )
        elif self._session.options.recrawl.signals:
            page.feeds = [url for url in reading.feeds if not source_rule(self._session.job.scope, url)]

    async def close(self) -> None:
        await self._reader.close()
        await self._sources.close()
