"""`scrapy search NAME WORDS`: searches the pages of a crawl."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from contextlib import closing
from typing import TYPE_CHECKING

from focuscrawl.command_line.base import ProjectCommand
from focuscrawl.command_line.context import Failure
from focuscrawl.command_line.output import note
from focuscrawl.errors import BadInput

if TYPE_CHECKING:
    from focuscrawl.search.searching import SearchResult

SLOW_TO_INDEX = 1000
"""The number of new pages from which on indexing takes long enough to be reported."""


class Command(ProjectCommand):
    """Exit codes: 0, also if nothing was found; 1 while another process makes the index for the first time; 2 for bad input,
    an unknown crawl, or a crawl without pages."""

    summary = "Search the relevant pages of a crawl"
    usage = 'NAME "WORDS" [--limit N] [--all] [--json]\n  scrapy search NAME --refresh'

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        from focuscrawl.command_line.option_values import whole_number

        parser.add_argument("name", metavar="NAME", help="the crawl")
        parser.add_argument(
            "words",
            nargs="*",
            metavar="WORDS",
            help='words, "a phrase", -word, site:example.org, lang:zh, title:word, after:2026-01-31, before:2026',
        )
        parser.add_argument(
            "--limit", type=whole_number(1, 1000), default=10, metavar="N", help="at most N pages (default: %(default)s)"
        )
        parser.add_argument("--all", action="store_true", help="also off-topic pages")
        parser.add_argument("--json", action="store_true", help="a JSON list of objects")
        parser.add_argument("--refresh", action="store_true", help="only update the index from the crawl, at a low priority")

    def execute(self, options: argparse.Namespace) -> int:
        from dataclasses import replace

        from focuscrawl.report.plain import count, plural
        from focuscrawl.search.query import parse
        from focuscrawl.search.searching import CrawlSearch, lower_priority
        from focuscrawl.store.crawls import crawl_named

        _check(options)
        if options.refresh:
            lower_priority()
        query = None if options.refresh else replace(parse(" ".join(options.words)), relevant=not options.all)
        crawl = crawl_named(self.context.crawls_dir, options.name)

        def progress(done: int) -> None:
            self._note(f"indexed {count(done)} pages …")

        with closing(CrawlSearch(crawl, progress, lasting=options.refresh)) as search:
            if not search.pages and search.may_lag:
                raise Failure(f"the search index of {crawl.name} is just being made; ask again in a minute")
            if not search.pages:
                raise BadInput(f"crawl {crawl.name!r} has no pages yet; let it fetch its first ones")
            if query is None:
                added = "another process keeps it" if search.may_lag else f"{plural(search.added, 'page')} new or changed"
                self._note(f"the search index of {crawl.name} holds {plural(search.pages, 'page')}; {added}")
                return 0
            if search.added >= SLOW_TO_INDEX:
                self._note(f"indexed {plural(search.added, 'page')} of crawl {crawl.name}")
            found = search.search(query, options.limit)
        self._show(found, crawl.name, options)
        return 0

    def _show(self, found: Sequence[SearchResult], crawl: str, options: argparse.Namespace) -> None:
        from focuscrawl.command_line.output import print_json
        from focuscrawl.report.search import as_json, show_results

        if options.json:
            print_json([as_json(each) for each in found])
        elif found:
            show_results(found, sys.stdout, self.context.language)
        else:
            hint = "" if options.all else "; --all searches off-topic pages too"
            self._note(f"no page of {crawl} says that{hint}")

    def _note(self, text: str) -> None:
        note(self.context.language(text))


def _check(options: argparse.Namespace) -> None:
    """Raises BadInput unless it is said what to search for, or that the index is to be refreshed."""
    if options.words and options.refresh:
        raise BadInput("--refresh searches nothing; leave out either --refresh or the words")
    if not options.words and not options.refresh:
        raise BadInput(f'say what to search for in which crawl: scrapy search NAME "WORDS" (only {options.name!r} was given)')
