"""`scrapy frontier ls`: what waits, the best first, and for what."""

from __future__ import annotations

import argparse

import orjson

from focuscrawl.commands.frontiers.hosts import host_of
from focuscrawl.commands.topics.subcommand import Context, print_parts
from focuscrawl.errors import BadInput
from focuscrawl.params import nearest
from focuscrawl.report.frontier import waiting_json, waiting_table
from focuscrawl.report.plain import count, one_line, plural
from focuscrawl.report.table import Table
from focuscrawl.store.control import Wanted, read_control
from focuscrawl.store.crawls import choose
from focuscrawl.store.database import Database
from focuscrawl.store.listing import WAITING, Kind, waiting_urls
from focuscrawl.store.roster import store_now

USAGE = "ls [NAME] [--host HOST] [--state queued|retry|leased|removed] [--limit N] [--json]"
SUMMARY = "List what waits, the best first, and what each waits for. Without NAME: the latest crawl."
LIMIT = 20
MOST = 100_000


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", default="")
    parser.add_argument("--host", default="")
    parser.add_argument("--state", default="")
    parser.add_argument("--limit", type=int, default=LIMIT)
    parser.add_argument("--json", action="store_true")


def run(context: Context, options: argparse.Namespace) -> int:
    if options.state and options.state not in list(Kind):
        raise BadInput(f"--state {options.state!r} is no state{nearest(options.state, list(Kind))}")
    if not 1 <= options.limit <= MOST:
        raise BadInput(f"--limit {options.limit} is not between 1 and {MOST:,}")
    host = host_of("frontier ls", options.host) if options.host else ""
    kinds = (Kind(options.state),) if options.state else WAITING
    crawl = choose(context.crawls_dir, options.name)
    db = crawl.open()
    try:
        now, found = store_now(db), waiting_urls(db, options.limit, kinds, host)
        head = "" if options.json else _head(db, crawl.name)
    finally:
        db.close()
    if options.json:
        for one in found:
            print(orjson.dumps(waiting_json(one, now)).decode())
        return 0
    parts: list[str | Table] = [head]
    parts.append(waiting_table(found, now) if found else "Nothing of that kind.")
    print_parts(parts)
    return 0


def _head(db: Database, name: str) -> str:
    states = dict(db.execute("select state, count(*) from url where state in (0, 1, 2) group by state").fetchall())
    queued, leased, retry = (int(states.get(state, 0)) for state in (0, 1, 2))
    text = f"{one_line(name)}: {plural(queued, 'URL')} queued, {count(retry)} waiting for another try, {count(leased)} leased"
    wanted = read_control(db).state
    if wanted is not Wanted.RUN:
        text += f"; the crawl is {'paused' if wanted is Wanted.PAUSE else 'stopped'} by an operator"
    return text
