"""`scrapy export NAME`: the pages of a crawl for other programs."""

from __future__ import annotations

import argparse
import sys
from contextlib import closing
from pathlib import Path

from focuscrawl.command_line.base import ProjectCommand
from focuscrawl.errors import BadInput


class Command(ProjectCommand):
    """Exit codes: 0 all written (or its reader had enough), 1 writing failed, 2 bad input."""

    summary = "Write the relevant pages of a crawl as JSON lines, CSV or Parquet"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("name", metavar="NAME", help="the crawl")
        parser.add_argument(
            "--format", default="", metavar="jsonl|csv|parquet", help="(default: by the ending of FILE, else jsonl)"
        )
        parser.add_argument("-o", "--output", default="-", metavar="FILE", help="file (default: standard output)")
        parser.add_argument("--topic", default="", metavar="TOPIC", help="pages for this topic, in a crawl of several")
        parser.add_argument("--all", action="store_true", help="every page stored with status 200, duplicates too")
        parser.add_argument("--bom", action="store_true", help="begin with a byte order mark, for Excel")

    def execute(self, options: argparse.Namespace) -> int:
        from focuscrawl.command_line.output import check_target, note, target
        from focuscrawl.store.crawls import crawl_named
        from focuscrawl.store.pages.export import WRITERS, check_format, stored_row
        from focuscrawl.store.pages.stored import stored_pages
        from focuscrawl.store.pages.verdicts import check_topic

        ending = Path(options.output).suffix.lower().removeprefix(".")
        kind = options.format or (ending if ending in WRITERS else "jsonl")
        check_format(kind)
        crawl = crawl_named(self.context.crawls_dir, options.name)
        to_file = options.output != "-"
        if kind == "parquet" and not to_file and sys.stdout.isatty():
            raise BadInput("Parquet is not text for a terminal; name a file with -o FILE")
        check_target(options.output)
        with closing(crawl.open()) as db:
            if options.topic:
                check_topic(db, options.topic)
            rows = (stored_row(page) for page in stored_pages(db, everything=options.all, topic=options.topic))
            with target(options.output) as out:
                count = WRITERS[kind](rows, out, options.bom)
                out.flush()
        if to_file or not count:
            hint = "" if count or options.all else "; --all writes the others too"
            note(f"{count} {'pages' if options.all else 'relevant pages'} of {crawl.name}{hint}")
        return 0
