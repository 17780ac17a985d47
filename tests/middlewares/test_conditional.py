"""Validators go out with page requests that have them, and with nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest
from scrapy import Request
from scrapy.http import Response
from scrapy.utils.test import get_crawler

from focuscrawl.items import Lease
from middlewares.conditional import ConditionalMiddleware

_LEASE = Lease(hid=1, uid=2, url="http://a.test/x")
_DATE = "Sun, 06 Nov 1994 08:49:37 GMT"


def _sent(lease: Lease | None) -> tuple[dict[str, str], bool, ConditionalMiddleware]:
    middleware = ConditionalMiddleware.from_crawler(get_crawler())
    request = Request(_LEASE.url, meta={"lease": lease})
    middleware.process_request(request)
    middleware.process_response(request, Response(request.url, 304))
    names = ("If-None-Match", "If-Modified-Since")
    headers = {name: (request.headers.get(name) or b"").decode() for name in names if name in request.headers}
    return headers, request.meta["conditional"], middleware


@pytest.mark.parametrize("etag", ['"abc"', 'W/"abc"'])
def test_both_validators(etag: str) -> None:
    headers, asked, middleware = _sent(replace(_LEASE, etag=etag, last_modified=_DATE))
    assert headers == {"If-None-Match": etag, "If-Modified-Since": _DATE}
    assert asked
    assert middleware.stats.get_value("conditional/asked_count") == 1
    assert middleware.stats.get_value("conditional/unmodified_count") == 1


def test_one_validator() -> None:
    assert _sent(replace(_LEASE, last_modified=_DATE))[:2] == ({"If-Modified-Since": _DATE}, True)


@pytest.mark.parametrize(
    "lease",
    [
        None,
        _LEASE,
        replace(_LEASE, robots=True, etag='"a"'),
        replace(_LEASE, etag='"a\r\nX: y"'),
        replace(_LEASE, etag='"é"'),
        replace(_LEASE, etag='"' + "a" * 2_000 + '"'),
    ],
    ids=["no lease", "no validators", "robots.txt", "line break", "not ASCII", "too long"],
)
def test_none(lease: Lease | None) -> None:
    headers, asked, middleware = _sent(lease)
    assert (headers, asked) == ({}, False)
    assert middleware.stats.get_value("conditional/unmodified_count") is None  # a 304 that was not asked for
