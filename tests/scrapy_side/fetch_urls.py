"""Run as a program: fetch URLs with a bare Scrapy spider and print what came of each as JSON.

Arguments: a JSON object of settings, then the URLs.
"""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator
from typing import Any

from scrapy import Request, Spider
from scrapy.crawler import AsyncCrawlerProcess
from scrapy.http import Response
from twisted.python.failure import Failure

RESULTS: list[list[Any]] = []


class UrlsSpider(Spider):
    name = "urls"

    async def start(self) -> AsyncIterator[Any]:
        for url in sys.argv[2:]:
            yield Request(url, callback=self.answered, errback=self.failed, dont_filter=True, cb_kwargs={"asked": url})

    def answered(self, response: Response, asked: str) -> None:
        RESULTS.append([asked, "answer", response.status, str(response.ip_address)])

    def failed(self, failure: Failure) -> None:
        error: Any = failure.value
        request: Any = failure.request  # type: ignore[attr-defined]
        kind = type(error).__name__
        RESULTS.append([request.cb_kwargs["asked"], kind, getattr(error, "rule", ""), getattr(error, "detail", "")])


if __name__ == "__main__":
    process = AsyncCrawlerProcess(json.loads(sys.argv[1]))
    process.crawl(UrlsSpider)
    process.start()
    print(json.dumps(RESULTS))
