"""Leases: who may fetch which URL now.

Invariant: a URL is in state LEASED exactly while a row in `lease` names the worker that holds it; a host name has at
most `concurrency` leases on the wire over all workers, an address likewise, and while it has that many its rows are
on hold. The host row alone decides when a host is asked next. Only one step of the store changes both tables.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass, field

import orjson

from focuscrawl.frontier.states import State
from focuscrawl.items import Lease
from focuscrawl.politeness.pace import Pace, PaceSettings, concurrency, started
from focuscrawl.store.discover import lift_hosts, refresh_host
from focuscrawl.url.normalize import join

HOLD = 1e6
"""Seconds ahead: a host on hold is waiting for its own answer, not for a time."""

READY = """select hid, origin, name, address, robots_until, pages, pace from host
    where best is not null and ready_at<=? order by best desc limit ?"""
TOP = """select u.uid, u.score, u.depth, u.distance, u.tries, u.crashes, u.hops, u.kind, u.tail, p.url, q.etag, q.last_modified
    from url u left join page p on p.pid=u.parent left join page q on q.hid=u.hid and q.uid=u.uid
    where u.hid=? and u.state=0 order by u.score desc limit ?"""
TOP_OF_KIND = TOP.replace("u.state=0", "u.state=0 and u.kind=?")
INSERT_LEASE = "insert into lease(hid, uid, worker, name, address, at) values(?, ?, ?, ?, ?, ?)"


Row = tuple[int, str, str, str, float, int, str]
"""What READY selects."""


@dataclass(slots=True, frozen=True)
class Limits:
    """What a lease must keep to."""

    host: PaceSettings = field(default_factory=PaceSettings)
    address: PaceSettings = field(default_factory=lambda: PaceSettings(0.0, 4, statuses=False))
    pages_per_host: int = 0
    """Pages stored with status 200 a host may have; 0: no limit."""
    kind: int = 0
    """Only URLs of this kind (1 seeds, 2 examples), for the start of a crawl; 0: all."""
    obey_robots: bool = True


class _Load:
    """Leases on the wire by host name and address, as this transaction sees them."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self.names: dict[str, int] = {}
        self.addresses: dict[str, int] = {}
        self.robots: set[int] = set()
        self.waiting: dict[str, int] = {}
        self.closed: set[str] = set()
        """Host names that had their turn and must wait for a time or an answer."""
        for hid, uid, name, address, wire in db.execute("select hid, uid, name, address, wire from lease"):
            if uid == 0:
                self.robots.add(hid)
            if wire:
                self.add(name, address)

    def add(self, name: str, address: str) -> None:
        self.names[name] = self.names.get(name, 0) + 1
        if address:
            self.addresses[address] = self.addresses.get(address, 0) + 1


