"""The limit on what a path prefix may cost without giving."""

from __future__ import annotations

import json

import pytest

from focuscrawl.url.prefix_yields import prefix_of
from focuscrawl.url.traps import YieldLimit

HOST = "http://www.example.com"


@pytest.mark.parametrize(
    ("url", "prefix"),
    [
        (HOST + "/", HOST + "/"),
        (HOST + "/about.html", HOST + "/"),
        (HOST + "/p123.html", HOST + "/p0.html"),
        (HOST + "/a/b/c/d/e.html", HOST + "/a/b/"),
        (HOST + "/cal/2031/07/", HOST + "/cal/0/"),
        (HOST + "/cal/2031/07/x9.html?m=1&d=3", HOST + "/cal/0/x0.html?d&m"),
        (HOST + "/search?q=1", HOST + "/?q"),
        ("http://h.com:8080/a/", "http://h.com:8080/a/"),
    ],
)
def test_prefixes(url: str, prefix: str) -> None:
    assert prefix_of(url) == prefix


def fill(limit: YieldLimit, pages: int, relevant: int = 0, duplicates: int = 0) -> None:
    for n in range(pages):
        limit.record(f"{HOST}/cal/{n}/", n < relevant, n < duplicates)


def test_many_duplicates_close_a_prefix() -> None:
    limit = YieldLimit()
    fill(limit, 59, duplicates=59)
    assert limit.admits(HOST + "/cal/7/")
    limit.record(HOST + "/cal/60/", False, True)
    assert not limit.admits(HOST + "/cal/9999/")
    assert limit.admits(HOST + "/news/7/")
    assert limit.admits("http://other.org/cal/7/")
    assert [prefix for prefix, _ in limit.refused()] == [HOST + "/cal/0/"]


@pytest.mark.parametrize(
    ("pages", "relevant", "duplicates", "open_"),
    [
        (299, 0, 0, True),
        (300, 0, 0, False),
        (300, 1, 0, True),
        (100, 2, 100, True),
        (100, 1, 100, False),
        (100, 0, 80, True),
    ],
)
def test_thresholds(pages: int, relevant: int, duplicates: int, open_: bool) -> None:
    limit = YieldLimit()
    fill(limit, pages, relevant, duplicates)
    assert limit.admits(HOST + "/cal/7/") is open_


def test_memory_is_bounded_and_refusals_in_use_are_kept() -> None:
    limit = YieldLimit(probe=2, max_prefixes=100)
    fill(limit, 3, duplicates=3)
    for n in range(1000):
        limit.record(f"http://h{n}.com/a/", False, False)
        assert not limit.admits(HOST + "/cal/5/")
    assert sum(len(part["prefixes"]) for part in limit.whole()) == 100
    assert sum(len(part["prefixes"]) for part in limit.take()) == 100


def test_what_came_back_counts_elsewhere() -> None:
    limit = YieldLimit()
    fill(limit, 60, duplicates=60)
    other = YieldLimit()
    for part in json.loads(json.dumps(list(limit.take()))):
        other.add(part)
    assert not other.admits(HOST + "/cal/1/")
    assert list(other.whole()) == list(limit.whole())
    assert [*limit.take(), *other.take()] == []


@pytest.mark.parametrize(
    "part",
    [{}, {"prefixes": []}, {"prefixes": {"a": ["x", 1, 1]}}, {"prefixes": 3}, {"prefixes": {"a": [1]}},
     {"prefixes": {"a": [1, 0, -1]}}],
)  # fmt: skip
def test_foreign_parts_are_refused_and_change_nothing(part: dict[str, object]) -> None:
    limit = YieldLimit()
    fill(limit, 60, duplicates=60)
    with pytest.raises((KeyError, TypeError, ValueError, AttributeError)):
        limit.add(part)
    assert not limit.admits(HOST + "/cal/1/")
