"""`scrapy frontier hold`: nothing is asked of a host until it is released."""

from __future__ import annotations

import argparse

from focuscrawl.commands.frontiers.hosts import set_held
from focuscrawl.commands.topics.subcommand import Context
from focuscrawl.store.crawls import crawl_named

USAGE = "hold NAME HOST..."
SUMMARY = "Ask nothing of a host (all its ports and schemes) until it is released. What it has waiting is kept."


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name")
    parser.add_argument("hosts", nargs="+")


def run(context: Context, options: argparse.Namespace) -> int:
    set_held("frontier hold", crawl_named(context.crawls_dir, options.name), options.hosts, True)
    return 0
