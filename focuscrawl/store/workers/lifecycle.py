"""Crawl processes that share a store: their registration and heartbeat, and which of them are dead."""

from __future__ import annotations

import os
import platform
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from focuscrawl.store.engines.database import Database

BEAT_SECONDS = 2.0
"""Between heartbeats. Each also looks for dead processes on this machine, so that their leases come back soon."""
DEAD_SECONDS = 45.0
"""A worker without a heartbeat for this time is dead. Its hosts should be available again within a minute."""
DIRECTORY_ID_FILE = "place"
"""In the crawl's directory."""
LIVE = "select id, machine, process_id, process_started, beat_at from worker where state='live' and id<>?"
NOBODY = 0
"""No worker has this id: whoever asks as this one leaves none out."""
GAP_SECONDS = 10.0
"""An observer that has not looked for this time, because it or the store was paused, forgets what it saw: it must not take its
own silence for that of others."""


def boot_id() -> str:
    """An id of the machine's last start; empty where there is none."""
    boot = Path("/proc/sys/kernel/random/boot_id")
    return boot.read_text().strip()[:8] if boot.exists() else ""


def machine() -> str:
    """Name of this machine, with its boot and pid namespace, because a pid means another process in another one. (Containers on
    the network of their machine have its name, but do not see each other's processes.)"""
    try:
        namespace = os.readlink("/proc/self/ns/pid")
    except OSError:
        namespace = ""
    return f"{platform.node()}/{boot_id()}/{namespace}"


def directory_id(directory: Path) -> str:
    """The id of a crawl directory, which it got when it was first used. It stays the same when the directory is moved, or when
    the machine gets another name, as a container does."""
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
    """Add a worker row for this process; returns its id, which is also its fencing token. `where`: its `directory_id`."""
    process_id = os.getpid()
    row = db.execute(
        """insert into worker(run, machine, process_id, process_started, beat_at, state, directory_id)
        values(?, ?, ?, ?, ?, 'live', ?) returning id""",
        (run, machine(), process_id, process_started(process_id), now, where),
    ).fetchone()
    return int(row[0])


def beat(db: Database, worker: int, now: float, stats: str = "") -> bool:
    """Send a heartbeat. False if others have taken this worker for dead, and its leases with it."""
    statement = "update worker set beat_at=?, stats=coalesce(nullif(?, ''), stats) where id=? and state='live'"
    return db.execute(statement, (now, stats, worker)).rowcount == 1


def leave(db: Database, worker: int) -> None:
    """Note that a worker has ended in order."""
    db.execute("update worker set state='gone', warc_cut=1 where id=?", (worker,))


class Observer:
    """Decides which workers are dead.

    A worker on this machine is dead if its process is gone. Any worker is dead if this observer itself has seen its heartbeat
    stand still for DEAD_SECONDS of its monotonic clock. So neither a clock that was set nor a pause of the store or of this
    process makes a living worker count as dead."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._seen: dict[int, tuple[float, float]] = {}
        self._looked = monotonic()

    def dead(self, db: Database, this: int) -> list[int]:
        """The ids of dead workers whose rows are still live. `this`: the observer's own worker, which is left out."""
        here, now, dead = machine(), self._monotonic(), []
        if now - self._looked > GAP_SECONDS:
            self._seen.clear()
        self._looked = now
        live = {}
        for worker, where, process_id, began, beat_at in db.execute(LIVE, (this,)).fetchall():
            since = self._since(worker, beat_at, now)
            live[worker] = beat_at, since
            if now - since > DEAD_SECONDS or (where == here and process_started(process_id) != began):
                dead.append(worker)
        self._seen = live
        return dead

    def _since(self, worker: int, beat_at: float, now: float) -> float:
        known = self._seen.get(worker)
        return known[1] if known is not None and known[0] == beat_at else now


def any_alive(db: Database) -> bool:
    """Whether a worker is live and not one of this machine whose process is gone."""
    (live,) = db.execute("select count(*) from worker where state='live'").fetchone()
    return int(live) > len(Observer().dead(db, NOBODY))


def uncut(db: Database, where: str) -> list[tuple[int, str]]:
    """(id, file) of dead workers of this crawl directory whose last WARC file may go beyond their last commit."""
    return db.execute("select id, warc from worker where state='dead' and warc_cut=0 and directory_id=?", (where,)).fetchall()


@dataclass(slots=True, frozen=True)
class WarcEnd:
    """The last WARC file of a worker that has ended."""

    worker: int
    dead: bool
    """Whether it died, rather than ended in order."""
    file: str
    length: int
    """Bytes up to its last commit."""
    cut: bool
    """Whether the file was cut back to `length`."""


def warc_ends(db: Database, where: str) -> list[WarcEnd]:
    """The last WARC files of the workers of this crawl directory that have ended, the oldest worker first."""
    rows = db.execute(
        """select id, state='dead', warc, warc_length, warc_cut from worker
        where warc<>'' and state<>'live' and directory_id=? order by id""",
        (where,),
    )
    return [WarcEnd(worker, bool(dead), file, length, bool(cut)) for worker, dead, file, length, cut in rows]


def filled_files(db: Database, where: str) -> list[tuple[str, int, int]]:
    """(file, bytes that it has at least, stored pages in it) of the WARC files that workers of this crawl directory had filled
    before their last ones. Goes through all pages."""
    return db.execute(
        """select p.warc, max(p.warc_offset+p.warc_length), count(*) from page p join worker w on w.id=p.worker
        where p.warc<>'' and p.warc<>w.warc and w.directory_id=? group by p.warc order by p.warc""",
        (where,),
    ).fetchall()


def set_cut(db: Database, worker: int) -> None:
    """Note that the worker's last WARC file was cut back to its last commit."""
    db.execute("update worker set warc_cut=1 where id=?", (worker,))


def others_hold(db: Database, worker: int) -> bool:
    """Whether another worker holds a lease."""
    return db.execute("select 1 from lease where worker<>? limit 1", (worker,)).fetchone() is not None


def others_live(db: Database, worker: int) -> bool:
    """Whether another worker is live."""
    return db.execute("select 1 from worker where state='live' and id<>? limit 1", (worker,)).fetchone() is not None


def is_eldest(db: Database, worker: int) -> bool:
    """Whether this worker is the oldest live one, which does what one of them does for all."""
    (eldest,) = db.execute("select min(id) from worker where state='live'").fetchone()
    return bool(eldest == worker)


class WorkerLostError(Exception):
    """Others have taken this worker for dead. It must not lease any more, because nobody would take its leases back."""


def check_live(db: Database, worker: int) -> None:
    """Raises WorkerLostError if others have taken this worker for dead; else nobody can until the transaction ends."""
    if db.execute(f"select 1 from worker where id=? and state='live'{db.dialect.for_share}", (worker,)).fetchone() is None:
        raise WorkerLostError(f"worker {worker} was taken for dead")


# What one worker does for all: the first that claims it, or the next one when that worker is gone.


def claim(db: Database, key: str, worker: int) -> bool:
    """Whether this worker may do the work that `key` names. Of several that ask at once, only one may."""
    insert = "insert into meta(key, value) values(?, ?) on conflict(key) do nothing"
    if db.execute(insert, (key, str(worker))).rowcount == 1:
        return True
    (holder,) = db.execute("select value from meta where key=?", (key,)).fetchone()
    if int(holder) == worker:
        return True
    if db.execute("select 1 from worker where id=? and state='live'", (int(holder),)).fetchone():
        return False
    return db.execute("update meta set value=? where key=? and value=?", (str(worker), key, holder)).rowcount == 1
