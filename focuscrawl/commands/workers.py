"""`scrapy workers [NAME]`: the processes that work on crawls, how fast, and what is wrong with whom."""

from __future__ import annotations

import argparse
import sys

import orjson
from scrapy.commands import ScrapyCommand

from focuscrawl.commands.arguments import crawls_dir, positional, refuse
from focuscrawl.commands.output import printing
from focuscrawl.errors import BadInput
from focuscrawl.report.plain import duration
from focuscrawl.report.table import Table, show
from focuscrawl.report.workers import WorkerLine, as_json, workers_parts
from focuscrawl.store.crawls import Crawl, all_crawls, crawl_named
from focuscrawl.store.engines.database import ERRORS
from focuscrawl.store.workers.control import Wanted, read_control
from focuscrawl.store.workers.status import RUNNING, WorkerRow, roster, store_now

RECENT_SECONDS = 3600.0
"""Workers that have ended are shown for so long."""


class Command(ScrapyCommand):
    """Exit codes: 0, also when nobody is at work; 2 for an unknown name, or when the store of NAME cannot be read. Without NAME
    such a store is told about and passed over."""

    requires_project = True
    requires_crawler_process = False
    default_settings = {"LOG_ENABLED": False}  # noqa: RUF012  (typed by the base class)

    def syntax(self) -> str:
        return "[NAME] [--all] [--json]"

    def short_desc(self) -> str:
        return "List the worker processes of all crawls, or of one"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--all", action="store_true", help="also workers that ended more than an hour ago")
        parser.add_argument("--json", action="store_true", help="one JSON object a line instead of a table")

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        super().process_options(args, opts)
        names = positional("workers", args, ("--all", "--json"), "scrapy workers [NAME] [--all] [--json]", 0, 1)
        folder = crawls_dir(self.settings)
        self._named = bool(names)
        try:
            self._crawls = [crawl_named(folder, names[0])] if names else all_crawls(folder)
        except BadInput as error:
            refuse("workers", str(error))

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        lines: list[WorkerLine] = []
        told: list[str] = []
        unread = 0
        for crawl in self._crawls:
            try:
                rows, sentence = _look(crawl)
            except (BadInput, *ERRORS) as error:
                if self._named:
                    refuse("workers", str(error))
                print(f"scrapy workers: {error}", file=sys.stderr)
                unread += 1
                continue
            lines += [WorkerLine(crawl.name, row) for row in rows if opts.all or _is_recent(row)]
            told += [sentence] if sentence else []
            if self._named and rows and not any(row.health in RUNNING for row in rows):
                told.append(f"nobody works on {crawl.name} now; the last heartbeat came {duration(rows[-1].silence)} ago")
        with printing():
            self._print(lines, told, opts.json)
        if not lines and not opts.json:
            print("no worker is at work" + (", as far as stores can be read" if unread else ""), file=sys.stderr)

    def _print(self, lines: list[WorkerLine], told: list[str], as_object: bool) -> None:
        if as_object:
            for line in lines:
                print(orjson.dumps(as_json(line)).decode())
            return
        parts: list[str | Table] = [*told]
        parts += workers_parts(lines, with_crawl=not self._named) if lines else []
        if parts:
            show(parts, sys.stdout)


def _is_recent(row: WorkerRow) -> bool:
    return row.health in RUNNING or row.silence < RECENT_SECONDS


def _look(crawl: Crawl) -> tuple[list[WorkerRow], str]:
    """The workers of a crawl, and what operators want of it."""
    db = crawl.open()
    try:
        control = read_control(db)
        rows = roster(db, store_now(db))
    finally:
        db.close()
    word = {Wanted.PAUSE: "paused", Wanted.STOP: "stopped"}.get(control.state)
    return rows, f"{crawl.name} is {word} by {control.by}; `scrapy resume {crawl.name}` lets it run" if word else ""
