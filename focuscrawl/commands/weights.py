"""`scrapy weights NAME`: computes the weights of all pages from the links of the crawl, and shows the heaviest pages."""

from __future__ import annotations

import argparse
import time

from focuscrawl.command_line.base import ProjectCommand
from focuscrawl.command_line.option_values import whole_number

SHOWN = 20


class Command(ProjectCommand):
    """Exit codes: 0, also for a crawl without pages; 1 the store is busy or cannot be written; 2 bad input."""

    summary = "Compute the weights of all pages by in-degree, parents, copies and depth, and show the heaviest"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("name", metavar="NAME", help="the crawl")
        parser.add_argument(
            "--limit", type=whole_number(0), default=SHOWN, metavar="N", help="show N pages (default: %(default)s); 0: all"
        )
        parser.add_argument("--json", action="store_true", help="one JSON object instead of a table")

    def execute(self, options: argparse.Namespace) -> int:
        from focuscrawl.command_line.output import print_json, print_parts
        from focuscrawl.command_line.steering import writable
        from focuscrawl.report.page_weights import as_json, weight_table
        from focuscrawl.store.crawls import crawl_named
        from focuscrawl.store.pages.standing import heaviest
        from focuscrawl.store.pages.weighing import keep_standings

        crawl = crawl_named(self.context.crawls_dir, options.name)
        with writable(crawl) as db:
            pages = keep_standings(db, time.time())
            rows = list(heaviest(db, options.limit or pages))
        if options.json:
            print_json(as_json(rows, pages, crawl.name))
        else:
            print_parts(
                [weight_table(rows, pages)] if rows else [f"Crawl {crawl.name} has no page yet."], self.context.language
            )
        return 0
