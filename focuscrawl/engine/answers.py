"""From Scrapy's responses and failures to Pages: one name for everything that can go wrong on the way."""

from __future__ import annotations

from typing import Any

from scrapy.http import Request, Response

from focuscrawl.engine.failures import error_name
from focuscrawl.engine.packed import is_cut
from focuscrawl.items import SOURCES, Lease, Page
from focuscrawl.politeness import retry_after
from focuscrawl.url.normalize import normalize

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
        page.retry_after = retry_after.parse(by_name.get("retry-after"), now)
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
