"""Keys of URLs in the index of a web archive; the expected ones are what the package `surt` 0.3.1 gives."""

from __future__ import annotations

import pytest

from focuscrawl.url.surt import surt


@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("http://127.0.0.1:8080/A?b=2&a=1", "1,0,0,127:8080)/a?a=1&b=2"),
        ("http://www.Example.com/", "com,example)/"),
        ("https://a.b.example.org:443/X/?", "org,example,b,a)/x"),
        ("http://xn--fiq228c.cn/x/?Q=%20A+b&z", "cn,xn--fiq228c)/x?q=%20a+b&z"),
        ("http://www2.example.com/a//b/", "com,example)/a/b"),
        ("https://example.com/?", "com,example)/"),
        ("http://example.com/%E4%B8%AD", "com,example)/%e4%b8%ad"),
        ("http://example.com/a?PHPSESSID=0123456789abcdef0123456789abcdef&x=1", "com,example)/a?x=1"),
        ("http://example.com/a?b&a=", "com,example)/a?a=&b"),
        ("http://example.com/index.html#x", "com,example)/index.html"),
        ("http://example.com/a/?b=1", "com,example)/a?b=1"),
        ("http://user:p@example.com/a", "com,example)/a"),
        ("http://1.2.3.4/x", "4,3,2,1)/x"),
        ("http://[2001:db8::1]/a", "2001:db8::1)/a"),
        ("http://example.com/a?a=1&&b=2", "com,example)/a?&a=1&b=2"),
        ("http://example.com/a?=1", "com,example)/a?=1"),
    ],
)
def test_keys(url: str, key: str) -> None:
    assert surt(url) == key


@pytest.mark.parametrize(
    ("url", "key"),
    [("http://mywww.cn/", "cn,mywww)/"), ("http://awww.example.com/", "com,example,awww)/"), ("http://www2.a.cn/", "cn,a)/")],
)
def test_only_a_leading_www_is_left_out(url: str, key: str) -> None:
    assert surt(url) == key
