"""`scrapy frontier rm`: URLs that are not to be fetched, and stay away."""

from __future__ import annotations

import argparse

from focuscrawl.commands.arguments import SCHEME, url_of
from focuscrawl.commands.frontiers.add import read_addresses
from focuscrawl.commands.frontiers.hosts import host_of
from focuscrawl.commands.steering import writable
from focuscrawl.commands.topics.subcommand import Context
from focuscrawl.errors import BadInput
from focuscrawl.report.plain import count, plural
from focuscrawl.store.crawls import crawl_named
from focuscrawl.store.database import Database
from focuscrawl.store.operating import (
    Part,
    Removed,
    count_parts,
    parts_of_host,
    parts_of_prefix,
    remove_parts,
    remove_urls,
)
from focuscrawl.store.roster import store_now

USAGE = "rm NAME [URL|FILE|- ...] [--host HOST] [--prefix URL] [--dry-run]"
SUMMARY = (
    "Remove what waits: single URLs, all of a host, or all that begins with a URL. It is never fetched, also when links lead"
    " there again; `add` takes it back. URLs that are found below a host or prefix later are new: `hold` keeps a host out."
)


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name")
    parser.add_argument("urls", nargs="*")
    parser.add_argument("--host", action="append", default=[])
    parser.add_argument("--prefix", action="append", default=[])
    parser.add_argument("--dry-run", action="store_true")


def run(context: Context, options: argparse.Namespace) -> int:
    if not (options.urls or options.host or options.prefix):
        raise BadInput("say what to remove: URLs, --host HOST or --prefix URL")
    if options.dry_run and options.urls:
        raise BadInput("--dry-run counts what --host and --prefix would remove; leave the URLs away")
    crawl = crawl_named(context.crawls_dir, options.name)
    given = read_addresses(options.urls)
    if given.problems:
        raise BadInput(given.problems[0])
    with writable("frontier rm", crawl) as db:
        parts = _parts(db, options)
        if options.dry_run:
            print(f"to be removed: {_told(count_parts(db, parts))}")
            return 0
        now = store_now(db)
        removed = remove_parts(db, parts, now)
        one_by_one = remove_urls(db, given.urls, now)
    total = Removed(
        removed.waiting + one_by_one.waiting, removed.leased + one_by_one.leased, one_by_one.unknown, one_by_one.ended
    )
    print(f"removed: {_told(total)}")
    return 0


def _parts(db: Database, options: argparse.Namespace) -> list[Part]:
    parts: set[Part] = set()
    for host in options.host:
        parts |= set(found := parts_of_host(db, host_of("frontier rm", host)))
        if not found:
            raise BadInput(f"the crawl knows no host {host!r}")
    for prefix in options.prefix:
        parts |= set(found := parts_of_prefix(db, url_of("frontier rm", prefix), not SCHEME.match(prefix)))
        if not found:
            raise BadInput(f"the crawl knows no host of {prefix!r}")
    return sorted(parts, key=lambda part: (part.hid, part.tail))


def _told(removed: Removed) -> str:
    text = f"{plural(removed.waiting, 'waiting URL')}"
    text += f", {count(removed.leased)} that a worker had in hand" if removed.leased else ""
    text += f", {count(removed.unknown)} that nobody had met yet" if removed.unknown else ""
    if not removed.ended:
        return text
    stays = "stays as it is" if removed.ended == 1 else "stay as they are"
    return f"{text}; {plural(removed.ended, 'URL')} had ended before and {stays}"
