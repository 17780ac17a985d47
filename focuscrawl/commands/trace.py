"""`scrapy trace URL`: takes one page through every stage, and shows the time and the decision of each."""

from __future__ import annotations

import argparse
from functools import partial

from focuscrawl.command_line.base import ProjectCommand


class Command(ProjectCommand):
    """Exit codes: 0 traced, 1 a stage failed, 2 bad input, also if the crawl has not stored the page."""

    summary = "Take one page through every stage and show what each decides"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("url", metavar="URL", help="you may leave out the scheme")
        parser.add_argument(
            "--crawl",
            default="",
            metavar="NAME",
            help="crawl whose topic judges it (default: the latest that has archived it, else the latest)",
        )
        parser.add_argument("--fetch", action="store_true", help="fetch the page now instead of reading the archive")
        parser.add_argument("--json", action="store_true", help="one JSON object instead of tables")

    def prepare(self, options: argparse.Namespace) -> None:
        from focuscrawl.command_line.crawls import chosen_crawl
        from focuscrawl.command_line.option_values import url_of
        from focuscrawl.command_line.tracing import TracedPage
        from focuscrawl.scrapy_side.fetch import stand_alone
        from focuscrawl.store.explain import has_archived

        url = url_of(options.url)
        crawl = chosen_crawl(self.context, options.crawl, partial(has_archived, url=url))
        self._page = TracedPage.of(self.context, crawl, url, fetch=options.fetch)
        if options.fetch:
            assert self.settings is not None
            stand_alone(self.settings)
            self.requires_crawler_process = True

    def execute(self, options: argparse.Namespace) -> int:
        from focuscrawl.command_line.output import print_json, print_parts
        from focuscrawl.report.trace import as_json, parts

        trace, code = self._page.trace(self.crawler_process)
        if options.json:
            print_json(as_json(trace))
        else:
            print_parts(parts(trace, self.context.language), self.context.language)
        return code
