"""Crawl processes that share a store: registration, heartbeat, and taking back what a dead one held."""

from __future__ import annotations

import os
import platform
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from focuscrawl.store.engines.database import Database

# One row for each start of a crawl process.


def begin(db: Database, arguments: str, now: float) -> int:
    row = db.execute("insert into run(started_at, arguments) values(?, ?) returning id", (now, arguments)).fetchone()
    return int(row[0])


def end(db: Database, run: int, reason: str, stats: str, now: float, why: str = "") -> None:
    """`reason`: a short name; `why`: a sentence with the figures, where there are any."""
    db.execute("update run set ended_at=?, reason=?, why=?, stats=? where id=?", (now, reason, why, stats, run))


BEAT_SECONDS = 2.0
"""Between heartbeats; each also looks for local processes that are gone, so that their leases come back soon."""
DEAD_SECONDS = 45.0
"""A worker of which nothing was heard for so long is dead: its hosts are to be back within a minute."""
DIRECTORY_ID_FILE = "place"
LIVE = "select id, machine, process_id, process_started, beat_at from worker where state='live' and id<>?"
GAP_SECONDS = 10.0
"""Who has not looked for so long knows nothing of the time between: neither its own silence nor the store's is another's."""


def boot_id() -> str:
    """Of the machine's last start; empty where there is none to be had."""
    boot = Path("/proc/sys/kernel/random/boot_id")
    return boot.read_text().strip()[:8] if boot.exists() else ""


def machine() -> str:
    """Name of this machine, boot and pid namespace: a pid of another one is another process. (Containers on the network of
    their machine have its name, and do not see each other's processes.)"""
    try:
        namespace = os.readlink("/proc/self/ns/pid")
    except OSError:
        namespace = ""
    return f"{platform.node()}/{boot_id()}/{namespace}"


def directory_id(directory: Path) -> str:
    """Where a worker's files lie: the number that the crawl directory got when it was first used. It stays when the directory
    is moved, or the machine (as a container does) changes its name."""
    path = directory / DIRECTORY_ID_FILE
    if not path.exists():
        own = directory / f"{DIRECTORY_ID_FILE}.{os.getpid()}"
        own.write_text(secrets.token_hex(8) + "\n")
        try:
            path.hardlink_to(own)
        except FileExistsError:
            own.unlink()  # another process was faster
        except OSError:
            own.replace(path)  # a file system without links
        else:
            own.unlink()
    return path.read_text().strip()


def process_started(process_id: int) -> float:
    """Start time of a process in clock ticks since boot; 0 if there is none."""
    try:
        stat = Path(f"/proc/{process_id}/stat").read_text()
    except OSError:
        return 0.0
    fields = stat.rpartition(")")[2].split()
    return 0.0 if fields[0] == "Z" else float(fields[19])


def register(db: Database, run: int, now: float, where: str = "") -> int:
    """A new worker row for this process; returns its id, which is also its fencing token. `where`: its `directory_id`."""
    process_id = os.getpid()
    row = db.execute(
        """insert into worker(run, machine, process_id, process_started, beat_at, state, directory_id)
        values(?, ?, ?, ?, ?, 'live', ?) returning id""",
        (run, machine(), process_id, process_started(process_id), now, where),
    ).fetchone()
    return int(row[0])


def beat(db: Database, worker: int, now: float, stats: str = "") -> bool:
    """Heartbeat. False when others have taken this worker for dead: its leases are gone."""
    statement = "update worker set beat_at=?, stats=coalesce(nullif(?, ''), stats) where id=? and state='live'"
    return db.execute(statement, (now, stats, worker)).rowcount == 1


def leave(db: Database, worker: int) -> None:
    db.execute("update worker set state='gone', warc_cut=1 where id=?", (worker,))


