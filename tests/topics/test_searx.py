from __future__ import annotations

import json

import pytest

from focuscrawl.errors import BadInput
from focuscrawl.topics.searxng import results, search_url


@pytest.mark.parametrize("instance", ["https://s.example", "https://s.example/", "https://s.example/search?q=x"])
def test_the_request(instance: str) -> None:
    assert search_url(instance, ["web crawler", "爬虫"]) == (
        "https://s.example/search?q=%22web+crawler%22+OR+%E7%88%AC%E8%99%AB&format=json"
    )


@pytest.mark.parametrize("instance", ["word", "ftp://s.example/"])
def test_no_instance(instance: str) -> None:
    with pytest.raises(BadInput, match="--searx"):
        search_url(instance, ["a"])


def test_no_query() -> None:
    with pytest.raises(BadInput, match="nothing to search for"):
        search_url("https://s.example", [])


def test_the_answer() -> None:
    rows = [{"url": "http://A.example/#x", "title": "A"}, {"url": "http://a.example/"}, {"url": "ftp://b/"}, {}, 3]
    body = json.dumps({"results": [*rows, {"url": "http://c.example/", "title": None}]}).encode()
    assert [(page.url, page.title) for page in results("s", 200, body, 9)] == [
        ("http://a.example/", "A"),
        ("http://c.example/", ""),
    ]
    assert len(results("s", 200, body, 1)) == 1


@pytest.mark.parametrize(
    ("status", "body", "message"),
    [
        (403, b"", "search: formats"),
        (429, b"", "too many requests"),
        (500, b"", "status 500"),
        (200, b"<html>", "no JSON"),
        (200, b'{"results": 3}', "no JSON"),
        (200, b"[" * 100_000, "no JSON"),
    ],
)
def test_no_answer(status: int, body: bytes, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        results("https://s.example", status, body, 9)
