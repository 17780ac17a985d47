"""`scrapy why URL`: explains why a URL was fetched, waits, was refused or was never found, and shows how its page has
changed."""

from __future__ import annotations

import argparse
import sys
from contextlib import closing
from functools import partial
from shutil import get_terminal_size
from textwrap import fill
from typing import TYPE_CHECKING

from focuscrawl.command_line.base import HelpFormatter, ProjectCommand
from focuscrawl.errors import BadInput

if TYPE_CHECKING:
    from focuscrawl.store.engines.database import Database
    from focuscrawl.store.explain import Explanation
    from focuscrawl.store.revisits.versions import VersionDiff

LAST = "last"
"""The value of `--diff` without a number."""


class Command(ProjectCommand):
    """Exit codes: 0 whatever the answer is; 2 for an unknown crawl, a version that is not kept, or an invalid URL."""

    summary = "Say why a URL was fetched, waits, or was not fetched"
    usage = "URL [--crawl NAME] [--diff [N]] [--json]"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        # Optional for argparse only, which takes the URL of `scrapy why --diff URL` for the number.
        parser.add_argument("url", nargs="?", metavar="URL", help="you may leave out the scheme")
        parser.add_argument("--crawl", default="", metavar="NAME", help="crawl to ask (default: the latest that knows the URL)")
        parser.add_argument(
            "--diff", nargs="?", const=LAST, metavar="N",
            help="show what changed after the last former version, or after version N",
        )  # fmt: skip
        parser.add_argument("--json", action="store_true", help="one JSON object instead of text")
        _explain_parts(parser)

    def execute(self, options: argparse.Namespace) -> int:
        from focuscrawl.command_line.crawls import chosen_crawl
        from focuscrawl.command_line.option_values import url_of
        from focuscrawl.command_line.output import print_json, print_parts
        from focuscrawl.config.options import read_options
        from focuscrawl.inspect.explained import explained
        from focuscrawl.report.plain import one_line
        from focuscrawl.report.revisits.page_freshness import show_diff
        from focuscrawl.report.why import as_json, details, reason, sentence
        from focuscrawl.store.explain import has_met
        from focuscrawl.store.workers.status import store_now
        from focuscrawl.url.readable import readable

        settings = self.context.settings
        given, version = _url_and_version(options, self.missing)
        url = url_of(given)
        policy = read_options(settings).recrawl_policy
        crawl = chosen_crawl(self.context, options.crawl, partial(has_met, url=url))
        with closing(crawl.open()) as db:
            facts, now = explained(db, url), store_now(db)
            if version and not has_met(db, url):
                raise BadInput(f"crawl {one_line(crawl.name)} has never seen {one_line(facts.url)}")
            diff = _diff(db, facts, version) if version else None
        agent = str(settings.get("ROBOTSTXT_USER_AGENT") or "focuscrawl")
        if options.json:
            print_json(as_json(facts, now, crawl.name, agent) | ({"diff": diff} if diff else {}))
        elif diff:
            show_diff(diff, sys.stdout)
        else:
            _ = self.context.language
            head = f"{one_line(readable(url))}   ({_(f'crawl {one_line(crawl.name)}')})"
            sentences = [_(each) for each in (reason(facts), sentence(facts, now, agent)) if each]
            print_parts([head, *sentences, *details(facts, now, policy, _)], _)
        return 0


_ON_SCORES = (
    "A table shows how a URL came by its score; the higher it is, the earlier the URL is fetched. Each row is one part and what"
    " it adds or takes away; the last row is the sum. The first score was given when the URL was found; the last score takes in"
    " what the crawl has learned since. A table may have these parts:"
)


def _explain_parts(parser: argparse.ArgumentParser) -> None:
    """Add the meaning of the parts of a score to the help."""
    from focuscrawl.report.score_parts import PARTS

    parser.formatter_class = _Lines
    room = get_terminal_size().columns - 4
    parts = [fill(f"{part.words}: {part.meaning}", room, subsequent_indent="  ") for part in PARTS.values()]
    parser.add_argument_group("parts of a score", "\n".join([fill(_ON_SCORES, room), "", *parts]))


class _Lines(HelpFormatter, argparse.RawDescriptionHelpFormatter):
    """Keeps the line breaks of descriptions."""


def _url_and_version(options: argparse.Namespace, missing: BadInput) -> tuple[str, str]:
    """The URL, and the version that --diff asks for, if any."""
    url, version = options.url, options.diff or ""
    if url is None and version and version != LAST and not version.isdecimal():
        url, version = version, LAST
    if url is None:
        raise missing
    if version and version != LAST and not version.isdecimal():
        raise BadInput(f"--diff {version!r} is not the number of a version; give one such as 1")
    return str(url), version


def _diff(db: Database, facts: Explanation, asked: str) -> VersionDiff:
    """The difference from a former version. Raises BadInput, with the versions that there are, if that one is not kept."""
    from focuscrawl.report.plain import one_line
    from focuscrawl.store.revisits.versions import diff_of

    versions = facts.freshness.versions if facts.freshness else ()
    numbers = [str(version.number) for version in versions]
    wanted = asked.lstrip("0") if asked != LAST else numbers[-1] if numbers else ""
    if facts.page and wanted in numbers and (found := diff_of(db, facts.page.page_id, int(wanted))):
        return found
    if not numbers:
        raise BadInput(f"no former version of {one_line(facts.url)} is kept (setting RECRAWL_VERSIONS)")
    raise BadInput(f"there is no version {one_line(asked, 40)} of {one_line(facts.url)}; there are {', '.join(numbers)}")
