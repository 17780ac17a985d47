"""`scrapy why URL`: was it fetched, does it wait, was it refused, or never seen, and by what?"""

from __future__ import annotations

import argparse
import sys
import time

import orjson
from scrapy.commands import ScrapyCommand

from focuscrawl.commands.arguments import crawls_dir, positional, refuse, url_of
from focuscrawl.errors import BadInput
from focuscrawl.report.plain import one_line
from focuscrawl.report.table import show
from focuscrawl.report.why import as_json, details, sentence
from focuscrawl.store.crawls import choose
from focuscrawl.store.explain import explain

OPTIONS = ("--crawl", "--json")


class Command(ScrapyCommand):
    """Exit codes: 0 whatever the answer is; 2 for an unknown crawl or what is no URL."""

    requires_project = True
    requires_crawler_process = False
    default_settings = {"LOG_ENABLED": False}  # noqa: RUF012  (typed by the base class)

    def syntax(self) -> str:
        return "URL [--crawl NAME] [--json]"

    def short_desc(self) -> str:
        return "Tell why a URL was fetched, waits, or was not fetched"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--crawl", default="", metavar="NAME", help="crawl to look in (default: the latest)")
        parser.add_argument("--json", action="store_true", help="one JSON object instead of text")

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        super().process_options(args, opts)
        given = positional("why", args, OPTIONS, "scrapy why URL [--crawl NAME] [--json]", 1, 1)[0]
        self._url = url_of("why", given)
        try:
            self._crawl = choose(crawls_dir(self.settings), opts.crawl)
            self._db = self._crawl.open()
        except BadInput as error:
            refuse("why", str(error))

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        assert self.settings is not None
        agent, now = str(self.settings.get("ROBOTSTXT_USER_AGENT") or "focuscrawl"), time.time()
        facts = explain(self._db, self._url)
        self._db.close()
        if opts.json:
            print(orjson.dumps(as_json(facts, now, self._crawl.name, agent), option=orjson.OPT_INDENT_2).decode())
            return
        head = f"{one_line(self._url)}   (crawl {one_line(self._crawl.name)})"
        show([head, sentence(facts, now, agent), *details(facts, now)], sys.stdout)
