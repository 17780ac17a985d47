"""`scrapy frontier copy`: copies the store of a crawl to PostgreSQL or back to SQLite, or makes a second crawl of it."""

from __future__ import annotations

import argparse
import time
from datetime import UTC, datetime
from pathlib import Path

from focuscrawl.command_line.base import INTERRUPTED
from focuscrawl.command_line.context import Context, Failure
from focuscrawl.command_line.output import ProgressLine, print_json
from focuscrawl.config.arguments import check_name
from focuscrawl.errors import BadInput
from focuscrawl.store.copying.files import begin_clone, end_clone
from focuscrawl.store.copying.move import CopyTarget, Moved, PostgresTarget, SqliteTarget, move
from focuscrawl.store.copying.rows import CopyError
from focuscrawl.store.crawls import Crawl, crawl_named, remembered

SQLITE, POSTGRES = "sqlite", ("postgresql://", "postgres://")


def copy_store(context: Context, options: argparse.Namespace) -> int:
    crawl = crawl_named(context.crawls_dir, options.name)
    new = check_name(options.new, "--name") if options.new else ""
    directory = context.crawls_dir / new if new else crawl.directory
    target = _target(options.to, directory, new or crawl.name)
    if not new:
        _refuse_same(crawl, target)
    else:
        begin_clone(crawl, directory)
    line = ProgressLine()
    try:
        moved = move(crawl, target, lambda step, table, rows: line.show(f"{step} {table}: {rows:,} rows"))
    except CopyError as error:
        raise Failure(f"{error}; the crawl keeps its store; start the copy again") from error
    except KeyboardInterrupt:
        context.note("stopped; the crawl keeps its store; the next copy starts over")
        return INTERRUPTED
    if new:
        end_clone(directory)
    _print_result(moved, crawl.name, new, options.json)
    return 0


def _target(to: str, directory: Path, name: str) -> CopyTarget:
    stamp = datetime.fromtimestamp(time.time(), UTC).strftime("%Y%m%dT%H%M%S")
    if to == SQLITE:
        return SqliteTarget(directory, stamp)
    if to.startswith(POSTGRES):
        return PostgresTarget(directory, to, name, stamp)
    raise BadInput(f"--to {to.partition(':')[0][:40]!r} is neither sqlite nor postgresql://USER@HOST:PORT/DATABASE")


def _refuse_same(crawl: Crawl, target: CopyTarget) -> None:
    location = remembered(crawl.directory)
    same = location == target.location if isinstance(target, PostgresTarget) else location is None
    if same:
        raise BadInput(f"crawl {crawl.name} already has its store there; for a second crawl, give --name NEW")


def _print_result(moved: Moved, name: str, new: str, as_json: bool) -> None:
    rows = sum(moved.tables.values())
    if as_json:
        print_json({"crawl": new or name, "store": moved.target, "old": moved.source, "rows": rows, "tables": moved.tables})
        return
    print(f"crawl {new or name}: {rows:,} rows copied and checked; its store is {moved.target}")
    if new:
        print(f"crawl {name} is as it was, at {moved.source}")
    else:
        print(f"the old store is left as it was, at {moved.source}; nothing of the crawl uses it any more")
