"""Sitemaps and feeds as rows of the store: found on pages and in robots.txt, and visited by recrawls alone.

Invariant: a URL of kind SITEMAP or FEED has a row in `revisit`, and it is never queued but by its revisit falling due.
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from focuscrawl.frontier.states import State
from focuscrawl.items import FEED, LINK, SEED, SITEMAP, Lease, SourceEntry
from focuscrawl.politeness.robots import RobotsFile
from focuscrawl.recrawl.entries import tells_changes
from focuscrawl.recrawl.state import RevisitRecord, SiteProfile
from focuscrawl.store.engines.database import Database
from focuscrawl.store.frontier.host_rows import HostChanges
from focuscrawl.store.frontier.partitions import bucket_by, grain_of, url_bucket
from focuscrawl.store.revisits.revisit_rows import load_profiles, load_revisit
from focuscrawl.url.hosts import host_name, registered_domain
from focuscrawl.url.key import url_key
from focuscrawl.url.normalize import normalize

MOST_SITEMAPS = 20
"""Of one robots.txt."""
MOST_NESTED = 3
"""Indexes above a sitemap."""
RELEVANT = 5
"""Relevant pages from which a host that names no sitemap is asked for `/sitemap.xml`."""
FIRST_HUB = 1.0
"""Before it has told of anything: as if each visit brought one link of full promise."""
HOSTS_AT_ONCE = 200
"""Rows of one transaction, as below: leases wait for its end."""
PRIOR_SHARE = 0.1
"""Of a host that nothing is known of; counts as much as one page."""

INSERT_URL = f"""insert into url(hid, uid, state, priority, depth, distance, kind, parent, path, bucket)
    values(?, ?, {State.DONE:d}, 0, ?, ?, ?, ?, ?, ?) on conflict do nothing"""
UNREAD = (State.QUEUED, State.WAIT, State.FAILED, State.GONE, State.FILTERED)
ADOPT = f"""update url set kind=?, state={State.DONE:d}, depth=?, distance=?, due_at=0, error='' where hid=? and uid=?
    and kind in ({LINK}, {SEED}) and (state in ({State.QUEUED:d}, {State.WAIT:d}, {State.FAILED:d}, {State.GONE:d})
    or (state={State.FILTERED:d} and error='type'))"""
"""A link leads to it, and it was not read as a page: `<a href="/feed/">` stands on most sites that have one."""
INSERT_REVISIT = """insert into revisit(hid, uid, kind, due_at, weight, hub, signature_digest) values(?, ?, ?, ?, ?, ?, ?)
    on conflict do nothing"""
HOSTS = """select h.hid, h.origin, h.relevant, r.body from host h left join robots r on r.origin=h.origin
    where h.hid>? and h.relevant>0 order by h.hid limit ?"""
_NAMED = re.compile(rb"site-?map", re.IGNORECASE)


def note_sources(
    db: Database, lease: Lease, feeds: Sequence[str], now: float, *, hosts: HostChanges | None = None, grain: str = ""
) -> int:
    """The page of `lease` names these feeds (normal URLs): they are visited from now on. What the index of sitemaps names are
    sitemaps, and what a sitemap or feed is redirected to is one as well. Returns how many were new.

    `hosts`, `grain`: as of `store.frontier.discover.discover`."""
    kind = lease.kind if lease.kind in (SITEMAP, FEED) else FEED
    nested = lease.distance + 1 if lease.kind in (SITEMAP, FEED) else 0
    if nested > MOST_NESTED:
        return 0
    return _add(db, [_Source(url, kind, lease.depth, nested) for url in feeds], now, hosts, grain)


def find_sitemaps(db: Database, now: float, admits: Callable[[str], object] = lambda url: True) -> int:
    """Every host with relevant pages: the sitemaps that its robots.txt names (those of its registered domain), else the usual
    address once it has some. `admits`: whether a normal URL may be asked for. Returns how many were new.

    One pass over the hosts, some 0.1 ms for each."""
    new, grain, last = 0, grain_of(db), -(1 << 63)
    while rows := db.execute(HOSTS, (last, HOSTS_AT_ONCE)).fetchall():
        last = rows[-1][0]
        urls = [url for _, origin, relevant, body in rows for url in _sitemaps(origin, relevant, bytes(body or b""))]
        new += _add(db, [_Source(url, SITEMAP) for url in dict.fromkeys(urls) if admits(url)], now, None, grain)
    return new


def unknown(db: Database, urls: Sequence[str]) -> set[str]:
    """Those of these normal URLs that the frontier has never seen."""
    places = {url: url_key(url).url_id for url in urls}
    known = db.dialect.known_urls(db, places.values())
    return {url for url, key in places.items() if key not in known}


def share_of(db: Database, hid: int) -> float:
    """Share of a host's pages that are relevant, in [0, 1]; few pages say little."""
    row = db.execute("select relevant, pages from host where hid=?", (hid,)).fetchone()
    return (row[0] + PRIOR_SHARE) / (max(row[0], row[1]) + 1.0) if row else PRIOR_SHARE


