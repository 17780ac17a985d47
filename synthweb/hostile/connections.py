"""Connections that go wrong: lengths, chunks, codings, redirects, headers, silence."""

from __future__ import annotations

import asyncio
import gzip

from synthweb.hostile.bodies import MARK_EN, text_page
from synthweb.hostile.case import Case, html_reply
from synthweb.wire import Reply, Wire, head

HTML = ("Content-Type", "text/html; charset=utf-8")
GZIP = ("Content-Encoding", "gzip")
DRIP_SECONDS = 1.0
CHAIN = 21


async def stream(wire: Wire) -> None:
    """Paragraphs without end."""
    await wire.write(head(200, (HTML,), None))
    chunk = b"<p>the telescope and the galaxy go on and on</p>\n" * 1400
    while await wire.write(chunk):
        await asyncio.sleep(0)


async def drip(wire: Wire) -> None:
    """A byte a second."""
    body = text_page()
    await wire.write(head(200, (HTML,), len(body)))
    for at in range(len(body)):
        if not await wire.write(body[at : at + 1]):
            return
        await asyncio.sleep(DRIP_SECONDS)


async def head_drip(wire: Wire) -> None:
    """A header field a second, without end."""
    await wire.write(b"HTTP/1.1 200 OK\r\n")
    while await wire.write(b"X-Slow: yes\r\n"):
        await asyncio.sleep(DRIP_SECONDS)


def raw(blob: bytes, end: str = "close") -> Reply:
    """Bytes as they stand, then the end of the connection."""
    return Reply(blob, end=end)


def with_length(difference: int) -> Reply:
    """A body whose length is told wrong."""
    body = text_page()
    return raw(head(200, (HTML,), len(body) + difference) + body)


