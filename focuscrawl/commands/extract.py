"""`scrapy extract NAME`: extracts the content of a crawl's archived pages again."""

from __future__ import annotations

import argparse

from focuscrawl.command_line.base import ProjectCommand


class Command(ProjectCommand):
    """Exit codes: 0 done, 1 failure, 2 bad input."""

    summary = "Read the stored pages of a crawl again from its archive: main text, author, dates, licence and more"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("name", metavar="NAME", help="the crawl")
        parser.add_argument("--all", action="store_true", help="every page stored with status 200, not only the kept ones")
        parser.add_argument("--missing", action="store_true", help="only pages that this version has not read whole yet")

    def execute(self, options: argparse.Namespace) -> int:
        import asyncio

        from focuscrawl.command_line.output import note
        from focuscrawl.command_line.steering import writable
        from focuscrawl.crawl.beside.extraction import extract_again
        from focuscrawl.report.plain import count, plural
        from focuscrawl.store.crawls import crawl_named

        _, crawl = self.context.language, crawl_named(self.context.crawls_dir, options.name)
        with writable(crawl) as db:
            agent = str(self.context.settings.get("ROBOTSTXT_USER_AGENT") or "focuscrawl")
            done = asyncio.run(extract_again(db, crawl.directory, agent, everything=options.all, missing=options.missing))
        text = f"{plural(done.read, 'page')} of {crawl.name} read, {count(done.changed)} of them with another text than before"
        print(_(text))
        if done.unreadable:
            left = f"{plural(done.unreadable, 'page')} kept as they were: their answers are not in {crawl.directory / 'warc'}"
            note(_(f"{left} or cannot be read"))
        return 0