class Observer:
    """Tells which workers are dead. A process of this machine is looked at; of all others, and of one that hangs, counts how
    long its heartbeat has stood still under this observer's own eyes, by its monotonic clock: no clock that is set, and no
    pause of the store or of this process, makes the living dead."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._seen: dict[int, tuple[float, float]] = {}
        self._looked = monotonic()

    def dead(self, db: Database, this: int) -> list[int]:
        """Live rows without a live process, but for `this`."""
        here, now, found = machine(), self._monotonic(), []
        if now - self._looked > GAP_SECONDS:
            self._seen.clear()
        self._looked = now
        live = {}
        for worker, where, process_id, began, beat_at in db.execute(LIVE, (this,)).fetchall():
            since = self._since(worker, beat_at, now)
            live[worker] = beat_at, since
            if now - since > DEAD_SECONDS or (where == here and process_started(process_id) != began):
                found.append(worker)
        self._seen = live
        return found

    def _since(self, worker: int, beat_at: float, now: float) -> float:
        known = self._seen.get(worker)
        return known[1] if known is not None and known[0] == beat_at else now


def uncut(db: Database, where: str) -> list[tuple[int, str]]:
    """(id, file) of this crawl directory's dead workers whose last WARC file may be longer than their last commit."""
    return db.execute("select id, warc from worker where state='dead' and warc_cut=0 and directory_id=?", (where,)).fetchall()


@dataclass(slots=True, frozen=True)
class WarcEnd:
    """The last WARC file of a worker that has ended."""

    worker: int
    dead: bool
    """It ended without a word, rather than in order."""
    file: str
    length: int
    """Bytes up to its last commit."""
    cut: bool
    """The file was cut back to `length`."""


def warc_ends(db: Database, where: str) -> list[WarcEnd]:
    """Of the workers of this crawl directory that have ended, the oldest first."""
    rows = db.execute(
        """select id, state='dead', warc, warc_length, warc_cut from worker
        where warc<>'' and state<>'live' and directory_id=? order by id""",
        (where,),
    )
    return [WarcEnd(worker, bool(dead), file, length, bool(cut)) for worker, dead, file, length, cut in rows]


def set_cut(db: Database, worker: int) -> None:
    """The worker's last WARC file ends with its last commit."""
    db.execute("update worker set warc_cut=1 where id=?", (worker,))


def others_hold(db: Database, worker: int) -> bool:
    """Whether another worker holds a lease."""
    return db.execute("select 1 from lease where worker<>? limit 1", (worker,)).fetchone() is not None


def others_live(db: Database, worker: int) -> bool:
    """Whether another worker is there."""
    return db.execute("select 1 from worker where state='live' and id<>? limit 1", (worker,)).fetchone() is not None


def is_eldest(db: Database, worker: int) -> bool:
    """Whether this worker is the first of those that are there: what one of them does for all is done by it."""
    (eldest,) = db.execute("select min(id) from worker where state='live'").fetchone()
    return bool(eldest == worker)


class WorkerLostError(Exception):
    """Others have taken this worker for dead. It must not lease any more: nobody would take its leases back."""


def check_live(db: Database, worker: int) -> None:
    """Raises WorkerLostError. Up to the end of the transaction nobody takes this worker for dead."""
    if db.execute(f"select 1 from worker where id=? and state='live'{db.dialect.for_share}", (worker,)).fetchone() is None:
        raise WorkerLostError(f"worker {worker} was taken for dead")


# What one worker does for all: the first that claims it, or the next when that one is gone.


def claim(db: Database, key: str, worker: int) -> bool:
    """Whether this worker may do what `key` names. Of several that ask at once one is told so."""
    insert = "insert into meta(key, value) values(?, ?) on conflict(key) do nothing"
    if db.execute(insert, (key, str(worker))).rowcount == 1:
        return True
    (holder,) = db.execute("select value from meta where key=?", (key,)).fetchone()
    if int(holder) == worker:
        return True
    if db.execute("select 1 from worker where id=? and state='live'", (int(holder),)).fetchone():
        return False
    return db.execute("update meta set value=? where key=? and value=?", (str(worker), key, holder)).rowcount == 1
