"""Hosts on loopback whose every octet is written in the test: heads that lie, bodies that break off, answers without end."""

from __future__ import annotations

import asyncio
import gzip
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field

import brotli
from backports import zstd

from tests.crawl.site import Hit, Site

CODINGS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "deflate": zlib.compress,
    "br": brotli.compress,
    "zstd": zstd.compress,
}


@dataclass(frozen=True, slots=True)
class Raw:
    """What goes over the wire; then the connection is closed. `again`: written until the client leaves, with
    `pause` seconds between."""

    data: bytes
    again: bytes = b""
    pause: float = 0.0


Script = Raw | Callable[[Hit], Raw]


def head(*fields: str, status: str = "200 OK") -> bytes:
    return "\r\n".join([f"HTTP/1.1 {status}", *fields, "Connection: close", "", ""]).encode("latin-1")


def whole(body: bytes, *fields: str, status: str = "200 OK") -> Raw:
    return Raw(head(*fields, f"Content-Length: {len(body)}", status=status) + body)


def coded(body: bytes, coding: str, share: float = 1.0) -> Raw:
    """An HTML answer of which only a share was coded; its length is right."""
    encoded = CODINGS[coding](body)
    return whole(encoded[: int(share * len(encoded))], "Content-Type: text/html", f"Content-Encoding: {coding}")


def short(body: bytes, *fields: str) -> Raw:
    """An answer that promises more than comes."""
    return Raw(head(*fields, f"Content-Length: {len(body) + 500}") + body)


def chunks(body: bytes, *fields: str) -> Raw:
    """An answer in two chunks; what fields say of that is theirs."""
    middle = len(body) // 2
    parts = b"".join(b"%x\r\n%b\r\n" % (len(part), part) for part in (body[:middle], body[middle:], b""))
    return Raw(head(*fields) + parts)


def cut_chunk(body: bytes, *fields: str) -> Raw:
    """An answer that breaks off in a chunk."""
    return Raw(head(*fields, "Transfer-Encoding: chunked") + f"{len(body) + 100:x}\r\n".encode() + body)


@dataclass
class RawSite(Site):
    """A `Site` that also has `scripts`, by `host/path`."""

    scripts: dict[str, Script] = field(default_factory=dict)

    async def _answer(self, request: str, address: str, writer: asyncio.StreamWriter) -> None:
        line, *lines = request.strip().split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (each.partition(":") for each in lines)}
        host, path = headers["host"].partition(":")[0], line.split(" ")[1]
        script = self.scripts.get(host + path)
        if script is None:
            await super()._answer(request, address, writer)
            return
        hit = Hit(asyncio.get_running_loop().time(), host, path, headers, address, 1, 1)
        self.hits.append(hit)
        raw = script(hit) if callable(script) else script
        writer.write(raw.data)
        await writer.drain()
        while raw.again:
            writer.write(raw.again)
            await writer.drain()
            await asyncio.sleep(raw.pause)
        writer.close()
