"""The revisit schedule in the store: when each page is due, in which order, and how due URLs enter the frontier.

Invariant: a URL with a row in `revisit` was fetched before, or is a sitemap, feed or probe. In the frontier it waits in the
upper lane (`frontier.lanes`), before all links. `value` is above 0 only while a row is ranked and has not entered the frontier
yet (which is called waking it).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise

from focuscrawl.frontier.lanes import LANE, lifted
from focuscrawl.frontier.states import REMOVED, State
from focuscrawl.items import EXAMPLE
from focuscrawl.recrawl.state import RevisitRecord, SiteProfile
from focuscrawl.store.engines.database import OPEN_STATES, WAITING_STATES, Database, rows_among
from focuscrawl.store.engines.records import RecordTable, upsert
from focuscrawl.store.frontier.host_rows import HostChanges, load_pace
from focuscrawl.store.frontier.leasing import LeaseLimits
from focuscrawl.store.frontier.silence import gave_no_answer
from focuscrawl.store.revisits.versions import Version, versions_of
from focuscrawl.url.key import LEAST_NUMBER, UrlId

REVISITS = RecordTable("revisit", RevisitRecord, ("hid", "uid"))
PROFILES = RecordTable("site_profile", SiteProfile, ("hid",))
RESTS = tuple(int(state) for state in State if state not in (State.QUEUED, State.LEASED, State.WAIT))
"""The states in which a URL rests between revisits. `revisit.rest` keeps the one that it had before it was woken."""

SELECTED = REVISITS.selected("v")
WHOLE_URL = "(select h.origin || u.path from url u join host h on h.hid=u.hid where u.hid=v.hid and u.uid=v.uid)"
SET_THRESHOLD = upsert("site_profile", ("hid", "threshold"), ("hid",))
PROFILES_OF = f"select {PROFILES.selected('a')} from site_profile a where hid in ({{marks}})"
OF_URL = f"select {SELECTED} from revisit v where v.hid=? and v.uid=?"
REMOVED_NOW = f"u.state={State.FILTERED:d} and u.error='{REMOVED}'"
RESTING = f"""exists (select 1 from url u where u.hid=v.hid and u.uid=v.uid
    and u.state not in {OPEN_STATES}
    and not ({REMOVED_NOW}))"""
NOT_REMOVED = f"exists (select 1 from url u where u.hid=v.hid and u.uid=v.uid and not ({REMOVED_NOW}))"
DUE = f"""select {SELECTED}, {WHOLE_URL} from revisit v
    where v.due_at<=? and (v.due_at, v.hid, v.uid)>(?, ?, ?) and v.value=0 and {RESTING}
    order by v.due_at, v.hid, v.uid limit ?"""
DUE_BETWEEN = "select count(*) from revisit where due_at>? and due_at<=?"
BEFORE = f"""select {SELECTED}, {WHOLE_URL} from revisit v
    where (v.hid, v.uid)>(?, ?) and v.checked_at<? and v.value=0 and {RESTING}
    order by v.hid, v.uid limit ?"""
SAMPLED = f"""select {SELECTED} from revisit v where (v.hid, v.uid)>(?, ?) and v.kind<=2 and v.gone=0
    order by v.hid, v.uid limit ?"""
HIDDEN = f"""select h.hid from host h where h.best_priority is null
    and (exists (select 1 from url u where u.hid=h.hid and u.state={State.QUEUED:d} and u.priority>=?)
    or ({{room}} and exists (select 1 from url u where u.hid=h.hid and u.state={State.QUEUED:d})))"""
HOST_ROOM, SITE_ROOM = "h.pages<?", "h.site in (select site from host group by site having sum(pages)<?)"
RANKED = f"""select v.hid, v.uid, v.value, case when {REMOVED_NOW} then v.rest else u.state end
    from revisit v join url u on u.hid=v.hid and u.uid=v.uid where v.value>0 order by v.value desc limit ?"""
WAKE = f"""update url as u set state={State.QUEUED:d}, priority=?, tries=0, due_at=0
    where hid=? and uid=? and state not in ({State.QUEUED:d}, {State.LEASED:d})
    and not ({REMOVED_NOW})"""
"""Except what an operator has removed since it was ranked."""
UNREAD = f"""select 1 from revisit v join url u on u.hid=v.hid and u.uid=v.uid
    where v.hid=? and v.uid=? and v.checked_at=0 and u.state={State.DONE:d}"""
"""A source that was found and not visited. One whose first visit has failed is left to recrawls."""
WOKEN = "update revisit set value=0, rest=? where hid=? and uid=?"
REVISITED = "exists (select 1 from revisit v where v.hid=u.hid and v.uid=u.uid)"
LEFT = f"""from host h join url u on u.hid=h.hid
    where h.best_priority>=? and u.state={State.QUEUED:d} and u.priority>=? and {REVISITED}"""
WAITING = f"from url u where u.state={State.WAIT:d} and u.priority>=? and {REVISITED}"
OF_HOSTS = f"""select name, max(pace), count(*) from (select h.name, h.pace {LEFT} and h.held=0
    union all select h.name, h.pace from (select u.hid {WAITING}) w join host h on h.hid=w.hid where h.held=0) waiting
    group by name"""
REST = f"""update url set state=(select rest from revisit v where v.hid=url.hid and v.uid=url.uid), due_at=0
    where hid=? and uid=? and state in {WAITING_STATES}"""


def load_revisit(db: Database, hid: int, uid: int) -> RevisitRecord | None:
    row = db.execute(OF_URL, (hid, uid)).fetchone()
    return REVISITS.from_row(row) if row else None


def load_profiles(db: Database, hids: Iterable[int]) -> dict[int, SiteProfile]:
    """The profiles of those of these hosts that have one."""
    return {row[0]: PROFILES.from_row(row) for row in rows_among(db, PROFILES_OF, sorted(set(hids)))}


def write_revisits(db: Database, records: Iterable[RevisitRecord]) -> None:
    """Write records, in the order of their keys (see the lock order in `store.engines.database`)."""
    rows = [REVISITS.to_row(record) for record in sorted(records, key=lambda record: (record.hid, record.uid))]
    if rows:
        db.executemany(REVISITS.upsert, rows)


def write_profile(db: Database, profile: SiteProfile) -> None:
    db.execute(PROFILES.upsert, PROFILES.to_row(profile))


def set_threshold(db: Database, hid: int, threshold: float) -> None:
    """Set the revisit threshold of a host; 0: that of the crawl holds."""
    db.execute(SET_THRESHOLD, (hid, threshold))


def drop_revisit(db: Database, hid: int, uid: int) -> None:
    """Delete the record of a URL, so that it is not revisited."""
    db.execute("delete from revisit where hid=? and uid=?", (hid, uid))


@dataclass(slots=True, frozen=True)
class RevisitSelection:
    """What a run revisits."""

    due_by: float = 0.0
    """URLs that are due by this time …"""
    before: float = 0.0
    """… or, if this is above 0, all URLs that were last checked before this time, due or not."""


Cursor = tuple[float, int, int]
"""(due_at, hid, uid) of the last record that was read, in the order of ranking; due_at is 0 with `RevisitSelection.before`."""
START: Cursor = (-1.0, LEAST_NUMBER, LEAST_NUMBER)


def unranked(
    db: Database, wanted: RevisitSelection, after: Cursor, limit: int
) -> tuple[list[RevisitRecord], list[str], Cursor]:
    """The next records that have no rank yet and are not in the frontier, their URLs, and the cursor behind them."""
    if wanted.before:
        rows = db.execute(BEFORE, (*after[1:], wanted.before, limit)).fetchall()
    else:
        rows = db.execute(DUE, (wanted.due_by, *after, limit)).fetchall()
    visits = [REVISITS.from_row(row[:-1]) for row in rows]
    if not visits:
        return [], [], after
    last = visits[-1]
    return visits, [str(row[-1]) for row in rows], (0.0 if wanted.before else last.due_at, last.hid, last.uid)


def rank(db: Database, visits: Sequence[RevisitRecord], values: Sequence[float]) -> None:
    """Set the values of records, at least 1e-9. The one with the largest value enters the frontier first."""
    ranked = sorted((visit.hid, visit.uid, max(float(value), 1e-9)) for visit, value in zip(visits, values, strict=True))
    db.executemany("update revisit set value=? where hid=? and uid=?", [(value, hid, uid) for hid, uid, value in ranked])


def forget_ranks(db: Database) -> None:
    """Reset the values that a run which was killed has left."""
    db.execute("update revisit set value=0 where value>0")


def show_hidden(db: Database, limits: LeaseLimits) -> int:
    """Let hosts that had all the pages an earlier run wanted of them be leased again: for revisits, which do not count for
    these limits, and where this run has higher ones. Returns the number of such hosts; takes 0.3 µs for each host of the
    crawl."""
    rooms = [(HOST_ROOM, limits.pages_per_host), (SITE_ROOM, limits.pages_per_site)]
    limited = [(condition, most) for condition, most in rooms if most]
    room = " and ".join(condition for condition, _ in limited) or "1=1"
    rows = db.execute(HIDDEN.format(room=room), (LANE, *(most for _, most in limited))).fetchall()
    hosts = HostChanges()
    hosts.look_again(hids := [hid for (hid,) in rows])
    hosts.write(db, 0.0)
    return len(hids)


def wake(db: Database, limit: int) -> int:
    """Queue at most `limit` of the best ranked URLs in the upper lane; returns how many."""
    rows = sorted(db.execute(RANKED, (limit,)).fetchall())
    hosts = HostChanges()
    _wake(db, [(hid, uid, value, state if state in RESTS else State.DONE) for hid, uid, value, state in rows], hosts)
    hosts.write(db, 0.0)
    return len(rows)


def wake_unread(db: Database, urls: Sequence[UrlId], limit: int, hosts: HostChanges | None = None) -> int:
    """Queue at most `limit` of these URLs in the upper lane: the first ones that were never visited and are not in the
    frontier. Returns how many. `hosts`: as for `store.frontier.discover.discover`."""
    unread = islice((url for url in dict.fromkeys(urls) if db.execute(UNREAD, url).fetchone()), limit)
    rows = sorted(db.dialect.lock_urls(db, list(unread)))  # without those that another worker is changing just now
    changes = hosts or HostChanges()
    _wake(db, [(hid, uid, 1.0, State.DONE) for hid, uid in rows], changes)
    if hosts is None:
        changes.write(db, 0.0)
    return len(rows)


def _wake(db: Database, rows: Sequence[tuple[int, int, float, int]], hosts: HostChanges) -> None:
    """Queue URLs, given in the order of their keys as (hid, uid, value, state that they have now)."""
    db.executemany(WAKE, [(lifted(value), hid, uid) for hid, uid, value, _ in rows])
    db.executemany(WOKEN, [(state, hid, uid) for hid, uid, _, state in rows])
    hosts.lift((hid, lifted(value)) for hid, _, value, _ in rows)
    hosts.look_again(hid for hid, _, _, _ in rows)  # a URL that is leased now was not queued


def put_off(db: Database, limit: int) -> int:
    """Take woken URLs that nobody has leased out of the frontier again, back to their former states. They stay due.

    Returns how many were read."""
    queued = db.execute(f"select u.hid, u.uid {LEFT} limit ?", (LANE, LANE, limit)).fetchall()
    rows = sorted([*queued, *db.execute(f"select u.hid, u.uid {WAITING} limit ?", (LANE, limit)).fetchall()])
    if rows:
        db.executemany(REST, rows)
        hosts = HostChanges()
        hosts.look_again(hid for hid, _ in rows)
        hosts.write(db, 0.0)
    return len(rows)


def left(db: Database) -> tuple[int, int]:
    """How many woken URLs wait: for hosts that no operator holds, and for another try."""
    queued = db.execute(f"select count(*) {LEFT} and h.held=0", (LANE, LANE)).fetchone()[0]
    return int(queued), int(db.execute(f"select count(*) {WAITING}", (LANE,)).fetchone()[0])


def unanswered(db: Database) -> Counter[str]:
    """How many woken URLs wait for each host that gave no answer when it was asked last."""
    hosts = db.execute(OF_HOSTS, (LANE, LANE, LANE)).fetchall()
    return Counter({name: count for name, pace, count in hosts if load_pace(pace).fails and gave_no_answer(db, name)})


def count_revisits(db: Database) -> int:
    """How many URLs have a revisit schedule, including sitemaps and feeds."""
    return int(db.execute("select count(*) from revisit").fetchone()[0])


@dataclass(slots=True, frozen=True)
class Due:
    """What a run leaves to the next ones."""

    still: int = 0
    """URLs that are due already, including sitemaps and feeds."""
    next: float | None = None
    """When the first of the others is; None if there is none."""


def due_from(db: Database, now: float, sources: bool = True) -> Due:
    """What is due `now` and afterwards. `sources`: whether sitemaps and feeds count."""
    only = "" if sources else f"and v.kind<={EXAMPLE}"
    (still,) = db.execute(f"select count(*) from revisit v where v.due_at<=? {only} and {NOT_REMOVED}", (now,)).fetchone()
    row = db.execute(
        f"select v.due_at from revisit v where v.due_at>? {only} and {NOT_REMOVED} order by v.due_at limit 1", (now,)
    ).fetchone()
    return Due(int(still), float(row[0]) if row else None)


def due_between(db: Database, edges: Sequence[float]) -> list[int]:
    """For each span between two edges, how many URLs (pages, sitemaps and feeds) fall due after the first and up to the
    second."""
    return [int(db.execute(DUE_BETWEEN, span).fetchone()[0]) for span in pairwise(edges)]


def next_records(db: Database, url: tuple[int, int], limit: int) -> list[RevisitRecord]:
    """The next records of live pages behind `url` (hid, uid), in key order, for a pass over all of them."""
    return [REVISITS.from_row(row) for row in db.execute(SAMPLED, (*url, limit)).fetchall()]


@dataclass(slots=True, frozen=True)
class RevisitHistory:
    """What the store knows of the revisits of one URL, to be shown to people."""

    revisit: RevisitRecord
    versions: tuple[Version, ...] = ()
    """The former versions that are kept, the oldest first."""


def freshness_of(db: Database, hid: int, uid: int, page_id: int) -> RevisitHistory | None:
    """The revisits of a URL; None if it was never fetched. `page_id`: of its page; 0 if there is none (sitemaps, feeds)."""
    visit = load_revisit(db, hid, uid)
    return RevisitHistory(visit, tuple(versions_of(db, page_id)) if page_id else ()) if visit else None