def cut_gzip() -> Reply:
    """Half of a gzip body, with the right length of the half."""
    packed = gzip.compress(text_page(), mtime=0)
    half = packed[: len(packed) // 2]
    return Reply(head(200, (HTML, GZIP), len(half)) + half)


def chunked(tail: bytes) -> Reply:
    """A chunked body with an ending of one's own."""
    body = text_page()
    start = head(200, (HTML, ("Transfer-Encoding", "chunked")), None)
    return raw(start + f"{len(body):x}\r\n".encode() + body + b"\r\n" + tail)


def redirect(location: str, status: int = 302) -> Reply:
    """A redirect; no Location for an empty one."""
    return Reply(head(status, (("Location", location),) if location else (), 0))


def status_line(line: bytes) -> Reply:
    """Any status line over a good page."""
    body = text_page()
    return raw(line + b"\r\nContent-Type: text/html\r\nContent-Length: " + str(len(body)).encode() + b"\r\n\r\n" + body)


def moved(path: str, what: str, accepts: tuple[str, ...] = ("failed",), status: int = 302) -> Case:
    """A redirect as a case."""
    return Case(lambda: redirect(path, status), accepts, what)


def chain() -> dict[str, Case]:
    """A chain of redirects that is longer than any crawler should follow."""
    return {
        f"/redirect-chain-{left}": moved(f"/redirect-chain-{left - 1}" if left > 1 else "/empty", f"{left} redirects ahead")
        for left in range(CHAIN, 0, -1)
    }


CONNECTIONS: dict[str, Case] = {
    "/stream": Case(lambda: Reply(script=stream, end="close"), ("truncated", "failed"), "a body without end", slow=True),
    "/drip": Case(lambda: Reply(script=drip), ("truncated", "failed"), "a byte a second", slow=True),
    "/head-drip": Case(lambda: Reply(script=head_drip, end="close"), ("failed",), "headers without end", slow=True),
    "/silent": Case(lambda: Reply(end="hang"), ("failed",), "no answer", slow=True),
    "/reset": Case(lambda: Reply(end="reset"), ("failed",), "connection reset at once"),
    "/reset-body": Case(
        lambda: raw(head(200, (HTML,), 100_000) + text_page(), "reset"), ("failed", "truncated"), "reset in the body"
    ),
    "/short-length": Case(lambda: with_length(-200), ("page", "truncated", "failed"), "Content-Length below the body"),
    "/long-length": Case(lambda: with_length(200), ("truncated", "failed"), "Content-Length above the body"),
    "/two-lengths": Case(
        lambda: raw(head(200, (HTML, ("Content-Length", "5")), 9) + b"123456789"),
        ("failed",),
        "two lengths that differ",
    ),
    "/bad-chunk": Case(lambda: chunked(b"zz\r\nx"), ("truncated", "failed"), "a chunk size that is no number"),
    "/cut-chunk": Case(lambda: chunked(b"ff\r\nx"), ("truncated", "failed"), "the last chunk breaks off"),
    "/cut-gzip": Case(cut_gzip, ("truncated", "failed"), "gzip that breaks off"),
    "/plain-as-gzip": Case(lambda: html_reply(text_page(), headers=(GZIP,)), ("page", "failed"), "plain HTML that says gzip"),
    "/unknown-coding": Case(
        lambda: html_reply(text_page(), headers=(("Content-Encoding", "rot13"),)),
        ("failed", "filtered", "page"),
        "unknown coding",
    ),
    "/huge-headers": Case(
        lambda: raw(head(200, (HTML, ("X-Huge", "x" * 5_000_000)), 0)), ("failed",), "a header field of 5 MB"
    ),
    "/header-flood": Case(
        lambda: raw(head(200, (HTML, *((f"X-{n}", "1") for n in range(100_000))), 0)),
        ("failed",),
        "100 000 header fields",
    ),
    "/cookie-flood": Case(
        lambda: html_reply(text_page(), headers=tuple(("Set-Cookie", f"c{n}=1; Domain=test") for n in range(150))),
        ("page",),
        "150 cookies for everybody",
        MARK_EN,
    ),
    "/redirect-self": moved("/redirect-self", "redirects to itself"),
    "/redirect-loop-a": moved("/redirect-loop-b", "a circle of two"),
    "/redirect-loop-b": moved("/redirect-loop-a", "a circle of two"),
    **chain(),
    "/redirect-file": moved("file:///etc/passwd", "redirects to a file", ("failed", "filtered")),
    "/redirect-script": moved("javascript:alert(1)", "redirects to a script", ("failed", "filtered")),
    "/redirect-private": moved("http://10.0.0.1/", "redirects to a private address", ("failed", "filtered")),
    "/redirect-nowhere": moved("", "redirects without Location", ("failed", "status")),
    "/redirect-raw": moved("/\u00e9\u00fc?q=\u00f1 x", "raw bytes in Location", ("failed", "status", "page")),
    "/status-204": Case(lambda: Reply(head(204, (), None)), ("status",), "204 without content"),
    "/status-206": Case(lambda: status_line(b"HTTP/1.1 206 Partial Content"), ("status",), "a part nobody asked for"),
    "/status-304": Case(lambda: Reply(head(304, (), None)), ("status", "failed"), "304 though we sent no validators"),
    "/status-999": Case(lambda: status_line(b"HTTP/1.1 999 No"), ("status", "failed"), "status 999"),
    "/status-abc": Case(lambda: status_line(b"HTTP/1.1 abc No"), ("failed",), "a status that is no number"),
    "/status-99999": Case(lambda: status_line(b"HTTP/1.1 99999 No"), ("failed",), "a status of five digits"),
    "/no-reason": Case(lambda: status_line(b"HTTP/1.1 200"), ("page",), "no reason phrase", MARK_EN),
    "/http10": Case(lambda: status_line(b"HTTP/1.0 200 OK"), ("page",), "HTTP/1.0", MARK_EN),
    "/garbage": Case(lambda: raw(b"\x16\x03\x01\x02\x00 not http at all\r\n\r\n"), ("failed",), "no HTTP at all"),
    "/busy-hour": Case(lambda: Reply(head(429, (("Retry-After", "3600"),), 0)), ("wait", "status"), "429 for an hour"),
    "/busy-date": Case(
        lambda: Reply(head(503, (("Retry-After", "Fri, 31 Dec 2099 23:59:59 GMT"),), 0)),
        ("wait", "status"),
        "503 until 2099",
    ),
}
