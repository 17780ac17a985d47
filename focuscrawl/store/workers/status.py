"""The worker processes of a crawl as an operator sees them, and whether a recrawl, which works alone, may start beside them.
Reads only."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from focuscrawl.store.engines.database import Database
from focuscrawl.store.workers.clock import offset_of_workers
from focuscrawl.store.workers.lifecycle import BEAT_SECONDS, DEAD_SECONDS, machine, process_started
from focuscrawl.store.workers.runs import object_of

SILENT_SECONDS = 4 * BEAT_SECONDS
WORKERS = """select w.id, w.run, w.machine, w.process_id, w.process_started, w.beat_at, w.state, w.stats, w.warc, w.warc_cut,
    coalesce(l.leases, 0), coalesce(l.hosts, 0)
    from worker w left join (
        select worker, count(*) as leases, count(distinct name) as hosts from lease group by worker) l on l.worker=w.id
    order by w.id"""
ORPHANS = """select count(*) from lease l left join worker w on w.id=l.worker and w.state='live' where w.id is null"""


class Health(StrEnum):
    LIVE = "live"
    PAUSED = "paused"
    SILENT = "silent"
    """No heartbeat for some seconds: its store or its machine hangs."""
    GONE = "gone"
    """Ended in an orderly way."""
    DEAD = "dead"
    """Its process ended without saying so, or has sent no heartbeat for long: the next worker takes over what it held."""


RUNNING = frozenset({Health.LIVE, Health.PAUSED, Health.SILENT})


@dataclass(slots=True, frozen=True)
class WorkerRow:
    id: int
    run: int
    machine: str
    process_id: int
    health: Health
    silence: float
    """Seconds since its last heartbeat."""
    leases: int
    """URLs that it holds a lease on."""
    hosts: int
    """Hosts of these URLs."""
    warc: str
    cut: bool
    """Whether its last WARC file was cut back to its last commit."""
    taken_back: bool
    """Whether it died and others have taken back its leases."""
    there: bool | None = None
    """Whether its process exists; None where that cannot be seen from this machine."""
    stats: dict[str, Any] = field(default_factory=dict)
    """Of its last heartbeat: `crawl.counting.HeartbeatStats`. A worker that ends in order sends one at its very end."""

    def count(self, name: str) -> int:
        """A number of `stats`; 0 where there is none."""
        value = self.stats.get(name)
        return round(value) if isinstance(value, int | float) else 0

    def text(self, name: str) -> str:
        value = self.stats.get(name)
        return value if isinstance(value, str) else ""

    @property
    def per_minute(self) -> float | None:
        """Pages per minute; None if it has ended, or has not said."""
        rate = self.stats.get("pages_per_minute")
        return rate if self.health in RUNNING and isinstance(rate, int | float) else None


def store_now(db: Database) -> float:
    """The time that the workers of a store share (`store.workers.clock`), for a process that only reads: epoch seconds."""
    server = db.dialect.clock(db)
    if server is not None:
        return server
    offset = offset_of_workers(db)
    return time.time() if offset is None else time.monotonic() + offset


def roster(db: Database, now: float) -> list[WorkerRow]:
    """All workers that the crawl ever had, the oldest first. `now`: as `store_now` gives it."""
    rows = []
    for id_, run, where, process_id, began, beat_at, state, stats, warc, cut, leases, hosts in db.execute(WORKERS):
        values, silence = object_of(stats), max(now - beat_at, 0.0)
        there = process_started(process_id) == began if where == machine() else None
        health = _health(state, silence, there, values.get("control") == "pause")
        rows.append(
            WorkerRow(
                id_, run, where.partition("/")[0], process_id, health, silence, int(leases), int(hosts), warc, bool(cut),
                state == "dead", there, values,
            )
        )  # fmt: skip
    return rows


def live_runs(db: Database, now: float) -> set[int]:
    """The runs whose workers are running."""
    return {worker.run for worker in roster(db, now) if worker.health in RUNNING}


def _health(state: str, silence: float, there: bool | None, paused: bool) -> Health:
    """`there`: whether the process exists; None where that cannot be seen from this machine."""
    if state != "live":
        return Health(state)
    if there is False or silence > DEAD_SECONDS:
        return Health.DEAD
    if silence > SILENT_SECONDS:
        return Health.SILENT
    return Health.PAUSED if paused else Health.LIVE


def orphan_leases(db: Database) -> int:
    """How many leases belong to a worker that is not live. There should be none: leases end with their worker."""
    return int(db.execute(ORPHANS).fetchone()[0])


RUN = "select started_at, arguments from run where id=?"


@dataclass(slots=True, frozen=True)
class RunningProcess:
    """A process that works on a crawl."""

    process_id: int
    machine: str
    """Empty: this one."""
    since: float
    """Epoch seconds."""
    recrawl: bool


class OccupiedError(Exception):
    """Another worker, `worker`, prevents this one from starting."""

    def __init__(self, worker: RunningProcess) -> None:
        super().__init__(f"process {worker.process_id} is at work")
        self.worker = worker


def check_alone(db: Database, alone: bool, now: float, this: int = 0) -> None:
    """Raises OccupiedError if a worker may not start now: a recrawl (`alone`) beside any other, others beside a recrawl.

    Only live workers count. One that died on another machine blocks others for DEAD_SECONDS at most. `now`: as `store_now`
    gives it. If this is called in the transaction that registers `this` worker, after `settle_grain`, which lets in one worker
    at a time, it also works for two that start at the same moment."""
    for worker in roster(db, now):
        if worker.health not in RUNNING or worker.id == this:
            continue
        process = running_process(db, worker)
        if alone or process.recrawl:
            raise OccupiedError(process)


def running_process(db: Database, worker: WorkerRow) -> RunningProcess:
    """The process of a worker."""
    began, arguments = db.execute(RUN, (worker.run,)).fetchone() or (0.0, "")
    return RunningProcess(worker.process_id, worker.machine, began, object_of(arguments).get("mode") == "recrawl")
