"""Run as a program: fetch leases one after the other with Scrapy's engine and print the pages and stats as JSON.

Arguments: the leases as a JSON list of objects. Between engine and server stand what a crawl has there: our handler,
ConditionalMiddleware, PolitenessMiddleware and the unpacking of bodies.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any

from scrapy import Request, Spider
from scrapy.crawler import AsyncCrawlerProcess, Crawler
from scrapy.http import Response

from focuscrawl.items import Lease, Page
from focuscrawl.politeness.pace import RequestOutcome
from focuscrawl.scrapy_side.responses import failed_page, page_of

DONE: list[dict[str, Any]] = []
PACES: list[list[Any]] = []
STATS: dict[str, Any] = {}
SETTINGS = {
    "DOWNLOADER_MIDDLEWARES_BASE": {
        "middlewares.body.BodyMiddleware": 590,
        "middlewares.politeness.PolitenessMiddleware": 600,
        "middlewares.conditional.ConditionalMiddleware": 700,
    },
    "DOWNLOAD_HANDLERS_BASE": {
        "http": "focuscrawl.scrapy_side.download_handler.BoundedHandler",
        "https": "focuscrawl.scrapy_side.download_handler.BoundedHandler",
    },
    "SPIDER_MIDDLEWARES_BASE": {},
    "RECRAWL_CHECK_HEADERS": True,
    "DOWNLOAD_TIMEOUT": 5,
    "EXTENSIONS_BASE": {},
    "CONCURRENT_REQUESTS": 1,
    "DOWNLOAD_DELAY": 0,
    "LOG_LEVEL": "ERROR",
    "TELNETCONSOLE_ENABLED": False,
    "USER_AGENT": "test",
}


class Crawl:
    """What handler and middlewares need of a crawl process."""

    def __init__(self) -> None:
        self.stopping = SimpleNamespace(aborting=asyncio.Event())
        self.long_work = SimpleNamespace(waiting_for_answer=nullcontext)

    async def claim(self, lease: Lease, address: str) -> float:
        return 0.0

    def report(self, lease: Lease, outcome: RequestOutcome) -> None:
        PACES.append([lease.url, outcome.status, outcome.error])


class LeasesSpider(Spider):
    name = "leases"

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> LeasesSpider:
        vars(crawler)["focuscrawl"] = Crawl()
        spider = cls(*args, **kwargs)
        spider._set_crawler(crawler)
        return spider

    async def start(self) -> AsyncIterator[Any]:
        for told in json.loads(sys.argv[1]):
            lease = Lease(1, 2, **told)
            meta = {"lease": lease, "ip_address": "127.0.0.1"}
            yield Request(lease.url, callback=self.answered, errback=self.failed, dont_filter=True, meta=meta)

    def answered(self, response: Response) -> None:
        self._note(page_of(response, 1_800_000_000.0))

    def failed(self, failure: Any) -> None:
        page = failed_page(failure, 1_800_000_000.0)
        assert page is not None
        self._note(page)

    def closed(self, reason: str) -> None:
        assert self.crawler.stats is not None
        STATS.update({key: value for key, value in self.crawler.stats.get_stats().items() if key.startswith("conditional/")})

    def _note(self, page: Page) -> None:
        DONE.append(
            {
                "url": page.url,
                "status": page.status,
                "read": len(page.body),
                "unmodified": page.unmodified,
                "truncated": page.truncated,
                "error": page.error,
                "address": page.ip_address,
            }
        )


if __name__ == "__main__":
    process = AsyncCrawlerProcess(SETTINGS)
    process.crawl(LeasesSpider)
    process.start()
    print(json.dumps({"pages": DONE, "paces": PACES, "stats": STATS}))
