"""`scrapy topic rescore CRAWL`: scores the waiting URLs again by the topic as it was last trained, as the dashboard does."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from focuscrawl.command_line.context import Context
from focuscrawl.command_line.output import print_json_line, print_parts
from focuscrawl.config.options import read_options
from focuscrawl.crawl.rescoring import Move, Rescoring, rescore_crawl
from focuscrawl.report.plain import count, plural
from focuscrawl.report.table import Column, Table
from focuscrawl.store.crawls import crawl_named
from focuscrawl.url.readable import readable


def rescore_waiting(context: Context, options: argparse.Namespace) -> int:
    done = rescore_crawl(crawl_named(context.crawls_dir, options.crawl), read_options(context.settings))
    if options.json:
        print_json_line(done.plain())
    else:
        print_parts(rescoring_parts(done), context.language)
    return 0


def rescoring_parts(done: Rescoring) -> list[str | Table]:
    """How many URLs have moved, and which have moved farthest."""
    goes_on = f"The next run of {done.crawl} goes on with that."
    if done.unscored:
        return [
            f"{done.crawl} has the topic as it was trained. Its last run followed every link ({done.unscored}), so that"
            f" {plural(done.waiting, 'waiting URL')} keep their order until a run chooses by score.",
            goes_on,
        ]
    moved = (
        f"{done.crawl}: {count(done.moved)} of {plural(done.waiting, 'waiting URL')} moved, {count(done.up)} up and"
        f" {count(done.down)} down; the others were worth the same or nothing that is stored links to them."
    )
    pages = (
        f"Of {plural(done.pages, 'stored page')} that a former topic judged {count(done.newly_relevant)} would be newly"
        f" relevant, {count(done.no_longer_relevant)} no longer; what they were counted as stays."
    )
    tables = [_moves(title, rows) for title, rows in (("Farthest up", done.risen), ("Farthest down", done.fallen)) if rows]
    return [moved, pages, *tables, goes_on]


def _moves(title: str, moves: Sequence[Move]) -> Table:
    rows = [(f"{move.before:.3f}", f"{move.now:.3f}", readable(move.url)) for move in moves]
    return Table([Column("before", True), Column("now", True), Column("URL")], rows, title)
