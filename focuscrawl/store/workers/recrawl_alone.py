"""A recrawl works alone: it neither begins beside other workers of its crawl, nor do they begin beside it."""

from __future__ import annotations

from dataclasses import dataclass

import orjson

from focuscrawl.store.engines.database import Database
from focuscrawl.store.workers.status import RUNNING, roster

RUN = "select started_at, arguments from run where id=?"


@dataclass(slots=True, frozen=True)
class AtWork:
    """A process that works on a crawl."""

    process_id: int
    machine: str
    """Empty: this one."""
    since: float
    """Epoch seconds."""
    recrawl: bool


class OccupiedError(Exception):
    """`worker` is in the way."""

    def __init__(self, worker: AtWork) -> None:
        super().__init__(f"process {worker.process_id} is at work")
        self.worker = worker


def check_alone(db: Database, alone: bool, now: float, this: int = 0) -> None:
    """Raises OccupiedError when a worker may not begin now: a recrawl (`alone`) beside any other, others beside a recrawl.

    Only live workers count: one that is dead blocks nobody, if its machine is another one for no more than DEAD_SECONDS.
    `now`: of `store_now`. In the transaction that registers `this` worker, behind `settle_grain`, which lets one in after the
    other, it also tells two apart that begin at the same moment."""
    for worker in roster(db, now):
        if worker.health not in RUNNING or worker.id == this:
            continue
        began, arguments = db.execute(RUN, (worker.run,)).fetchone() or (0.0, "")
        recrawl = _mode(arguments) == "recrawl"
        if alone or recrawl:
            raise OccupiedError(AtWork(worker.process_id, worker.machine, began, recrawl))


def _mode(arguments: str) -> str:
    try:
        said = orjson.loads(arguments or "{}")
    except orjson.JSONDecodeError:
        return ""
    return str(said.get("mode", "")) if isinstance(said, dict) else ""
