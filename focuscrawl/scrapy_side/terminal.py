"""Decides whether a run shows its progress as a live table: on a terminal, but not under cron, CI, Scrapyd or in a pipe, where
the log has one line an event. Only a run that does loads the table itself, and rich with it (3 MB)."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, TextIO

from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured

if TYPE_CHECKING:
    from focuscrawl.scrapy_side.live import LiveTable


class LiveTableOnTerminal:
    """The extension that becomes a live table where a person looks at standard error."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> LiveTable:
        if not crawler.settings.getbool("LIVE_ENABLED") or not is_watched(sys.stderr, os.environ):
            raise NotConfigured
        from focuscrawl.scrapy_side.live import LiveTable

        return LiveTable.from_crawler(crawler)


def is_watched(stream: TextIO, environment: Mapping[str, str]) -> bool:
    """Whether a person looks at `stream`: a terminal that can move its cursor, and no job of CI or Scrapyd."""
    unattended = any(environment.get(name) for name in ("CI", "SCRAPY_JOB", "SCRAPYD_JOB"))
    return stream.isatty() and not unattended and environment.get("TERM", "") not in ("", "dumb")
