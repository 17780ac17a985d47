"""What the robots middleware asks: the rules of the origins in use, parsed once and forgotten when many others came since."""

from __future__ import annotations

from typing import cast

import pytest

from focuscrawl.crawl import robots_cache
from focuscrawl.crawl.robots_cache import RobotsCache
from focuscrawl.politeness.robots_state import RobotsState
from focuscrawl.store.crawl_store import CrawlStore


def closed_to_all() -> RobotsState:
    return RobotsState("rules", 200, b"User-agent: *\nDisallow: /", 0.0, 1.0)


@pytest.fixture
def cache(monkeypatch: pytest.MonkeyPatch) -> RobotsCache:
    monkeypatch.setattr(robots_cache, "CAPACITY", 2)
    return empty()


def empty() -> RobotsCache:
    return RobotsCache(cast(CrawlStore, None))  # the store is asked by `load` alone


def test_nothing_known_means_wait(cache: RobotsCache) -> None:
    assert cache.rules("http://a") is None
    cache.put("http://a", closed_to_all())
    assert cache.rules("http://a") is not None


def test_a_file_is_parsed_once_and_again_when_it_was_fetched_again(cache: RobotsCache) -> None:
    cache.put("http://a", closed_to_all())
    first = cache.rules("http://a")
    assert first is not None
    assert cache.rules("http://a") is first
    cache.put("http://a", RobotsState("allow", 404, b"", 1.0, 2.0))
    again = cache.rules("http://a")
    assert again is not None
    assert again.allowed("http://a/x", "foo")


def test_what_was_put_there_longest_ago_goes_first(cache: RobotsCache) -> None:
    for origin in ("http://a", "http://b", "http://a", "http://c"):
        cache.put(origin, closed_to_all())
        assert cache.rules(origin) is not None
    assert [cache.rules(f"http://{name}") is None for name in "abc"] == [False, True, False]


def test_parsed_rules_take_a_bounded_part_of_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(robots_cache, "MOST_PARSED", 3 * len(closed_to_all().body))
    cache = empty()
    origins = [f"http://{name}" for name in "abcd"]
    for origin in origins:
        cache.put(origin, closed_to_all())
    first = [cache.rules(origin) for origin in origins]
    assert all(first), "those that are parsed again hold, too"
    assert [cache.rules(origin) is rules for origin, rules in zip(origins[1:], first[1:], strict=True)] == [True, True, True]
    assert cache.rules(origins[0]) is not first[0]
    cache.put(origins[0], RobotsState("allow", 404))
    assert cache.rules(origins[0]) is not None
