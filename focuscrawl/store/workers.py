"""Crawl processes that share a store: registration, heartbeat, and taking back what a dead one held."""

from __future__ import annotations

import os
import platform
import sqlite3
from pathlib import Path

from focuscrawl.store.lease_ends import take_back

BEAT_SECONDS = 2.0
"""Between heartbeats; each also looks for local processes that are gone, so that their leases come back soon."""
DEAD_SECONDS = 60.0


def machine() -> str:
    """Name of this machine and boot: a pid of another boot is another process."""
    boot = Path("/proc/sys/kernel/random/boot_id")
    return f"{platform.node()}/{boot.read_text().strip()[:8]}" if boot.exists() else platform.node()


def started(pid: int) -> float:
    """Start time of a process in clock ticks since boot; 0 if there is none."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return 0.0
    fields = stat.rpartition(")")[2].split()
    return 0.0 if fields[0] == "Z" else float(fields[19])


def register(db: sqlite3.Connection, run: int, now: float) -> int:
    """A new worker row for this process; returns its id, which is also its fencing token."""
    pid = os.getpid()
    row = db.execute(
        "insert into worker(run, machine, pid, started, beat_at, state) values(?, ?, ?, ?, ?, 'live') returning id",
        (run, machine(), pid, started(pid), now),
    ).fetchone()
    return int(row[0])


def beat(db: sqlite3.Connection, worker: int, now: float) -> bool:
    """Heartbeat. False when others have taken this worker for dead: its leases are gone."""
    return db.execute("update worker set beat_at=? where id=? and state='live'", (now, worker)).rowcount == 1


def leave(db: sqlite3.Connection, worker: int) -> None:
    db.execute("update worker set state='gone' where id=?", (worker,))


def dead_workers(db: sqlite3.Connection, now: float) -> list[tuple[int, str]]:
    """Live rows without a live process: (id, name of its WARC file). A process of this machine is looked at; of
    another machine, the heartbeat counts."""
    here, dead = machine(), []
    for worker, where, pid, began, beat_at, warc in db.execute(
        "select id, machine, pid, started, beat_at, warc from worker where state='live'"
    ):
        silent = now - beat_at > DEAD_SECONDS
        gone = where == here and started(pid) != began
        if gone or silent:
            dead.append((worker, warc))
    return dead


def bury(db: sqlite3.Connection, worker: int, now: float, parsing: int) -> tuple[int, list[str]]:
    """Mark a dead worker and take its leases back; see `take_back`."""
    db.execute("update worker set state='dead' where id=?", (worker,))
    return take_back(db, worker, now, parsing)


def others_hold(db: sqlite3.Connection, worker: int) -> bool:
    """Whether another worker holds a lease."""
    return db.execute("select 1 from lease where worker<>? limit 1", (worker,)).fetchone() is not None


class WorkerLostError(Exception):
    """Others have taken this worker for dead. It must not lease any more: nobody would take its leases back."""


def check_live(db: sqlite3.Connection, worker: int) -> None:
    """Raises WorkerLostError."""
    if db.execute("select 1 from worker where id=? and state='live'", (worker,)).fetchone() is None:
        raise WorkerLostError(f"worker {worker} was taken for dead")


def set_meta(db: sqlite3.Connection, key: str, value: str) -> None:
    db.execute("insert or replace into meta(k, v) values(?, ?)", (key, value))
