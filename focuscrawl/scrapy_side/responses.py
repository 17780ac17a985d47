"""From Scrapy's responses and failures to Pages: status, headers, body and whether it is whole. Nothing is read yet."""

from __future__ import annotations

import zlib
from collections.abc import Collection
from typing import Any

from scrapy.http import Request, Response

from focuscrawl.crawl.page_reading import is_readable
from focuscrawl.items import SOURCES, Lease, Page
from focuscrawl.politeness import pace
from focuscrawl.reading.documents.formats import PACKED
from focuscrawl.scrapy_side.failures import error_name
from focuscrawl.url.normalize import normalize

REDIRECTS = (301, 302, 303, 307, 308)
ASKED = "conditional"
"""Key in request.meta: the request carried validators, so that a 304 means "not modified"."""
AGREED = "agreed"
"""Key in request.meta: the headers of the answer agreed with those of the stored version, and the download was stopped."""
STOPPED = "download_stopped"
"""Scrapy's flag of an answer whose download was stopped."""
ENCODED_BODY = "content_encoding_body"
"""Key of the body as sent in request.meta, from the download handler to the spider."""
GZIP = (b"gzip", b"x-gzip")
CHUNK = 1 << 20
"""Bytes that are unpacked at once: a small answer may hold gigabytes of zeros."""


def page_of(response: Response, now: float, documents: Collection[str] = PACKED) -> Page:
    """The answer as a Page, not read yet. `documents`: formats besides HTML that are to be read."""
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
        str(response.ip_address or request.meta.get("ip_address", "")),
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
    if response.status == 200 and lease.kind not in SOURCES and not is_readable(page.content_type, page.body, documents):
        page.error, page.body = "type", b""
    return page


def failed_page(failure: Any, now: float) -> Page | None:
    """A failed request as a Page that says why; None when there is no lease behind it."""
    lease = failure.request.meta.get("lease")
    if lease is None:
        return None
    return Page(lease, lease.url, fetched_at=now, error=error_name(failure.value), retry_after=failure.request.meta.get("wait"))


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


# Did a compressed answer break off? Scrapy unpacks what is there and says nothing; this tells a cut page from a whole one.


def keep_encoded(request: Request, response: Response) -> None:
    """Remember the body of a gzip answer; it is no copy."""
    if response.headers.get("Content-Encoding") in GZIP:
        request.meta[ENCODED_BODY] = response.body


def is_cut(request: Request, length: int) -> bool:
    """Whether a gzip answer that unpacked to `length` bytes has no end. Its last four bytes tell the length (RFC 1952,
    section 2.3.1): only where they do not fit is it unpacked once more."""
    encoded: bytes = request.meta.pop(ENCODED_BODY, b"")
    if not encoded or int.from_bytes(encoded[-4:], "little") == length & 0xFFFFFFFF:
        return False
    unpacker = zlib.decompressobj(wbits=31)
    try:
        while encoded and not unpacker.eof:
            unpacker.decompress(encoded, CHUNK)
            encoded = unpacker.unconsumed_tail
    except zlib.error:
        return False
    return not unpacker.eof
