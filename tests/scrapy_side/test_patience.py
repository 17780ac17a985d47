"""How long an answer is waited for, and what becomes of one that pauses."""

from __future__ import annotations

import asyncio
from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any, cast

import pytest
from scrapy.core.downloader.handlers.http11 import HTTP11DownloadHandler
from scrapy.exceptions import DownloadTimeoutError
from scrapy.http import Request, Response
from scrapy.settings import Settings
from scrapy.signalmanager import SignalManager
from twisted.internet import testing
from twisted.internet.defer import Deferred
from twisted.internet.protocol import Protocol, connectionDone
from twisted.internet.task import Clock
from twisted.python.failure import Failure
from twisted.web import _newclient
from twisted.web.http_headers import Headers

from focuscrawl.scrapy_side.compat import LimitedProtocol
from focuscrawl.scrapy_side.download_handler import BoundedHandler


class Certificates:
    def verdict(self, host: str, certificate: object) -> str:
        return ""

    def refusal(self, host: str) -> str:
        return ""


class Handler(BoundedHandler):
    """A handler of a DOWNLOAD_TIMEOUT, without a crawler."""

    def __init__(self, patience: float) -> None:
        handler: Any = self
        handler._aborting, handler._running, handler._limits = asyncio.Event(), set(), {}
        handler._patience, handler._certificates = patience, Certificates()
        handler._waiting_for_answer = nullcontext


@pytest.mark.parametrize("given", [{}, {"download_timeout": 15.0}])
def test_scrapy_waits_as_long_as_the_setting_says(monkeypatch: pytest.MonkeyPatch, given: dict[str, float]) -> None:
    """Without the key it would wait 10 s."""
    seen: list[float] = []

    async def answer(handler: object, request: Request) -> Response:
        seen.append(request.meta["download_timeout"])
        return Response(request.url)

    monkeypatch.setattr(HTTP11DownloadHandler, "download_request", answer)
    request = Request("http://a.test/", meta=dict(given))
    asyncio.run(Handler(30.0).download_request(request))
    assert seen[0] > 2 * given.get("download_timeout", 30.0)
    assert request.meta.get("download_timeout") == given.get("download_timeout")


@pytest.mark.parametrize(("begun", "error"), [(False, "longer than 0.01 s"), (True, "longer than 0.02 s")])
def test_the_head_of_an_answer_has_half_the_time(monkeypatch: pytest.MonkeyPatch, begun: bool, error: str) -> None:
    async def answer(handler: Any, request: Request) -> Response:
        if begun:
            handler._begun(request)
        await asyncio.Event().wait()
        raise AssertionError

    monkeypatch.setattr(HTTP11DownloadHandler, "download_request", answer)
    with pytest.raises(DownloadTimeoutError, match=error):
        asyncio.run(Handler(0.01).download_request(Request("http://a.test/")))


def test_a_head_that_comes_when_its_time_is_just_over_comes_too_late(monkeypatch: pytest.MonkeyPatch) -> None:
    """Asked for more time then, the time limit raises, here in a handler of a signal."""

    async def answer(handler: Any, request: Request) -> Response:
        try:
            await asyncio.Event().wait()
        finally:
            handler._begun(request)
        raise AssertionError

    monkeypatch.setattr(HTTP11DownloadHandler, "download_request", answer)
    with pytest.raises(DownloadTimeoutError, match=r"longer than 0\.01 s"):
        asyncio.run(Handler(0.01).download_request(Request("http://a.test/")))


class Body(Protocol):
    def __init__(self) -> None:
        self.came = b""
        self.end: BaseException | None = None

    def dataReceived(self, data: bytes) -> None:  # noqa: N802  (Twisted's name)
        self.came += data

    def connectionLost(self, reason: Failure = connectionDone) -> None:  # noqa: N802
        self.end = reason.value


def request(persistent: bool = False) -> Any:
    return cast(Any, _newclient).Request(b"GET", b"/", Headers({b"host": [b"a.test"]}), None, persistent=persistent)


@pytest.mark.parametrize("head", [b"Content-Length: 100\r\n", b"Transfer-Encoding: chunked\r\n", b""])
def test_a_body_that_pauses_ends_there_as_if_the_server_had_closed(head: bytes) -> None:
    clock, transport, body = Clock(), cast(Any, testing).StringTransport(), Body()
    protocol: Any = LimitedProtocol(lambda protocol: None, 30.0)
    protocol.callLater = clock.callLater
    transport.abortConnection = lambda: protocol.connectionLost(connectionDone)
    protocol.makeConnection(transport)
    answers: list[Any] = []
    asked: Deferred[Any] = protocol.request(request())
    asked.addCallback(answers.append)
    protocol.dataReceived(b"HTTP/1.1 200 OK\r\n" + head + b"\r\n")
    answers[0].deliverBody(body)
    protocol.dataReceived(b"5\r\nhello\r\n" if b"chunked" in head else b"hello")
    clock.advance(29.0)
    protocol.dataReceived(b"5\r\nagain\r\n" if b"chunked" in head else b"again")
    clock.advance(29.0)
    assert body.end is None
    clock.advance(1.0)
    assert body.came == b"helloagain"
    assert isinstance(body.end, _newclient.ResponseFailed)


def test_a_connection_that_is_kept_has_no_end() -> None:
    clock, transport, body = Clock(), cast(Any, testing).StringTransport(), Body()
    protocol: Any = LimitedProtocol(lambda protocol: None, 30.0)
    protocol.callLater = clock.callLater
    protocol.makeConnection(transport)
    asked: Deferred[Any] = protocol.request(request(persistent=True))
    asked.addCallback(lambda answer: answer.deliverBody(body))
    protocol.dataReceived(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
    assert body.came == b"hello"
    assert clock.getDelayedCalls() == []


def test_a_handler_that_nobody_uses_leaves_no_task_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    """Scrapy does not close the handlers of a crawl one of whose components raises when it is made."""
    monkeypatch.setattr(HTTP11DownloadHandler, "__init__", lambda handler, crawler: None)
    for part in ("limit_answers", "tls_options", "use_tls_policy", "CertificateJudge"):
        monkeypatch.setattr(f"focuscrawl.scrapy_side.download_handler.{part}", lambda *given, **named: None)

    async def tasks() -> int:
        crawler: Any = SimpleNamespace(settings=Settings(), signals=SignalManager())
        BoundedHandler(crawler)
        return len(asyncio.all_tasks()) - 1

    assert asyncio.run(tasks()) == 0
