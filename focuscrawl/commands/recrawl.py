"""`scrapy recrawl NAME`: revisits the pages of a crawl that are due. It suits cron: it is quiet, runs only if no other worker
does, and its exit codes report the outcome."""

from __future__ import annotations

import argparse
import contextlib
import logging
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from focuscrawl.command_line.output import print_json_line, print_parts, silence_standard_output
from focuscrawl.commands import crawl
from focuscrawl.errors import BadInput

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from focuscrawl.crawl.process import CrawlProcess
    from focuscrawl.report.revisits.recrawl import Recrawled

logger = logging.getLogger(__name__)


class Command(crawl.Command):
    """Exit codes: 0 done, 1 failure, 2 bad input, 3 a threshold of RECRAWL_MOST_* is passed or errors are in the log, 75 a
    worker of the crawl is running, 130 or 143 stopped by a signal."""

    summary = "Revisit the due pages of a crawl: find changed, new and gone pages"
    usage = "NAME [--all] [--budget N] [--minutes M] [--json] [-s SETTING=VALUE ...] [-O FILE]"

    as_options = ("budget", "minutes")

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("name", metavar="NAME", help="the crawl")
        parser.add_argument("-a", dest="spargs", action="append", default=[], help=argparse.SUPPRESS)
        parser.add_argument("--all", action="store_true", help="revisit every page, due or not")
        parser.add_argument("--budget", metavar="N", help="send at most N requests")
        parser.add_argument("--minutes", metavar="M", help="stop after M minutes")
        parser.add_argument("--json", action="store_true", help="the figures as one JSON object")

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        self.refuse_left_over(args)
        if opts.spargs:
            self.refuse(f"-a {opts.spargs[0]} belongs to scrapy crawl topic; use: scrapy recrawl {self.usage}")
        opts.spargs = [f"name={opts.name}", "mode=recrawl", f"revisit={'all' if opts.all else 'due'}"]
        given = vars(opts)
        opts.spargs += [f"{name}={given[name]}" for name in self.as_options if given[name] is not None]
        self._be_quiet(opts)
        super().process_options(args, opts)

    def crawls_topic(self, options: argparse.Namespace) -> bool:
        return True

    def ended(self, crawler: Crawler, options: argparse.Namespace) -> int:
        """Print the figures on standard output, and why the recrawl ended early on standard error."""
        from focuscrawl.scrapy_side.crawl_runner import crawl_of, has_crawl

        crawl = crawl_of(crawler) if has_crawl(crawler) else None
        if crawl is None or not crawl.is_open or crawl.store.gone:
            return 0
        self._note_early_end(crawl)
        found = _figures(crawl)
        if found is None or sys.stdout is None:  # closed by the parent process
            return 0
        try:
            _print_result(found, options.json, crawl.directory, crawl.options.report_language)
        except BrokenPipeError:  # the reader had enough, as in all commands
            silence_standard_output()
        except OSError as error:
            silence_standard_output()
            self.context.note(f"the figures cannot be written: {error.strerror or error}")
            return 1
        return 0

    def _note_early_end(self, crawl: CrawlProcess) -> None:
        from focuscrawl.report.reasons import PLANNED_STOPS, stop_words

        stopping = crawl.stopping
        if not stopping.signal and stopping.reason not in PLANNED_STOPS | {"running"}:  # that one was reported already
            self.context.note(f"{crawl.name!r} did not come to its end: {stop_words(stopping.reason, stopping.why)}")

    def _be_quiet(self, opts: argparse.Namespace) -> None:
        """Log errors only, unless the options ask for something else. The figures are printed, so that a summary is for a log
        file alone."""
        assert self.settings is not None
        given = {option.partition("=")[0] for option in opts.set}
        in_file = bool(opts.logfile or "LOG_FILE" in given)
        if not (in_file or opts.loglevel or "LOG_LEVEL" in given):
            self.settings.set("LOG_LEVEL", "ERROR", "cmdline")
        if not (in_file or "SUMMARY_ENABLED" in given):
            self.settings.set("SUMMARY_ENABLED", "False", "cmdline")


def _figures(crawl: CrawlProcess) -> Recrawled | None:
    """What the recrawl has brought; None, which is logged, if the store cannot be read."""
    from focuscrawl.recrawl.monitors import Figures, alarms
    from focuscrawl.report.revisits.recrawl import Recrawled
    from focuscrawl.report.summary_in_words import errors_in_words
    from focuscrawl.store.engines.database import ERRORS
    from focuscrawl.store.revisits.revisit_rows import due_from
    from focuscrawl.store.workers.runs import all_runs, logged_errors

    try:
        with contextlib.closing(crawl.stored_crawl.open()) as db:
            run = next(row for row in all_runs(db) if row.id == crawl.run)
            due = due_from(db, crawl.store.clock(), crawl.options.recrawl.signals)
    except (BadInput, *ERRORS) as error:
        logger.error("the figures cannot be read: %s", error)
        return None
    errors = errors_in_words(logged_errors(crawl.runner.figures()), crawl.settings)
    told = alarms(Figures.of(run.stats), crawl.options.recrawl)
    return Recrawled(crawl.name, run, due, [*told, *([errors] if errors else [])])


def _print_result(recrawled: Recrawled, as_object: bool, directory: Path, language: str) -> None:
    from focuscrawl.inspect.reporting import RECRAWL
    from focuscrawl.report.revisits.changes_page import CHANGES
    from focuscrawl.report.revisits.recrawl import as_json, recrawl_table
    from focuscrawl.report.terminal import changes_line, report_line
    from focuscrawl.report.translation import Language

    if as_object:
        print_json_line(as_json(recrawled))
    else:
        _ = Language(language)
        lines = [report_line(str(directory / RECRAWL), _), changes_line(str(directory / CHANGES), _)]
        print_parts([recrawl_table(recrawled, _), *(lines if (directory / RECRAWL).is_file() else ())], _)
    sys.stdout.flush()
