"""`scrapy export NAME`: the pages of a crawl for other programs."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from scrapy.commands import ScrapyCommand

from focuscrawl.commands.arguments import crawls_dir, positional, refuse, silence_standard_output
from focuscrawl.commands.output import check_target, target
from focuscrawl.errors import BadInput
from focuscrawl.store.crawls import crawl_named
from focuscrawl.store.engines.database import ERRORS
from focuscrawl.store.pages.export import WRITERS, check_format, stored_row
from focuscrawl.store.pages.stored import stored_pages
from focuscrawl.store.pages.verdicts import check_topic

OPTIONS = ("--format", "--output", "-o", "--topic", "--all", "--bom")
USAGE = "scrapy export NAME [--format jsonl|csv|parquet] [-o FILE] [--topic TOPIC] [--all] [--bom]"


class Command(ScrapyCommand):
    """Exit codes: 0 all written (or its reader had enough), 1 writing failed, 2 bad input."""

    requires_project = True
    requires_crawler_process = False
    default_settings = {"LOG_ENABLED": False}  # noqa: RUF012  (typed by the base class)

    def syntax(self) -> str:
        return USAGE.removeprefix("scrapy export ")

    def short_desc(self) -> str:
        return "Write the relevant pages of a crawl as JSON lines, CSV or Parquet"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--format", default="", help="jsonl, csv or parquet (default: by the ending of FILE, else jsonl)")
        parser.add_argument("-o", "--output", default="-", metavar="FILE", help="file (default: standard output)")
        parser.add_argument("--topic", default="", help="pages for this topic, in a crawl of several")
        parser.add_argument("--all", action="store_true", help="every page stored with status 200, duplicates too")
        parser.add_argument("--bom", action="store_true", help="begin with a byte order mark, for Excel")

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        super().process_options(args, opts)
        name = positional("export", args, OPTIONS, USAGE, 1, 1)[0]
        ending = Path(opts.output).suffix.lower().removeprefix(".")
        self._format = opts.format or (ending if ending in WRITERS else "jsonl")
        self._to_file = opts.output != "-"
        try:
            check_format(self._format)
            crawl = crawl_named(crawls_dir(self.settings), name)
            if self._format == "parquet" and not self._to_file and sys.stdout.isatty():
                raise BadInput("Parquet is no text for a terminal; name a file with -o FILE")
            check_target(opts.output)
            self._db = crawl.open()
            if opts.topic:
                check_topic(self._db, opts.topic)
        except BadInput as error:
            refuse("export", str(error))

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        rows = (stored_row(page) for page in stored_pages(self._db, everything=opts.all, topic=opts.topic))
        try:
            with target(opts.output) as out:
                count = WRITERS[self._format](rows, out, opts.bom)
                out.flush()
        except BrokenPipeError:
            silence_standard_output()
            return
        except (OSError, *ERRORS) as error:
            print(f"scrapy export: writing stopped: {error}", file=sys.stderr)
            self.exitcode = 1
            return
        finally:
            self._db.close()
        if self._to_file or not count:
            hint = "" if count or opts.all else "; --all writes the others too"
            print(f"{count} {'pages' if opts.all else 'relevant pages'} of {args[0]}{hint}", file=sys.stderr)
