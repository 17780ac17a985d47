"""The freshness of the collection: revisits by due day, the change rates of sites, and the pages that are new, changed or
gone."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict

from focuscrawl.command_line.option_values import time_of
from focuscrawl.recrawl.state import DAY
from focuscrawl.report.revisits.changes import gather, what
from focuscrawl.report.revisits.freshness import MOST_REVISITS, freshness
from focuscrawl.store.crawls import Crawl
from focuscrawl.store.engines.database import Database
from focuscrawl.store.revisits.change_log import changes_of, last_run_began
from focuscrawl.store.revisits.revisit_rows import count_revisits
from focuscrawl.store.revisits.site_rates import site_rates
from focuscrawl.store.workers.status import store_now

MOST_SITES = 50
SHADES = 4
EPOCH_WEEKDAY = 3
"""The weekday of 1 January 1970, a Thursday; Monday is 0."""
CHANGES_QUERY = frozenset({"since", "all"})
CHANGES_ROWS, CHANGES_READ = 100, 5_000
"""Rows that are shown of each list, and the most changes that are read and counted."""


def view(crawl: Crawl, db: Database, query: Mapping[str, str]) -> dict[str, object]:
    now = store_now(db)
    found = freshness(db, now)
    return {
        "at": now, "all": found.all, "due": found.due, "later": found.later,
        "days": [{"day": day.begin, "due": day.due} for day in found.days],
        "changes": [{"day": day.begin, **day.kinds} for day in found.changes],
        "calendar_due": calendar([(day.begin, day.due) for day in found.days]),
        "calendar_changes": calendar([(day.begin, sum(day.kinds.values())) for day in found.changes]),
    }  # fmt: skip


Cell = dict[str, float]


def calendar(days: Sequence[tuple[float, int]]) -> list[list[Cell | None]]:
    """Days, given as (beginning, number), as weeks from Monday to Sunday, padded with None before the first and after the last
    day. `shade` is 0 for no changes, up to `SHADES` for the largest number. Days are in UTC, like all times that are shown."""
    most = max((number for _, number in days), default=0)
    weeks: list[list[Cell | None]] = []
    for begin, number in days:
        weekday = int(begin // DAY + EPOCH_WEEKDAY) % 7
        if not weeks or weekday == 0:
            weeks.append([None] * 7)
        weeks[-1][weekday] = {"day": begin, "number": number, "shade": math.ceil(SHADES * number / most) if number else 0}
    return weeks


def sites(crawl: Crawl, db: Database, query: Mapping[str, str]) -> dict[str, object]:
    """Change rates of the first sites, or `too_many` if the crawl has more revisits than are counted here."""
    if count_revisits(db) > MOST_REVISITS:
        return {"sites": [], "all_sites": 0, "too_many": True}
    rates = site_rates(db, store_now(db))
    return {"sites": [asdict(row) for row in rates[:MOST_SITES]], "all_sites": len(rates), "too_many": False}


def changes(crawl: Crawl, db: Database, query: Mapping[str, str]) -> dict[str, object]:
    """The changes since the time `since` of the query, or since the last run began. Raises BadInput if it is not a time."""
    now = store_now(db)
    given = query.get("since", "").strip()
    since = time_of("since", given, now) if given else last_run_began(db)
    everything = query.get("all") == "yes"
    lists = gather(changes_of(db, since, now + 1, everything=everything), crawl.name, since, now, CHANGES_ROWS, CHANGES_READ)
    shown = {net.value: [asdict(change) | {"what": what(change)} for change in rows] for net, rows in lists.shown.items()}
    return {
        "since": since, "until": now, "cut": lists.cut, "counts": {net.value: number for net, number in lists.counts.items()},
        "lists": shown,
    }  # fmt: skip
