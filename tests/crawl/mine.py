"""A user's own components, as they would lie beside the project: pipelines, an extension, a middleware and spiders."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self

from scrapy import Request, Spider, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import DropItem, IgnoreRequest
from scrapy.http import Response

from focuscrawl.items import Page
from spiders.topic import TopicSpider


def note(line: str) -> None:
    """Into the file that MINE names: logs are not asked for what a user's code does."""
    with Path(os.environ["MINE"]).open("a", encoding="utf-8") as file:
        file.write(line + "\n")


class Behind:
    """A pipeline behind ours."""

    def process_item(self, item: Any) -> Any:
        assert isinstance(item, Page)
        assert item.verdict is not None
        note(f"page {item.title} {item.verdict.relevant}")
        return item


class Before:
    """A pipeline before ours, which drops some pages."""

    def process_item(self, item: Any) -> Any:
        if isinstance(item, Page) and item.url.endswith("/2"):
            raise DropItem("not wanted")
        return item


class Forgetting:
    """A pipeline before ours that returns no page: nothing, or something else in its place."""

    def process_item(self, item: Any) -> Any:
        if item.url.endswith("/2"):
            return None
        return {"url": item.url} if item.url.endswith("/3") else item


class Raising:
    """A pipeline behind ours with a fault."""

    def process_item(self, item: Any) -> Any:
        raise ArithmeticError("a user's fault")

    def close_spider(self) -> None:
        raise ArithmeticError("a user's last fault")


class Counter:
    """An extension."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        extension = cls()
        crawler.signals.connect(extension.closed, signals.spider_closed)
        return extension

    def closed(self, spider: Spider, reason: str) -> None:
        note(f"closed {spider.name} {reason}")


class Header:
    """A downloader middleware."""

    def process_request(self, request: Request) -> None:
        request.headers["X-Mine"] = "yes"


class Ignoring:
    """A downloader middleware that does not let every request through."""

    def process_request(self, request: Request) -> None:
        if request.url.endswith("/2"):
            raise IgnoreRequest("not wanted")


class PlainSpider(Spider):
    """Knows nothing of us: follows links and yields dicts."""

    name = "plain"

    def __init__(self, start: str, **arguments: Any) -> None:
        super().__init__(start_urls=[start], **arguments)

    def parse(self, response: Response) -> Iterator[Any]:
        yield {"url": response.url, "title": response.css("title::text").get()}
        for link in response.css("a::attr(href)").getall():
            yield response.follow(link)


class OwnTopicSpider(TopicSpider):
    """Crawls a topic, and makes something more of each page."""

    name = "own-topic"

    async def parse(self, response: Response) -> Any:
        async for page in super().parse(response):
            yield page
        yield {"url": response.url, "more": len(response.body)}


class KeepingSpider(TopicSpider):
    """Keeps what it does not want to itself: nothing tells the crawl that the page came."""

    name = "keeping"

    async def parse(self, response: Response) -> Any:
        async for page in super().parse(response):
            if not response.url.endswith("/2"):
                yield page
