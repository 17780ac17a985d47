"""Who crawls? The contact in the User-Agent of every request, and one warning when public servers are asked without one."""

from __future__ import annotations

import logging
from typing import Self

from scrapy import Request, signals
from scrapy.crawler import Crawler
from scrapy.downloadermiddlewares.useragent import UserAgentMiddleware
from scrapy.exceptions import NotConfigured
from scrapy.settings import BaseSettings

from focuscrawl.politeness.guard import Guard
from focuscrawl.scrapy_side.responses import IP_ADDRESS

logger = logging.getLogger(__name__)


class ContactMiddleware(UserAgentMiddleware):
    """Scrapy's USER_AGENT, with CONTACT behind it where it is set; for any spider."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        middleware = super().from_crawler(crawler)
        middleware.user_agent = user_agent(crawler.settings)
        return middleware


def user_agent(settings: BaseSettings) -> str:
    """The User-Agent that servers see: `focuscrawl/0.2 (+you@example.org)`."""
    name, contact = str(settings["USER_AGENT"]), str(settings.get("CONTACT") or "").strip()
    return f"{name} (+{contact})" if contact else name


class ContactReminder:
    """Logs a warning at the first request to a public IP address, and then disconnects."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._public = Guard()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> ContactReminder:
        if crawler.settings.get("CONTACT"):
            raise NotConfigured
        extension = cls(crawler)
        crawler.signals.connect(extension.request_reached_downloader, signals.request_reached_downloader)
        return extension

    def request_reached_downloader(self, request: Request) -> None:
        ip_address = request.meta.get(IP_ADDRESS)
        if not ip_address or self._public.address_problem(str(ip_address)):
            return
        self._crawler.signals.disconnect(self.request_reached_downloader, signals.request_reached_downloader)
        logger.warning("CONTACT is not set: say who crawls with -s CONTACT=you@example.org; it goes into the User-Agent")
