"""Addresses in disguise: every spelling that a browser or getaddrinfo would understand."""

from __future__ import annotations

from ipaddress import ip_address

import pytest

from focuscrawl.politeness.ip_literals import literal, plain

_LOOPBACK = [
    "127.0.0.1", "127.0.0.1.", "127.1", "127.0.1", "2130706433", "0x7f000001", "0X7F000001", "0x7f.1",
    "0x7F.0x0.0x0.0x1",
    "0177.0.0.1", "0177.1", "017700000001", "127.0.0.01", "127.0x1", "127.0.0x0.1", "0x7f.0.1", "127.00.000.0001",
    "１２７.０.０.１", "127。0。0。1", "127．0．0．1", "127｡0｡0｡1", "①②⑦.⓪.⓪.①",
    "2130706433.", "0x7f000001.", " 127.0.0.1 ",
    "00000000000000000177.1",
]  # fmt: skip


@pytest.mark.parametrize("host", _LOOPBACK)
def test_loopback(host: str) -> None:
    assert literal(host) == ip_address("127.0.0.1")


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("0", "0.0.0.0"),
        ("0x", "0.0.0.0"),
        ("0.0", "0.0.0.0"),
        ("4294967295", "255.255.255.255"),
        ("8.8.8.8", "8.8.8.8"),
        ("134744072", "8.8.8.8"),
        ("169.254.43518", "169.254.169.254"),
        ("[::1]", "::1"),
        ("::1", "::1"),
        ("[0:0:0:0:0:0:0:1]", "::1"),
        ("[::FFFF:127.0.0.1]", "::ffff:127.0.0.1"),
        ("[::ffff:7f00:1]", "::ffff:127.0.0.1"),
    ],
)
def test_others(host: str, address: str) -> None:
    assert literal(host) == ip_address(address)


@pytest.mark.parametrize(
    "host",
    [
        "example.com",
        "localhost",
        "1.example",
        "127.0.0.1.nip.io",
        "0x7f.example",
        "a1",
        "例子.测试",
        "x--y",
        "",
        "foo.0xg",
    ],
)
def test_names(host: str) -> None:
    assert literal(host) is None


@pytest.mark.parametrize(
    "host",
    [
        "1.2.3.4.5", "256.1.1.1", "1.256.1", "1.2.3.256", "4294967296", "0x100000000", "08", "1.2.3.08", "foo.1",
        "a.b.0x1",
        "1..2", "[fe80::1%25eth0]", "[fe80::1%eth0]", "[::1", "::g", "1:2:3", "[]", "9" * 50, "example.9",
    ],
)  # fmt: skip
def test_neither(host: str) -> None:
    with pytest.raises(ValueError):
        literal(host)


def test_plain() -> None:
    assert plain("::ffff:1.2.3.4") == ip_address("1.2.3.4")
    assert plain("::1") == ip_address("::1")
