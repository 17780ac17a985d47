"""A recrawl works alone: it does not start beside other workers of its crawl, and they do not start beside it."""

from __future__ import annotations

from dataclasses import dataclass

from focuscrawl.store.engines.database import Database
from focuscrawl.store.workers.runs import object_of
from focuscrawl.store.workers.status import RUNNING, roster

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
        began, arguments = db.execute(RUN, (worker.run,)).fetchone() or (0.0, "")
        recrawl = object_of(arguments).get("mode") == "recrawl"
        if alone or recrawl:
            raise OccupiedError(RunningProcess(worker.process_id, worker.machine, began, recrawl))
