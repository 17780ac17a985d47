"""Host names and addresses in one form."""

from __future__ import annotations

import pytest

from focuscrawl.url.authority import normal_authority, normal_host


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("Example.COM", "example.com"),
        ("example.com.", "example.com"),
        ("例子.中国", "xn--fsqu00a.xn--fiqs8s"),
        ("例子。中国", "xn--fsqu00a.xn--fiqs8s"),
        ("XN--FSQU00A.xn--fiqs8s", "xn--fsqu00a.xn--fiqs8s"),
        ("faß.de", "xn--fa-hia.de"),
        ("\u2603.net", "xn--n3h.net"),
        ("xn--n3h.net", "xn--n3h.net"),
        ("i❤.ws", "xn--i-7iq.ws"),
        ("💩.la", "xn--ls8h.la"),
        ("☕️.example", "xn--53h.example"),
        ("عربي.example", "xn--ngbrx4e.example"),
        ("نامه\u200cای.com", "xn--mgba3gch31f060k.com"),
        ("BÜCHER.example", "xn--bcher-kva.example"),
        ("ｅｘａｍｐｌｅ.com", "example.com"),
        ("ex%61mple%2Ecom", "example.com"),
        ("%E4%BE%8B%E5%AD%90.cn", "xn--fsqu00a.cn"),
        ("a_b.例子.cn", "a_b.xn--fsqu00a.cn"),
        ("-foo.example.com", "-foo.example.com"),
        ("localhost", "localhost"),
        ("4chan.org", "4chan.org"),
        ("2130706433", "127.0.0.1"),
        ("0x7f.1", "127.0.0.1"),
        ("0X7F000001", "127.0.0.1"),
        ("0177.0.0.1", "127.0.0.1"),
        ("0", "0.0.0.0"),
        ("0x", "0.0.0.0"),
        ("127.1", "127.0.0.1"),
        ("192.168.257", "192.168.1.1"),
        ("１２７．０．０．１", "127.0.0.1"),
        ("%31%32%37.1", "127.0.0.1"),
        ("127.0.0.1.", "127.0.0.1"),
        ("[::1]", "[::1]"),
        ("[0:0:0:0:0:0:0:1]", "[::1]"),
        ("[2001:DB8::0:1]", "[2001:db8::1]"),
        ("[::ffff:127.0.0.1]", "[::ffff:7f00:1]"),
    ],
)
def test_hosts(host: str, expected: str) -> None:
    assert normal_host(host) == expected
    assert normal_host(expected) == expected


@pytest.mark.parametrize(
    "host",
    ["", ".", "..", "a..b", ".a", "a b", "a,b", "a/b", "<x>", "a" * 64 + ".com", "a." * 130 + "com", "é" * 300,
     "xn--a.ß", "xn--99999999.ß", "xn--.ß", "%ff.com", "%", "a%00b", "\udc80", "256.1.1.1", "1.2.3.4.5", "1.2.3.08",
     "foo.0x4", "foo.123", "0xg.1", "4294967296", "9" * 60 + ".1", "[::1", "[]", "[fe80::1%eth0]", "[1.2.3.4]",
     "\u200b", "\u0301a.com", ".h\u0790", "例子..\ufb54", "a\u200cb.com", "a.א1b", "1à.א", "👩\u200d💻.example", "xn--n3h-.ß",
     "xn--ascii-.ß"],
)  # fmt: skip
def test_what_no_resolver_could_take(host: str) -> None:
    assert normal_host(host) is None


@pytest.mark.parametrize(
    ("scheme", "raw", "expected"),
    [
        ("http", "h.com:80", "h.com"),
        ("https", "h.com:80", "h.com:80"),
        ("https", "h.com:443", "h.com"),
        ("http", "h.com:008080", "h.com:8080"),
        ("http", "a:b@c@h.com:81", "h.com:81"),
        ("http", "[::1]:80", "[::1]"),
        ("http", "[::1]:8080", "[::1]:8080"),
        ("http", "h.com:８０", None),
        ("http", "h.com:-1", None),
        ("http", "h.com:65536", None),
        ("http", "h.com:0", None),
        ("http", "h:1:2", None),
        ("http", "::1", None),
        ("http", "u@", None),
    ],
)
def test_authorities(scheme: str, raw: str, expected: str | None) -> None:
    assert normal_authority(scheme, raw) == expected
