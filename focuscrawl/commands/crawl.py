"""`scrapy crawl`: Scrapy's command, with bad input refused before anything starts and an exit code that tells the truth."""

from __future__ import annotations

import argparse
import logging
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from scrapy.commands.crawl import Command as ScrapyCrawl
from scrapy.crawler import Crawler
from scrapy.exceptions import UsageError

from focuscrawl.engine.logformat import quiet_start
from focuscrawl.engine.options import read_options
from focuscrawl.engine.place import check_place
from focuscrawl.engine.scrapydjob import ScrapydJob, check_files, folders_of_scrapyd
from focuscrawl.errors import BadInput, Unreachable
from focuscrawl.jobrules import is_job
from focuscrawl.jobs import job_of
from focuscrawl.params import parse_arguments
from focuscrawl.roots import ANYWHERE, Roots

logger = logging.getLogger(__name__)

MOST_PROBLEMS = 3
"""Lines of the seed file that are reported."""
PLANNED = frozenset({"finished", "empty", "max_pages", "max_relevant", "minutes", "harvest", "promise", "edge", "drift"})
"""Stop reasons that mean that the crawl did what was asked."""


class Command(ScrapyCrawl):
    """`scrapy crawl topic -a seeds=FILE`: 0 planned stop, 1 failure, 2 bad input, 130 or 143 stopped by a signal."""

    def syntax(self) -> str:
        return "topic -a seeds=FILE [-a NAME=VALUE ...] [-s SETTING=VALUE ...] [-O FILE]"

    def short_desc(self) -> str:
        return "Crawl a topic: scrapy crawl topic -a seeds=FILE"

    def __init__(self) -> None:
        super().__init__()
        self._scrapyd: ScrapydJob | None = None
        self._problems: Sequence[str] = ()

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        roots = self._begin(opts)
        super().process_options(args, opts)
        if args != ["topic"]:
            what = f"{' '.join(args)!r} cannot be crawled" if args else "an argument is missing"
            self._refuse(f"{what}; use: scrapy crawl topic -a seeds=FILE")
        assert self.settings is not None
        try:
            options = read_options(self.settings)
            job = job_of(parse_arguments(opts.spargs), roots)
            check_files(job, options.crawls_dir, roots)
            partition = options.partition(job.arguments.partition)
            check_place(Path(options.crawls_dir) / job.name, bool(job.parts), options.store_url, partition)
        except BadInput as error:
            self._refuse(str(error), 1 if isinstance(error, Unreachable) else 2)
        self._problems = _few(job.problems)
        for problem in () if self._scrapyd else self._problems:
            print(f"scrapy crawl: {problem}", file=sys.stderr)
        if self.settings.get("LOG_LEVEL") != "DEBUG":
            quiet_start()

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        if len(args) != 1:
            raise UsageError
        assert self.crawler_process
        for problem in self._problems if self._scrapyd else ():
            logger.warning("%s", problem)
        crawler = self._create_crawler(args[0])
        self.crawler_process.crawl(crawler, **opts.spargs)
        self.crawler_process.start()
        self.exitcode = 1 if self.crawler_process.bootstrap_failed else exit_code(crawler)

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
        print(f"scrapy crawl: {message}", file=sys.stderr)
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
    return 0 if session.stop_reason in PLANNED else 1
