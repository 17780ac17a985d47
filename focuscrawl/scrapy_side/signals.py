"""Which signal asked the crawl to stop? Needed for the exit code; also lets slow answers go after a few seconds."""

from __future__ import annotations

import asyncio
import logging
import signal
import threading
import time
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
DELIVER_SECONDS = 0.05
"""Before Scrapy gets the first signal, so that another one which belongs to it has come by then; and between checks whether the
engine runs."""
SAME_REQUEST = {signal.SIGINT: 0.1, signal.SIGTERM: 0.5}
"""Seconds within which another signal belongs to the first: `timeout` sends SIGTERM to its child and then to the child's whole
group, and programs around a crawl pass on the Ctrl-C that the terminal has sent to both. Nobody presses it twice in so short a
time."""


class StopSignals:
    """Notes the first SIGINT or SIGTERM as `Stopping.signal`, then lets Scrapy's own handler do its work: the first signal ends
    the crawl in order, a second one by force, unless both are one request (`SAME_REQUEST`).

    Scrapy 2.19 ends the process at once, without closing the spider, when the engine does not run yet. A first signal that
    comes while the crawl is opened is therefore kept until it does, so that the leases are given back."""

    def __init__(self, crawler: Crawler, stopping: Stopping) -> None:
        self._crawler = crawler
        self._stopping = stopping
        self._forces_from = 0.0
        """Monotonic time from which another signal is a second one."""
        self._delivered = False
        """Whether Scrapy's handler has got the first signal. It would take another one for the wish to end at once."""

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
        loop = asyncio.get_running_loop()
        for number in SAME_REQUEST:
            self._wrap(number, loop)

    def _wrap(self, number: signal.Signals, loop: asyncio.AbstractEventLoop) -> None:
        inner: Any = signal.getsignal(number)
        if not callable(inner):
            return  # ignored, or left to the system by whoever runs the loop: once noted, nothing would end the crawl

        def handler(got: int, frame: FrameType | None) -> None:
            if not self._stopping.signal:
                self._note(signal.Signals(got), loop)
                loop.call_soon_threadsafe(loop.call_later, DELIVER_SECONDS, deliver)
            elif time.monotonic() >= self._forces_from:
                inner(got, frame)

        def deliver() -> None:
            if not is_running(self._crawler):
                loop.call_later(DELIVER_SECONDS, deliver)
            elif not self._delivered:  # both may be noted as the first: a handler may interrupt itself
                self._delivered = True
                inner(number, None)
                self._wrap_all()  # Scrapy has just set the handlers that end the crawl by force

        signal.signal(number, handler)

    def _note(self, number: signal.Signals, loop: asyncio.AbstractEventLoop) -> None:
        """Note the first signal."""
        self._forces_from = time.monotonic() + SAME_REQUEST[number]
        self._stopping.signal = number
        self._stopping.reason = self._stopping.reason or number.name
        running = is_running(self._crawler)
        loop.call_soon_threadsafe(loop.call_later, GRACE_SECONDS if running else OPENING_SECONDS, self._stopping.aborting.set)
        if not running:
            loop.call_soon_threadsafe(logger.info, "%s while the crawl is opened: it stops then", number.name)
