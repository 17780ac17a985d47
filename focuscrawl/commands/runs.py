"""`scrapy runs [NAME]`: what was crawled so far, and how it ended."""

from __future__ import annotations

import argparse
import sys
import time

import orjson
from scrapy.commands import ScrapyCommand

from focuscrawl.commands.arguments import crawls_dir, positional, refuse
from focuscrawl.commands.output import printing
from focuscrawl.errors import BadInput
from focuscrawl.report.runs import RunLine, as_json, runs_table
from focuscrawl.report.table import show
from focuscrawl.store.crawls import Crawl, all_crawls, crawl_named
from focuscrawl.store.engines.database import ERRORS
from focuscrawl.store.pages import overview


class Command(ScrapyCommand):
    """Exit codes: 0, also when there is no crawl yet; 2 for an unknown name, or when the store of NAME cannot be read. Without
    NAME such a store is told about and passed over."""

    requires_project = True
    requires_crawler_process = False
    default_settings = {"LOG_ENABLED": False}  # noqa: RUF012  (typed by the base class)

    def syntax(self) -> str:
        return "[NAME] [--json]"

    def short_desc(self) -> str:
        return "List the runs of all crawls, or of one"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--json", action="store_true", help="one JSON object a line instead of a table")

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        super().process_options(args, opts)
        names = positional("runs", args, ("--json",), "scrapy runs [NAME] [--json]", 0, 1)
        folder = crawls_dir(self.settings)
        self._named = bool(names)
        try:
            self._crawls = [crawl_named(folder, names[0])] if names else all_crawls(folder)
        except BadInput as error:
            refuse("runs", str(error))

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        now = time.time()
        lines = [line for crawl in self._crawls for line in self._lines(crawl, now)]
        with printing():
            if opts.json:
                for line in sorted(lines, key=lambda line: -line.run.started_at):
                    print(orjson.dumps(as_json(line)).decode())
            elif lines:
                show([runs_table(lines)], sys.stdout)
        if not (opts.json or lines):
            print(f"no run so far in {crawls_dir(self.settings)}", file=sys.stderr)

    def _lines(self, crawl: Crawl, now: float) -> list[RunLine]:
        """The runs of a crawl. A store that cannot be read ends the program if it was named, else it is passed over."""
        try:
            return _runs(crawl, now)
        except (BadInput, *ERRORS) as error:
            if self._named:
                refuse("runs", str(error))
            print(f"scrapy runs: {error}", file=sys.stderr)
            return []


def _runs(crawl: Crawl, now: float) -> list[RunLine]:
    db = crawl.open()
    try:
        live = overview.live_runs(db, now)
        return [RunLine(crawl.name, run, run.ended_at is None and run.id in live, now) for run in overview.runs(db)]
    finally:
        db.close()
