"""`scrapy changes NAME`: the pages that are new, that have changed, and that are gone."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from typing import BinaryIO

import orjson
from scrapy.commands import ScrapyCommand

from focuscrawl.commands.arguments import crawls_dir, positional, refuse, silence_standard_output
from focuscrawl.commands.dates import time_of
from focuscrawl.commands.output import check_target, target
from focuscrawl.errors import BadInput
from focuscrawl.report.changes import changes_parts, gather
from focuscrawl.report.changes_feed import ENTRIES, feed
from focuscrawl.report.changes_json import write_json
from focuscrawl.report.site_rates import EXPLAINED, as_json, sites_table
from focuscrawl.report.table import show
from focuscrawl.store.crawls import crawl_named
from focuscrawl.store.engines.database import ERRORS
from focuscrawl.store.pages.export import iso_time
from focuscrawl.store.revisits.changes import PageChange, changes_of, last_run_began
from focuscrawl.store.revisits.site_rates import site_rates

OPTIONS = ("--since", "--until", "--json", "--atom", "--all", "--sites", "--limit")
USAGE = "scrapy changes NAME [--since DATE] [--until DATE] [--json | --atom FILE] [--all] [--sites] [--limit N]"
ROWS = 50
"""Of each list in a table, unless --limit says otherwise."""
NEVER = 1e12
"""Behind every time: what happens while we read is told as well."""


class Command(ScrapyCommand):
    """Exit codes: 0, also when nothing is new (or the reader of the output had enough), 1 writing failed, 2 bad input."""

    requires_project = True
    requires_crawler_process = False
    default_settings = {"LOG_ENABLED": False}  # noqa: RUF012  (typed by the base class)

    def syntax(self) -> str:
        return USAGE.removeprefix("scrapy changes ")

    def short_desc(self) -> str:
        return "List the pages that are new, changed or gone"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--since", default="", metavar="DATE", help="as 2026-11-20 or 7d (default: the last run's start)")
        parser.add_argument("--until", default="", metavar="DATE", help="up to then (default: now)")
        parser.add_argument("--json", action="store_true", help="one JSON object instead of tables")
        parser.add_argument("--atom", default="", metavar="FILE", help="an Atom feed; - writes it to standard output")
        parser.add_argument("--all", action="store_true", help="pages outside of the collection too: irrelevant ones, copies")
        parser.add_argument("--sites", action="store_true", help="how fast the pages of each site change, instead")
        parser.add_argument("--limit", default="", metavar="N", help="at most N of each list; 0: all")

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        super().process_options(args, opts)
        name = positional("changes", args, OPTIONS, USAGE, 1, 1)[0]
        self._now = time.time()
        try:
            _check(opts)
            self._limit = _limit(opts.limit)
            since = time_of("--since", opts.since, self._now) if opts.since else None
            until = time_of("--until", opts.until, self._now) if opts.until else None
            self._crawl = crawl_named(crawls_dir(self.settings), name)
            self._db = self._crawl.open()
            self._since = last_run_began(self._db) if since is None else since
            self._until, self._upto = (until or self._now), (until or NEVER)
            if until is not None and until <= self._since:
                raise BadInput(f"--until {opts.until!r} is not after the beginning, {iso_time(self._since)}")
        except BadInput as error:
            refuse("changes", str(error))

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        try:
            if opts.sites:
                self._sites(opts.json)
            elif opts.atom:
                self._feed(opts)
            elif opts.json:
                self._json(opts, sys.stdout.buffer)
            else:
                limit = ROWS if self._limit is None else self._limit
                lists = gather(self._changes(opts), self._crawl.name, self._since, self._until, limit)
                show(changes_parts(lists), sys.stdout)
        except BrokenPipeError:
            silence_standard_output()
        except (OSError, *ERRORS) as error:
            print(f"scrapy changes: writing stopped: {error}", file=sys.stderr)
            self.exitcode = 1
        finally:
            self._db.close()

    def _changes(self, opts: argparse.Namespace) -> Iterator[PageChange]:
        return changes_of(self._db, self._since, self._upto, everything=opts.all)

    def _json(self, opts: argparse.Namespace, out: BinaryIO) -> None:
        head = {"crawl": self._crawl.name, "since": iso_time(self._since), "until": iso_time(self._until)}
        write_json(self._changes(opts), head, self._crawl.name, out, self._limit or 0)
        out.flush()

    def _feed(self, opts: argparse.Namespace) -> None:
        most = ENTRIES if self._limit is None else self._limit or sys.maxsize
        document = feed(self._changes(opts), self._crawl.name, self._until, most)
        with target(opts.atom) as out:
            out.write(document)
            out.flush()

    def _sites(self, json: bool) -> None:
        rows = site_rates(self._db, self._now)
        if json:
            shown = rows[: self._limit or None]
            head = {"crawl": self._crawl.name, "at": iso_time(self._now)}
            print(orjson.dumps({**head, "sites": [as_json(row) for row in shown]}).decode())
        else:
            show([sites_table(rows, ROWS if self._limit is None else self._limit), EXPLAINED], sys.stdout)


def _check(opts: argparse.Namespace) -> None:
    """Raises BadInput for options that do not go together, and for a feed that has no place."""
    if opts.atom and (opts.json or opts.sites):
        raise BadInput(f"--atom cannot be had with {'--json' if opts.json else '--sites'}; use one of them")
    if opts.sites and (opts.since or opts.until or opts.all):
        raise BadInput("--sites shows the sites as they are now; leave --since, --until and --all away")
    if opts.atom:
        check_target(opts.atom)


def _limit(given: str) -> int | None:
    if not given:
        return None
    if not given.isdecimal():
        raise BadInput(f"--limit {given!r} is no number; give a whole number, 0 for all")
    return int(given)
