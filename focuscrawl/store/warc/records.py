"""WARC/1.1 records (ISO 28500:2017) and the HTTP messages inside them, as bytes."""

from __future__ import annotations

import base64
import hashlib
import re
import uuid
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from http import HTTPStatus
from ipaddress import ip_address
from urllib.parse import urlsplit

from focuscrawl.items import Page

Fields = Iterable[tuple[str, str]]

TRUNCATED = {"length": "length", "time": "time", "disconnect": "disconnect"}
"""The reasons WARC knows (section 5.13); ours beyond these are `unspecified`."""

NOT_MODIFIED = "http://netpreserve.org/warc/1.1/revisit/server-not-modified"
"""The profile of a revisit whose server says nothing has changed (section 6.7.3)."""

ORIGINAL_CODING = "X-Archive-Orig-Content-Encoding"
"""The header that keeps the Content-Encoding of an answer that is stored unpacked."""

_NO_TOKEN = re.compile(r"[^!#$%&'*+\-.^_`|~0-9A-Za-z]")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]+")
_PHRASES = {int(status): status.phrase for status in HTTPStatus}
_NO_BODY = {HTTPStatus.NO_CONTENT, HTTPStatus.NOT_MODIFIED}
_GZIP = b"\x1f\x8b"


def record_id() -> str:
    """A new, globally unique record identifier."""
    return f"<urn:uuid:{uuid.uuid4()}>"


def warc_date(seconds: float) -> str:
    """Seconds since the epoch as WARC-Date, in UTC with microseconds (section 5.4; the fraction is new in 1.1)."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def digest(data: bytes) -> str:
    """A labelled SHA-1 in base 32, as all WARC tools write it."""
    return "sha1:" + base64.b32encode(hashlib.sha1(data, usedforsecurity=False).digest()).decode()


def one_line(value: str) -> str:
    """The value without line breaks and control characters, which would break the record's header."""
    if value.isprintable():
        return value.strip()
    return _CONTROL.sub(" ", value).strip()


def lines(fields: Fields) -> bytes:
    """`Name: value` lines in UTF-8; fields without a value are left out."""
    kept = [f"{name}: {line}\r\n" for name, value in fields if value and (line := one_line(value))]
    return "".join(kept).encode("utf-8", "replace")


def record(fields: Fields, block: bytes) -> bytes:
    """A whole record, uncompressed: version, header with digest and length of the block, the block."""
    own = (("WARC-Block-Digest", digest(block)), ("Content-Length", str(len(block))))
    return b"".join((b"WARC/1.1\r\n", lines(fields), lines(own), b"\r\n", block, b"\r\n\r\n"))


def server_ip_address(page: Page) -> str:
    """The server's IP address; empty when it is not known."""
    try:
        return str(ip_address(page.ip_address))
    except ValueError:
        return ""


def response_fields(page: Page) -> dict[str, str]:
    """What a record says of an answer with its body (section 6.3)."""
    cut = TRUNCATED.get(page.truncated, "unspecified") if page.truncated else ""
    return {"WARC-Type": "response", "WARC-Payload-Digest": digest(page.body), "WARC-Truncated": cut}


def revisit_fields(page: Page) -> dict[str, str]:
    """What a record says of an answer that confirms the version archived before (section 6.7.3): a 304, or headers that agreed
    with the stored ones, after which the body was not read. Only the older record has a digest."""
    stored_at = page.lease.stored_at
    return {
        "WARC-Type": "revisit",
        "WARC-Profile": NOT_MODIFIED,
        "WARC-Refers-To-Target-URI": page.url if stored_at else "",
        "WARC-Refers-To-Date": warc_date(stored_at) if stored_at else "",
        "WARC-Truncated": "length" if page.status not in _NO_BODY else "",
    }


def request_block(page: Page) -> bytes:
    """The request as it was sent: request line, Host, headers."""
    parts = urlsplit(page.url)
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    fields = list(page.request_headers)
    if not any(name.lower() == "host" for name, _ in fields):
        fields.insert(0, ("Host", parts.netloc.rpartition("@")[2]))
    return f"GET {one_line(target)} HTTP/1.1\r\n".encode("utf-8", "replace") + _http_headers(fields)


def response_block(page: Page) -> bytes:
    """The response: status line, headers as received, the body as we have it.

    The HTTP layer has undone transfer and content codings, so headers that would be untrue of this body are kept under
    `X-Archive-Orig-` names and the length is the body's own. A page cut off by us keeps its announced length: the
    record says WARC-Truncated.
    """
    status = f"HTTP/1.1 {page.status:03} {_PHRASES.get(page.status, '')}\r\n".encode()
    return status + _http_headers(_true_headers(page)) + page.body


def metadata_block(page: Page, facts: Mapping[str, str]) -> bytes:
    """`application/warc-fields`: the facts given, the fetch time in ms, how the body was cut where it was, and
    by what it is known that it need not be read."""
    own = {"fetchTimeMs": f"{page.latency * 1000:.0f}", "truncated": page.truncated, "charset": page.charset}
    own |= {"unmodified": page.unmodified, "tlsCertificate": page.certificate}
    known = {_NO_TOKEN.sub("-", name): value for name, value in {**own, **facts}.items()}
    return lines(known.items())


def _true_headers(page: Page) -> list[tuple[str, str]]:
    lengths = [value.strip() for name, value in page.headers if name.lower() == "content-length"]
    codings = {value.strip().lower() for name, value in page.headers if name.lower() == "content-encoding"}
    # A body that still starts like gzip was stored as sent: its label is true.
    decoded = bool(codings - {"", "identity"}) and not page.body.startswith(_GZIP) and not page.unmodified
    decoded = decoded or any(name.lower() == ORIGINAL_CODING.lower() for name, _ in page.headers)
    bodiless = page.status in _NO_BODY or page.status < 200 or bool(page.unmodified)
    untrue = {"transfer-encoding"} | ({"content-encoding"} if decoded else set())
    own_length = not bodiless and lengths != [str(len(page.body))] and (decoded or not page.truncated)
    if own_length:
        untrue.add("content-length")
    fields = [(f"X-Archive-Orig-{name}" if name.lower() in untrue else name, value) for name, value in page.headers]
    return [*fields, ("Content-Length", str(len(page.body)))] if own_length else fields


def _http_headers(fields: Fields) -> bytes:
    """Header lines and the empty line. Bytes beyond ASCII go back to what they were (Latin-1) where possible."""
    parts = []
    for name, value in fields:
        if name and not _NO_TOKEN.search(name):
            line = f"{name}: {_CONTROL.sub(' ', value).strip(' ')}\r\n"
            parts.append(_octets(line))
    return b"".join((*parts, b"\r\n"))


def _octets(line: str) -> bytes:
    try:
        return line.encode("latin-1")
    except UnicodeEncodeError:
        return line.encode("utf-8", "replace")
