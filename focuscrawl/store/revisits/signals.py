"""Sitemaps and feeds as signals: which known pages they announce as changed since the last visit."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import replace

from focuscrawl.items import SITEMAP, Lease, SourceEntry
from focuscrawl.recrawl.entries import gives_change_times
from focuscrawl.recrawl.planning import Planner
from focuscrawl.recrawl.state import SiteProfile
from focuscrawl.store.engines.database import Database
from focuscrawl.store.revisits.revisit_rows import load_profiles, load_revisit
from focuscrawl.url.key import UrlId, url_key

TOLERANCE = 60.0
"""Seconds by which a site's clock may be ahead of ours."""
AT_ONCE = 500
"""URLs in one query."""
MOST = 1000
"""Most pages that one visit of a sitemap or feed signals, the latest changes first; the rest follow at later visits. Each takes
0.3 ms of the transaction."""
SIGNAL = """update revisit set signal=?, signal_at=?, signal_kind=?, due_at=?
    where hid=? and uid=? and checked_at=? and signal_at=?"""
"""Changes nothing if the page was visited, or signalled by another source, in between."""
SEEN = "select hid, uid, checked_at, signal, signal_at from revisit where hid=?"


def apply_signals(db: Database, planner: Planner, source: Lease, entries: Sequence[SourceEntry], now: float) -> int:
    """Note which known pages have changed since their last visit according to the sitemap or feed `source`, fetched `now`.

    Returns how many. After a visit, the same time of change does not signal again. Times of a sitemap that are nearly all of
    today are ignored (`recrawl.entries`)."""
    if source.kind == SITEMAP and not gives_change_times(entries, now):
        return 0
    announced = _latest(entries)
    news = [(hid, uid) for hid, uid, *seen in _seen(db, sorted(announced)) if _is_news(announced[hid, uid], now, *seen)]
    latest = heapq.nlargest(MOST, news, key=announced.__getitem__)
    visits = [visit for key in sorted(latest) if (visit := load_revisit(db, *key))]
    if not visits:
        return 0
    profiles = load_profiles(db, {visit.hid for visit in visits})
    rows = []
    for visit in visits:
        modified = announced[visit.hid, visit.uid]
        profile = profiles.get(visit.hid) or SiteProfile(visit.hid)
        new = planner.signalled(replace(visit, signal_at=0.0), profile, source.kind, min(modified, now), now)
        key = (visit.hid, visit.uid, visit.checked_at, visit.signal_at)
        rows.append((new.signal, max(modified, visit.signal_at), source.kind, new.due_at, *key))
    db.executemany(SIGNAL, rows)
    return len(rows)


def _latest(entries: Sequence[SourceEntry]) -> dict[UrlId, float]:
    """The latest time of change that is announced for each URL."""
    latest: dict[UrlId, float] = {}
    for entry in entries:
        if entry.modified > 0:
            key = url_key(entry.url).url_id
            latest[key] = max(entry.modified, latest.get(key, 0.0))
    return latest


def _is_news(modified: float, now: float, checked_at: float, signal: float, signal_at: float) -> bool:
    """Whether an announced time of change is new. A page that was never fetched is due anyway.

    A date alone means the end of that day, so that of today is later than all visits of today; it signals only once."""
    if not 0.0 < checked_at < modified - TOLERANCE:
        return False
    return modified > signal_at or (signal == 0.0 and modified <= now)


def _seen(db: Database, keys: Sequence[UrlId]) -> Iterator[tuple[int, int, float, float, float]]:
    """(hid, uid, checked_at, signal, signal_at) of those URLs that have a revisit schedule."""
    for start in range(0, len(keys), AT_ONCE):
        by_host: dict[int, list[int]] = {}
        for hid, uid in keys[start : start + AT_ONCE]:
            by_host.setdefault(hid, []).append(uid)
        for hid, uids in by_host.items():
            marks = ",".join("?" * len(uids))
            yield from db.execute(f"{SEEN} and uid in ({marks})", (hid, *uids)).fetchall()
