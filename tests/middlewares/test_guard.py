"""What the guard can tell from a request, and from the address that answered."""

from __future__ import annotations

from contextlib import suppress
from ipaddress import ip_address
from typing import Any

import pytest
from scrapy import Request
from scrapy.http import Response
from scrapy.utils.test import get_crawler

from focuscrawl.scrapy_side.failures import Refused
from middlewares.guard import GuardMiddleware


def _middleware(**settings: Any) -> GuardMiddleware:
    return GuardMiddleware.from_crawler(get_crawler(settings_dict=settings))


def _refusal(request: Request, **settings: Any) -> str:
    """The rule that refuses the request, as counted; empty where it passes."""
    middleware = _middleware(**settings)
    with suppress(Refused):
        middleware.process_request(request)
    counted = [name.rsplit("/", 1)[1] for name in middleware.stats.get_stats() if name.startswith("guard/")]
    return counted[0] if counted else ""


@pytest.mark.parametrize(
    "url",
    ["http://a.test/", "https://a.test/x?y", "http://a.test:8080/", "http://8.8.8.8/", "https://[2606:4700::1111]/"],
)
def test_plain_requests_pass(url: str) -> None:
    assert _refusal(Request(url)) == ""


@pytest.mark.parametrize(
    ("url", "rule"),
    [
        ("ftp://a.test/", "scheme"),
        ("file:///etc/passwd", "scheme"),
        ("data:text/html,x", "scheme"),
        ("s3://bucket/key", "scheme"),
        ("http://a.test:22/", "port"),
        ("http://a.test:6379/", "port"),
        ("http://a.test:0/", "port"),
        ("http://8.8.8.8:25/", "port"),
        ("http://127.0.0.1/", "address"),
        ("http://2130706433/", "address"),
        ("http://0x7f.1/", "address"),
        ("http://[::1]/", "address"),
        ("http://[::ffff:127.0.0.1]/", "address"),
        ("http://169.254.169.254/latest/meta-data/", "address"),
        ("http://user:pass@10.0.0.1/", "address"),
        ("http://1.2.3.4.5/", "host"),
        ("http:///x", "host"),
    ],
)
def test_refused(url: str, rule: str) -> None:
    assert _refusal(Request(url)) == rule


def test_ports_wait_for_the_address_where_networks_are_allowed() -> None:
    allowed = {"GUARD_ALLOW_NETWORKS": "127.0.0.0/8"}
    assert _refusal(Request("http://a.test:5000/"), **allowed) == ""
    assert _refusal(Request("http://127.0.0.1:5000/"), **allowed) == ""
    assert _refusal(Request("http://8.8.8.8:5000/"), **allowed) == "port"
    assert _refusal(Request("http://a.test:5000/"), GUARD_ALLOW_PORTS="4999-5001") == ""


def test_only_questions_without_a_proxy() -> None:
    assert _refusal(Request("http://a.test/", method="POST", body=b"x")) == "method"
    assert _refusal(Request("http://a.test/", method="HEAD")) == ""
    assert _refusal(Request("http://a.test/", meta={"proxy": "http://p.test:3128"})) == "proxy"


@pytest.mark.parametrize("headers", [{"X": "a\r\nY: b"}, {"X": "a\nb"}, {"X\r\nY": "b"}, {"X": b"a\x00"}])
def test_header_injection(headers: dict[Any, Any]) -> None:
    assert _refusal(Request("http://a.test/", headers=headers)) == "header"


def test_the_address_that_answered_is_looked_at_too() -> None:
    middleware, request = _middleware(), Request("http://a.test/")
    good = Response("http://a.test/", ip_address=ip_address("8.8.8.8"))
    assert middleware.process_response(request, good) is good
    unknown = Response("http://a.test/")
    assert middleware.process_response(request, unknown) is unknown
    with pytest.raises(Refused, match="loopback"):
        middleware.process_response(request, Response("http://a.test/", ip_address=ip_address("127.0.0.1")))
