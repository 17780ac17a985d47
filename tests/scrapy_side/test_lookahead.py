from __future__ import annotations

from focuscrawl.scrapy_side.resolver import LINKS, LookAhead
from focuscrawl.store.frontier.discover import DiscoveredUrl


def test_hosts_of_the_best_links_are_looked_up_once() -> None:
    asked: list[str] = []
    look_ahead = LookAhead(asked.extend)
    look_ahead(
        [DiscoveredUrl("http://a.test/1", 0.2), DiscoveredUrl("http://b.test:81/1", 0.9), DiscoveredUrl("http://a.test/2", 0.1)]
    )
    assert asked == ["b.test", "a.test"]
    look_ahead([DiscoveredUrl("https://a.test/3", 0.8), DiscoveredUrl("http://c.test/", 0.1)])
    assert asked == ["b.test", "a.test", "c.test"]


def test_only_the_best_links_count() -> None:
    asked: list[str] = []
    LookAhead(asked.extend)([DiscoveredUrl(f"http://h{number}.test/", number / 100) for number in range(50)])
    assert asked == [f"h{number}.test" for number in range(49, 49 - LINKS, -1)]
