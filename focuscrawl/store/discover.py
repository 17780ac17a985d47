"""Writing found links into the frontier: seen-test, insertion and re-scoring of a page's links in one batch."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from focuscrawl.frontier.states import State
from focuscrawl.url.hosts import hid_of, host_name, registered_domain, uid_of
from focuscrawl.url.normalize import split

MARGIN = 0.02
"""A waiting URL is lifted only by an improvement of more than this."""

INSERT_URL = """insert into url(hid, uid, score, depth, distance, hops, kind, parent, tail)
    values(?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing"""
RAISE_KIND = "update url set kind=? where hid=? and uid=? and state in (0, 2) and kind<?"
LIFT_URL = """update url set score=?, parent=?, depth=min(depth, ?), distance=?, reason='' where hid=? and uid=? and state=0
    and score<?"""
NEAR_URL = "update url set depth=min(depth, ?), distance=min(distance, ?) where hid=? and uid=? and state in (0, 2)"
INSERT_HOST = """insert into host(hid, origin, name, site, ready_at, pace, found_at) values(?, ?, ?, ?, ?, ?, ?)
    on conflict do nothing"""
RESCORE = """update url set score=?1, reason=coalesce(nullif(?2, ''), reason) where hid=?3 and uid=?4 and state in (0, 2)
    and score<>?1"""
BEST_OF_HOST = "select score from url where hid=? and state=0 order by score desc limit 1"
LIFT_HOST = "update host set best=? where hid=? and (best is null or best<?)"


@dataclass(slots=True)
class Found:
    """A URL to be known from now on."""

    url: str
    priority: float
    depth: int = 0
    distance: int = 0
    hops: int = 0
    kind: int = 0
    parent: int = 0
    hid: int = field(init=False)
    uid: int = field(init=False)
    origin: str = field(init=False)
    tail: str = field(init=False)

    def __post_init__(self) -> None:
        self.origin, self.tail, self.hid, self.uid = place_of(self.url)


@lru_cache(maxsize=32768)
def place_of(url: str) -> tuple[str, str, int, int]:
    """(origin, tail, hid, uid) of a normal URL: the links of a site's navigation stand on all of its pages."""
    origin, tail = split(url)
    return origin, tail, hid_of(origin), uid_of(url)


def discover(db: sqlite3.Connection, found: Sequence[Found], now: float, *, lift: bool = True) -> int:
    """Insert what is new, lift what waits with a lower priority (`lift`). Returns the number of new URLs."""
    best: dict[tuple[int, int], Found] = {}
    for item in found:
        key = (item.hid, item.uid)
        if key not in best or item.priority > best[key].priority:
            best[key] = item
    items = [best[key] for key in sorted(best)]
    known = _known(db, items)
    new = [item for item in items if (item.hid, item.uid) not in known]
    lifted = []
    for item in items:
        state, score, depth, distance = known.get((item.hid, item.uid), (-1, 0.0, 0, 0))
        if lift and state == State.QUEUED and item.priority > score + MARGIN:
            lifted.append(item)
        elif state in (State.QUEUED, State.WAIT) and (item.depth < depth or item.distance < distance):
            db.execute(NEAR_URL, (item.depth, item.distance, item.hid, item.uid))
    db.executemany(RAISE_KIND, [(i.kind, i.hid, i.uid, i.kind) for i in items if i.kind])
    _insert_hosts(db, new, now)
    db.executemany(
        INSERT_URL,
        [(i.hid, i.uid, i.priority, i.depth, i.distance, i.hops, i.kind, i.parent, i.tail) for i in new],
    )
    db.executemany(LIFT_URL, [(i.priority, i.parent, i.depth, i.distance, i.hid, i.uid, i.priority) for i in lifted])
    lift_hosts(db, ((i.hid, i.priority) for i in (*new, *lifted)))
    return len(new)


def _known(db: sqlite3.Connection, items: Sequence[Found]) -> dict[tuple[int, int], tuple[int, float, int, int]]:
    by_host: dict[int, list[int]] = {}
    for item in items:
        by_host.setdefault(item.hid, []).append(item.uid)
    known = {}
    for hid, uids in by_host.items():
        for start in range(0, len(uids), 500):
            part = uids[start : start + 500]
            marks = ",".join("?" * len(part))
            rows = db.execute(
                f"select uid, state, score, depth, distance from url where hid=? and uid in ({marks})", (hid, *part)
            )
            for uid, state, score, depth, distance in rows:
                known[hid, uid] = (state, score, depth, distance)
    return known


def _insert_hosts(db: sqlite3.Connection, new: Iterable[Found], now: float) -> None:
    origins = {item.hid: item.origin for item in new}
    if not origins:
        return
    marks = ",".join("?" * len(origins))
    there = {hid for (hid,) in db.execute(f"select hid from host where hid in ({marks})", tuple(origins))}
    for hid, origin in origins.items():
        if hid not in there:
            name = host_name(origin)
            ready, pace = db.execute("select max(ready_at), pace from host where name=?", (name,)).fetchone()
            db.execute(INSERT_HOST, (hid, origin, name, registered_domain(name), ready or 0.0, pace or "", now))


def lift_hosts(db: sqlite3.Connection, priorities: Iterable[tuple[int, float]]) -> None:
    """Raise the best waiting priority of hosts; after every change that puts a URL in the queue."""
    best: dict[int, float] = {}
    for hid, priority in priorities:
        if hid not in best or priority > best[hid]:
            best[hid] = priority
    db.executemany(LIFT_HOST, [(best[hid], hid, best[hid]) for hid in sorted(best)])


class Rescored(NamedTuple):
    """A new priority for a URL; `reason`: its parts as JSON pairs, empty to leave those that are there."""

    hid: int
    uid: int
    priority: float
    reason: str = ""


def rescore(db: sqlite3.Connection, scores: Sequence[Rescored]) -> int:
    """Give waiting URLs new priorities in place; other states are left alone. Returns how many were changed."""
    before = db.total_changes
    touched = set()
    for row in sorted(scores):
        if db.execute(RESCORE, (row.priority, row.reason, row.hid, row.uid)).rowcount:
            touched.add(row.hid)
    changed = db.total_changes - before
    for hid in sorted(touched):
        refresh_host(db, hid)
    return changed


def refresh_host(db: sqlite3.Connection, hid: int) -> None:
    """Set the host's best waiting priority from its queue; written only where it has changed."""
    row = db.execute(BEST_OF_HOST, (hid,)).fetchone()
    db.execute("update host set best=?1 where hid=?2 and best is not ?1", (row[0] if row else None, hid))
