"""`scrapy changes NAME`: lists the pages that are new, changed or gone."""

from __future__ import annotations

import argparse
import sys
from contextlib import closing
from typing import TYPE_CHECKING

from focuscrawl.command_line.base import ProjectCommand
from focuscrawl.command_line.option_values import time_of, whole_number
from focuscrawl.errors import BadInput

if TYPE_CHECKING:
    from focuscrawl.report.translation import Language
    from focuscrawl.store.engines.database import Database

ROWS = 50
"""Rows of each table, unless --limit is given."""
NEVER = 1e12
"""Later than every time, so that changes that happen while we read are reported as well."""


class Command(ProjectCommand):
    """Exit codes: 0, also if nothing is new (or the reader of the output has ended), 1 writing failed, 2 bad input."""

    summary = "List the pages that are new, changed or gone"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("name", metavar="NAME", help="the crawl")
        parser.add_argument(
            "--since", default="", metavar="DATE", help="such as 2026-11-20 or 7d (default: the start of the last run)"
        )
        parser.add_argument("--until", default="", metavar="DATE", help="end of the period (default: now)")
        parser.add_argument("--json", action="store_true", help="one JSON object instead of tables")
        parser.add_argument("--atom", default="", metavar="FILE", help="write an Atom feed to FILE; - is standard output")
        parser.add_argument("--all", action="store_true", help="also pages outside the collection: irrelevant ones, copies")
        parser.add_argument("--sites", action="store_true", help="show how fast the pages of each site change instead")
        parser.add_argument("--limit", type=whole_number(0), metavar="N", help="at most N pages of each list; 0: all")

    def execute(self, options: argparse.Namespace) -> int:
        from focuscrawl.store.crawls import crawl_named
        from focuscrawl.store.workers.status import store_now

        _check(options)
        crawl = crawl_named(self.context.crawls_dir, options.name)
        with closing(crawl.open()) as db:
            now = store_now(db)
            since = time_of("--since", options.since, now) if options.since else None
            until = time_of("--until", options.until, now) if options.until else None
            if options.sites:
                _show_sites(db, crawl.name, now, options, self.context.language)
            else:
                _show_changes(db, crawl.name, since, until, now, options, self.context.language)
        return 0


def _show_changes(
    db: Database, name: str, since: float | None, until: float | None, now: float, options: argparse.Namespace,
    language: Language,
) -> None:  # fmt: skip
    from focuscrawl.command_line.output import print_parts, target
    from focuscrawl.report.plain import iso_time
    from focuscrawl.report.revisits.changes import changes_parts, gather
    from focuscrawl.report.revisits.changes_export import ENTRIES, feed, write_json
    from focuscrawl.store.revisits.change_log import changes_of, last_run_began

    since = last_run_began(db) if since is None else since
    if until is not None and until <= since:
        raise BadInput(f"--until {options.until!r} is not after the start of the period, {iso_time(since)}; give a later time")
    changes = changes_of(db, since, until or NEVER, everything=options.all)
    limit, until = options.limit, until or now
    if options.atom:
        document = feed(changes, name, until, ENTRIES if limit is None else limit or sys.maxsize)
        with target(options.atom) as out:
            out.write(document)
            out.flush()
    elif options.json:
        head = {"crawl": name, "since": iso_time(since), "until": iso_time(until)}
        write_json(changes, head, name, sys.stdout.buffer, limit or 0)
        sys.stdout.buffer.flush()
    else:
        print_parts(changes_parts(gather(changes, name, since, until, ROWS if limit is None else limit)), language)


def _show_sites(db: Database, name: str, now: float, options: argparse.Namespace, language: Language) -> None:
    from focuscrawl.command_line.output import print_json_line, print_parts
    from focuscrawl.report.plain import iso_time
    from focuscrawl.report.revisits.freshness import SITES_EXPLAINED, site_json, sites_table
    from focuscrawl.store.revisits.site_rates import site_rates

    rows, limit = site_rates(db, now), options.limit
    if options.json:
        print_json_line({"crawl": name, "at": iso_time(now), "sites": [site_json(row) for row in rows[: limit or None]]})
    else:
        print_parts([sites_table(rows, ROWS if limit is None else limit), SITES_EXPLAINED], language)


def _check(options: argparse.Namespace) -> None:
    """Raises BadInput for options that exclude each other, and for a feed that cannot be written."""
    from focuscrawl.command_line.output import check_target

    if options.atom and (options.json or options.sites):
        raise BadInput(f"--atom does not go with {'--json' if options.json else '--sites'}; use one of them")
    if options.sites and (options.since or options.until or options.all):
        raise BadInput("--sites shows the sites as they are now; leave out --since, --until and --all")
    if options.atom:
        check_target(options.atom)
