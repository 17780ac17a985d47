"""The live table on a terminal (`focuscrawl.scrapy_side.terminal` says where there is one)."""

from __future__ import annotations

import asyncio
import logging
import sys
import time
from typing import Any, TextIO, cast

from rich.console import Console
from rich.file_proxy import FileProxy
from rich.live import Live
from scrapy import signals
from scrapy.crawler import Crawler

from focuscrawl.crawl.process import CrawlProcess
from focuscrawl.errors import BadInput
from focuscrawl.recrawl.monitors import Figures
from focuscrawl.report.advice import advise, line
from focuscrawl.report.live_table import LiveProgress, RunLimits, render
from focuscrawl.report.translation import ENGLISH, Language
from focuscrawl.scrapy_side.crawl_runner import crawl_of
from focuscrawl.store.crawls import Crawl
from focuscrawl.store.engines.database import ERRORS
from focuscrawl.store.overview import FrontierNow, frontier_now
from focuscrawl.store.workers.status import store_now

REFRESH_SECONDS = 0.5
SAMPLE_SECONDS = 3.0
"""Least time between two samples of the frontier, which are taken in a thread."""
SAMPLE_SHARE = 0.02
"""Largest share of the time that goes into samples: counting a million URLs takes half a second."""
PAGE_LOGGER = "pipelines.archive"
"""The logger of a line for each page, which is silenced: so many lines would push the table around."""


class LiveTable:
    """Shows progress while the spider is open; log lines go above the table."""

    def __init__(self, crawl: CrawlProcess, console: Console, language: Language = ENGLISH) -> None:
        self._crawl = crawl
        self._console = console
        self._language = language
        self._progress = LiveProgress(crawl.name, _limits(crawl))
        self._live = Live(console=console, auto_refresh=False, transient=True)
        self._task: asyncio.Task[None] | None = None
        self._streams: list[tuple[logging.StreamHandler[Any], TextIO]] = []
        self._level = logging.NOTSET

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> LiveTable:
        extension = cls(crawl_of(crawler), Console(stderr=True), Language(crawler.settings["REPORT_LANGUAGE"]))
        crawler.signals.connect(extension.spider_opened, signals.spider_opened)
        crawler.signals.connect(extension.item_scraped, signals.item_scraped)
        crawler.signals.connect(extension.spider_closed, signals.spider_closed)
        return extension

    def spider_opened(self) -> None:
        self._streams = [(handler, handler.stream) for handler in _terminal_handlers()]
        logger = logging.getLogger(PAGE_LOGGER)
        self._level = logger.level
        logger.setLevel(max(logger.level, logging.WARNING))
        self._live.start()
        for handler, stream in self._streams:
            handler.setStream(FileProxy(self._console, stream))
        self._task = asyncio.ensure_future(self._run())

    def item_scraped(self, item: Any) -> None:
        if isinstance(item, dict):
            self._progress.page(bool(item.get("relevant")), str(item.get("title") or ""))

    def spider_closed(self) -> None:
        if self._task:
            self._task.cancel()
        self._live.stop()
        for handler, stream in self._streams:
            handler.setStream(stream)
        logging.getLogger(PAGE_LOGGER).setLevel(self._level)

    async def _run(self) -> None:
        next_sample = 0.0
        while True:
            began = time.monotonic()
            if began >= next_sample:
                found, advice = await asyncio.to_thread(_sample, self._crawl.stored_crawl)
                self._progress.frontier, self._progress.advice = found, advice
                took = time.monotonic() - began
                next_sample = began + max(SAMPLE_SECONDS, took / SAMPLE_SHARE)
            counts, progress = self._crawl.counting.counts, self._progress
            progress.pages, progress.relevant = counts.pages, counts.relevant
            progress.duplicates, progress.requests, progress.errors = counts.duplicates, counts.requests, counts.errors
            progress.notice = self._crawl.control.notice
            progress.again = self._recrawl_figures()
            self._live.update(render(progress, time.monotonic(), self._console.width, self._language), refresh=True)
            await asyncio.sleep(REFRESH_SECONDS)

    def _recrawl_figures(self) -> Figures | None:
        """What a recrawl has found so far; None in a crawl, even in one that turns to revisiting at its edge."""
        return Figures.of(self._crawl.runner.figures()) if self._crawl.job.arguments.is_recrawl else None


def _limits(crawl: CrawlProcess) -> RunLimits:
    arguments = crawl.job.arguments
    return RunLimits(arguments.max_pages, arguments.max_relevant, arguments.max_requests, arguments.minutes)


def _terminal_handlers() -> list[logging.StreamHandler[Any]]:
    """Handlers of the root logger that write to the terminal (a FileHandler is a StreamHandler too)."""
    return [
        handler
        for handler in logging.getLogger().handlers
        if isinstance(handler, logging.StreamHandler) and cast("object", handler.stream) in (sys.stderr, sys.__stderr__)
    ]


def _sample(crawl: Crawl) -> tuple[FrontierNow, str]:
    """The frontier as it is, and what to expect of it; nothing while the store cannot be read."""
    try:
        db = crawl.open()
    except (BadInput, *ERRORS):
        return FrontierNow(), ""
    try:
        return frontier_now(db, store_now(db)), line(advise(db))
    except ERRORS:
        return FrontierNow(), ""
    finally:
        db.close()
