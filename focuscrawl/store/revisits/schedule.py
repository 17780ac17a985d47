"""Visits in the store: when each page is looked at again, in which order, and how what is due gets into the frontier.

Invariant: a URL with a row in `visit` was fetched before, or is a sitemap, feed or probe. What of them waits in the frontier
waits in the upper lane (`frontier.lanes`); `value` is above 0 only while a row is ranked and not yet woken.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from focuscrawl.frontier.lanes import LANE, lifted
from focuscrawl.frontier.states import REMOVED, State
from focuscrawl.items import EXAMPLE
from focuscrawl.recrawl.state import DAY, Habit, Visit
from focuscrawl.store.engines.database import Database, transaction
from focuscrawl.store.engines.meta import set_meta
from focuscrawl.store.frontier.host_rows import HostChanges
from focuscrawl.store.pages.duplicates import signed, unsigned
from focuscrawl.store.revisits.versions import Version, versions_of

VISIT_COLUMNS = tuple(field.name for field in fields(Visit))
HABIT_COLUMNS = tuple(field.name for field in fields(Habit))
RESTS = tuple(int(state) for state in State if state not in (State.QUEUED, State.LEASED, State.WAIT))


def _upsert(table: str, columns: Sequence[str], keys: Sequence[str]) -> str:
    changes = ", ".join(f"{name}=excluded.{name}" for name in columns if name not in keys)
    marks = ", ".join("?" * len(columns))
    return f"insert into {table}({', '.join(columns)}) values({marks}) on conflict({', '.join(keys)}) do update set {changes}"


SELECTED = ", ".join(f"v.{name}" for name in VISIT_COLUMNS)
WRITE_VISIT = _upsert("visit", VISIT_COLUMNS, ("hid", "uid"))
WRITE_HABIT = _upsert("habit", HABIT_COLUMNS, ("hid",))
OF_URL = f"select {SELECTED} from visit v where v.hid=? and v.uid=?"
RESTING = f"""exists (select 1 from url u where u.hid=v.hid and u.uid=v.uid and u.state not in (0, 1, 2)
    and not (u.state={State.FILTERED:d} and u.error='{REMOVED}'))"""
DUE = f"""select {SELECTED} from visit v where v.due_at<=? and (v.due_at, v.hid, v.uid)>(?, ?, ?) and v.value=0 and {RESTING}
    order by v.due_at, v.hid, v.uid limit ?"""
BEFORE = f"""select {SELECTED} from visit v where (v.hid, v.uid)>(?, ?) and v.checked_at<? and v.value=0 and {RESTING}
    order by v.hid, v.uid limit ?"""
SAMPLED = f"""select {SELECTED} from visit v where (v.hid, v.uid)>(?, ?) and v.kind<=2 and v.gone=0
    order by v.hid, v.uid limit ?"""
HIDDEN = """select h.hid from host h where h.best is null
    and exists (select 1 from url u where u.hid=h.hid and u.state=0 and u.priority>=?)"""
RANKED = """select v.hid, v.uid, v.value, u.state from visit v join url u on u.hid=v.hid and u.uid=v.uid
    where v.value>0 order by v.value desc limit ?"""
WAKE = "update url set state=0, priority=?, tries=0, due_at=0 where hid=? and uid=? and state not in (0, 1)"
WOKEN = "update visit set value=0, rest=? where hid=? and uid=?"
VISITED = "exists (select 1 from visit v where v.hid=u.hid and v.uid=u.uid)"
LEFT = f"from host h join url u on u.hid=h.hid where h.best>=? and u.state=0 and u.priority>=? and {VISITED}"
WAITING = f"from url u where u.state=2 and u.priority>=? and {VISITED}"
REST = """update url set state=(select rest from visit v where v.hid=url.hid and v.uid=url.uid), due_at=0
    where hid=? and uid=? and state in (0, 2)"""


def visit_of(row: Sequence[Any]) -> Visit:
    """Of a row with VISIT_COLUMNS."""
    visit = Visit(*row)
    return replace(visit, mark=unsigned(visit.mark), words=bytes(visit.words))


def habit_of(row: Sequence[Any]) -> Habit:
    """Of a row with HABIT_COLUMNS."""
    habit = Habit(*row)
    return habit if habit.sorry is None else replace(habit, sorry=unsigned(habit.sorry))


def load_visit(db: Database, hid: int, uid: int) -> Visit | None:
    row = db.execute(OF_URL, (hid, uid)).fetchone()
    return visit_of(row) if row else None


def load_habits(db: Database, hids: Iterable[int]) -> dict[int, Habit]:
    """Of those hosts that have some."""
    found, wanted = {}, sorted(set(hids))
    for start in range(0, len(wanted), 500):
        part = wanted[start : start + 500]
        marks = ",".join("?" * len(part))
        for row in db.execute(f"select {', '.join(HABIT_COLUMNS)} from habit where hid in ({marks})", part):
            found[row[0]] = habit_of(row)
    return found


def write_visits(db: Database, visits: Iterable[Visit]) -> None:
    """In key order, see the lock order in `store.engines.database`."""
    rows = [
        tuple(signed(visit.mark) if name == "mark" else getattr(visit, name) for name in VISIT_COLUMNS)
        for visit in sorted(visits, key=lambda visit: (visit.hid, visit.uid))
    ]
    if rows:
        db.executemany(WRITE_VISIT, rows)


def write_habit(db: Database, habit: Habit) -> None:
    sorry = None if habit.sorry is None else signed(habit.sorry)
    db.execute(WRITE_HABIT, tuple(sorry if name == "sorry" else getattr(habit, name) for name in HABIT_COLUMNS))


def drop_visit(db: Database, hid: int, uid: int) -> None:
    """It is never looked at again."""
    db.execute("delete from visit where hid=? and uid=?", (hid, uid))


@dataclass(slots=True, frozen=True)
class Wanted:
    """What a run looks at."""

    due_by: float = 0.0
    """What is due by then …"""
    before: float = 0.0
    """… or, above 0, what was not looked at since then, due or not."""


Place = tuple[float, int, int]
"""In the order of ranking: due_at (0 where all is wanted), hid, uid."""
START: Place = (-1.0, -(1 << 63), -(1 << 63))


def unranked(db: Database, wanted: Wanted, after: Place, limit: int) -> tuple[list[Visit], Place]:
    """The next visits that have no rank yet and are not in the frontier, and the place to go on behind."""
    if wanted.before:
        rows = db.execute(BEFORE, (*after[1:], wanted.before, limit)).fetchall()
    else:
        rows = db.execute(DUE, (wanted.due_by, *after, limit)).fetchall()
    visits = [visit_of(row) for row in rows]
    if not visits:
        return [], after
    last = visits[-1]
    return visits, (0.0 if wanted.before else last.due_at, last.hid, last.uid)


def rank(db: Database, visits: Sequence[Visit], values: Sequence[float]) -> None:
    """Give them a value: above 0, and the largest is woken first."""
    ranked = sorted((visit.hid, visit.uid, max(float(value), 1e-9)) for visit, value in zip(visits, values, strict=True))
    db.executemany("update visit set value=? where hid=? and uid=?", [(value, hid, uid) for hid, uid, value in ranked])


def forget_ranks(db: Database) -> None:
    """Of a run that was killed."""
    db.execute("update visit set value=0 where value>0")


def show_hidden(db: Database) -> int:
    """Let what waits in the upper lane be seen on hosts of which a crawl wanted no more pages (`Limits.pages_per_host`), for
    they count for nothing here. Returns the number of hosts; 0.3 µs for each host of the crawl."""
    hosts = HostChanges()
    hosts.look_again(found := [hid for (hid,) in db.execute(HIDDEN, (LANE,)).fetchall()])
    hosts.write(db, 0.0)
    return len(found)


def wake(db: Database, limit: int) -> int:
    """Queue the best of what is ranked, in the upper lane; returns how many."""
    rows = sorted(db.execute(RANKED, (limit,)).fetchall())
    if not rows:
        return 0
    db.executemany(WAKE, [(lifted(value), hid, uid) for hid, uid, value, _ in rows])
    db.executemany(WOKEN, [(state if state in RESTS else State.DONE, hid, uid) for hid, uid, _, state in rows])
    hosts = HostChanges()
    hosts.lift((hid, lifted(value)) for hid, _, value, _ in rows)
    hosts.look_again(hid for hid, _, _, _ in rows)  # what is leased just now was not queued
    hosts.write(db, 0.0)
    return len(rows)


def put_off(db: Database, limit: int) -> int:
    """Take visits that nobody has leased out of the frontier, back to the states that they were woken from: they stay due.
    Returns how many were looked at."""
    queued = db.execute(f"select u.hid, u.uid {LEFT} limit ?", (LANE, LANE, limit)).fetchall()
    rows = sorted([*queued, *db.execute(f"select u.hid, u.uid {WAITING} limit ?", (LANE, limit)).fetchall()])
    if rows:
        db.executemany(REST, rows)
        hosts = HostChanges()
        hosts.look_again(hid for hid, _ in rows)
        hosts.write(db, 0.0)
    return len(rows)


def left(db: Database) -> tuple[int, int]:
    """Visits that were woken and wait: for hosts that nobody holds, and for another try."""
    queued = db.execute(f"select count(*) {LEFT} and h.held=0", (LANE, LANE)).fetchone()[0]
    return int(queued), int(db.execute(f"select count(*) {WAITING}", (LANE,)).fetchone()[0])


def next_due(db: Database, sources: bool = True) -> float | None:
    """When the first visit falls due, `sources` or not; None where there is none."""
    only = "" if sources else f"where kind<={EXAMPLE}"
    row = db.execute(f"select due_at from visit {only} order by due_at limit 1").fetchone()
    return float(row[0]) if row else None


def after(db: Database, place: tuple[int, int], limit: int) -> list[Visit]:
    """The next visits of live pages in key order, for a pass over all of them."""
    return [visit_of(row) for row in db.execute(SAMPLED, (*place, limit)).fetchall()]


# What the store knows of the visits to one page, for people who ask. Reads only.


@dataclass(slots=True, frozen=True)
class Freshness:
    visit: Visit
    versions: tuple[Version, ...] = ()
    """The former ones that are kept, the oldest first."""


def freshness_of(db: Database, hid: int, uid: int, pid: int) -> Freshness | None:
    """None for a URL that has never been fetched. `pid`: of its page; 0 where there is none (sitemaps, feeds)."""
    visit = load_visit(db, hid, uid)
    return Freshness(visit, tuple(versions_of(db, pid)) if pid else ()) if visit else None


# The end of what is gone: some time after a page was confirmed gone, its texts leave the store.
#
# The row in `page` stays as a tombstone, and that in `url`, so that links do not make it wait again.


BATCH = 200
"""Pages of one transaction."""
BURIED = "buried"
"""Key in `meta`: number of the last row of `change` that was looked at. Rows come in the order of time, and what is gone once
more has another one."""
CONFIRMED = """select c.id, c.hid, c.uid, c.pid, p.gone, exists (
        select 1 from change d where d.hid=c.hid and d.uid=c.uid and d.id>c.id and d.kind in ('gone', 'moved'))
    from change c left join page p on p.pid=c.pid
    where c.id>? and c.kind in ('gone', 'moved') and c.at<=? order by c.id limit ?"""
FORGET_VISIT = "update visit set words=?, mark=0, length=-1 where hid=? and uid=?"
FORGET_PAGE = "update page set etag='', last_modified='', tier=1 where pid=?"
"""Should it come back, it has to be read: a 304 would leave it without a text. Tier 1: nobody makes a better text of it."""


def bury_texts(db: Database, now: float, grace_days: float, limit: int) -> int:
    """Remove text, links and versions of at most `limit` pages that were confirmed gone `grace_days` ago or earlier and are
    gone still. Returns of how many; 0: nothing is left to do. Makes its own transactions."""
    buried = 0
    while buried < limit:
        wanted = min(BATCH, limit - buried)
        with transaction(db):
            looked_at, count = bury_some(db, now - grace_days * DAY, wanted)
        buried += count
        if looked_at < wanted:
            break
    return buried


def bury_some(db: Database, gone_by: float, most: int) -> tuple[int, int]:
    """The same for the next `most` rows of `change`, in a transaction of the caller's. Returns how many rows were looked at,
    and how many pages buried."""
    row = db.execute("select v from meta where k=?", (BURIED,)).fetchone()
    rows = db.execute(CONFIRMED, (int(row[0]) if row else 0, gone_by, most)).fetchall()
    if not rows:
        return 0, 0
    pages = sorted((hid, uid, pid) for _, hid, uid, pid, gone, again in rows if gone is not None and gone >= 2 and not again)
    db.executemany(FORGET_VISIT, [(b"", hid, uid) for hid, uid, _ in pages])
    pids = sorted((pid,) for _, _, pid in pages)
    db.executemany(FORGET_PAGE, pids)
    db.executemany("delete from body where pid=?", pids)
    db.executemany("delete from version where pid=?", pids)
    set_meta(db, BURIED, str(rows[-1][0]))
    return len(rows), len(pages)
