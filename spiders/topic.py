"""The one spider: every answer becomes one Page item that carries its links.

    scrapy crawl topic -a seeds=FILE [-a max_pages=1000] ...

Nothing is decided here: the scheduler leases from the frontier, the pipelines judge and commit.
"""

from __future__ import annotations

import logging
import os
from collections.abc import AsyncIterator
from typing import Any

from scrapy import Spider
from scrapy.crawler import Crawler
from scrapy.http import Request, Response

from focuscrawl.config.arguments import parse_arguments
from focuscrawl.config.given_settings import without_effect
from focuscrawl.config.options import read_options
from focuscrawl.config.scrapyd_policy import roots_of
from focuscrawl.crawl.session import CrawlSession
from focuscrawl.crawl.stored_job import job_for
from focuscrawl.items import Page
from focuscrawl.scrapy_side.responses import SpiderReader, failed_page, page_of
from focuscrawl.scrapy_side.robots_fetch import RobotsFetch, failure_of

logger = logging.getLogger(__name__)


class TopicSpider(Spider):
    """Fetches what the frontier leases and reads it."""

    name = "topic"

    def __init__(self, session: CrawlSession, **arguments: str) -> None:
        super().__init__(**arguments)
        self.session = session
        self.reader = SpiderReader(session, session.options.robotstxt_user_agent)
        self.robots = RobotsFetch(session, session.options.robotstxt_user_agent)
        session.on_close.append(self.reader.close)

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> TopicSpider:
        """Raises BadInput when arguments, seed file or settings cannot be used; nothing has been written then."""
        options = read_options(crawler.settings)
        job = job_for(parse_arguments(kwargs), options, roots_of(kwargs, os.environ))
        for sentence in without_effect(crawler.settings, os.environ):
            logger.warning("%s", sentence)
        if options.contact:
            agent = f"{options.user_agent} (+{options.contact})"
            crawler.settings.set("USER_AGENT", agent, priority="cmdline")
        session = CrawlSession(crawler, job, options)
        vars(crawler)["focuscrawl"] = session
        spider = cls(session, **kwargs)
        spider._set_crawler(crawler)
        return spider

    async def start(self) -> AsyncIterator[Page]:
        """The pages that define the topic, held back until it was made of them."""
        for page in await self.session.started():
            yield page

    async def parse(self, response: Response) -> AsyncIterator[Page]:
        """A page's answer, whatever its status."""
        page = page_of(response, self.session.store.clock())
        if page.ok or self.reader.wants(page):
            await self.reader.read(page)
        if not page.collected or not self.session.topic.hold(page):
            yield page

    async def failed(self, failure: Any) -> AsyncIterator[Page]:
        """No answer, or a middleware refused the request."""
        page = failed_page(failure, self.session.store.clock())
        if page is not None and not self.session.topic.hold(page):
            yield page

    async def parse_robots(self, response: Response) -> AsyncIterator[Request]:
        """The robots.txt of an origin; a redirect is followed."""
        further = await self.robots.answered(response)
        if further is not None:
            yield further.replace(callback=self.parse_robots, errback=self.failed_robots)

    async def failed_robots(self, failure: Any) -> AsyncIterator[Request]:
        """No robots.txt to be had: the origin waits (RFC 9309 section 2.3.1.4)."""
        further = await self.robots.unreachable(*failure_of(failure))
        if further is not None:
            yield further.replace(callback=self.parse_robots, errback=self.failed_robots)
