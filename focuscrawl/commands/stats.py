"""`scrapy stats NAME`: shows figures of the collection."""

from __future__ import annotations

import argparse

from focuscrawl.command_line.base import ProjectCommand


class Command(ProjectCommand):
    """Exit codes: 0, also for a crawl without pages; 2 bad input."""

    summary = "Show the collection of a crawl in figures: languages, sites, lengths, dates, licences, quality"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("name", metavar="NAME", help="the crawl")
        parser.add_argument("--rules", action="store_true", help="also how many pages pass each quality rule")
        parser.add_argument("--json", action="store_true", help="one JSON object instead of tables")

    def execute(self, options: argparse.Namespace) -> int:
        from focuscrawl.command_line.output import print_json, print_parts
        from focuscrawl.report.collection import as_json, collection_parts
        from focuscrawl.store.crawls import crawl_named
        from focuscrawl.store.pages.collection import collection_of

        crawl = crawl_named(self.context.crawls_dir, options.name)
        with crawl.at_one_moment() as db:
            found = collection_of(db, rules=options.rules)
        if options.json:
            print_json(as_json(found, crawl.name))
        else:
            language = self.context.language
            print_parts(collection_parts(found, crawl.name, language), language)
        return 0
