"""`scrapy frontier stats`: how much there is in which state, and where."""

from __future__ import annotations

import argparse

from focuscrawl.commands.topics.subcommand import Context, print_json, print_parts
from focuscrawl.errors import BadInput
from focuscrawl.report.frontier import stats_json, stats_parts
from focuscrawl.store.crawls import choose
from focuscrawl.store.listing import frontier_stats
from focuscrawl.store.roster import store_now

USAGE = "stats [NAME] [--limit N] [--json]"
SUMMARY = "Count URLs by state; the hosts with the most waiting URLs; held hosts; what is due next."


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", default="")
    parser.add_argument("--limit", type=int, default=10)
    parser.add_argument("--json", action="store_true")


def run(context: Context, options: argparse.Namespace) -> int:
    if options.limit < 1:
        raise BadInput(f"--limit {options.limit} is not 1 or more")
    crawl = choose(context.crawls_dir, options.name)
    db = crawl.open()
    try:
        now, stats = store_now(db), frontier_stats(db, options.limit)
    finally:
        db.close()
    if options.json:
        print_json({"crawl": crawl.name, **stats_json(stats)})
    else:
        print_parts(stats_parts(stats, now, crawl.name))
    return 0
