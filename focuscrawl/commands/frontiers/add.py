"""`scrapy frontier add`: URLs that are to be fetched, whatever links say."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Sequence
from pathlib import Path

from focuscrawl.commands.steering import writable
from focuscrawl.commands.topics.subcommand import Context, note
from focuscrawl.errors import BadInput
from focuscrawl.inputfile import read_text
from focuscrawl.report.plain import count, plural
from focuscrawl.seedlist import SeedList, seeds_of, seeds_of_text
from focuscrawl.store.crawls import crawl_named
from focuscrawl.store.operating import Added, add
from focuscrawl.store.roster import store_now

USAGE = "add NAME URL|FILE|- ... [--score X]"
SUMMARY = (
    "Queue URLs, or those of files with one address a line. Like seeds they are fetched whatever the scope says, and again"
    " if they had failed or were removed. --score 1, the default, puts them before all links. Stored pages are due at once: the"
    " next recrawl looks at them."
)
SCORE = 1.0
"""Of a seed."""
MOST_PROBLEMS = 3
FILES = (".txt", ".csv", ".tsv", ".lst", ".list")


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name")
    parser.add_argument("urls", nargs="+")
    parser.add_argument("--score", type=float, default=SCORE)


def run(context: Context, options: argparse.Namespace) -> int:
    if not math.isfinite(options.score) or abs(options.score) > 1e6:
        raise BadInput(f"--score {options.score} is no number that a score can be; 0 to 1 is usual")
    crawl = crawl_named(context.crawls_dir, options.name)
    given = read_addresses(options.urls)
    for problem in given.problems[:MOST_PROBLEMS]:
        note(f"scrapy frontier add: {problem}")
    if len(given.problems) > MOST_PROBLEMS:
        note(f"scrapy frontier add: and {len(given.problems) - MOST_PROBLEMS} more that are skipped")
    if not given.urls:
        raise BadInput("none of it is an address that can be added")
    with writable("frontier add", crawl) as db:
        counts = add(db, given.urls, options.score, store_now(db))
    told = f"{plural(len(given.urls), 'URL')}: " + ", ".join(f"{count(number)} {what}" for what, number in counts.items())
    print(told + (f"; `scrapy recrawl {crawl.name}` looks at what is due" if Added.DUE in counts else ""))
    return 0


def read_addresses(given: Sequence[str]) -> SeedList:
    """Addresses, files of addresses, or `-` for standard input. Raises BadInput for a file that cannot be read."""
    urls: dict[str, None] = {}
    problems: list[str] = []
    for each in given:
        found = _read(each)
        urls.update(dict.fromkeys(found.urls))
        problems += found.problems
    return SeedList(tuple(urls), tuple(problems))


def _read(each: str) -> SeedList:
    if each == "-":
        return seeds_of_text(sys.stdin.read())
    if "://" not in each and _is_file(each):
        return seeds_of_text(read_text(Path(each), "The file of URLs"))
    if "://" not in each and _looks_like_a_file(each):
        raise BadInput(f"there is no file {each!r}; if it is an address, write http:// before it")
    return seeds_of([("the command line", each)])


def _looks_like_a_file(each: str) -> bool:
    """`urls.txt` and `lists/urls.txt`, but not `site.example/urls.txt`: no host name has such an end."""
    first, slash, _ = each.partition("/")
    return each.lower().endswith(FILES) and not (slash and "." in first.strip("."))


def _is_file(path: str) -> bool:
    try:
        return Path(path).is_file()
    except (OSError, ValueError):  # too long, or with NUL
        return False
