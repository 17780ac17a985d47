"""`scrapy why URL`: was it fetched, does it wait, was it refused, or never seen, and by what? And what has changed?"""

from __future__ import annotations

import argparse
import sys
import time
from contextlib import closing

import orjson
from scrapy.commands import ScrapyCommand

from focuscrawl.commands.arguments import crawls_dir, positional, refuse, url_of
from focuscrawl.commands.output import printing
from focuscrawl.config.options import read_recrawl_options
from focuscrawl.errors import BadInput
from focuscrawl.report.plain import one_line
from focuscrawl.report.table import show
from focuscrawl.report.text_diff import show_diff
from focuscrawl.report.why import as_json, details, sentence
from focuscrawl.store.crawls import choose
from focuscrawl.store.pages.explain import Explanation, explain
from focuscrawl.store.revisits.versions import VersionDiff, diff_of

OPTIONS = ("--crawl", "--json", "--diff")
WANTED = "scrapy why URL [--crawl NAME] [--diff [N]] [--json]"
LAST = "last"


class Command(ScrapyCommand):
    """Exit codes: 0 whatever the answer is; 2 for an unknown crawl, a version that is not kept, or what is no URL."""

    requires_project = True
    requires_crawler_process = False
    default_settings = {"LOG_ENABLED": False}  # noqa: RUF012  (typed by the base class)

    def syntax(self) -> str:
        return WANTED.removeprefix("scrapy why ")

    def short_desc(self) -> str:
        return "Tell why a URL was fetched, waits, or was not fetched"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--crawl", default="", metavar="NAME", help="crawl to look in (default: the latest)")
        parser.add_argument(
            "--diff",
            nargs="?",
            const=LAST,
            metavar="N",
            help="show what changed after the last former version, or after version N",
        )
        parser.add_argument("--json", action="store_true", help="one JSON object instead of text")

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        super().process_options(args, opts)
        assert self.settings is not None
        if opts.diff and not opts.diff.isdecimal() and opts.diff != LAST and not args:
            args, opts.diff = [opts.diff], LAST  # `scrapy why --diff URL`
        self._url = url_of("why", positional("why", args, OPTIONS, WANTED, 1, 1)[0])
        if opts.diff and opts.diff != LAST and not opts.diff.isdecimal():
            refuse("why", f"--diff {opts.diff!r} is not the number of a version, such as 1")
        try:
            self._policy = read_recrawl_options(self.settings).policy
            self._crawl = choose(crawls_dir(self.settings), opts.crawl)
            self._db = self._crawl.open()
        except BadInput as error:
            refuse("why", str(error))

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        assert self.settings is not None
        agent, now = str(self.settings.get("ROBOTSTXT_USER_AGENT") or "focuscrawl"), time.time()
        with closing(self._db):
            facts = explain(self._db, self._url)
            diff = self._diff(facts, opts.diff) if opts.diff else None
        with printing():
            self._print(facts, diff, agent, now, opts.json)

    def _print(self, facts: Explanation, diff: VersionDiff | None, agent: str, now: float, as_object: bool) -> None:
        if as_object:
            told = as_json(facts, now, self._crawl.name, agent) | ({"diff": diff} if diff else {})
            print(orjson.dumps(told, option=orjson.OPT_INDENT_2).decode())
            return
        if diff:
            show_diff(diff, sys.stdout)
            return
        head = f"{one_line(self._url)}   (crawl {one_line(self._crawl.name)})"
        show([head, sentence(facts, now, agent), *details(facts, now, self._policy)], sys.stdout)

    def _diff(self, facts: Explanation, asked: str) -> VersionDiff:
        """Of the version that was asked for; else the program ends with what there is instead."""
        versions = facts.freshness.versions if facts.freshness else ()
        numbers = [str(version.number) for version in versions]
        wanted = asked.lstrip("0") if asked != LAST else numbers[-1] if numbers else ""
        if facts.page and wanted in numbers and (found := diff_of(self._db, facts.page.pid, int(wanted))):
            return found
        if not numbers:
            refuse("why", f"no former version of {one_line(self._url)} is kept (setting RECRAWL_VERSIONS)")
        refuse("why", f"there is no version {one_line(asked, 40)} of {one_line(self._url)}; there are {', '.join(numbers)}")
