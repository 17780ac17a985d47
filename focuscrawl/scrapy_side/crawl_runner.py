"""Scrapy's side of a crawl process: the runner that it asks, and where components find it.

`crawler.focuscrawl` holds the `CrawlProcess`. The spider makes it, the scheduler opens and closes it; a crawler without one
(`scrapy shell`, `fetch`, `parse`, a user's own spider) is Scrapy's alone.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from typing import Any

from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.http import Request
from scrapy.settings import SETTINGS_PRIORITIES, BaseSettings

from focuscrawl.config.environment import from_environment
from focuscrawl.config.job import CrawlJob
from focuscrawl.config.options import Options
from focuscrawl.crawl.process import CrawlProcess
from focuscrawl.crawl.runner import Answer
from focuscrawl.report.reasons import cause
from focuscrawl.scrapy_side.compat import engine_of, wake_engine
from focuscrawl.scrapy_side.failures import error_name
from focuscrawl.scrapy_side.responses import MOST_BYTES, MOST_REDIRECTS, OWN_TOOL, REDIRECTS, redirect_target
from focuscrawl.scrapy_side.secrets import masked_setting

ATTRIBUTE = "focuscrawl"
MOST_ANSWER = 2 << 20
"""Bytes of the answer to a request without a lease; a page of results has some 50 000."""
ASK_SECONDS = 20.0
"""Time limit of one. A crawl that has nothing else to do waits for it before it ends."""
UNPACED: Mapping[str, int] = {"DOWNLOAD_DELAY": 0, "CONCURRENT_REQUESTS_PER_DOMAIN": 1000}
"""Settings of every crawl, with the priority of a spider's: the frontier's host rows alone decide when a host may be asked, and
Scrapy's own slots must never wait. (With a project's priority they would be lost, because `CrawlerRunner.crawl` reads the
project's settings again.)"""


class ScrapyRunner:
    """Implements `focuscrawl.crawl.runner.Runner`."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._closing: asyncio.Future[None] | None = None

    def count(self, name: str, count: int) -> None:
        if self._crawler.stats is not None:
            self._crawler.stats.inc_value(name, count)

    def note(self, name: str, value: float) -> None:
        if self._crawler.stats is not None:
            self._crawler.stats.set_value(name, value)

    def figures(self) -> Mapping[str, Any]:
        return self._crawler.stats.get_stats() if self._crawler.stats is not None else {}

    def wake(self) -> None:
        wake_engine(self._crawler)

    def widen(self, requests: int) -> None:
        if engine := engine_of(self._crawler):
            engine.downloader.total_concurrency = self._crawler.settings.getint("CONCURRENT_REQUESTS") + requests
            wake_engine(self._crawler)

    async def ask(self, url: str) -> Answer:
        try:
            for _ in range(MOST_REDIRECTS + 1):
                engine = engine_of(self._crawler)
                if engine is None:
                    return Answer(error=cause("aborted").words)
                meta = {OWN_TOOL: True, MOST_BYTES: MOST_ANSWER, "download_timeout": ASK_SECONDS}
                request = Request(url, dont_filter=True, meta=meta)
                response = await engine.download_async(request)
                target = redirect_target(response) if response.status in REDIRECTS else ""
                if not target:
                    return Answer(response.status, response.body)
                url = target
        except Exception as error:  # a middleware of the user's may raise anything
            return Answer(error=cause(error_name(error)).words)
        return Answer(error="it redirects without end")

    def close(self, reason: str) -> None:
        if engine := engine_of(self._crawler):
            self._closing = asyncio.ensure_future(engine.close_spider_async(reason=reason))


def begin_crawl(crawler: Crawler, job: CrawlJob, options: Options) -> CrawlProcess:
    """Make the crawl process of this crawler, where `crawl_of` finds it."""
    crawl = CrawlProcess(ScrapyRunner(crawler), job, options, changed_settings(crawler.settings))
    vars(crawler)[ATTRIBUTE] = crawl
    return crawl


def changed_settings(settings: BaseSettings) -> dict[str, str]:
    """The settings that were set for this run, on the command line, in the environment or by a user's spider, without
    secrets."""
    project = SETTINGS_PRIORITIES["project"]
    names = {
        str(name) for name in settings if (settings.getpriority(name) or 0) > project and settings[name] != UNPACED.get(name)
    }
    names |= from_environment(os.environ, settings.keys()).keys()
    return {name: masked_setting(name, settings[name]) for name in sorted(names)}


def has_crawl(crawler: Crawler) -> bool:
    """Whether the crawler crawls a topic. Otherwise it is Scrapy's alone, and must not write to any store."""
    return ATTRIBUTE in vars(crawler)


def crawl_of(crawler: Crawler) -> CrawlProcess:
    """The crawl process of a crawler. Raises NotConfigured if there is none, which switches the calling component off."""
    if not has_crawl(crawler):
        raise NotConfigured
    crawl: CrawlProcess = vars(crawler)[ATTRIBUTE]
    return crawl
