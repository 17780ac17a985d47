"""Answers for `tests/faults/net.py`, octet by octet."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from tests.crawl.site import page
from tests.faults.net import Exchange, Handler

HTML = "Content-Type: text/html; charset=utf-8"
CLOSE = "Connection: close"


def body(title: str, links: Iterable[str] = (), head: str = "", words: int = 220) -> bytes:
    """An HTML page on the topic with a text of its own."""
    return page(title, links, head=head, words=words).body.encode()


def answer(content: bytes, *fields: str, status: str = "200 OK") -> bytes:
    """Well formed, with the right length; the connection ends."""
    head = [f"HTTP/1.1 {status}", *(fields or (HTML,)), f"Content-Length: {len(content)}", CLOSE, "", ""]
    return "\r\n".join(head).encode("utf-8") + content


def html(
    title: str, links: Iterable[str] = (), *fields: str, head: str = "", status: str = "200 OK", words: int = 220
) -> bytes:
    return answer(body(title, links, head, words), HTML, *fields, status=status)


def moved(target: str | None, status: str = "302 Found") -> bytes:
    return answer(b"", *([f"Location: {target}"] if target is not None else []), "X-Moved: yes", status=status)


def raw(start: str, *fields: str, content: bytes = b"", line: str = "\r\n") -> bytes:
    """Whatever is said, with the line ends given."""
    return line.join([start, *fields, "", ""]).encode("latin-1") + content


def kept(content: bytes, *fields: str) -> Handler:
    """An answer that leaves the connection open."""

    async def send(exchange: Exchange) -> None:
        head = ["HTTP/1.1 200 OK", HTML, *fields, f"Content-Length: {len(content)}", "", ""]
        await exchange.send("\r\n".join(head).encode() + content)

    return send


async def silence(exchange: Exchange) -> None:
    """Nothing is said, and the connection stays."""
    await asyncio.sleep(3600)


async def reset(exchange: Exchange) -> None:
    exchange.reset()


def trickle(start: bytes, again: bytes, seconds: float) -> Handler:
    """Begins, and goes on in small pieces for ever."""

    async def send(exchange: Exchange) -> None:
        await exchange.send(start)
        while True:
            await asyncio.sleep(seconds)
            await exchange.send(again)

    return send
