"""Numbers of hosts and URLs, sites and their marks."""

from __future__ import annotations

import subprocess
import sys

import pytest

from focuscrawl.url.hosts import hid_of, host_name, in_site, registered_domain, uid_of

BITS = 1 << 64
HID = 8868242904514360607
UID = -5327512134707096529
"""Stored numbers: a change here makes every store unreadable."""


@pytest.mark.system
def test_numbers_never_change() -> None:
    assert hid_of("http://example.com") == HID
    assert uid_of("http://example.com/a/b.html?c=1") == UID
    code = "from focuscrawl.url.hosts import hid_of, uid_of; print(hid_of('http://example.com'), uid_of('http://x.cn/a'))"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.split() == [str(hid_of("http://example.com")), str(uid_of("http://x.cn/a"))]


def test_numbers_are_signed_64_bit_and_distinct() -> None:
    urls = [f"http://example.com/d{n % 50}/p{n}.html" for n in range(5000)]
    numbers = {uid_of(url) for url in urls}
    assert len(numbers) == len(urls)
    assert all(-(1 << 63) <= number < 1 << 63 for number in numbers)
    assert min(numbers) < 0 < max(numbers)


def test_siblings_share_the_upper_twenty_bits() -> None:
    def directory(url: str) -> int:
        return (uid_of(url) % BITS) >> 44

    assert directory("http://e.com/a/1") == directory("http://e.com/a/2?x=/b/c") == directory("http://e.com/a/")
    assert directory("http://e.com/a/1") != directory("http://e.com/b/1")


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://www.example.com/a", "www.example.com"),
        ("http://www.example.com:8080", "www.example.com"),
        ("https://[::1]:80/a", "::1"),
        ("http://[2001:db8::1]", "2001:db8::1"),
    ],
)
def test_host_names(url: str, expected: str) -> None:
    assert host_name(url) == expected


@pytest.mark.parametrize(
    ("host", "domain"),
    [
        ("news.pku.edu.cn", "pku.edu.cn"),
        ("www.bbc.co.uk", "bbc.co.uk"),
        ("a.github.io", "a.github.io"),
        ("github.io", "github.io"),
        ("com", "com"),
        ("127.0.0.1", "127.0.0.1"),
        ("::1", "::1"),
        ("localhost", "localhost"),
        ("news.site7.test", "site7.test"),
        ("www.xn--fsqu00a.xn--fiqs8s", "xn--fsqu00a.xn--fiqs8s"),
    ],
)
def test_sites(host: str, domain: str) -> None:
    assert registered_domain(host) == domain


@pytest.mark.parametrize(
    ("host", "page", "expected"),
    [
        ("news.sina.com.cn", "www.sina.com.cn", True),
        ("www.sina.com", "news.sina.com.cn", True),
        ("sinaimg.cn", "www.sina.com.cn", True),
        ("www.sohu.com", "www.sina.com.cn", False),
        ("b.github.io", "a.github.io", False),
        ("twitter.com", "t.co", False),
        ("x.t.co", "t.co", True),
        ("10.0.0.11", "10.0.0.1", False),
        ("10.0.0.1", "10.0.0.1", True),
        ("localhost", "localhost", True),
    ],
)
def test_in_site_by_the_mark(host: str, page: str, expected: bool) -> None:
    assert in_site(host, page) is expected
