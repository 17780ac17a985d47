"""A small internet on loopback: hosts with public addresses and the web's own ports, a name server that may lie, and
connections of which every octet is written in the test. A crawl of it runs as `tests.faults.mapped`, with the guard on.
"""

from __future__ import annotations

import asyncio
import json
import os
import socket
import ssl
import struct
import threading
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path
from types import TracebackType
from typing import Self

from synthweb.dns import NO_ERROR, NO_NAME, SERVER_FAILURE, A, StubDns, read_question, serve_dns
from synthweb.server import open_sockets
from tests import forked
from tests.crawl.run import ASTRONOMY, QUICK, Run
from tests.faults import watch
from tests.faults.mapped import LOOPBACK, PUBLIC
from tests.patience import PATIENCE

AAAA = 28
RESET = struct.pack("ii", 1, 0)
"""SO_LINGER: closing sends a reset."""


@dataclass(slots=True)
class Exchange:
    """One request, and the connection on which it came."""

    host: str
    path: str
    method: str
    headers: dict[str, str]
    """Names in lower case."""
    t: float
    """Seconds on the monotonic clock."""
    number: int
    """Of the request on its connection, from 1."""
    address: str
    """Public address that was asked."""
    secure: bool
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def send(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()

    def reset(self) -> None:
        """The client sees a reset, not an end."""
        connection = self.writer.get_extra_info("socket")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
        self.writer.transport.abort()


Handler = Callable[[Exchange], Awaitable[None]]
Answer = bytes | Handler
"""Octets, after which the connection is closed; or what does everything itself, and leaves the connection open."""


@dataclass(slots=True)
class Host:
    """`answers` by path, with its query; a path that is missing is asked of `*`, else it is 404."""

    answers: dict[str, Answer] = field(default_factory=dict)
    addresses: tuple[str, ...] = ()
    """As the name server tells them; empty: one of this web's own."""
    tls: ssl.SSLContext | None = None
    """The host speaks https, too."""
    on_443: bool = False
    """It listens there without speaking it."""
    connected: Handler | None = None
    """Takes each connection as it is, before anything was read."""


class Names(StubDns):
    """Answers with all addresses of a name, of both families; some names fail, some get no answer."""

    def __init__(self, records: Mapping[str, Sequence[str]], failing: Iterable[str], silent: Iterable[str]) -> None:
        super().__init__({}, 300, frozenset(failing))
        self.records = dict(records)
        self.silent = frozenset(silent)
        self.changing: dict[str, list[tuple[str, ...]]] = {}
        """Answers of a name one after the other; the last one stays."""

    def answer(self, data: bytes) -> bytes:
        try:
            name, kind, end = read_question(data)
        except (IndexError, struct.error, UnicodeDecodeError):
            return b""
        self.queries.append((time.monotonic(), name, kind))
        if name in self.silent:
            return b""
        code = SERVER_FAILURE if name in self.failing else NO_ERROR if name in self.records else NO_NAME
        wanted = {A: 4, AAAA: 6}.get(kind, 0)
        found = [ip_address(each) for each in self._records(name, kind)] if code == NO_ERROR else []
        octets = [each.packed for each in found if each.version == wanted]
        records = b"".join(b"\xc0\x0c" + struct.pack("!HHIH", kind, 1, self.ttl, len(each)) + each for each in octets)
        return data[:2] + struct.pack("!HHHHH", 0x8580 | code, 1, len(octets), 0, 0) + data[12:end] + records

    def _records(self, name: str, kind: int) -> Sequence[str]:
        if answers := self.changing.get(name):
            return answers.pop(0) if len(answers) > 1 and kind == A else answers[0]
        return self.records[name]


@dataclass
class Net:
    """Context manager: serves `hosts` from a thread."""

    hosts: dict[str, Host]
    failing: tuple[str, ...] = ()
    """Names for which the name server fails."""
    silent: tuple[str, ...] = ()
    """Names for which it says nothing."""
    hits: list[Exchange] = field(default_factory=list)
    """Every request that came, in order."""
    connections: list[str] = field(default_factory=list)
    """Public address of each connection."""
    targets: dict[str, tuple[str, int]] = field(default_factory=dict)
    """Where else public addresses, or addresses with a port (`93.184.1.1 80`), lead."""

    def __enter__(self) -> Self:
        self._own = {name: f"{PUBLIC}{number}.1" for number, name in enumerate(self.hosts, 1)}
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, name="net", daemon=True)
        self._thread.start()
        assert self._ready.wait(PATIENCE)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._loop.call_soon_threadsafe(self._end.set)
        self._thread.join(PATIENCE)
        self._loop.close()

    def paths(self, host: str, since: int = 0) -> list[str]:
        """Paths asked of a host, in order, without robots.txt and the look for what a missing page says."""
        return [hit.path for hit in self.hits[since:] if hit.host == host and hit.path != "/robots.txt" and len(hit.path) != 25]

    def address(self, host: str) -> str:
        """Its public address."""
        return self._own[host]

    def crawl(
        self, folder: Path, seeds: Sequence[str], settings: Mapping[str, str] | None = None,
        arguments: Mapping[str, object] | None = None, environment: Mapping[str, str] | None = None,
    ) -> Run:  # fmt: skip
        """A crawl named `faults`, by its own process, guarded."""
        process_folder = folder / "process"
        process_folder.mkdir(exist_ok=True)
        out, err = process_folder / "out", process_folder / "err"
        with out.open("wb") as stdout, err.open("wb") as stderr:
            process = self.start(folder, seeds, settings, arguments, stdout, stderr, environment)
            try:
                code = process.wait(PATIENCE)
            except BaseException:
                process.kill()
                process.wait()
                raise
        watch.note_cost(folder)
        return Run(code, out.read_text("utf-8", "replace"), err.read_text("utf-8", "replace"), folder)

    def start(
        self, folder: Path, seeds: Sequence[str], settings: Mapping[str, str] | None = None,
        arguments: Mapping[str, object] | None = None, stdout: forked.Output = None, stderr: forked.Output = None,
        environment: Mapping[str, str] | None = None,
    ) -> forked.Process:  # fmt: skip
        """The same, left running."""
        plan = folder / "net.json"
        ports = {"80": self.http_port, "443": self.https_port}
        listed = {"ports": ports, "addresses": self.targets, "connections": str(folder / "connections")}
        plan.write_text(json.dumps(listed), encoding="utf-8")
        file = folder / "seeds.txt"
        file.write_text("\n".join(seeds) + "\n", encoding="utf-8")
        values = QUICK | {"GUARD_ALLOW_NETWORKS": "", "DNS_SERVERS": self.dns, "CRAWLS_DIR": str(folder)}
        values |= watch.settings() | dict(settings or {})
        asked = {"seeds": file, "name": "faults", "keywords": ASTRONOMY, "strategy": "breadth-first"} | dict(arguments or {})
        command = ["crawl", "topic"]
        for name, value in asked.items():
            command += ["-a", f"{name}={value}"]
        for setting, said in values.items():
            command += ["-s", f"{setting}={said}"] if said else []
        given = {**os.environ, "FAULT_NET": str(plan), **(environment or {})}
        return forked.start("tests.faults.mapped", *command, env=given, stdout=stdout, stderr=stderr)

    def connected_to(self, folder: Path) -> set[str]:
        """Addresses to which the crawl in `folder` tried to connect."""
        file = folder / "connections"
        return {line.split()[0] for line in file.read_text("ascii").splitlines()} if file.exists() else set()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._serve())

    async def _serve(self) -> None:
        self._end = asyncio.Event()
        further = [each for host in self.hosts.values() for each in host.addresses if each not in self.targets]
        plain = dict.fromkeys(_inner(each) for each in (*self._own.values(), *further) if each.startswith(PUBLIC))
        secure = {_inner(self._own[name]): host.tls for name, host in self.hosts.items() if host.tls or host.on_443}
        self.http_port, sockets = open_sockets(plain, 0)
        self.https_port, secure_sockets = open_sockets(secure or ["127.0.0.1"], 0)
        if socket.has_ipv6:
            sockets.append(socket.create_server(("::1", 0), family=socket.AF_INET6))
            self.targets |= {each: sockets[-1].getsockname()[:2] for each in further if ":" in each}
        servers = [await asyncio.start_server(self._talk, sock=sock, limit=1 << 20) for sock in sockets]
        for sock in secure_sockets:
            context = secure.get(sock.getsockname()[0])
            servers.append(await asyncio.start_server(self._talk, sock=sock, ssl=context))
        records = {name: host.addresses or (self._own[name],) for name, host in self.hosts.items()}
        self.names = Names(records, self.failing, self.silent)
        transport, port = await serve_dns(0, self.names)
        self.dns = f"127.0.0.1:{port}"
        self._ready.set()
        await self._end.wait()
        transport.close()
        for server in servers:
            server.close()
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.sleep(0)  # closed connections are let go

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection, kept alive."""
        address = PUBLIC + writer.get_extra_info("sockname")[0].removeprefix(LOOPBACK)
        self.connections.append(address)
        secure = writer.get_extra_info("ssl_object") is not None
        by_address = next((host for name, host in self.hosts.items() if self._own[name] == address), None)
        number = 0
        try:
            if by_address and by_address.connected:
                now = time.monotonic()
                await by_address.connected(Exchange("", "", "", {}, now, 0, address, secure, reader, writer))
            while not writer.is_closing():
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
                number += 1
                await self._answer(_exchange(head, number, address, secure, reader, writer))
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, ConnectionError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    async def _answer(self, exchange: Exchange) -> None:
        self.hits.append(exchange)
        host = self.hosts.get(exchange.host, Host())
        answer = host.answers.get(exchange.path) or host.answers.get("*") or MISSING
        if exchange.path == "/robots.txt" and exchange.path not in host.answers:
            answer = MISSING
        if callable(answer):
            await answer(exchange)
        else:
            await exchange.send(answer)
            exchange.writer.close()


def _inner(address: str) -> str:
    """Where on loopback a public address is served."""
    return LOOPBACK + address.removeprefix(PUBLIC)


def _exchange(
    head: str, number: int, address: str, secure: bool, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> Exchange:
    line, *lines = head.strip().split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (each.partition(":") for each in lines)}
    method, path = line.split(" ")[:2]
    host = headers.get("host", "").rpartition(":")[0] or headers.get("host", "")
    return Exchange(host, path, method, headers, time.monotonic(), number, address, secure, reader, writer)


MISSING = b"HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\nContent-Length: 7\r\nConnection: close\r\n\r\nnothing"
