from __future__ import annotations

import gzip
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from focuscrawl.items import Page
from focuscrawl.store.warc.records import (
    lines,
    metadata_block,
    record,
    request_block,
    response_block,
    server_ip_address,
    warc_date,
)
from tests import factories

URL = "http://example.org:8080/a/b?c=d"
PAGE = factories.page(URL, body=b"<html>")


def head(page: Page) -> list[str]:
    return response_block(page).partition(b"\r\n\r\n")[0].decode("latin-1").split("\r\n")


@pytest.mark.parametrize(
    ("headers", "changes", "expected"),
    [
        ((("Content-Length", "6"),), {}, ["Content-Length: 6"]),
        ((("content-length", " 6 "),), {}, ["content-length: 6"]),
        ((), {}, ["Content-Length: 6"]),
        (
            (("Content-Encoding", "gzip"), ("Content-Length", "3")),
            {},
            ["X-Archive-Orig-Content-Encoding: gzip", "X-Archive-Orig-Content-Length: 3", "Content-Length: 6"],
        ),
        (
            (("Transfer-Encoding", "chunked"),),
            {},
            ["X-Archive-Orig-Transfer-Encoding: chunked", "Content-Length: 6"],
        ),
        (
            (("Content-Encoding", "gzip"), ("Content-Length", "22")),
            {"body": gzip.compress(b"", mtime=0) + b"xx"},
            ["Content-Encoding: gzip", "Content-Length: 22"],
        ),
        ((("Content-Encoding", "identity"),), {}, ["Content-Encoding: identity", "Content-Length: 6"]),
        ((("Content-Length", "900"),), {"truncated": "length"}, ["Content-Length: 900"]),
        (
            (("Content-Encoding", "br"), ("Content-Length", "900")),
            {"truncated": "length"},
            ["X-Archive-Orig-Content-Encoding: br", "X-Archive-Orig-Content-Length: 900", "Content-Length: 6"],
        ),
        ((("Content-Length", "900"),), {"status": 304, "body": b""}, ["Content-Length: 900"]),
        ((("ETag", '"x"'),), {"status": 304, "body": b""}, ['ETag: "x"']),
    ],
    ids=[
        "right",
        "right, other case",
        "none announced",
        "gzip undone",
        "chunks undone",
        "gzip left",
        "identity",
        "cut by us",
        "cut and undone",
        "not modified keeps the length",
        "not modified needs none",
    ],
)
def test_headers_are_true_of_the_body(
    headers: tuple[tuple[str, str], ...], changes: dict[str, Any], expected: list[str]
) -> None:
    page = replace(PAGE, headers=headers, **changes)
    assert head(page)[1:] == expected
    assert response_block(page).endswith(b"\r\n\r\n" + page.body)


@pytest.mark.parametrize(
    ("status", "line"), [(200, "HTTP/1.1 200 OK"), (404, "HTTP/1.1 404 Not Found"), (999, "HTTP/1.1 999 ")]
)
def test_the_status_line(status: int, line: str) -> None:
    assert head(replace(PAGE, status=status))[0] == line


def test_headers_cannot_break_out() -> None:
    page = replace(
        PAGE,
        headers=(("X-A", "b\r\nX-Evil: 1"), ("X-Evil: 2\r\nX", "c"), ("", "d"), ("X-Null", "\0"), ("X-Zh", "爬虫")),
    )
    block = response_block(page)
    assert block.partition(b"\r\n\r\n")[0].split(b"\r\n")[1:-1] == [
        b"X-A: b X-Evil: 1",
        b"X-Null: ",
        "X-Zh: 爬虫".encode(),
    ]


def test_the_request_as_sent() -> None:
    page = replace(PAGE, request_headers=(("User-Agent", "x"),))
    expected = b"GET /a/b?c=d HTTP/1.1\r\nHost: example.org:8080\r\nUser-Agent: x\r\n\r\n"
    assert request_block(page) == expected
    page = replace(PAGE, url="http://u:p@h", request_headers=())
    assert request_block(page) == b"GET / HTTP/1.1\r\nHost: h\r\n\r\n"
    page = replace(PAGE, request_headers=(("host", "other"),))
    assert request_block(page) == b"GET /a/b?c=d HTTP/1.1\r\nhost: other\r\n\r\n"


def test_metadata_is_one_line_a_fact() -> None:
    page = replace(PAGE, latency=0.0126, truncated="gzip")
    facts = {"via": "http://h/\r\nWARC-Type: response", "empty": "", "a b:c": "1"}
    assert metadata_block(page, facts).decode().split("\r\n") == [
        "fetchTimeMs: 13",
        "truncated: gzip",
        "via: http://h/ WARC-Type: response",
        "a-b-c: 1",
        "",
    ]


@pytest.mark.parametrize(("given", "address"), [("127.0.0.1", "127.0.0.1"), ("::1", "::1"), ("", ""), ("host", "")])
def test_only_addresses_are_addresses(given: str, address: str) -> None:
    assert server_ip_address(replace(PAGE, ip_address=given)) == address


def test_dates_have_microseconds() -> None:
    assert warc_date(0.5) == "1970-01-01T00:00:00.500000Z"


@settings(max_examples=50, deadline=None)
@given(st.text(), st.binary(max_size=50))
def test_a_record_has_one_header_whatever_the_values(value: str, block: bytes) -> None:
    data = record((("WARC-Type", "response"), ("WARC-Target-URI", value)), block)
    header, _, rest = data.partition(b"\r\n\r\n")
    assert rest == block + b"\r\n\r\n"
    assert header.count(b"\r\n") <= 4
    assert b"\n" not in header.replace(b"\r\n", b"")
    assert lines((("A", ""),)) == b""