@dataclass(slots=True, frozen=True)
class _Source:
    url: str
    kind: int
    depth: int = 0
    nested: int = 0


def _sitemaps(origin: str, relevant: int, robots: bytes) -> Iterator[str]:
    named = RobotsFile.parse(robots).sitemaps if _NAMED.search(robots) else []
    site = registered_domain(host_name(origin))
    found = dict.fromkeys(filter(None, (normalize(line, f"{origin}/") for line in named if line)))
    own = [url for url in found if registered_domain(host_name(url)) == site]
    if own:
        yield from own[:MOST_SITEMAPS]
    elif relevant >= RELEVANT:
        yield f"{origin}/sitemap.xml"


def _add(db: Database, sources: Sequence[_Source], now: float, hosts: HostChanges | None, grain: str) -> int:
    changes = hosts or HostChanges()
    ordered = sorted(((url_key(source.url), source) for source in sources), key=lambda pair: pair[0].url_id)
    known = db.dialect.known_urls(db, [key.url_id for key, _ in ordered])
    added: list[tuple[int, int, int]] = []
    by = grain or (grain_of(db) if len(known) < len(ordered) else "")
    for key, source in ordered:
        if key.url_id not in known:
            changes.find(key.hid, key.origin, bucket_by(by, key.origin))
            values = (source.depth, source.nested, source.kind, 0, key.path, url_bucket(by, source.url))
            is_new = db.execute(INSERT_URL, (*key.url_id, *values)).rowcount > 0
        else:
            is_new = known[key.url_id][0] in UNREAD and _adopt(db, source, key.url_id, changes)
        if is_new:
            added.append((*key.url_id, source.kind))
    db.executemany(INSERT_REVISIT, [(hid, uid, kind, now, FIRST_HUB, FIRST_HUB, b"") for hid, uid, kind in added])
    if hosts is None:
        changes.write(db, now)
    return len(added)


def _adopt(db: Database, source: _Source, key: tuple[int, int], changes: HostChanges) -> bool:
    """Make a source of what is known as a page that was never read; not what another worker is changing just now."""
    if key not in db.dialect.lock_urls(db, [key]):
        return False
    adopted = db.execute(ADOPT, (source.kind, source.depth, source.nested, *key)).rowcount > 0
    if adopted:
        changes.look_again([key[0]])
    return adopted


# Sitemaps and feeds as signals: which of the pages we know have changed since we looked, by what they tell.


TOLERANCE = 60.0
"""Seconds by which a site's clock may be ahead of ours."""
AT_ONCE = 500
"""Addresses of one transaction."""
MOST = 1000
"""Pages that one sitemap or feed signals in one visit, the latest changes first; the rest come at later visits. Each costs the
transaction 0.3 ms."""
SIGNAL = """update revisit set signal=?, signal_at=?, signal_kind=?, due_at=?
    where hid=? and uid=? and checked_at=? and signal_at=?"""
"""Nothing when it was looked at, or told of by another source, in between."""
SEEN = "select hid, uid, checked_at, signal, signal_at from revisit where hid=?"
Key = tuple[int, int]


class SignalPlanner(Protocol):
    """Of `focuscrawl.recrawl.planning`, what is used here."""

    def signalled(
        self, visit: RevisitRecord, profile: SiteProfile, kind: int, modified_at: float, now: float
    ) -> RevisitRecord: ...


def apply_signals(db: Database, planner: SignalPlanner, source: Lease, entries: Sequence[SourceEntry], now: float) -> int:
    """Note which known pages have changed since they were last looked at, as the sitemap or feed `source`, fetched `now`,
    tells; returns how many. A time of change is told once: the same time does not signal again after a visit.

    Times of a sitemap that are nearly all of today are ignored (`recrawl.entries`)."""
    if source.kind == SITEMAP and not tells_changes(entries, now):
        return 0
    told = _latest(entries)
    news = [(hid, uid) for hid, uid, *seen in _seen(db, sorted(told)) if _is_news(told[hid, uid], now, *seen)]
    latest = heapq.nlargest(MOST, news, key=told.__getitem__)
    visits = [visit for key in sorted(latest) if (visit := load_revisit(db, *key))]
    if not visits:
        return 0
    profiles = load_profiles(db, {visit.hid for visit in visits})
    rows = []
    for visit in visits:
        modified = told[visit.hid, visit.uid]
        profile = profiles.get(visit.hid) or SiteProfile(visit.hid)
        new = planner.signalled(replace(visit, signal_at=0.0), profile, source.kind, min(modified, now), now)
        key = (visit.hid, visit.uid, visit.checked_at, visit.signal_at)
        rows.append((new.signal, max(modified, visit.signal_at), source.kind, new.due_at, *key))
    db.executemany(SIGNAL, rows)
    return len(rows)


def _latest(entries: Sequence[SourceEntry]) -> dict[Key, float]:
    told: dict[Key, float] = {}
    for entry in entries:
        if entry.modified > 0:
            key = url_key(entry.url).url_id
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
