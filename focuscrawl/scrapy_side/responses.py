"""From Scrapy's responses and failures to Pages: status, headers, body, and whether that is whole. Nothing is read yet."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from scrapy.http import Request, Response

from focuscrawl.crawl.page_reading import ERROR_OF_UNSENT, is_readable
from focuscrawl.items import SEED, SOURCES, Lease, Page
from focuscrawl.politeness import pace
from focuscrawl.politeness.robots import MAX_BYTES
from focuscrawl.politeness.robots_state import MAX_REDIRECTS, RobotsAnswer
from focuscrawl.reading.documents.formats import PACKED
from focuscrawl.recrawl.read_source import is_source
from focuscrawl.scrapy_side.failures import failure_of
from focuscrawl.scrapy_side.secrets import masked_request, masked_response
from focuscrawl.text.coding import unzip
from focuscrawl.text.sniff import is_binary
from focuscrawl.url.in_headers import header_reference
from focuscrawl.url.normalize import normalize

REDIRECTS = (301, 302, 303, 307, 308)
MOST_REDIRECTS = 5
"""Redirects that a request without a lease follows, one after the other."""
ASKED = "conditional"
"""Key in request.meta: the request carried validators, so that a 304 means "not modified"."""
AGREED = "agreed"
"""Key in request.meta: the headers of the answer agreed with those of the stored version, and the download was stopped."""
IP_ADDRESS = "ip_address"
"""Key in request.meta of the IP address that is tried first, and later of the one that answered."""
WAIT = "wait"
"""Key in request.meta: the seconds until the IP address may be asked, where it was too busy for the request."""
STOPPED = "download_stopped"
"""Scrapy's flag of an answer whose download was stopped."""
CERTIFICATE = "certificate"
"""Key in request.meta of the verdict on the host's certificate, as in `Page.certificate`."""
HOPS = "robots_hops"
"""Key in request.meta: redirects of a robots.txt that led here."""
HELD = "held"
"""Key in request.meta: the page is held back until the topic is made, and comes from the spider's `start` then."""
CODING = "coding"
"""Our flag of an answer whose content coding broke off or is corrupt. Its body is what could be decoded."""
UNTIL = "body_until"
"""Key in request.meta: the monotonic time at which the download ends with what has come by then."""
LATE = "late"
"""Key in request.meta, and our flag: the download ended because its time was over."""
MOST_BYTES = "most_bytes"
"""Key in request.meta: the beginning of a longer answer is enough."""
OWN_TOOL = "own_tool"
"""Key in request.meta: the request goes to a tool that the operator named, whose robots.txt does not count."""


def lease_of(request: Request) -> Lease | None:
    """The lease under which a request is made; None for one that does not come from the frontier."""
    lease: Lease | None = request.meta.get("lease")
    return lease


def page_of(
    response: Response, now: float, documents: Collection[str] = PACKED, most_retries: int = 0, contact: str = ""
) -> Page:
    """An answer as a Page that is not read yet.

    Args:
        documents: formats besides HTML that are to be read.
        most_retries: how often a page that does not come whole is fetched again before its beginning is taken.
        contact: the user's contact, which is for the server alone and is masked in the request's headers.
    """
    request = response.request
    assert request is not None
    lease: Lease = request.meta["lease"]
    headers = masked_response(fields_of(response.headers))
    page = Page(
        lease,
        lease.url,
        response.status,
        now,
        float(request.meta.get("download_latency", 0.0)),
        str(response.ip_address or request.meta.get(IP_ADDRESS, "")),
        headers,
        masked_request(fields_of(request.headers), contact),
        response.body,
    )
    by_name = {name.lower(): value for name, value in headers}
    page.certificate = str(request.meta.get(CERTIFICATE, ""))
    page.content_type = by_name.get("content-type", "")
    page.unmodified = _unmodified(request, response)
    if page.unmodified:
        return page
    page.truncated = _truncated(response.flags)
    if response.status in REDIRECTS:
        page.redirect = redirect_target(response)
    if response.status in (429, 503):
        page.retry_after = pace.retry_after_seconds(by_name.get("retry-after"), now)
    if response.status == 200 and not _is_readable(page, documents, by_name.get("content-disposition", "")):
        page.error, page.body = "type", b""
    elif response.status == 200 and page.truncated in ERROR_OF_UNSENT and (lease.tries < most_retries or _is_unread(page)):
        page.error = ERROR_OF_UNSENT[page.truncated]
    return page


def _is_readable(page: Page, documents: Collection[str], disposition: str) -> bool:
    """Whether a crawl reads this answer. A sitemap or feed may be given as a seed."""
    if page.lease.kind in SOURCES or is_readable(page.content_type, page.body, documents, disposition):
        return True
    return page.lease.kind == SEED and is_source(page.body)


def _is_unread(page: Page) -> bool:
    """Whether something came of which nothing could be decoded."""
    return page.truncated == CODING and not page.body


def failed_page(failure: Any, now: float) -> Page | None:
    """A failed request as a Page with its error; None if the request had no lease."""
    request, error = failure_of(failure)
    lease = request.meta.get("lease")
    if lease is None:
        return None
    page = Page(lease, lease.url, fetched_at=now, error=error, retry_after=request.meta.get(WAIT))
    if page.error == "certificate":
        page.certificate = failure.value.detail
    return page


def fields_of(headers: Any) -> tuple[tuple[str, str], ...]:
    """Scrapy's headers as names and values."""
    return tuple((name.decode("latin-1"), value.decode("latin-1")) for name, values in headers.items() for value in values)


def _unmodified(request: Request, response: Response) -> str:
    """The value of `Page.unmodified`. A 304 that was not asked for does not count, and only an answer with status 200 is a
    page."""
    if response.status == 304 and request.meta.get(ASKED):
        return "304"
    return "headers" if response.status == 200 and STOPPED in response.flags and request.meta.get(AGREED) else ""


def _truncated(flags: list[str]) -> str:
    """The value of `Page.truncated`."""
    if "dataloss" in flags:
        return "disconnect"
    if CODING in flags:
        return CODING
    return "" if STOPPED not in flags else "time" if LATE in flags else "length"


def redirect_target(response: Response) -> str:
    """The normal URL that Location names; empty if it names none."""
    location = header_reference(response.headers.get("Location") or b"")
    return normalize(location, response.url) or "" if location else ""


def robots_redirect(response: Response) -> str:
    """Where an answer to /robots.txt redirects; empty for none, or one hop too many (RFC 9309 section 2.3.1.2)."""
    if 300 <= response.status < 400 and response.meta.get(HOPS, 0) < MAX_REDIRECTS:
        return redirect_target(response)
    return ""


def robots_answer(response: Response, retry_after: float | None = None) -> RobotsAnswer:
    """What came from /robots.txt: the file, unpacked, and whether it broke off. A file that we cut because it was long did
    not."""
    file = unzip(response.body, MAX_BYTES + 1)  # some serve a .gz without saying so
    stopped, body = _truncated(response.flags) == "length", file.body
    part = response.status == 206  # which nobody asked for
    unread = bool(response.headers.get("Content-Encoding")) and is_binary(body)  # a coding that nobody asked for
    cut = part or unread or (not stopped and (bool(_truncated(response.flags)) or file.problem in ("cut", "corrupt")))
    if stopped and len(body) <= MAX_BYTES:
        body = body[: body.rfind(b"\n") + 1]  # a rule that was cut would match more than the whole rule
    return RobotsAnswer(response.status, body, retry_after, cut=cut)
