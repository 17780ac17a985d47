"""Whom to ask, and names that are no names."""

from __future__ import annotations

from pathlib import Path

import pytest

from focuscrawl.errors import BadInput
from focuscrawl.politeness.dns_sources import ascii_name, loopback_name, servers_of, system_hosts, system_servers


def test_servers() -> None:
    values = ["127.0.0.1:5353", " 8.8.8.8 ", "", "[::1]:54", "[::1]", "2001:db8::1"]
    assert servers_of(values) == (
        ("127.0.0.1", 5353),
        ("8.8.8.8", 53),
        ("::1", 54),
        ("::1", 53),
        ("2001:db8::1", 53),
    )


@pytest.mark.parametrize("text", ["dns.example", "127.0.0.1:", "127.0.0.1:0", "127.0.0.1:99999", "1.2.3", "[::1", "x:53"])
def test_bad_servers(text: str) -> None:
    with pytest.raises(BadInput, match="DNS_SERVERS"):
        servers_of([text])


def test_system_servers(tmp_path: Path) -> None:
    conf = tmp_path / "resolv.conf"
    conf.write_text("# x\nsearch a b\nnameserver 192.0.2.1\nnameserver ::1 # y\nnameserver bad\nnameserver\n")
    assert system_servers(str(conf)) == (("192.0.2.1", 53), ("::1", 53))
    assert system_servers(str(tmp_path / "none")) == (("127.0.0.1", 53),)


def test_system_hosts(tmp_path: Path) -> None:
    hosts = tmp_path / "hosts"
    hosts.write_text("127.0.0.1 Localhost box # c\n::1 box\n\n# 1.2.3.4 no\nbad line\n")
    assert system_hosts(str(hosts)) == {"localhost": ("127.0.0.1",), "box": ("127.0.0.1", "::1")}
    assert system_hosts(str(tmp_path / "none")) == {}


def test_loopback_names() -> None:
    assert loopback_name("localhost") == loopback_name("a.localhost") == ("127.0.0.1", "::1")
    assert loopback_name("localhost.example") == ()


@pytest.mark.parametrize(
    ("host", "name"),
    [
        ("Example.COM.", "example.com"),
        ("例子.测试", "xn--fsqu00a.xn--0zwm56d"),
        ("BÜCHER.example", "xn--bcher-kva.example"),
        ("i❤.ws", "xn--i-7iq.ws"),
        ("a_b._tcp.example", "a_b._tcp.example"),
        ("x" * 63 + ".example", "x" * 63 + ".example"),
        ("xn--zz", "xn--zz"),
        ("a-.example", "a-.example"),
    ],
)
def test_names(host: str, name: str) -> None:
    assert ascii_name(host) == name


@pytest.mark.parametrize(
    "host",
    [
        "",
        ".",
        "a..b",
        ".a",
        "x" * 64,
        "a." * 130 + "b",
        "a b",
        "a/b",
        "a\x00b",
        "a%2eb",
        "-a.b",
        "a@b",
        "é" * 80,
        "a\nb",
    ],
)
def test_no_names(host: str) -> None:
    with pytest.raises(ValueError):
        ascii_name(host)
