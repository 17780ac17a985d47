"""`scrapy recrawl NAME`: look again at the pages of a crawl that are due. For cron: quiet, alone, with exit codes that tell."""

from __future__ import annotations

import argparse
import contextlib
import logging
import sys
from pathlib import Path
from typing import TextIO

import orjson
from scrapy.crawler import Crawler

from focuscrawl.commands import crawl
from focuscrawl.commands.arguments import positional, refuse, silence_standard_output
from focuscrawl.errors import BadInput
from focuscrawl.recrawl.monitors import alarms
from focuscrawl.report.reasons import stop_words
from focuscrawl.report.recrawl import Recrawled, as_json, recrawl_table
from focuscrawl.report.table import show
from focuscrawl.scrapy_side.summary import REPORT, changes_line
from focuscrawl.store.engines.database import ERRORS
from focuscrawl.store.pages import overview
from focuscrawl.store.revisits.schedule import next_due

logger = logging.getLogger(__name__)

OPTIONS = ("--all", "--budget", "--minutes", "--json")
USAGE = "scrapy recrawl NAME [--all] [--budget N] [--minutes M] [--json] [-s SETTING=VALUE ...] [-O FILE]"

QUIET_ENDS = crawl.PLANNED | {"running"}
"""Stop reasons for which there is nothing to say, or it was said."""


class Command(crawl.Command):
    """Exit codes: 0 done, 1 failure, 2 bad input, 3 a threshold of RECRAWL_MOST_* is passed, 75 somebody is at work on the
    crawl, 130 or 143 stopped by a signal."""

    command = "recrawl"

    def syntax(self) -> str:
        return USAGE.removeprefix("scrapy recrawl ")

    def short_desc(self) -> str:
        return "Look again at what is due of a crawl: changed, new and gone pages"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("-a", dest="spargs", action="append", default=[], help=argparse.SUPPRESS)
        parser.add_argument("--all", action="store_true", help="every page, due or not")
        parser.add_argument("--budget", metavar="N", help="requests at most")
        parser.add_argument("--minutes", metavar="M", help="stop after so many minutes")
        parser.add_argument("--json", action="store_true", help="the figures as one JSON object")

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        name = positional(self.command, args, OPTIONS, USAGE, 1, 1)[0]
        if opts.spargs:
            refuse(self.command, f"-a {opts.spargs[0]} belongs to scrapy crawl topic; use: {USAGE}")
        opts.spargs = [f"name={name}", "mode=recrawl", f"revisit={'all' if opts.all else 'due'}"]
        opts.spargs += [f"budget={opts.budget}"] if opts.budget is not None else []
        opts.spargs += [f"minutes={opts.minutes}"] if opts.minutes is not None else []
        self._be_quiet(opts)
        super().process_options(["topic"], opts)

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        super().run(["topic"], opts)

    def ended(self, crawler: Crawler, opts: argparse.Namespace) -> None:
        """The figures, on standard output; why it did not do its work, on standard error."""
        session = getattr(crawler, "focuscrawl", None)
        if session is None or not hasattr(session, "store") or session.store.gone:
            return
        if not session.signal and session.stop_reason not in QUIET_ENDS:
            words = stop_words(session.stop_reason, session.stop_why)
            print(f"scrapy {self.command}: {session.name!r} did not come to its end: {words}", file=sys.stderr)
        try:
            with contextlib.closing(session.crawl.open()) as db:
                run = next(row for row in overview.runs(db) if row.id == session.run)
                due = next_due(db)
        except (BadInput, *ERRORS) as error:
            logger.error("the figures cannot be read: %s", error)
            return
        found = Recrawled(session.name, run, due)
        found = Recrawled(session.name, run, due, alarms(found.figures, session.options.recrawl))
        try:
            self._tell(found, opts.json, session.directory)
        except OSError as error:  # the reader has gone, or the disk is full
            silence_standard_output()
            print(f"scrapy recrawl: the figures cannot be written: {error.strerror or error}", file=sys.stderr)
            self.exitcode = self.exitcode or 1

    @staticmethod
    def _tell(found: Recrawled, as_object: bool, directory: Path) -> None:
        out: TextIO | None = sys.stdout  # None: closed by whoever started us
        if out is None:
            return
        if as_object:
            print(orjson.dumps(as_json(found)).decode(), flush=True)
        else:
            lines = [f"Report: {directory / REPORT}", changes_line(directory)]
            show([recrawl_table(found), *(lines if (directory / REPORT).is_file() else ())], out)

    def _be_quiet(self, opts: argparse.Namespace) -> None:
        """Nothing but errors on standard error, unless something else was said."""
        assert self.settings is not None
        said = {option.partition("=")[0] for option in opts.set}
        logged = bool(opts.loglevel or opts.logfile or said & {"LOG_LEVEL", "LOG_FILE"})
        for name, value in () if logged else (("LOG_LEVEL", "ERROR"), ("SUMMARY_ENABLED", "False")):
            if name not in said:
                self.settings.set(name, value, "cmdline")
