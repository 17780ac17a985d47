"""Which signal asked the crawl to stop? Needed for the exit code; also lets slow answers go after a few seconds."""

from __future__ import annotations

import asyncio
import logging
import signal
import threading
from types import FrameType
from typing import Any

from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured

from focuscrawl.crawl.stopping import Stopping
from focuscrawl.scrapy_side.compat import is_running
from focuscrawl.scrapy_side.crawl_runner import crawl_of

logger = logging.getLogger(__name__)

GRACE_SECONDS, OPENING_SECONDS = 5.0, 1.0
"""How long answers may still come in after a signal (a stop takes less than 10 s in all), and how long a store is waited for
that cannot be written when the signal comes while the crawl is opened."""
OPEN_SECONDS = 0.05
"""Between checks whether the engine runs."""


class StopSignals:
    """Notes the first SIGINT or SIGTERM as `Stopping.signal`, then lets Scrapy's own handler do its work.

    Scrapy 2.19 ends the process at once, without closing the spider, when the engine does not run yet. A first signal that
    comes while the crawl is opened is therefore kept until it does, so that the leases are given back."""

    def __init__(self, crawler: Crawler, stopping: Stopping) -> None:
        self._crawler = crawler
        self._stopping = stopping

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> StopSignals:
        extension = cls(crawler, crawl_of(crawler).stopping)
        if threading.current_thread() is not threading.main_thread():
            raise NotConfigured  # signals belong to the main thread, and to whoever runs it
        try:
            asyncio.get_running_loop()
        except RuntimeError:  # CrawlerProcess makes the crawl before it starts the loop, and sets its own handlers then
            asyncio.get_event_loop().call_soon(extension._wrap_all)
        else:
            extension._wrap_all()
        return extension

    def _wrap_all(self) -> None:
        for number in (signal.SIGINT, signal.SIGTERM):
            self._wrap(number)

    def _wrap(self, number: signal.Signals) -> None:
        inner: Any = signal.getsignal(number)
        loop = asyncio.get_running_loop()

        def handler(got: int, frame: FrameType | None) -> None:
            first = not self._stopping.signal
            if first:
                self._stopping.signal = got
                self._stopping.reason = self._stopping.reason or signal.Signals(got).name
                grace = GRACE_SECONDS if is_running(self._crawler) else OPENING_SECONDS
                loop.call_soon_threadsafe(loop.call_later, grace, self._stopping.aborting.set)
            if first and not is_running(self._crawler):
                loop.call_soon_threadsafe(logger.info, "%s while the crawl is opened: it stops then", signal.Signals(got).name)
                loop.call_soon_threadsafe(deliver)
            elif callable(inner):
                inner(got, frame)

        def deliver() -> None:
            if not is_running(self._crawler):
                loop.call_later(OPEN_SECONDS, deliver)
            elif callable(inner):
                inner(number, None)

        signal.signal(number, handler)
