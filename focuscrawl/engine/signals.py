"""Which signal asked the crawl to stop? Needed for the exit code; also lets slow answers go after a few seconds."""

from __future__ import annotations

import asyncio
import signal
from types import FrameType
from typing import Any

from scrapy import signals
from scrapy.crawler import Crawler

from focuscrawl.engine.session import CrawlSession, session_of

GRACE_SECONDS = 5.0
"""After a signal, answers may still come in for so long; a stop takes less than 10 s in all."""


class StopSignals:
    """Notes the first SIGINT or SIGTERM as `session.signal`, then lets Scrapy's own handler do its work."""

    def __init__(self, session: CrawlSession) -> None:
        self._session = session

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> StopSignals:
        extension = cls(session_of(crawler))
        crawler.signals.connect(extension.spider_opened, signals.spider_opened)
        return extension

    def spider_opened(self) -> None:
        for number in (signal.SIGINT, signal.SIGTERM):
            self._wrap(number)

    def _wrap(self, number: signal.Signals) -> None:
        inner: Any = signal.getsignal(number)
        loop = asyncio.get_running_loop()

        def handler(got: int, frame: FrameType | None) -> None:
            if not self._session.signal:
                self._session.signal = got
                self._session.stop_reason = self._session.stop_reason or signal.Signals(got).name
                loop.call_soon_threadsafe(loop.call_later, GRACE_SECONDS, self._session.aborting.set)
            if callable(inner):
                inner(got, frame)

        signal.signal(number, handler)
