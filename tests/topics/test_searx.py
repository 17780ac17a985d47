from __future__ import annotations

import json

import pytest

from focuscrawl.errors import BadInput
from focuscrawl.topics.searxng import LONGEST_SNIPPET, LONGEST_TITLE, MOST_ROWS, request_url, results, search_url, unanswered


@pytest.mark.parametrize("instance", ["https://s.example", "https://s.example/", "https://s.example/search?q=x"])
def test_the_request(instance: str) -> None:
    assert search_url(instance, ["web crawler", "爬虫"]) == (
        "https://s.example/search?q=%22web+crawler%22+OR+%E7%88%AC%E8%99%AB&format=json"
    )


def test_plain_words_and_further_pages() -> None:
    asked = "https://s.example/searx/search?q=web+crawler&format=json"
    assert request_url("https://s.example/searx/", "web crawler") == asked
    assert request_url("https://s.example/searx/", "web crawler", 2) == f"{asked}&pageno=2"


@pytest.mark.parametrize(
    ("instance", "own"), [("http://127.0.0.1:8888/", True), ("http://localhost/", True), ("http://s.example/", False)]
)
def test_an_instance_of_ones_own_needs_a_setting(instance: str, own: bool) -> None:
    told = unanswered(instance, "the IP address is not allowed")
    assert told.startswith(f"{instance}: the IP address is not allowed")
    assert ("GUARD_ALLOW_NETWORKS" in told) == own


@pytest.mark.parametrize("instance", ["word", "ftp://s.example/"])
def test_no_instance(instance: str) -> None:
    with pytest.raises(BadInput, match="--searx"):
        search_url(instance, ["a"])


def test_no_query() -> None:
    with pytest.raises(BadInput, match="nothing to search for"):
        search_url("https://s.example", [])


def test_the_answer() -> None:
    rows = [{"url": "http://A.example/#x", "title": "A"}, {"url": "http://a.example/"}, {"url": "ftp://b/"}, {}, 3]
    body = json.dumps({"results": [*rows, {"url": "http://c.example/", "title": None, "content": "C."}]}).encode()
    assert [(page.url, page.title, page.snippet) for page in results("s", 200, body, 9)] == [
        ("http://a.example/", "A", ""),
        ("http://c.example/", "", "C."),
    ]
    assert len(results("s", 200, body, 1)) == 1


def test_an_answer_without_end_is_cut() -> None:
    rows = [{"url": f"http://a.example/{n}", "title": "t" * 10_000, "content": "s" * 10_000} for n in range(MOST_ROWS + 9)]
    found = results("s", 200, json.dumps({"results": rows}).encode(), 10**6)
    assert len(found) == MOST_ROWS
    assert (len(found[0].title), len(found[0].snippet)) == (LONGEST_TITLE, LONGEST_SNIPPET)


@pytest.mark.parametrize(
    ("status", "body", "message"),
    [
        (403, b"", "search: formats"),
        (429, b"", "too many requests"),
        (500, b"", "status 500"),
        (200, b"<html>", "no JSON"),
        (200, b'{"results": 3}', "no JSON"),
        (200, b'{"results": "none"}', "no JSON"),
        (200, b'{"results": {"url": "http://a.example/"}}', "no JSON"),
        (200, b"[" * 100_000, "no JSON"),
    ],
)
def test_no_answer(status: int, body: bytes, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        results("https://s.example", status, body, 9)
