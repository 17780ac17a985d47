"""Sitemaps and feeds as signals: which of the pages we know have changed since we looked, by what they tell."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Protocol

from focuscrawl.items import SITEMAP, Entry, Lease
from focuscrawl.recrawl.entries import tells_changes
from focuscrawl.recrawl.state import Habit, Visit
from focuscrawl.store.database import Database
from focuscrawl.store.visits import load_habits, load_visit
from focuscrawl.url.key import url_key

TOLERANCE = 60.0
"""Seconds by which a site's clock may be ahead of ours."""
AT_ONCE = 500
MOST = 1000
"""Pages that one sitemap or feed signals in one visit, the latest changes first; the rest come at later visits. Each costs the
transaction 0.3 ms."""
SIGNAL = """update visit set signal=?, signal_at=?, signal_kind=?, due_at=?
    where hid=? and uid=? and checked_at=? and signal_at=?"""
"""Nothing when it was looked at, or told of by another source, in between."""
SEEN = "select hid, uid, checked_at, signal, signal_at from visit where hid=?"
Key = tuple[int, int]


class Planner(Protocol):
    """Of `focuscrawl.recrawl.planning`, what is used here."""

    def signalled(self, visit: Visit, habit: Habit, kind: int, modified_at: float, now: float) -> Visit: ...


def apply(db: Database, planner: Planner, source: Lease, entries: Sequence[Entry], now: float) -> int:
    """Note which known pages have changed since they were last looked at, as the sitemap or feed `source`, fetched `now`,
    tells; returns how many. A time of change is told once: the same time does not signal again after a visit.

    Times of a sitemap that are nearly all of today are ignored (`recrawl.entries`)."""
    if source.kind == SITEMAP and not tells_changes(entries, now):
        return 0
    told = _latest(entries)
    news = [(hid, uid) for hid, uid, *seen in _seen(db, sorted(told)) if _is_news(told[hid, uid], now, *seen)]
    latest = heapq.nlargest(MOST, news, key=told.__getitem__)
    visits = [visit for key in sorted(latest) if (visit := load_visit(db, *key))]
    if not visits:
        return 0
    habits = load_habits(db, {visit.hid for visit in visits})
    rows = []
    for visit in visits:
        modified = told[visit.hid, visit.uid]
        habit = habits.get(visit.hid) or Habit(visit.hid)
        new = planner.signalled(replace(visit, signal_at=0.0), habit, source.kind, min(modified, now), now)
        key = (visit.hid, visit.uid, visit.checked_at, visit.signal_at)
        rows.append((new.signal, max(modified, visit.signal_at), source.kind, new.due_at, *key))
    db.executemany(SIGNAL, rows)
    return len(rows)


def _latest(entries: Sequence[Entry]) -> dict[Key, float]:
    told: dict[Key, float] = {}
    for entry in entries:
        if entry.modified > 0:
            key = url_key(entry.url)[2:]
            told[key] = max(entry.modified, told.get(key, 0.0))
    return told


def _is_news(modified: float, now: float, checked_at: float, signal: float, signal_at: float) -> bool:
    """What was never fetched is due already. The end of today, which a date alone means, stays ahead of all visits of today: it
    signals once, like a time that was told and has not been looked after."""
    if not 0.0 < checked_at < modified - TOLERANCE:
        return False
    return modified > signal_at or (signal == 0.0 and modified <= now)


def _seen(db: Database, keys: Sequence[Key]) -> Iterator[tuple[int, int, float, float, float]]:
    """hid, uid, checked_at, signal and signal_at of those that have visits."""
    for start in range(0, len(keys), AT_ONCE):
        by_host: dict[int, list[int]] = {}
        for hid, uid in keys[start : start + AT_ONCE]:
            by_host.setdefault(hid, []).append(uid)
        for hid, uids in by_host.items():
            marks = ",".join("?" * len(uids))
            yield from db.execute(f"{SEEN} and uid in ({marks})", (hid, *uids)).fetchall()
