"""The pages that are new, changed or gone since a time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict

from focuscrawl.command_line.option_values import time_of
from focuscrawl.report.revisits.changes import gather, what
from focuscrawl.store.crawls import Crawl
from focuscrawl.store.engines.database import Database
from focuscrawl.store.revisits.change_log import changes_of, last_run_began
from focuscrawl.store.workers.status import store_now

QUERY = frozenset({"since", "all"})
ROWS, READ = 100, 5_000
"""Rows that are shown of each list, and the most changes that are read and counted."""


def view(crawl: Crawl, db: Database, query: Mapping[str, str]) -> dict[str, object]:
    """The changes since the time `since` of the query, or since the last run began. Raises BadInput if it is not a time."""
    now = store_now(db)
    given = query.get("since", "").strip()
    since = time_of("since", given, now) if given else last_run_began(db)
    everything = query.get("all") == "yes"
    lists = gather(changes_of(db, since, now + 1, everything=everything), crawl.name, since, now, ROWS, READ)
    shown = {net.value: [asdict(change) | {"what": what(change)} for change in rows] for net, rows in lists.shown.items()}
    return {
        "since": since, "until": now, "cut": lists.cut, "counts": {net.value: number for net, number in lists.counts.items()},
        "lists": shown,
    }  # fmt: skip
