"""`scrapy crawl`: Scrapy's command, with bad input refused before anything starts and an exit code that tells the truth."""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from scrapy.commands.crawl import Command as ScrapyCrawl
from scrapy.crawler import Crawler
from scrapy.exceptions import UsageError

from focuscrawl.engine.logformat import quiet_start
from focuscrawl.engine.options import read_options
from focuscrawl.engine.place import check_place
from focuscrawl.errors import BadInput
from focuscrawl.jobs import job_of
from focuscrawl.params import parse_arguments

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

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        super().process_options(args, opts)
        if args != ["topic"]:
            what = f"{' '.join(args)!r} cannot be crawled" if args else "an argument is missing"
            self._refuse(f"{what}; use: scrapy crawl topic -a seeds=FILE")
        assert self.settings is not None
        try:
            options = read_options(self.settings)
            job = job_of(parse_arguments(opts.spargs))
            check_place(Path(options.crawls_dir) / job.name, bool(job.parts))
        except BadInput as error:
            self._refuse(str(error))
        self._tell(job.problems)
        if self.settings.get("LOG_LEVEL") != "DEBUG":
            quiet_start()

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        if len(args) != 1:
            raise UsageError
        assert self.crawler_process
        crawler = self._create_crawler(args[0])
        self.crawler_process.crawl(crawler, **opts.spargs)
        self.crawler_process.start()
        self.exitcode = 1 if self.crawler_process.bootstrap_failed else exit_code(crawler)

    def _tell(self, problems: Sequence[str]) -> None:
        """What was skipped in the seed file, in a few lines."""
        for problem in problems[:MOST_PROBLEMS]:
            print(f"scrapy crawl: {problem}", file=sys.stderr)
        if len(problems) > MOST_PROBLEMS:
            print(f"scrapy crawl: and {len(problems) - MOST_PROBLEMS} more lines that are skipped", file=sys.stderr)

    def _refuse(self, message: str) -> None:
        print(f"scrapy crawl: {message}", file=sys.stderr)
        sys.exit(2)


def exit_code(crawler: Crawler) -> int:
    """Of a crawl that has ended."""
    session = getattr(crawler, "focuscrawl", None)
    if session is None:
        return 1
    if session.signal:
        return 128 + int(signal.Signals(session.signal))
    return 0 if session.stop_reason in PLANNED else 1
