"""`scrapy frontier release`: a host that was held may be asked again."""

from __future__ import annotations

import argparse

from focuscrawl.commands.frontiers.hosts import set_held
from focuscrawl.commands.topics.subcommand import Context
from focuscrawl.store.crawls import crawl_named

USAGE = "release NAME HOST..."
SUMMARY = "Let a host that was held be asked again, at its own pace."


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name")
    parser.add_argument("hosts", nargs="+")


def run(context: Context, options: argparse.Namespace) -> int:
    set_held("frontier release", crawl_named(context.crawls_dir, options.name), options.hosts, False)
    return 0
