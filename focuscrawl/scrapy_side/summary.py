"""The end of a crawl: a summary behind the last log line, and the report file."""

from __future__ import annotations

import io
import logging
import re
import sys
import time
from collections.abc import Mapping
from pathlib import Path

from jinja2 import TemplateError
from scrapy import signals
from scrapy.crawler import Crawler
from scrapy.settings import SETTINGS_PRIORITIES, BaseSettings

from focuscrawl.crawl.process import CrawlProcess
from focuscrawl.errors import BadInput
from focuscrawl.report import changes_page, html
from focuscrawl.report.changes_page import CHANGES, ChangesPage
from focuscrawl.report.summary import Summary, summarize
from focuscrawl.report.table import show
from focuscrawl.report.terminal import closing
from focuscrawl.scrapy_side.crawl_runner import UNPACED, crawl_of
from focuscrawl.store.engines.database import ERRORS
from focuscrawl.store.location import has_store
from focuscrawl.store.workers.runs import is_recrawl

logger = logging.getLogger(__name__)

REPORT = "report.html"
SECRET = re.compile(r"KEY|TOKEN|SECRET|PASS", re.IGNORECASE)


class ClosingSummary:
    """Reads the store when everything has been written: after all handlers of spider_closed.

    It writes to standard error, or into the log file if there is one, as in a job of Scrapyd; to both on a terminal."""

    def __init__(self, crawl: CrawlProcess, settings: Mapping[str, str], log_file: str = "", *, enabled: bool = True) -> None:
        self._crawl = crawl
        self._settings = settings
        self._log_file = log_file
        self._enabled = enabled

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> ClosingSummary:
        crawl = crawl_of(crawler)
        settings = crawler.settings
        log_file, enabled = str(settings.get("LOG_FILE") or ""), settings.getbool("SUMMARY_ENABLED")
        extension = cls(crawl, changed_settings(settings), log_file, enabled=enabled)
        crawler.signals.connect(extension.engine_stopped, signals.engine_stopped)
        return extension

    def engine_stopped(self) -> None:
        crawl = self._crawl
        if not has_store(crawl.directory):
            return
        if crawl.store.gone:
            logger.error("no report: the database cannot be reached")
            return
        path = crawl.directory / REPORT
        try:
            summary, news = self._summarize()
            changes_page.write(news, crawl.directory / CHANGES, REPORT)
            html.write(summary, path, CHANGES, news.news)
        except (BadInput, OSError, *ERRORS, TemplateError) as error:
            logger.error("no report: %s", error)
            return
        if not self._enabled:
            return
        parts = closing(summary, str(path))
        if is_recrawl(summary.run):
            parts.append(changes_line(crawl.directory))
        if self._log_file:
            text = io.StringIO()
            show(parts, text)
            logger.info("summary\n%s", text.getvalue().rstrip())
        if not self._log_file or sys.stderr.isatty():
            show(parts, sys.stderr)

    def _summarize(self) -> tuple[Summary, ChangesPage]:
        """What the run has brought, and what is new since it began."""
        crawl, now = self._crawl, time.time()
        db = crawl.stored_crawl.open()
        try:
            summary = summarize(
                db, crawl.name, str(crawl.directory), now,
                run=crawl.run, reason=crawl.stopping.reason, settings=self._settings,
            )  # fmt: skip
            since = summary.run.started_at if summary.run else 0.0
            return summary, changes_page.collect(db, crawl.name, since, now)
        finally:
            db.close()


def changes_line(directory: Path) -> str:
    """Where the page of what is new lies, for the end of a recrawl's summary."""
    return f"Changes: {directory / CHANGES}"


def changed_settings(settings: BaseSettings) -> dict[str, str]:
    """What was set for this run, on the command line or by a user's spider; secrets are not shown."""
    project = SETTINGS_PRIORITIES["project"]
    names = sorted(
        name for name in settings if (settings.getpriority(name) or 0) > project and settings[name] != UNPACED.get(name)
    )
    return {name: "(hidden)" if SECRET.search(name) else str(settings[name]) for name in names}
