"""A few small hosts on loopback whose every answer is written in the test, served from a thread, with an access log."""

from __future__ import annotations

import asyncio
import random
import ssl
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

from synthweb.dns import StubDns, serve_dns
from synthweb.server import open_sockets
from tests.patience import PATIENCE

REASONS = {200: "OK", 301: "Moved Permanently", 304: "Not Modified", 404: "Not Found", 503: "Service Unavailable"}
TOPIC_WORDS = (
    "telescope",
    "galaxy",
    "planet",
    "nebula",
    "supernova",
    "comet",
    "orbit",
    "star",
    "eclipse",
    "astronomer",
    "lens",
    "observatory",
)
OTHER_WORDS = (
    "river",
    "market",
    "bread",
    "window",
    "garden",
    "letter",
    "train",
    "village",
    "engine",
    "paper",
    "winter",
    "bridge",
    "music",
    "doctor",
    "school",
)


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer. `delay` in seconds before it."""

    status: int = 200
    body: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    delay: float = 0.0
    data: bytes = b""
    """A body that is no text; in place of `body`."""


@dataclass(frozen=True, slots=True)
class Hit:
    """One request as it came in."""

    t: float
    """Seconds on the monotonic clock."""
    host: str
    path: str
    headers: dict[str, str]
    """Names in lower case."""
    address: str
    at_host: int
    """Requests of the host without an answer, this one included."""
    at_address: int


Answer = Reply | Callable[[Hit], Reply]


def page(title: str, links: Iterable[str] = (), *, on_topic: bool = True, head: str = "", words: int = 220) -> Reply:
    """A page with a text of its own, made from its title: half of the words on the topic (astronomy), or none."""
    rng = random.Random(title)
    vocabulary = TOPIC_WORDS + OTHER_WORDS if on_topic else OTHER_WORDS
    text = " ".join(rng.choice(vocabulary) + ("." if rng.random() < 0.08 else "") for _ in range(words))
    anchors = "".join(f'<li><a href="{link}">{link}</a></li>' for link in links)
    body = f"<html><head><title>{title}</title>{head}</head><body><p>{title}: {text}</p><ul>{anchors}</ul></body></html>"
    return Reply(200, body, (("Content-Type", "text/html; charset=utf-8"),))


def moved(target: str, status: int = 301) -> Reply:
    """A redirect."""
    return Reply(status, "", (("Location", target),))


@dataclass
class Site:
    """Context manager. `answers` by `host/path`; all else is 404, or what `missing` says by host. `hosts`: loopback address by
    name."""

    hosts: Mapping[str, str]
    answers: dict[str, Answer] = field(default_factory=dict)
    missing: dict[str, Answer] = field(default_factory=dict)
    hits: list[Hit] = field(default_factory=list)
    tls: ssl.SSLContext | None = None
    """With one, the hosts speak https."""

    def __enter__(self) -> Self:
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._flying: Counter[str] = Counter()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        assert self._ready.wait(PATIENCE)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(PATIENCE)
        self._loop.close()

    def url(self, place: str) -> str:
        """`host/path` as an address with our port."""
        host, _, path = place.partition("/")
        return f"{'https' if self.tls else 'http'}://{host}:{self.port}/{path}"

    def paths(self, host: str, since: int = 0) -> list[str]:
        """Paths asked of a host, in order."""
        return [hit.path for hit in self.hits[since:] if hit.host == host]

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._serve())

    async def _serve(self) -> None:
        self._stop = asyncio.Event()
        self.port, sockets = open_sockets(self.hosts.values(), 0)
        servers = [await asyncio.start_server(self._talk, sock=sock, ssl=self.tls) for sock in sockets]
        self.stub = StubDns(self.hosts, 300)
        transport, dns_port = await serve_dns(0, self.stub)
        self.dns = f"127.0.0.1:{dns_port}"
        self._ready.set()
        await self._stop.wait()
        transport.close()
        for server in servers:
            server.close()
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()
        await asyncio.sleep(0)

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection, kept alive."""
        address = writer.get_extra_info("sockname")[0]
        try:
            while True:
                await self._answer((await reader.readuntil(b"\r\n\r\n")).decode("latin-1"), address, writer)
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            writer.close()

    async def _answer(self, request: str, address: str, writer: asyncio.StreamWriter) -> None:
        line, *lines = request.strip().split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (each.partition(":") for each in lines)}
        host, path = headers["host"].partition(":")[0], line.split(" ")[1]
        self._flying.update((host, address))
        hit = Hit(time.monotonic(), host, path, headers, address, self._flying[host], self._flying[address])
        self.hits.append(hit)
        found = self.answers.get(host + path) or self.missing.get(host, Reply(404, "nothing here"))
        reply = found(hit) if callable(found) else found
        await asyncio.sleep(reply.delay)
        self._flying.subtract((host, address))
        body = reply.data or reply.body.encode()
        head = [f"HTTP/1.1 {reply.status} {REASONS.get(reply.status, 'Status')}", f"Content-Length: {len(body)}"]
        head += [f"{name}: {value}" for name, value in reply.headers]
        writer.write("\r\n".join([*head, "", ""]).encode() + body)
        await writer.drain()


XML = (("Content-Type", "application/xml"),)


def sitemap(*entries: tuple[str, str], root: str = "urlset", element: str = "url") -> Reply:
    inner = "".join(f"<{element}><loc>{url}</loc><lastmod>{time}</lastmod></{element}>" for url, time in entries)
    return Reply(200, f'<{root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{inner}</{root}>', XML)


def feed(*entries: tuple[str, str]) -> Reply:
    items = "".join(f"<item><title>{title}</title><link>{url}</link></item>" for url, title in entries)
    return Reply(200, f'<rss version="2.0"><channel>{items}</channel></rss>', (("Content-Type", "application/rss+xml"),))
