"""What the host row is told."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from ipaddress import ip_address
from typing import Any

import pytest
from OpenSSL import SSL
from scrapy import Request
from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadCancelledError,
    DownloadConnectionRefusedError,
    DownloadFailedError,
    DownloadTimeoutError,
    IgnoreRequest,
    ResponseDataLossError,
)
from scrapy.http import Response
from scrapy.utils.test import get_crawler
from twisted.internet.error import ConnectError, ConnectionLost, TCPTimedOutError
from twisted.python.failure import Failure
from twisted.web.client import ResponseFailed, ResponseNeverReceived
from twisted.web.http import PotentialDataLoss

from focuscrawl.items import Lease
from focuscrawl.politeness.pace import RequestOutcome
from focuscrawl.scrapy_side.failures import Bomb, Refused, error_name
from middlewares.politeness import PolitenessMiddleware
from tests.factories import lease

_LEASE = lease("http://a.test/")


class _Sink:
    def __init__(self) -> None:
        self.reports: list[tuple[Lease, RequestOutcome]] = []

    def report(self, lease: Lease, outcome: RequestOutcome) -> None:
        self.reports.append((lease, outcome))

    async def claim(self, lease: Lease, address: str) -> float:
        return 2.0 if address == "9.9.9.1" else 0.0


class _Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def _parts() -> tuple[PolitenessMiddleware, _Sink, _Clock]:
    sink, clock, stats = _Sink(), _Clock(), get_crawler().stats
    assert stats is not None
    return PolitenessMiddleware(lambda: sink, stats, clock), sink, clock


def _request(**meta: Any) -> Request:
    return Request(_LEASE.url, meta={"lease": _LEASE, **meta})


def test_an_answer() -> None:
    middleware, sink, clock = _parts()
    request = _request(ip_address="9.9.9.9", download_latency=77.0)
    asyncio.run(middleware.process_request(request))
    assert (request.meta["sent_at"], "download_latency" in request.meta) == (100.0, False)
    clock.now = 103.0
    request.meta["download_latency"] = 0.25
    response = Response(_LEASE.url, 503, headers={"Retry-After": "120"}, ip_address=ip_address("9.9.9.8"))
    assert middleware.process_response(request, response) is response
    assert sink.reports == [(_LEASE, RequestOutcome(0.25, 503, 120.0, "", "9.9.9.8"))]
    assert middleware.stats.get_value("politeness/answer_count/5xx") == 1


def test_latency_without_a_measurement_is_the_time_since_sending() -> None:
    middleware, sink, clock = _parts()
    request = _request(ip_address="9.9.9.9")
    asyncio.run(middleware.process_request(request))
    clock.now = 102.0
    middleware.process_response(request, Response(_LEASE.url, 200))
    assert sink.reports[0][1] == RequestOutcome(2.0, 200, None, "", "9.9.9.9")


def test_a_failure() -> None:
    middleware, sink, clock = _parts()
    request = _request(ip_address="9.9.9.9")
    asyncio.run(middleware.process_request(request))
    clock.now = 130.0
    middleware.process_exception(request, DownloadTimeoutError())
    assert sink.reports == [(_LEASE, RequestOutcome(error="timeout", ip_address="9.9.9.9"))]


def test_what_was_never_sent_is_no_news_of_the_host_but_dns_is() -> None:
    middleware, sink, _ = _parts()
    for rule in ("robots", "robots-unknown", "port", "address"):
        middleware.process_exception(_request(), Refused(rule))
    assert sink.reports == []
    middleware.process_exception(_request(), Refused("dns", "nxdomain"))
    assert sink.reports[0][1] == RequestOutcome(error="dns")


def test_requests_of_others_are_not_reported() -> None:
    middleware, sink, _ = _parts()
    request = Request("http://a.test/")
    asyncio.run(middleware.process_request(request))
    middleware.process_response(request, Response(request.url))
    assert sink.reports == []


def _untyped(kind: Callable[..., Any], *args: Any) -> Any:
    """Twisted's constructors carry no types."""
    return kind(*args)


def _failed(cause: BaseException) -> DownloadFailedError:
    error = DownloadFailedError("x")
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("exception", "name"),
    [
        (CannotResolveHostError(), "dns"),
        (DownloadTimeoutError(), "timeout"),
        (DownloadConnectionRefusedError(), "connect"),
        (_untyped(TCPTimedOutError), "connect"),
        (_untyped(ConnectError), "connect"),
        (ConnectionLost(), "reset"),
        (OSError(), "connect"),
        (Bomb(), "bomb"),
        (DownloadCancelledError(), "length"),
        (ResponseDataLossError(), "truncated"),
        (_failed(_untyped(ResponseNeverReceived, [_untyped(Failure, ConnectionLost())])), "reset"),
        (_failed(_untyped(ResponseNeverReceived, [_untyped(Failure, SSL.Error([]))])), "tls"),
        (_failed(_untyped(ResponseFailed, [_untyped(Failure, PotentialDataLoss())])), "protocol"),
        (_failed(ValueError()), "protocol"),
        (Refused("robots"), "robots"),
        (IgnoreRequest(), "dropped"),
        (KeyError(), "internal"),
    ],
)
def test_error_names(exception: BaseException, name: str) -> None:
    assert error_name(exception) == name


def test_the_crawl_is_asked_for_only_when_a_request_comes() -> None:
    crawler = get_crawler()
    middleware = PolitenessMiddleware.from_crawler(crawler)
    sink = vars(crawler)["focuscrawl"] = _Sink()
    request = _request()
    asyncio.run(middleware.process_request(request))
    middleware.process_response(request, Response(_LEASE.url))
    assert len(sink.reports) == 1


def test_a_busy_address_sends_the_request_back() -> None:
    middleware, sink, _ = _parts()
    request = _request(ip_address="9.9.9.1")
    with pytest.raises(Refused, match="address-busy"):
        asyncio.run(middleware.process_request(request))
    assert request.meta["wait"] == 2.0
    assert sink.reports == []
