"""`scrapy crawl`: Scrapy's command, with bad input refused before anything starts and an exit code that tells the truth."""

from __future__ import annotations

import argparse
import logging
import os
import signal
import sys
import time
from collections.abc import Sequence
from typing import NoReturn

from scrapy.commands.crawl import Command as ScrapyCrawl
from scrapy.crawler import Crawler
from scrapy.exceptions import UsageError

from focuscrawl.config.allowed_paths import ANYWHERE, Roots
from focuscrawl.config.arguments import parse_arguments
from focuscrawl.config.options import read_options
from focuscrawl.config.scrapyd_policy import ScrapydJob, folders_of_scrapyd, is_job
from focuscrawl.crawl.preflight import EX_TEMPFAIL, Start, exit_code_of, prepare
from focuscrawl.errors import BadInput
from focuscrawl.recrawl.monitors import Figures, alarms, tell
from focuscrawl.scrapy_side.log_format import quiet_start

logger = logging.getLogger(__name__)

MOST_PROBLEMS = 3
"""Lines of the seed file that are reported."""
PLANNED = frozenset({
    "finished", "empty", "max_pages", "max_relevant", "minutes", "harvest", "promise", "edge", "drift", "fresh", "budget",
})  # fmt: skip
"""Stop reasons that mean that the crawl did what was asked."""
THRESHOLD_PASSED = 3


class Command(ScrapyCrawl):
    """`scrapy crawl topic -a seeds=FILE`: 0 planned stop, 1 failure, 2 bad input, 75 a recrawl is at work; with mode=recrawl 3
    when a monitor's threshold is passed, and 75 when anybody is at work; 130 or 143 stopped by a signal."""

    command = "crawl"

    def syntax(self) -> str:
        return "topic -a seeds=FILE [-a NAME=VALUE ...] [-s SETTING=VALUE ...] [-O FILE]"

    def short_desc(self) -> str:
        return "Crawl a topic: scrapy crawl topic -a seeds=FILE"

    def __init__(self) -> None:
        super().__init__()
        self._scrapyd: ScrapydJob | None = None
        self._start: Start

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        roots = self._begin(opts)
        super().process_options(args, opts)
        if args != ["topic"]:
            what = f"{' '.join(args)!r} cannot be crawled" if args else "an argument is missing"
            self._refuse(f"{what}; use: scrapy crawl topic -a seeds=FILE")
        assert self.settings is not None
        try:
            options = read_options(self.settings)
            self._start = prepare(parse_arguments(opts.spargs), options, roots, time.time)
        except BadInput as error:
            self._refuse(str(error), exit_code_of(error))
        for problem in () if self._scrapyd else _few(self._start.job.problems):
            print(f"scrapy {self.command}: {problem}", file=sys.stderr)
        if self.settings.get("LOG_LEVEL") != "DEBUG":
            quiet_start()

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        if len(args) != 1:
            raise UsageError
        assert self.crawler_process
        for problem in _few(self._start.job.problems) if self._scrapyd else ():
            logger.warning("%s", problem)
        crawler = self._create_crawler(args[0])
        self.crawler_process.crawl(crawler, **opts.spargs)
        try:
            self.crawler_process.start()
        finally:
            self._start.lock.release()
        self.exitcode = exit_code(crawler) or int(self.crawler_process.bootstrap_failed)
        self.ended(crawler, opts)

    def ended(self, crawler: Crawler, opts: argparse.Namespace) -> None:
        """What is said of a crawl behind its end, when the exit code is known: nothing more than the closing summary."""

    def _begin(self, opts: argparse.Namespace) -> Roots:
        """Where files may lie. A job of Scrapyd is checked here, before its settings are."""
        assert self.settings is not None
        arguments, settings = _pairs(opts.spargs), _pairs(opts.set)
        if not is_job(arguments, os.environ):
            return ANYWHERE
        self._scrapyd = ScrapydJob(settings, folders_of_scrapyd())
        try:
            roots = self._scrapyd.begin(self.settings, os.environ)
        except BadInput as error:
            self._refuse(str(error))
        opts.set.append(f"CRAWLS_DIR={os.path.realpath(settings.get('CRAWLS_DIR', self.settings['CRAWLS_DIR']))}")
        return roots

    def _refuse(self, message: str, code: int = 2) -> NoReturn:
        print(f"scrapy {self.command}: {message}", file=sys.stderr)
        if self._scrapyd:
            self._scrapyd.refuse(message)
        sys.exit(code)


def _pairs(options: Sequence[str]) -> dict[str, str]:
    """`NAME=VALUE` as Scrapy reads it; one without `=` is refused later."""
    return {name: value for name, _, value in (option.partition("=") for option in options)}


def _few(problems: Sequence[str]) -> list[str]:
    """What was skipped in the seed file, in a few lines."""
    more = len(problems) - MOST_PROBLEMS
    return [*problems[:MOST_PROBLEMS], *([f"and {more} more lines that are skipped"] if more > 0 else [])]


def exit_code(crawler: Crawler) -> int:
    """Of a crawl that has ended."""
    session = getattr(crawler, "focuscrawl", None)
    if session is None:
        return 1
    if session.signal:
        return 128 + int(signal.Signals(session.signal))
    if session.stop_reason == "running":
        return EX_TEMPFAIL
    if session.stop_reason not in PLANNED:
        return 1
    if session.job.arguments.mode != "recrawl" or crawler.stats is None:
        return 0
    found = alarms(Figures.of(crawler.stats.get_stats()), session.options.recrawl)
    tell(found)
    return THRESHOLD_PASSED if found else 0
