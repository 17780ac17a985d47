"""Who crawls? One warning when public servers are asked without saying whom to write to."""

from __future__ import annotations

import logging

from scrapy import Request, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured

from focuscrawl.politeness.guard import Guard

logger = logging.getLogger(__name__)


class ContactReminder:
    """Watches the addresses that are asked until the first public one."""

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
        address = request.meta.get("address")
        if not address or self._public.address_problem(str(address)):
            return
        self._crawler.signals.disconnect(self.request_reached_downloader, signals.request_reached_downloader)
        logger.warning("CONTACT is not set: say who crawls with -s CONTACT=you@example.org; it goes into the User-Agent")
