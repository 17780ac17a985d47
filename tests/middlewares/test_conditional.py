"""Validators go out with page requests that have them, and with nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest
from scrapy import Request, signals
from scrapy.exceptions import StopDownload
from scrapy.http import Headers, Response
from scrapy.utils.test import get_crawler

from focuscrawl.items import Lease
from middlewares.conditional import ConditionalMiddleware
from tests.factories import lease

_LEASE = lease("http://a.test/x")
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
        replace(_LEASE, etag='"' + "a" * 198 + '"'),
        replace(_LEASE, last_modified="Fri, 01 Jan 2100 00:00:00 GMT"),
        replace(_LEASE, last_modified="yesterday"),
    ],
    ids=["no lease", "no validators", "robots.txt", "line break", "not ASCII", "cut by the store", "to come", "no date"],
)
def test_none(lease: Lease | None) -> None:
    headers, asked, middleware = _sent(lease)
    assert (headers, asked) == ({}, False)
    assert middleware.stats.get_value("conditional/unmodified_count") is None  # a 304 that was not asked for


def _stopped(lease: Lease | None, headers: dict[str, str], length: object = 10) -> bool:
    middleware = ConditionalMiddleware.from_crawler(get_crawler())
    request = Request(_LEASE.url, meta={"lease": lease})
    middleware.process_request(request)
    try:
        middleware.headers_received(Headers(headers), length, request)
    except StopDownload as stop:
        return not stop.fail
    return False


_TRUSTED = replace(_LEASE, etag='"1"', last_modified=_DATE, trusted=True)
_SAME = {"ETag": '"1"', "Last-Modified": _DATE, "Content-Length": "10"}


@pytest.mark.parametrize("length", [10, "unknown"])
def test_headers_that_agree_stop_the_download(length: object) -> None:
    assert _stopped(_TRUSTED, _SAME, length)
    assert _stopped(replace(_TRUSTED, length=10), _SAME, length)


@pytest.mark.parametrize(
    ("lease", "headers", "length"),
    [
        (None, _SAME, 10),
        (replace(_TRUSTED, trusted=False), _SAME, 10),
        (replace(_TRUSTED, robots=True), _SAME, 10),
        (replace(_TRUSTED, etag="", last_modified="", length=10), _SAME, 10),
        (replace(_TRUSTED, length=11), _SAME, 10),
        (_TRUSTED, {**_SAME, "ETag": '"2"'}, 10),
        (_TRUSTED, _SAME, 0),
    ],
    ids=["no lease", "not trusted", "robots.txt", "must read", "another length", "another tag", "no body to save"],
)
def test_the_body_is_read(lease: Lease | None, headers: dict[str, str], length: int) -> None:
    assert not _stopped(lease, headers, length)


@pytest.mark.parametrize("compares", [True, False])
def test_the_setting(compares: bool) -> None:
    crawler = get_crawler(settings_dict={"RECRAWL_CHECK_HEADERS": compares})
    middleware = ConditionalMiddleware.from_crawler(crawler)
    request = Request(_LEASE.url, meta={"lease": _TRUSTED})
    sent = crawler.signals.send_catch_log(signals.headers_received, headers=Headers(_SAME), body_length=10, request=request)
    assert [handler for handler, _ in sent] == ([middleware.headers_received] if compares else [])
    assert request.meta.get("agreed", False) is compares
