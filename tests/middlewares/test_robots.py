"""The robots middleware against a store in a dictionary."""

from __future__ import annotations

import pytest
from scrapy import Request
from scrapy.utils.test import get_crawler

from focuscrawl.items import Lease
from focuscrawl.politeness.robots import RobotsFile
from focuscrawl.scrapy_side.failures import Refused
from focuscrawl.scrapy_side.responses import OWN_TOOL
from middlewares.robots import RobotsMiddleware


class _Store:
    """Rules of one origin."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def rules(self, origin: str) -> RobotsFile | None:
        self.asked.append(origin)
        return RobotsFile.parse(b"User-agent: focuscrawl\nDisallow: /private/") if origin == "http://a.test" else None


def _middleware(store: _Store, **settings: str) -> RobotsMiddleware:
    crawler = get_crawler(settings_dict={"ROBOTSTXT_OBEY": True, **settings})
    crawler.focuscrawl = type("Ports", (), {"robots": store, "pace": None})()  # type: ignore[attr-defined]
    return RobotsMiddleware.from_crawler(crawler)


def test_allowed_and_refused_with_the_line() -> None:
    middleware = _middleware(_Store())
    middleware.process_request(Request("http://a.test/x"))
    with pytest.raises(Refused) as refused:
        middleware.process_request(Request("http://a.test/private/x"))
    assert (refused.value.rule, refused.value.detail) == ("robots", "Disallow: /private/")
    assert middleware.stats.get_value("robots/refused_count") == 1


def test_another_agent() -> None:
    _middleware(_Store(), ROBOTSTXT_USER_AGENT="other").process_request(Request("http://a.test/private/x"))


@pytest.mark.parametrize("url", ["https://a.test/x", "http://a.test:8080/x", "http://b.test/"])
def test_the_key_is_scheme_host_and_port(url: str) -> None:
    store = _Store()
    middleware = _middleware(store)
    with pytest.raises(Refused) as refused:
        middleware.process_request(Request(url))
    assert refused.value.rule == "robots-unknown"
    assert store.asked == [url.rsplit("/", 1)[0]]
    assert middleware.stats.get_value("robots/unknown_count") == 1


def test_robots_requests_themselves_pass() -> None:
    store = _Store()
    lease = Lease(hid=1, uid=2, url="http://b.test/robots.txt", robots=True)
    _middleware(store).process_request(Request(lease.url, meta={"lease": lease}))
    assert store.asked == []


def test_a_tool_of_the_operators_is_not_asked_for_its_rules() -> None:
    store = _Store()
    _middleware(store).process_request(Request("http://b.test/search", meta={OWN_TOOL: True}))
    assert store.asked == []
