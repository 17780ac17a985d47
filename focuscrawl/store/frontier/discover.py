"""Writing found links into the frontier: seen-test, insertion and re-scoring of a page's links in one batch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from focuscrawl.frontier.lanes import is_lifted
from focuscrawl.frontier.states import State
from focuscrawl.store.engines.database import Database, UrlChange, UrlFacts
from focuscrawl.store.frontier.host_rows import HostChanges
from focuscrawl.store.frontier.partitions import bucket_by, grain_of, url_bucket
from focuscrawl.url.key import url_key

NOT_OURS: UrlFacts = (-1, 0.0, 0, 0, 0, 0)
MARGIN = 0.02
"""A waiting URL is lifted only by an improvement of more than this."""


@dataclass(slots=True)
class DiscoveredUrl:
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
        self.origin, self.tail, self.hid, self.uid = url_key(self.url)


def discover(
    db: Database,
    found: Sequence[DiscoveredUrl],
    now: float,
    *,
    lift: bool = True,
    hosts: HostChanges | None = None,
    grain: str = "",
) -> int:
    """Insert what is new, lift what waits with a lower priority (`lift`). Returns the number of new URLs.

    `hosts`: where changes of host rows are collected, to be written by the caller; None: they are written here.
    `grain`: of static allocation; empty: to be looked up."""
    changes = hosts or HostChanges()
    best: dict[tuple[int, int], DiscoveredUrl] = {}
    for item in found:
        key = (item.hid, item.uid)
        if key not in best or item.priority > best[key].priority:
            best[key] = item
    items = [best[key] for key in sorted(best)]
    known = db.dialect.known_urls(db, best.keys())
    new = [item for item in items if (item.hid, item.uid) not in known]
    by = (grain or grain_of(db)) if new else ""
    for item in new:
        changes.find(item.hid, item.origin, bucket_by(by, item.origin))
    inserted = db.dialect.insert_urls(
        db,
        [(i.hid, i.uid, i.priority, i.depth, i.distance, i.hops, i.kind, i.parent, i.tail, url_bucket(by, i.url)) for i in new],
    )
    changes.lift((item.hid, item.priority) for item in new)
    _improve(db, [item for item in items if _better(item, known.get((item.hid, item.uid)), lift)], lift, changes)
    if hosts is None:
        changes.write(db, now)
    return inserted


def _better(item: DiscoveredUrl, known: tuple[int, float, int, int] | None, lift: bool) -> bool:
    """Whether a known URL that waits is to be changed: it is promised more, is nearer, or is a seed or an example now."""
    if known is None:
        return False
    state, priority, depth, distance = known
    if state not in (State.QUEUED, State.WAIT):
        return False
    return _lifts(item, state, priority, lift) or item.depth < depth or item.distance < distance or item.kind > 0


def _lifts(item: DiscoveredUrl, state: int, priority: float, lift: bool) -> bool:
    """A better link lifts what is queued, inside its lane: what an old crawl left waiting stays there, though a recrawl sees
    a link to it again."""
    better = lift and state == State.QUEUED and item.priority > priority + MARGIN
    return better and is_lifted(item.priority) == is_lifted(priority)


def _improve(db: Database, items: Sequence[DiscoveredUrl], lift: bool, changes: HostChanges) -> None:
    """Change known URLs. One that another worker is changing just now is left as it is."""
    ours = db.dialect.lock_urls(db, [(item.hid, item.uid) for item in items]) if items else {}
    rows: list[UrlChange] = []
    for item in items:
        state, priority, depth, distance, kind, parent = ours.get((item.hid, item.uid), NOT_OURS)
        if state not in (State.QUEUED, State.WAIT):
            continue
        lifted = _lifts(item, state, priority, lift)
        if lifted:
            priority, parent, distance = item.priority, item.parent, item.distance
            changes.lift([(item.hid, priority)])
        nearest = min(distance, item.distance)
        kind = max(kind, item.kind)
        rows.append((priority, parent, min(depth, item.depth), nearest, kind, int(lifted), item.hid, item.uid))
    db.dialect.change_urls(db, rows)


class Rescored(NamedTuple):
    """A new priority for a URL; `reason`: its parts as JSON pairs, empty to leave those that are there."""

    hid: int
    uid: int
    priority: float
    reason: str = ""


def rescore(db: Database, scores: Sequence[Rescored], now: float = 0.0, hosts: HostChanges | None = None) -> int:
    """Give waiting URLs new priorities in place; other states, and the upper lane, are left alone. Returns how many were
    changed."""
    changes = hosts or HostChanges()
    rows = {(row.hid, row.uid): (row.priority, row.reason, row.hid, row.uid) for row in scores}
    ours = db.dialect.lock_urls(db, rows.keys()) if rows else {}
    changed = db.dialect.rescore_urls(db, [rows[key] for key in sorted(ours)])
    changes.look_again(changed)
    if hosts is None:
        changes.write(db, now)
    return len(changed)
