"""Politeness in the store: the pace of hosts and addresses, kept over restarts and shared by all workers."""

from __future__ import annotations

import sqlite3

import orjson

from focuscrawl.items import Lease
from focuscrawl.politeness.pace import Outcome, Pace, PaceSettings, after, started, with_crawl_delay
from focuscrawl.store.leasing import HOLD, Limits


def load_pace(column: str) -> Pace:
    return Pace(**orjson.loads(column)) if column else Pace()


def dump_pace(pace: Pace) -> str:
    return orjson.dumps(pace).decode()


def report(db: sqlite3.Connection, worker: int, lease: Lease, outcome: Outcome, now: float, limits: Limits) -> None:
    """A request of `lease` has ended: the host and its address get their next time, the place on the wire is free."""
    db.execute("update lease set wire=0 where hid=? and uid=? and worker=?", (lease.hid, lease.uid, worker))
    row = db.execute("select name, pace from host where hid=?", (lease.hid,)).fetchone()
    if row is None:
        return
    pace = after(load_pace(row[1]), outcome, now, limits.host)
    _set_host(db, row[0], pace)
    db.execute("update host set requests=requests+1 where hid=?", (lease.hid,))
    if outcome.address:
        _report_address(db, lease.hid, outcome, now, limits.address)


def _set_host(db: sqlite3.Connection, name: str, pace: Pace) -> None:
    db.execute("update host set pace=?, ready_at=? where name=?", (dump_pace(pace), pace.next_at, name))


def _report_address(db: sqlite3.Connection, hid: int, outcome: Outcome, now: float, settings: PaceSettings) -> None:
    ip = outcome.address
    row = db.execute("select pace from address where ip=?", (ip,)).fetchone()
    pace = after(load_pace(row[0]) if row else Pace(), outcome, now, settings)
    db.execute(
        """insert into address(ip, ready_at, pace) values(?1, ?2, ?3)
        on conflict(ip) do update set ready_at=max(ready_at, ?2), pace=?3""",
        (ip, pace.next_at, dump_pace(pace)),
    )
    db.execute("update host set address=? where hid=? and address<>?", (ip, hid, ip))


def set_crawl_delay(db: sqlite3.Connection, hid: int, crawl_delay: float | None, settings: PaceSettings, now: float) -> None:
    """A robots.txt has been read: its Crawl-delay holds from the request for it on."""
    name, column = db.execute("select name, pace from host where hid=?", (hid,)).fetchone()
    pace = with_crawl_delay(load_pace(column), crawl_delay, settings)
    ready = max(pace.next_at, now + pace.delay)
    db.execute("update host set pace=?, ready_at=max(ready_at, ?) where name=?", (dump_pace(pace), ready, name))


def reserve(db: sqlite3.Connection, name: str, now: float, limits: Limits) -> float:
    """Take the next turn of a host name for a request that has no lease of its own, as the redirect of a robots.txt.
    Returns 0 if it may go now, else the seconds after which to ask again; nothing is taken then."""
    ready_at, column = db.execute("select max(ready_at), pace from host where name=?", (name,)).fetchone()
    if ready_at is None or ready_at <= now:
        pace = started(load_pace(column or ""), now, limits.host)
        db.execute("update host set ready_at=? where name=?", (pace.next_at, name))
        return 0.0
    on_hold = ready_at > now + HOLD / 2
    return max(limits.host.delay, 0.05) if on_hold else float(ready_at - now)


def claim_address(db: sqlite3.Connection, worker: int, lease: Lease, address: str, now: float, limits: Limits) -> float:
    """The address of a leased host has become known (or is another one): take a place on it. Returns 0 if the request
    may go, else the seconds until it may: then the lease is to be given back. A request without a row in `lease`, the
    redirect of a robots.txt, keeps the address's delay too."""
    known = db.execute(
        "select address from lease where hid=? and uid=? and worker=?", (lease.hid, lease.uid, worker)
    ).fetchone()
    if known is not None and known[0] == address:
        return 0.0
    row = db.execute("select ready_at from address where ip=?", (address,)).fetchone()
    (busy,) = db.execute("select count(*) from lease where address=? and wire=1", (address,)).fetchone()
    wait = max(row[0] - now if row else 0.0, 0.0)
    if busy >= limits.address.concurrency:
        wait = max(wait, limits.address.delay, 0.05)
    db.execute("update host set address=? where hid=?", (address, lease.hid))
    if wait > 0:
        return wait
    db.execute("update lease set address=? where hid=? and uid=? and worker=?", (address, lease.hid, lease.uid, worker))
    if limits.address.delay > 0:
        db.execute(
            """insert into address(ip, ready_at) values(?1, ?2)
            on conflict(ip) do update set ready_at=max(ready_at, ?2)""",
            (address, now + limits.address.delay),
        )
    return 0.0
