"""The stub name server."""

from __future__ import annotations

import struct

import pytest

from synthweb.dns import StubDns

AAAA = 28


def query(name: str, kind: int = 1) -> bytes:
    labels = b"".join(bytes([len(part)]) + part.encode() for part in name.split("."))
    return struct.pack("!HHHHHH", 77, 0x0100, 1, 0, 0, 0) + labels + b"\x00" + struct.pack("!HH", kind, 1)


def dns() -> StubDns:
    return StubDns({"www.a.test": "127.70.1.2"}, ttl=123, failing=frozenset({"down.test"}))


def code_and_count(answer: bytes) -> tuple[int, int]:
    number, flags, _, count = struct.unpack("!HHHH", answer[:8])
    assert number == 77
    return flags & 15, count


def test_known_name() -> None:
    answer = dns().answer(query("WWW.a.test"))
    assert code_and_count(answer) == (0, 1)
    assert answer[-4:] == bytes([127, 70, 1, 2])
    assert struct.unpack("!I", answer[-10:-6]) == (123,)


@pytest.mark.parametrize(
    ("name", "kind", "expected"),
    [("www.a.test", AAAA, (0, 0)), ("no.test", 1, (3, 0)), ("no.test", AAAA, (3, 0)), ("down.test", 1, (2, 0))],
)
def test_other_questions(name: str, kind: int, expected: tuple[int, int]) -> None:
    server = dns()
    assert code_and_count(server.answer(query(name, kind))) == expected
    assert [(asked, of) for _, asked, of in server.queries] == [(name, kind)]


@pytest.mark.parametrize("data", [b"", b"\x00" * 11, b"\xff" * 40, query("www.a.test")[:-6]])
def test_bytes_that_are_no_query_get_no_answer(data: bytes) -> None:
    assert dns().answer(data) == b""
