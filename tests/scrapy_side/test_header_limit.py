from __future__ import annotations

from typing import Any, cast

from twisted.internet import testing
from twisted.web import client, http_headers

from focuscrawl.scrapy_side.compat import MOST_HEADER_BYTES, HeadersTooLong, LimitedProtocol, NoStatusLine

LINE = b"X-Field: " + b"x" * 89 + b"\r\n"


def answered(chunks: list[bytes]) -> object:
    """What the request's deferred fires with."""
    twisted: Any = client  # it has no types
    protocol: Any = LimitedProtocol(None, 30.0)
    found: list[object] = []
    protocol.makeConnection(cast(Any, testing).StringTransport())
    request = twisted.Request(b"GET", b"/", http_headers.Headers({b"Host": [b"a.example"]}), None)
    protocol.request(request).addBoth(found.append)
    for chunk in chunks:
        protocol.dataReceived(chunk)
    return found[0] if found else None


def test_ordinary_headers_pass() -> None:
    response = answered([b"HTTP/1.1 200 OK\r\n", LINE * 20, b"Content-Length: 0\r\n\r\n"])
    assert getattr(response, "code", 0) == 200


def test_a_long_body_is_no_header() -> None:
    length = 4 * MOST_HEADER_BYTES
    head = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % length
    assert getattr(answered([head, *[b"x" * MOST_HEADER_BYTES] * 4]), "code", 0) == 200


def test_headers_without_end_are_given_up() -> None:
    failure = answered([b"HTTP/1.1 200 OK\r\n", *[LINE] * (MOST_HEADER_BYTES // len(LINE) + 1)])
    error = getattr(failure, "value", None)
    assert isinstance(error, client.ResponseFailed)
    assert any(isinstance(reason.value, HeadersTooLong) for reason in error.reasons)


def test_an_answer_without_status_line_is_given_up_at_its_first_bytes() -> None:
    for data in (b"<html>", b"ICY 200 OK\r\n", b"H"):
        failure = answered([data])
        if data == b"H":
            assert failure is None  # it may become one
            continue
        error = getattr(failure, "value", None)
        assert isinstance(error, client.ResponseFailed)
        assert any(isinstance(reason.value, NoStatusLine) for reason in error.reasons)
    assert getattr(answered([b"HT", b"TP/1.0 200 OK\r\n\r\n", b"body"]), "code", 0) == 200
