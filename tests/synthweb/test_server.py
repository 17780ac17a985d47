"""The server, asked over raw sockets on loopback."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Awaitable, Callable
from functools import cache

import pytest

from synthweb.accesslog import AccessLog
from synthweb.hosts import Host
from synthweb.plan import Plan, preset
from synthweb.server import Responder, open_sockets, serve
from synthweb.web import SyntheticWeb
from tests.patience import PATIENCE

pytestmark = pytest.mark.system

Message = tuple[int, dict[str, str], bytes]


@cache
def plan(latency: float = 0.0) -> Plan:
    return preset("demo", latency=latency)


class Client:
    """One keep-alive connection."""

    def __init__(self, web: SyntheticWeb, host: Host) -> None:
        self.web, self.host = web, host

    async def connect(self) -> Client:
        self.reader, self.writer = await asyncio.open_connection(self.host.address, self.web.port)
        return self

    async def ask(self, target: str, method: str = "GET", **fields: str) -> Message:
        lines = [f"{method} {target} HTTP/1.1", f"Host: {self.host.name}:{self.web.port}", "User-Agent: test"]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in fields.items()]
        self.writer.write(("\r\n".join(lines) + "\r\n\r\n").encode())
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        answer = {name.lower(): value for name, _, value in (line.partition(": ") for line in head[1:] if line)}
        length = 0 if method == "HEAD" else int(answer.get("content-length", "0"))
        return int(head[0].split()[1]), answer, await self.reader.readexactly(length)

    def close(self) -> None:
        self.writer.close()


Talk = Callable[[SyntheticWeb, AccessLog], Awaitable[None]]


def talk(scene: Talk, latency: float = 0.0) -> AccessLog:
    """Serve the demo web and let `scene` ask it."""
    log = AccessLog()

    async def run() -> None:
        addresses = [host.address for host in SyntheticWeb(plan()).hosts]
        port, sockets = open_sockets(addresses, 0)
        web = SyntheticWeb(plan(latency), port)
        servers = await serve(sockets, Responder(web, log))
        try:
            await asyncio.wait_for(scene(web, log), PATIENCE)
        finally:
            for server in servers:
                server.close()

    asyncio.run(run())
    return log


def host_with(web: SyntheticWeb, role: str) -> Host:
    return web.hosts[web.plan.roles.index(role)]


def test_pages_arrive_as_they_were_made_over_one_connection() -> None:
    async def scene(web: SyntheticWeb, log: AccessLog) -> None:
        host = host_with(web, "journal")
        client = await Client(web, host).connect()
        for local in (0, 1, 10, 0):
            path = web.facts.path(host, local)
            status, fields, body = await client.ask(path)
            assert (status, body) == (200, web.answer(host, path).body)
            assert "content-encoding" not in fields
        client.close()

    log = talk(scene)
    assert [access.status for access in log.records] == [200] * 4
    assert log.records[0].ua == "test"
    assert log.records[0].in_flight == 1
    assert log.records[0].address.startswith("127.")


def test_gzip_head_and_conditional_requests() -> None:
    async def scene(web: SyntheticWeb, log: AccessLog) -> None:
        host = host_with(web, "journal")
        client = await Client(web, host).connect()
        _, fields, packed = await client.ask("/", accept_encoding="gzip, br")
        assert fields["content-encoding"] == "gzip"
        assert gzip.decompress(packed) == web.answer(host, "/").body
        status, head, body = await client.ask("/", "HEAD")
        assert (status, body) == (200, b"")
        assert int(head["content-length"]) == len(web.answer(host, "/").body)
        assert (await client.ask("/", if_none_match=fields["etag"]))[0] == 304
        assert (await client.ask("/", if_none_match='"other"', if_modified_since=fields["last-modified"]))[0] == 200
        assert (await client.ask("/", if_modified_since=fields["last-modified"]))[0] == 304
        assert (await client.ask("/", "POST"))[0] == 405
        client.close()

    assert [access.method for access in talk(scene).records][1] == "HEAD"


def test_foreign_host_names_are_refused() -> None:
    async def scene(web: SyntheticWeb, log: AccessLog) -> None:
        client = await Client(web, web.hosts[0]).connect()
        client.host = Host(0, web.hosts[0].role, "x.test", "x.test", "", 0, 0, (), 0)
        assert (await client.ask("/"))[0] == 421
        client.close()

    talk(scene)


def test_latency_and_requests_in_flight() -> None:
    async def scene(web: SyntheticWeb, log: AccessLog) -> None:
        host = host_with(web, "journal")
        clients = [await Client(web, host).connect() for _ in range(3)]
        start = asyncio.get_running_loop().time()
        await asyncio.gather(*(client.ask("/") for client in clients))
        assert asyncio.get_running_loop().time() - start >= 0.1
        assert log.in_flight[host.name] == 0
        for client in clients:
            client.close()

    assert sorted(access.in_flight for access in talk(scene, latency=0.1).records) == [1, 2, 3]


def test_faults_are_served() -> None:
    kinds: dict[str, list[int]] = {}

    async def scene(web: SyntheticWeb, log: AccessLog) -> None:
        host = host_with(web, "flaky")
        for local in range(6, 60):
            path = web.facts.path(host, local)
            kind = web.label(web.facts.url(host, path)).fault
            if kind == "hang" or len(kinds.get(kind, ())) > 3:
                continue
            for _ in range(2):
                client = await Client(web, host).connect()
                try:
                    status, fields, body = await client.ask(path, accept_encoding="gzip")
                except (ConnectionResetError, asyncio.IncompleteReadError):
                    status, body = 0, b""
                if kind == "cut" and status == 200:
                    with pytest.raises(EOFError):
                        gzip.decompress(body)
                if status == 429:
                    assert fields["retry-after"] == "2"
                kinds.setdefault(kind, []).append(status)
                client.close()

    log = talk(scene)
    assert 429 in kinds["limit429"]
    assert 0 in kinds["reset"]
    assert set(kinds["cut"]) <= {200, 503}
    assert 500 in kinds["error500"]
    assert {access.fault for access in log.records} >= {"reset", "cut", "limit429", "error500"}


def test_silence_ends_when_the_client_goes() -> None:
    async def scene(web: SyntheticWeb, log: AccessLog) -> None:
        host = host_with(web, "flaky")
        paths = [f"/nowhere/{number}.html" for number in range(500)]
        path = next(path for path in paths if web.label(web.facts.url(host, path)).fault == "hang")
        client = await Client(web, host).connect()
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(client.ask(path), 0.2)
        client.close()
        async with asyncio.timeout(PATIENCE):
            while log.in_flight[host.name]:
                await asyncio.sleep(0.02)

    assert [access.fault for access in talk(scene).records] == ["hang"]


def test_only_loopback_is_ever_listened_on() -> None:
    for address in ("0.0.0.0", "10.0.0.1", "::"):
        with pytest.raises(ValueError, match="not a loopback address"):
            open_sockets([address], 0)


def test_memory_of_the_cache_is_bounded() -> None:
    web = SyntheticWeb(preset("kill"), 8080)
    responder = Responder(web, AccessLog(), cache_bytes=100_000)
    host = web.hosts[0]
    for local in range(200):
        responder.ready(host, web.facts.path(host, local))
    assert responder.cached <= 100_000
    assert responder.cached == sum(ready.size for ready in responder.cache.values())
