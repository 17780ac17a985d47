"""Stock Scrapy spiders to measure ourselves against: `python -m tools.bench.rivals {links,css,list} URL FILE SKIP ITEMS`.

`links` extracts links by LinkExtractor and follows them, `css` follows what a CSS query finds, as the tutorial does. `list`
fetches URLs that it is given on standard input.
Settings are Scrapy's own defaults; robots, delay and concurrency as in our crawl, and its log level.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import AsyncIterator, Iterator
from typing import Any
from urllib.parse import urlsplit

from scrapy import Request, Spider
from scrapy.crawler import AsyncCrawlerProcess
from scrapy.http import Response, TextResponse
from scrapy.linkextractors import LinkExtractor

CONCURRENT = 16


class ListSpider(Spider):
    """Fetches and yields titles."""

    name = "list"
    allowed_domains = ["127.0.0.1"]  # noqa: RUF012  (Scrapy's way to say it)

    def __init__(self, urls: list[str]) -> None:
        super().__init__()
        self.urls = urls

    async def start(self) -> AsyncIterator[Request]:
        for url in self.urls:
            yield Request(url)

    def parse(self, response: Response) -> Iterator[Any]:
        yield {"url": response.url, "title": response.css("title::text").get()}


class LinksSpider(ListSpider):
    """Follows all links of the host."""

    name = "links"

    def __init__(self, urls: list[str]) -> None:
        super().__init__(urls)
        self.extractor = LinkExtractor(allow_domains=[urlsplit(url).netloc for url in urls])

    def parse(self, response: Response) -> Iterator[Any]:
        yield from super().parse(response)
        if isinstance(response, TextResponse):
            yield from response.follow_all(self.extractor.extract_links(response))


class CssSpider(ListSpider):
    """Follows all links: the least that a spider can do about them."""

    def parse(self, response: Response) -> Iterator[Any]:
        yield from super().parse(response)
        if isinstance(response, TextResponse):
            yield from response.follow_all(response.css("a::attr(href)"))


SPIDERS = {"links": LinksSpider, "css": CssSpider, "list": ListSpider}


def main(kind: str, url: str, file: str, skip: str, items: str) -> None:
    """Run one spider under the meter."""
    settings = {
        "ROBOTSTXT_OBEY": True,
        "DOWNLOAD_DELAY": 0,
        "CONCURRENT_REQUESTS": CONCURRENT,
        "CONCURRENT_REQUESTS_PER_DOMAIN": CONCURRENT,
        "CLOSESPIDER_ITEMCOUNT": int(skip) + int(items),
        "LOG_LEVEL": "INFO",
        "EXTENSIONS": {"tools.bench.meter.Meter": 10},
        "METER_FILE": file,
        "METER_SKIP": int(skip),
        "METER_ITEMS": int(items),
    }
    process = AsyncCrawlerProcess(settings)
    urls = sys.stdin.read().split() if kind == "list" else [url]
    process.crawl(SPIDERS[kind], urls=urls)
    process.start()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=SPIDERS)
    for name in ("url", "file", "skip", "items"):
        parser.add_argument(name, metavar=name.upper())
    main(**vars(parser.parse_args()))