def lease(db: sqlite3.Connection, worker: int, count: int, now: float, limits: Limits) -> list[Lease]:
    """Up to `count` leases on the best URLs of hosts that may be asked now, spread over the hosts: a second URL of
    one host comes only when every other ready host had its turn."""
    load = _Load(db)
    taken: list[Lease] = []
    rows: list[Row] = db.execute(READY, (now, 4 * count + 16)).fetchall()
    share = count if len(rows) <= 1 else max(1, count // 4)
    while rows and len(taken) < count:
        again = []
        for row in rows:
            if len(taken) >= count:
                break
            got = _lease_host(db, worker, min(share, count - len(taken)), now, limits, load, row)
            taken += got
            if got and row[2] not in load.closed:
                again.append(row)
        rows = again
    return sorted(taken, key=lambda lease: (not lease.robots, -lease.score))


def _lease_host(
    db: sqlite3.Connection, worker: int, share: int, now: float, limits: Limits, load: _Load, row: Row
) -> list[Lease]:
    _, _, name, address, robots_until, _, column = row
    if name in load.closed:
        return []
    pace = Pace(**orjson.loads(column)) if column else Pace()
    most = concurrency(pace, limits.host)
    room = min(most - load.names.get(name, 0), _pages_left(db, row, limits))
    if address and room > 0:
        room = min(room, _room_at(db, address, name, now, limits, load))
    if room <= 0:
        return []
    if limits.obey_robots and robots_until <= now:
        return _lease_robots(db, worker, now, load, row)
    paced = limits.host.delay > 0 or pace.delay > 0 or (bool(address) and limits.address.delay > 0)
    leases = _take(db, worker, 1 if paced else min(room, share), limits, row, now)
    for _ in leases:
        load.add(name, address)
    if paced:
        load.closed.add(name)
    if leases:
        _pace_host(db, name, now, most <= load.names[name], started(pace, now, limits.host).next_at)
        if address and limits.address.delay > 0:
            _pace_address(db, address, now + limits.address.delay)
    return leases


def _pace_host(db: sqlite3.Connection, name: str, now: float, full: bool, next_at: float) -> None:
    """After a lease: the host waits for its answer when it has no further place on the wire, else for its delay."""
    if full:
        _hold(db, name, now)
    elif next_at > now:
        db.execute("update host set ready_at=? where name=?", (next_at, name))


def _pace_address(db: sqlite3.Connection, address: str, ready_at: float) -> None:
    db.execute(
        """insert into address(ip, ready_at) values(?1, ?2)
        on conflict(ip) do update set ready_at=max(ready_at, ?2)""",
        (address, ready_at),
    )


def _room_at(db: sqlite3.Connection, address: str, name: str, now: float, limits: Limits, load: _Load) -> int:
    """Requests that the address may get now. A host that must wait for its address is put off to a time of its own,
    so that many hosts at one address are not looked at again and again."""
    found = db.execute("select ready_at from address where ip=?", (address,)).fetchone()
    ready_at: float = found[0] if found else 0.0
    room = limits.address.concurrency - load.addresses.get(address, 0)
    if ready_at <= now and room > 0:
        return room
    load.waiting[address] = load.waiting.get(address, 0) + 1
    step = max(limits.address.delay, 0.02)
    due = max(ready_at, now + step) + step * (load.waiting[address] - 1)
    db.execute("update host set ready_at=? where name=? and ready_at<=?", (due, name, now))
    return 0


def _pages_left(db: sqlite3.Connection, row: Row, limits: Limits) -> int:
    if not limits.pages_per_host:
        return limits.host.concurrency
    hid, pages = row[0], row[5]
    leased: int = db.execute("select count(*) from lease where hid=? and uid<>0", (hid,)).fetchone()[0]
    left = limits.pages_per_host - pages - leased
    if left <= 0 and not leased:
        db.execute("update host set best=null where hid=?", (hid,))
    return left


def _lease_robots(db: sqlite3.Connection, worker: int, now: float, load: _Load, row: Row) -> list[Lease]:
    hid, origin, name, address = row[:4]
    if hid in load.robots:
        return []
    wait = db.execute("select expires_at from robots where origin=? and state='wait'", (origin,)).fetchone()
    if wait and wait[0] > now:
        db.execute("update host set ready_at=? where hid=?", (wait[0], hid))
        return []
    db.execute(INSERT_LEASE, (hid, 0, worker, name, address, now))
    load.add(name, address)
    load.closed.add(name)
    _hold(db, name, now)
    return [Lease(hid, 0, join(origin, "/robots.txt"), robots=True, address=address)]


def _take(db: sqlite3.Connection, worker: int, wanted: int, limits: Limits, row: Row, now: float) -> list[Lease]:
    hid, origin, name, address = row[:4]
    if limits.kind:
        found = db.execute(TOP_OF_KIND, (hid, limits.kind, wanted)).fetchall()
    else:
        found = db.execute(TOP, (hid, wanted)).fetchall()
    leases = [
        Lease(
            hid, uid, join(origin, tail), score, depth, distance, tries, crashes, hops, parent or "",
            kind == 2, False, address, etag or "", modified or "",
        )
        for uid, score, depth, distance, tries, crashes, hops, kind, tail, parent, etag, modified in found
    ]  # fmt: skip
    db.executemany("update url set state=1 where hid=? and uid=? and state=0", [(hid, one.uid) for one in leases])
    db.executemany(INSERT_LEASE, [(hid, one.uid, worker, name, address, now) for one in leases])
    if leases or not limits.kind:
        refresh_host(db, hid)
    return leases


def _hold(db: sqlite3.Connection, name: str, now: float) -> None:
    db.execute("update host set ready_at=? where name=?", (now + HOLD, name))


def drop(db: sqlite3.Connection, worker: int, lease: Lease) -> bool:
    """End a lease. False if this worker does not hold it any more: then nothing may be written for it."""
    done = db.execute("delete from lease where hid=? and uid=? and worker=?", (lease.hid, lease.uid, worker))
    return done.rowcount == 1


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
    """Take a host name off hold."""
    db.execute(
        "update host set ready_at=? where name=(select name from host where hid=?)",
        (ready_at, hid),
    )


def take_back(
    db: sqlite3.Connection, worker: int, now: float, parsing: int = 0, max_crashes: int = 3
) -> tuple[int, list[str]]:
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
    rows = db.execute(
        "update url set state=0, due_at=0 where state=2 and due_at<=? returning hid, score", (now,)
    ).fetchall()
    lift_hosts(db, rows)
    return len(rows)


def next_due(db: sqlite3.Connection, now: float) -> float | None:
    """When the next lease may succeed: the first host or waiting URL that falls due. None: nothing waits, or only
    for answers that are on the way."""
    times = [
        db.execute("select min(ready_at) from host where best is not null").fetchone()[0],
        db.execute("select min(due_at) from url where state=2").fetchone()[0],
    ]
    due = [time for time in times if time is not None and time < now + HOLD / 2]
    return min(due) if due else None
