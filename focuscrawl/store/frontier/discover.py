"""Writes discovered URLs into the frontier: seen-test, insertion and new priorities for all links of a page in one batch."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from focuscrawl.frontier.lanes import is_lifted, nth
from focuscrawl.frontier.states import State
from focuscrawl.store.engines.database import WAITING_STATES, Database, UrlChange
from focuscrawl.store.frontier.host_rows import HostChanges
from focuscrawl.store.frontier.partitions import bucket_by, grain_of, url_bucket
from focuscrawl.url.key import UrlId, UrlKey, url_key

UNKNOWN_KEY = UrlKey("", "", 0, 0)
WAITING_SCORES = f"""select u.hid, u.uid, u.priority, u.kind, u.priority_parts, h.origin, u.path from url u
    join host h on h.hid=u.hid where u.state in {WAITING_STATES}"""
EXPLAIN = "update url set priority_parts=? where hid=? and uid=? and parent=0"
MARGIN = 0.02
"""A waiting URL is lifted only by an improvement of more than this: each lift writes the URL's row and its host's."""


@dataclass(slots=True)
class DiscoveredUrl:
    """A URL that the frontier is to know from now on."""

    url: str
    """Canonical URL."""
    priority: float
    depth: int = 0
    """Clicks from a seed."""
    distance: int = 0
    """Irrelevant pages in a row on the way here."""
    hops: int = 0
    """Redirects that led here."""
    kind: int = 0
    """A kind of URL as in `focuscrawl.items`: link, seed, example, sitemap, feed, probe."""
    parent: int = 0
    """Page (`page_id`) whose link gave the URL its priority; 0: none."""
    key: UrlKey = UNKNOWN_KEY
    """Taken from the link if there is one, else computed here."""
    url_id: UrlId = field(init=False)

    def __post_init__(self) -> None:
        if self.key is UNKNOWN_KEY:
            self.key = url_key(self.url)
        self.url_id = self.key.hid, self.key.uid


def discover(
    db: Database,
    found: Sequence[DiscoveredUrl],
    now: float,
    *,
    lift: bool = True,
    hosts: HostChanges | None = None,
    grain: str = "",
    before: Counter[int] | None = None,
) -> int:
    """Insert new URLs, and improve known ones that wait: their priority, depth, distance or kind. Returns the number of new
    URLs.

    Args:
        found: the URLs; of several with one key the one with the highest priority counts.
        lift: whether a higher priority lifts a queued URL.
        hosts: where changes of host rows are collected for the caller to write; None: they are written here.
        grain: the grain of static allocation; empty: to be looked up.
        before: how many URLs of each host a recrawl has let into the upper lane before, to which these are added: each counts
            the less, the more there were, and none lifts one that waits there. None: all count as they are.
    """
    changes = hosts or HostChanges()
    best: dict[UrlId, DiscoveredUrl] = {}
    for item in found:
        key = item.url_id
        if key not in best or item.priority > best[key].priority:
            best[key] = item
    items = [best[key] for key in sorted(best)]  # the lock order: workers with the same URLs must not wait for each other
    known = db.dialect.known_urls(db, best.keys())
    if before is not None:
        items = _placed(items, known, before)
    new = [item for item in items if item.url_id not in known]
    by = (grain or grain_of(db)) if new else ""
    for item in new:
        changes.find(item.key.hid, item.key.origin, bucket_by(by, item.key.origin))
    inserted = db.dialect.insert_urls(
        db,
        [
            (*i.url_id, i.priority, i.depth, i.distance, i.hops, i.kind, i.parent, i.key.path, url_bucket(by, i.url))
            for i in new
        ],
    )
    changes.lift((item.key.hid, item.priority) for item in new)
    old = [(item, known[item.url_id]) for item in items if item.url_id in known]
    _improve(db, [item for item, facts in old if _better(item, facts, lift)], lift, changes)
    if hosts is None:
        changes.write(db, now)
    return inserted


def _placed(
    items: Sequence[DiscoveredUrl], known: Mapping[UrlId, tuple[int, float, int, int]], before: Counter[int]
) -> list[DiscoveredUrl]:
    """The same URLs in the same order. Those that enter the upper lane have priorities by their places among those of their
    hosts, the best first; those that are known keep theirs."""
    placed = {}
    for item in sorted(items, key=lambda item: -item.priority):
        if item.url_id in known and is_lifted(item.priority):
            item = replace(item, priority=known[item.url_id][1])
        elif is_lifted(item.priority):
            before[item.key.hid] += 1
            item = replace(item, priority=nth(item.priority, before[item.key.hid]))
        placed[item.url_id] = item
    return [placed[item.url_id] for item in items]


def _better(item: DiscoveredUrl, known: tuple[int, float, int, int], lift: bool) -> bool:
    """Whether a known URL that waits is to be changed, because it has a better priority, is nearer, or is no longer a plain
    link. `known`: (state, priority, depth, distance)."""
    state, priority, depth, distance = known
    if state not in (State.QUEUED, State.WAIT):
        return False
    return _lifts(item, state, priority, lift) or item.depth < depth or item.distance < distance or item.kind > 0


def _lifts(item: DiscoveredUrl, state: int, priority: float, lift: bool) -> bool:
    """Whether a better link lifts a queued URL. It does so only within the URL's lane, so that URLs that an earlier crawl left
    waiting stay where they are when a recrawl sees a link to them again."""
    better = lift and state == State.QUEUED and item.priority > priority + MARGIN
    return better and is_lifted(item.priority) == is_lifted(priority)


def _improve(db: Database, items: Sequence[DiscoveredUrl], lift: bool, changes: HostChanges) -> None:
    """Change known URLs, except those that another worker is changing just now. No link lifts what an operator has placed."""
    ours = db.dialect.lock_urls(db, [item.url_id for item in items]) if items else {}
    rows: list[UrlChange] = []
    for item in items:
        if item.url_id not in ours:
            continue
        state, priority, depth, distance, kind, parent, by_operator = ours[item.url_id]
        if state not in (State.QUEUED, State.WAIT):
            continue
        lifted = _lifts(item, state, priority, lift and not by_operator)
        if lifted:
            priority, parent, distance = item.priority, item.parent, item.distance
            changes.lift([(item.key.hid, priority)])
        nearest = min(distance, item.distance)
        kind = max(kind, item.kind)
        rows.append((priority, parent, min(depth, item.depth), nearest, kind, int(lifted), *item.url_id))
    db.dialect.change_urls(db, rows)


def explain_unlinked(db: Database, parts: Mapping[UrlId, str]) -> None:
    """Note the parts of the priorities, as JSON pairs, of URLs that were found without a page. A URL that another worker is
    changing just now, or has found on a page, is left out."""
    ours = db.dialect.lock_urls(db, sorted(parts))
    db.executemany(EXPLAIN, [(parts[url_id], *url_id) for url_id in sorted(ours)])


class Rescored(NamedTuple):
    """A new priority for a waiting URL."""

    url_id: UrlId
    priority: float
    parts: str = ""
    """The parts of the priority, as JSON pairs; empty: those in the store stay."""


class WaitingScore(NamedTuple):
    """The priority that a waiting URL has."""

    url_id: UrlId
    priority: float
    kind: int
    parts: str
    """The parts of the priority, as JSON pairs."""
    url: str


def waiting_scores(db: Database) -> list[WaitingScore]:
    """The priorities of all waiting URLs, in no order. They are read before this returns, so that the caller may change the
    rows."""
    return [
        WaitingScore((hid, uid), priority, kind, parts, origin + path)
        for hid, uid, priority, kind, parts, origin, path in db.execute(WAITING_SCORES)
    ]


def taken_out(db: Database, scores: Sequence[Rescored]) -> list[UrlId]:
    """Those of these URLs that do not wait any more although nobody has fetched them: an operator, or a rule, has put them
    aside."""
    known = db.dialect.known_urls(db, [row.url_id for row in scores])
    return [url_id for url_id, (state, *_) in known.items() if state == State.FILTERED]


def rescore(db: Database, scores: Sequence[Rescored], now: float = 0.0, hosts: HostChanges | None = None) -> int:
    """Give waiting URLs new priorities. URLs in other states, in the upper or a lower lane, or with a priority that an operator
    gave, are left as they are. Returns how many were changed. `hosts`: as for `discover`."""
    changes = hosts or HostChanges()
    rows = {row.url_id: (row.priority, row.parts, *row.url_id) for row in scores}
    changed = db.dialect.rescore_urls(db, [rows[key] for key in sorted(rows)])  # sorted: the lock order
    changes.look_again(changed)
    if hosts is None:
        changes.write(db, now)
    return len(changed)
