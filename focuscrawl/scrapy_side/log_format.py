"""Scrapy's log lines, made quiet: one line an event, never a page's content, nothing routine above DEBUG.

What a person wants to know of each page is the archive pipeline's line.
"""

from __future__ import annotations

import logging
from typing import Any, cast

from scrapy import Request, Spider
from scrapy.http import Response
from scrapy.logformatter import LogFormatter, LogFormatterResult
from twisted.python.failure import Failure

from focuscrawl.store.engines.writer import StorageError


class QuietLogFormatter(LogFormatter):
    """Items are named by their URL. Lines of level DEBUG are made only where a handler takes them: Scrapy's loggers let every
    level through, and two lines a page would be made to be dropped."""

    def crawled(self, request: Request, response: Response, spider: Spider) -> LogFormatterResult:
        return _debug("answer %s %s", response.status, request.url)

    def scraped(self, item: Any, response: Response | Failure | None, spider: Spider) -> LogFormatterResult:
        return _debug("stored %s", url_of(item))

    def dropped(
        self, item: Any, exception: BaseException, response: Response | Failure | None, spider: Spider
    ) -> LogFormatterResult:
        return _debug("not stored (%s) %s", exception, url_of(item))

    def item_error(
        self, item: Any, exception: BaseException, response: Response | Failure | None, spider: Spider
    ) -> LogFormatterResult:
        """With a traceback, unless the store could not be written: of that the scheduler tells in one line."""
        level = logging.DEBUG if isinstance(exception, StorageError) else logging.ERROR
        return _line(level, "internal error on %s: %r", url_of(item), exception)


class _OneLine(logging.Filter):
    """Lets through records of one line, and all warnings and errors."""

    def filter(self, record: logging.LogRecord) -> bool:
        return record.levelno >= logging.WARNING or "\n" not in str(record.msg)


def quiet_start() -> None:
    """Keep out of the log the lists of versions, settings and components that Scrapy logs at its start, and its warning for
    every certificate that is not valid: a crawler reads such sites all the same."""
    logging.getLogger("scrapy.core.downloader.tls").setLevel(logging.ERROR)
    for name in ("scrapy.utils.log", "scrapy.addons", "scrapy.middleware", "scrapy.crawler"):
        logging.getLogger(name).addFilter(_OneLine())


def url_of(item: Any) -> str:
    """The URL of a Page or of an exported row; else what kind of thing it is."""
    url = item.get("url") if isinstance(item, dict) else getattr(item, "url", None)
    return str(url) if url else type(item).__name__


def _debug(message: str, *args: object) -> LogFormatterResult:
    """A line of level DEBUG; None where no handler takes it, which Scrapy accepts although its types do not say so."""
    handlers = logging.root.handlers + logging.getLogger("scrapy").handlers
    heard = any(handler.level <= logging.DEBUG for handler in handlers)
    return _line(logging.DEBUG, message, *args) if heard else cast("LogFormatterResult", None)


def _line(level: int, message: str, *args: object) -> LogFormatterResult:
    return {"level": level, "msg": message, "args": args}
