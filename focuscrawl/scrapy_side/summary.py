"""The end of a crawl: a summary behind the last log line, and the report file."""

from __future__ import annotations

import io
import logging
import sys
import time
from collections.abc import Sequence
from contextlib import closing, suppress
from typing import TYPE_CHECKING, Self

from scrapy import Spider, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.extensions.logcount import LogCount

from focuscrawl.crawl.process import CrawlProcess
from focuscrawl.errors import BadInput
from focuscrawl.scrapy_side.crawl_runner import crawl_of
from focuscrawl.store.crawls import has_store
from focuscrawl.store.engines.database import ERRORS
from focuscrawl.store.overview import totals
from focuscrawl.store.workers.runs import is_recrawl, logged_errors

if TYPE_CHECKING:
    from focuscrawl.report.table import Table

logger = logging.getLogger(__name__)

PATIENCE = 2.0
"""Seconds that computing page weights waits for others' locks: a crawl that is to end must not hang on a busy store, and
`scrapy weights` computes them at any time."""


class LogCountToTheEnd(LogCount):
    """Scrapy's counts of log lines, `log_count/ERROR` and so on, for any spider. They go on behind `spider_closed`, because the
    handlers of that signal may fail, too, as feeds do on a full disk, and those of `engine_stopped`, as `ClosingSummary`."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        if not crawler.settings.getbool("LOG_ENABLED"):
            raise NotConfigured  # as by --nolog: nothing is in the log
        extension = cls(crawler)
        crawler.signals.connect(extension.spider_opened, signals.spider_opened)
        return extension

    def spider_opened(self, spider: Spider) -> None:
        super().spider_opened(spider)
        # Only now, so that it is called after the other extensions, which are connected.
        self.crawler.signals.connect(self.engine_stopped, signals.engine_stopped)

    def engine_stopped(self) -> None:
        if self.handler:
            logging.root.removeHandler(self.handler)


class ClosingSummary:
    """Reads the store when everything has been written: after all handlers of spider_closed.

    It writes to standard error, or into the log file if there is one, as in a job of Scrapyd; to both on a terminal."""

    def __init__(self, crawl: CrawlProcess, log_file: str = "", *, enabled: bool = True, language: str = "en") -> None:
        self._crawl = crawl
        self._log_file = log_file
        self._enabled = enabled
        self._language = language

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> ClosingSummary:
        crawl = crawl_of(crawler)
        log_file, enabled = str(crawler.settings.get("LOG_FILE") or ""), crawler.settings.getbool("SUMMARY_ENABLED")
        extension = cls(crawl, log_file, enabled=enabled, language=crawler.settings["REPORT_LANGUAGE"])
        crawler.signals.connect(extension.engine_stopped, signals.engine_stopped)
        return extension

    def engine_stopped(self) -> None:
        crawl = self._crawl
        if not crawl.is_open or not has_store(crawl.directory):
            return
        if crawl.store.gone:
            logger.error("no report: the database cannot be reached")
            return
        if not crawl.store.waits:  # else the disk is full, or the database locked
            self._keep_weights()
        self._report()

    def _report(self) -> None:
        # late: with SciPy and Jinja it takes 22 MB, which a crawl does without up to its end
        from jinja2 import TemplateError

        from focuscrawl.inspect.reporting import report_name, write_reports
        from focuscrawl.report import terminal
        from focuscrawl.report.revisits.changes_page import CHANGES
        from focuscrawl.report.summary import RunEnd
        from focuscrawl.report.translation import Language

        crawl, unwritten = self._crawl, list[OSError]()
        end = RunEnd(crawl.stopping.reason, crawl.stopping.why, logged_errors(crawl.runner.figures()))
        try:
            summary = write_reports(
                crawl.stored_crawl, crawl.run,
                end=end, settings=crawl.settings, language=self._language, unwritten=unwritten.append,
            )  # fmt: skip
        except (BadInput, OSError, *ERRORS, TemplateError) as error:
            logger.error("no report: %s", error)
            return
        for problem in unwritten:
            logger.error("no report: %s", problem)
        if not self._enabled:
            return
        language = Language(self._language)
        path = "" if unwritten else str(crawl.directory / report_name(is_recrawl(summary.run)))
        parts = terminal.closing(summary, path, language)
        if is_recrawl(summary.run) and not unwritten:
            parts.append(terminal.changes_line(str(crawl.directory / CHANGES), language))
        self._show(parts)

    def _show(self, parts: Sequence[str | Table]) -> None:
        """Write the summary into the log file if there is one; print it to a terminal, or if there is none."""
        from focuscrawl.report.table import show

        if self._log_file:
            text = io.StringIO()
            show(parts, text)
            logger.info("summary\n%s", text.getvalue().rstrip())
        if not self._log_file or sys.stderr.isatty():
            with suppress(OSError):  # nobody reads it any more: no error of the crawl, as with its log lines
                show(parts, sys.stderr)

    def _keep_weights(self) -> None:
        """Compute the page weights again, because the run has changed what links to what. Those of very many pages are left to
        `scrapy weights`: a closing crawl must not take long."""
        from focuscrawl.report.summary import MOST_SHAPED
        from focuscrawl.store.pages.weighing import keep_standings

        try:
            with closing(self._crawl.stored_crawl.open(write=True)) as db:
                if 0 < totals(db).pages <= MOST_SHAPED:
                    keep_standings(db, time.time(), patience=PATIENCE)
        except (BadInput, OSError, *ERRORS) as error:
            logger.warning("page weights are as before: %s", error)
