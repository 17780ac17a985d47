"""The hostile host says what its table promises."""

from __future__ import annotations

import asyncio
import gzip
import zlib

import pytest

from synthweb.accesslog import AccessLog
from synthweb.hostile.bodies import MARK_ZH, bomb
from synthweb.hostile.case import OUTCOMES
from synthweb.hostile.site import ADDRESS, CASES, HOST, HostileSite
from synthweb.server import open_sockets, serve

pytestmark = pytest.mark.system

LARGEST = 20_000_000


async def exchange(path: str, limit: int, seconds: float) -> bytes:
    """All bytes that the hostile host sends for a path, up to a limit of bytes or time."""
    port, sockets = open_sockets([ADDRESS], 0)
    servers = await serve(sockets, HostileSite(AccessLog()))
    reader, writer = await asyncio.open_connection(ADDRESS, port)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: {HOST}:{port}\r\nConnection: close\r\n\r\n".encode())
    data = b""
    try:
        async with asyncio.timeout(seconds):
            while len(data) < limit and (piece := await reader.read(1 << 18)):
                data += piece
    except (TimeoutError, ConnectionResetError):
        pass
    writer.close()
    for server in servers:
        server.close()
    await asyncio.sleep(0)
    return data


def fetch(path: str, limit: int = LARGEST, seconds: float = 20.0) -> bytes:
    return asyncio.run(exchange(path, limit, seconds))


def test_table_is_well_formed() -> None:
    assert len(CASES) > 70
    for path, case in CASES.items():
        assert path.startswith("/")
        assert case.accepts
        assert set(case.accepts) <= set(OUTCOMES)
        assert case.what


@pytest.mark.parametrize("path", sorted(path for path, case in CASES.items() if not case.slow))
def test_every_case_is_served_and_holds_its_mark(path: str) -> None:
    case, data = CASES[path], fetch(path)
    if path != "/reset":
        assert data
    if case.contains and case.contains != MARK_ZH:
        assert case.contains.encode() in data


@pytest.mark.parametrize(("path", "limit"), [("/drip", 10_000), ("/head-drip", 10_000), ("/silent", 1)])
def test_slow_cases_do_not_end(path: str, limit: int) -> None:
    assert len(fetch(path, limit, seconds=0.3)) < limit


def test_stream_goes_on() -> None:
    assert len(fetch("/stream", 3_000_000)) >= 3_000_000


def test_bomb_is_small_and_unpacks_to_much() -> None:
    assert len(bomb()) < 1_000_000
    unpacker = zlib.decompressobj(31)
    assert len(unpacker.decompress(bomb(), 5_000_000)) == 5_000_000


def test_cut_gzip_is_cut() -> None:
    with pytest.raises(EOFError):
        gzip.decompress(fetch("/cut-gzip").partition(b"\r\n\r\n")[2])


def test_home_links_to_the_cases_but_not_to_those_that_stop_the_host() -> None:
    body = fetch("/").decode()
    assert 'href="/nested-div-100k"' in body
    assert 'href="/stream"' in body
    assert 'href="/busy-hour"' not in body
    assert 'href="/stream"' not in fetch("/?slow=0").decode()
    assert fetch("/nothing").startswith(b"HTTP/1.1 404")
