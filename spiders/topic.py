"""The one spider: every answer becomes one Page item that carries its links.

    scrapy crawl topic -a seeds=FILE [-a max_pages=1000] ...

Nothing is decided here: the scheduler leases from the frontier, the pipelines judge and commit.
"""

from __future__ import annotations

import logging
import os
from collections.abc import AsyncIterator
from typing import Any, Self

from scrapy import Spider
from scrapy.crawler import Crawler
from scrapy.http import Request, Response
from scrapy.settings import BaseSettings

from focuscrawl.config.arguments import parse_arguments
from focuscrawl.config.given_settings import without_effect
from focuscrawl.config.options import read_options
from focuscrawl.config.scrapyd_policy import roots_of
from focuscrawl.crawl.page_reading import CrawlReader
from focuscrawl.crawl.process import CrawlProcess
from focuscrawl.crawl.start.stored_job import job_for
from focuscrawl.scrapy_side.compat import is_for_parse_command
from focuscrawl.scrapy_side.crawl_runner import UNPACED, begin_crawl
from focuscrawl.scrapy_side.failures import failure_of
from focuscrawl.scrapy_side.page_view import PageView
from focuscrawl.scrapy_side.responses import HELD, failed_page, page_of
from focuscrawl.scrapy_side.robots_fetch import RobotsFetch

logger = logging.getLogger(__name__)


class TopicSpider(Spider):
    """Fetches what the frontier leases and reads it.

    A subclass may have a name, settings and callbacks of its own. One that overrides `parse` yields the Pages of
    `super().parse(response)`, and whatever else it makes: the lease of a URL ends with its Page, and one without is given up
    (`focuscrawl/scrapy_side/kept_pages.py`). One that overrides `start` yields the Pages of `super().start()`."""

    name = "topic"

    def __init__(self, crawl: CrawlProcess | None = None, /, **arguments: str) -> None:
        # positional only: an argument of the same name is the crawl's name, as Scrapyd passes it on
        super().__init__(**arguments)
        self._view: PageView | None = None
        if crawl is None:
            return
        self.crawl = crawl
        self.reader = CrawlReader(crawl)
        self.robots = RobotsFetch(crawl)

    @classmethod
    def update_settings(cls, settings: BaseSettings) -> None:
        super().update_settings(settings)
        for name, value in UNPACED.items():
            settings.set(name, value, priority="spider")

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Self:
        """Raises BadInput when arguments, seed file or settings cannot be used; nothing has been written then."""
        options = read_options(crawler.settings)
        if is_for_parse_command(cls):
            spider = super().from_crawler(crawler, **kwargs)
            spider._view = PageView(options.robotstxt_user_agent)
            return spider
        job = job_for(parse_arguments(kwargs), options, roots_of(kwargs, os.environ))
        for sentence in without_effect(crawler.settings, os.environ, UNPACED):
            logger.warning("%s", sentence)
        return super().from_crawler(crawler, begin_crawl(crawler, job, options), **kwargs)

    async def start(self) -> AsyncIterator[Any]:
        """Yield the pages of which the topic was made, which were held back until then."""
        for page in await self.crawl.held_pages():
            yield page

    async def parse(self, response: Response) -> AsyncIterator[Any]:
        """Make a Page of an answer, whatever its status. Under `scrapy parse`, which has no crawl, show what would be read."""
        if self._view is not None:
            for item in self._view.show(response):
                yield item
            return
        options = self.crawl.options
        self.crawl.leases.turns.answered(response.meta["lease"])
        now = self.crawl.store.clock()
        page = page_of(response, now, options.reading_documents, self.reader.most_retries, options.contact)
        if page.error == "type":
            self.reader.count_refused(page)
        if page.ok or self.reader.wants(page):
            await self.reader.read(page)
        # A page that is not ok is never held, but the topic follows the redirects of its examples.
        response.meta[HELD] = (page.collected or not page.ok) and self.crawl.topic.hold(page)
        if not response.meta[HELD]:
            yield page

    async def failed(self, failure: Any) -> AsyncIterator[Any]:
        """Make a Page of a request that got no answer, or that a middleware refused."""
        page = failed_page(failure, self.crawl.store.clock())
        if page is not None:
            self.crawl.leases.turns.answered(page.lease)
        if page is not None and not self.crawl.topic.hold(page):
            yield page

    async def parse_robots(self, response: Response) -> AsyncIterator[Request]:
        """Keep the robots.txt of an origin, or follow its redirect."""
        further = await self.robots.answered(response)
        if further is not None:
            yield further.replace(callback=self.parse_robots, errback=self.failed_robots)

    async def failed_robots(self, failure: Any) -> AsyncIterator[Request]:
        """The robots.txt could not be fetched: its origin waits (RFC 9309 section 2.3.1.4)."""
        further = await self.robots.unreachable(*failure_of(failure))
        if further is not None:
            yield further.replace(callback=self.parse_robots, errback=self.failed_robots)
