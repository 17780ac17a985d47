"""How leases end other than by a commit: given back, taken back from the dead; and what falls due by time."""

from __future__ import annotations

import sqlite3

import orjson

from focuscrawl.frontier.states import State
from focuscrawl.items import Lease
from focuscrawl.store.discover import lift_hosts
from focuscrawl.store.leasing import HOLD
from focuscrawl.url.normalize import join

READY_OF_KIND = "select min(h.ready_at) from url u join host h on h.hid=u.hid where u.state=0 and u.kind=?"


def drop(db: sqlite3.Connection, worker: int, lease: Lease) -> bool:
    """End a lease. False if this worker does not hold it any more: then nothing may be written for it."""
    done = db.execute("delete from lease where hid=? and uid=? and worker=?", (lease.hid, lease.uid, worker))
    return done.rowcount == 1


def drop_unsent(db: sqlite3.Connection, worker: int, lease: Lease, now: float) -> bool:
    """As `drop`, for a request of which nothing was reported if it was never sent: its host goes off hold."""
    ended = db.execute(
        "delete from lease where hid=? and uid=? and worker=? returning wire", (lease.hid, lease.uid, worker)
    ).fetchone()
    if ended and ended[0]:
        free_host(db, lease.hid, now)
    return ended is not None


def release(db: sqlite3.Connection, worker: int, lease: Lease, ready_at: float) -> None:
    """Give an unfetched URL back: no try is charged. `ready_at`: when its host may be asked."""
    if not drop(db, worker, lease):
        return
    _queue_again(db, lease.hid, lease.uid)
    free_host(db, lease.hid, ready_at)


def _queue_again(db: sqlite3.Connection, hid: int, uid: int) -> None:
    if uid == 0:
        return
    row = db.execute("update url set state=0 where hid=? and uid=? and state=1 returning score", (hid, uid)).fetchone()
    if row:
        lift_hosts(db, [(hid, row[0])])


def free_host(db: sqlite3.Connection, hid: int, ready_at: float) -> None:
    """Take a host name off hold; the delay or back-off that its pace asks for goes on."""
    row = db.execute("select name, pace from host where hid=?", (hid,)).fetchone()
    if row is not None:
        next_at = float(orjson.loads(row[1])["next_at"]) if row[1] else 0.0
        db.execute("update host set ready_at=? where name=?", (max(ready_at, next_at), row[0]))


def take_back(db: sqlite3.Connection, worker: int, now: float, parsing: int = 0, max_crashes: int = 3) -> tuple[int, list[str]]:
    """End all leases of a dead worker. `parsing`: uid of the URL that it was parsing when it died; that one counts a
    crash, and is set aside after `max_crashes`. Returns the number of leases and the URLs set aside."""
    rows = db.execute("select hid, uid from lease where worker=?", (worker,)).fetchall()
    aside = []
    for hid, uid in rows:
        if uid and uid == parsing:
            crashes, origin, tail = db.execute(
                """update url set crashes=crashes+1 where hid=? and uid=?
                returning crashes, (select origin from host where host.hid=url.hid), tail""",
                (hid, uid),
            ).fetchone()
            if crashes >= max_crashes:
                db.execute("update url set state=?, error='crash' where hid=? and uid=?", (State.FAILED, hid, uid))
                aside.append(join(origin, tail))
                free_host(db, hid, now)
                continue
        _queue_again(db, hid, uid)
        free_host(db, hid, now)
    db.execute("delete from lease where worker=?", (worker,))
    return len(rows), aside


def wake(db: sqlite3.Connection, now: float) -> int:
    """Queue the waiting URLs whose time has come."""
    rows = db.execute("update url set state=0, due_at=0 where state=2 and due_at<=? returning hid, score", (now,)).fetchall()
    lift_hosts(db, rows)
    return len(rows)


def next_due(db: sqlite3.Connection, now: float, kind: int = 0) -> float | None:
    """When the next lease may succeed: the first host or waiting URL that falls due, of this kind only if it is not 0.
    None: nothing waits, or only for answers that are on the way."""
    if kind:
        ready, due = READY_OF_KIND, "select min(due_at) from url where state=2 and kind=?"
    else:
        ready, due = "select min(ready_at) from host where best is not null", "select min(due_at) from url where state=2"
    values = (kind,) if kind else ()
    times = [db.execute(ready, values).fetchone()[0], db.execute(due, values).fetchone()[0]]
    soon = [time for time in times if time is not None and time < now + HOLD / 2]
    return min(soon) if soon else None
