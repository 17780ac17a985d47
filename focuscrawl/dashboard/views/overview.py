"""All crawls: their state, their harvest, and their workers, with what each has stored and its problems."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from focuscrawl.dashboard.stores import Stores
from focuscrawl.errors import BadInput
from focuscrawl.report.reasons import stop_words
from focuscrawl.report.workers import trouble
from focuscrawl.store.crawls import Crawl
from focuscrawl.store.engines.database import ERRORS, Database
from focuscrawl.store.overview import host_sums, url_states, waiting_of
from focuscrawl.store.workers.control import Control, WantedState, read_control
from focuscrawl.store.workers.runs import RunRow, all_runs, is_recrawl, seconds_of
from focuscrawl.store.workers.status import RUNNING, Health, WorkerRow, roster, store_now

MOST_WORKERS = 200
"""How many workers are listed: the latest ones."""


@dataclass(frozen=True, slots=True)
class Activity:
    """A crawl's workers and last run, and the state that operators want it in."""

    at: float
    run: RunRow | None
    """The last run."""
    runs: int
    workers: list[WorkerRow]
    """The workers that are running."""
    control: Control

    @property
    def state(self) -> str:
        """`running`, `paused`, `stopped`, `silent` (no worker sends heartbeats), `crashed`, `idle` or `new`."""
        if self.workers:
            if all(worker.health is Health.SILENT for worker in self.workers):
                return "silent"
            return "paused" if self.control.state is WantedState.PAUSE else "running"
        if self.control.state is not WantedState.RUN:
            return "paused" if self.control.state is WantedState.PAUSE else "stopped"
        if self.run is None:
            return "new"
        return "idle" if self.run.ended_at is not None else "crashed"

    @property
    def per_minute(self) -> float:
        """Pages per minute of all workers together."""
        return sum(worker.per_minute or 0.0 for worker in self.workers)

    @property
    def worker(self) -> WorkerRow | None:
        """The worker of the last run; None if it is not running, even if those of earlier runs are."""
        return next((worker for worker in self.workers if self.run and worker.run == self.run.id), None)


def now_of(db: Database) -> Activity:
    at = store_now(db)
    runs = all_runs(db, counted=False)
    workers = [worker for worker in roster(db, at) if worker.health in RUNNING]
    return Activity(at, runs[-1] if runs else None, len(runs), workers, read_control(db))


def run_facts(now: Activity) -> dict[str, object]:
    """The facts of the last run that pages show; empty if there was none."""
    run = now.run
    if run is None:
        return {}
    return {
        "id": run.id, "mode": "recrawl" if is_recrawl(run) else "crawl", "started_at": run.started_at, "ended_at": run.ended_at,
        "seconds": seconds_of(run, now.at, now.worker is not None), "reason": run.reason, "pages": run.pages,
        "relevant": run.relevant, "logged_errors": run.logged_errors,
        "why": stop_words(run.reason, run.why) if run.reason else "", "drift": list(run.drift),
    }  # fmt: skip


def view(crawl: Crawl, db: Database, query: Mapping[str, str]) -> dict[str, object]:
    """One crawl's row of the list, without the counts of `states`."""
    now, sums = now_of(db), host_sums(db)
    return {
        "name": crawl.name, "state": now.state, "run": run_facts(now), "runs": now.runs, "workers": len(now.workers),
        "pages": sums.pages, "relevant": sums.relevant, "harvest_rate": sums.harvest_rate, "requests": sums.requests,
        "hosts": sums.hosts_fetched,
        "per_minute": now.per_minute, "trouble": [problem for worker in now.workers if (problem := trouble(worker))],
    }  # fmt: skip


def states(crawl: Crawl, db: Database, query: Mapping[str, str]) -> dict[str, object]:
    """The number of URLs by state, and of those that wait. This is the only scan of all URLs; all pages share its result."""
    counts = url_states(db)
    return {"states": counts, "waiting": waiting_of(counts)}


def overview(stores: Stores) -> dict[str, object]:
    """All rows, running crawls first, then the latest. The row of a store that cannot be read says why."""
    lines: list[dict[str, Any]] = []
    for crawl in stores.crawls():
        try:
            lines.append(stores.read(crawl, view, {}) | {"waiting": stores.read(crawl, states, {})["waiting"]})
        except (BadInput, *ERRORS) as error:
            lines.append({"name": crawl.name, "state": "unreadable", "problem": str(error), "run": {}})
    lines.sort(key=lambda line: (line["state"] not in ("running", "paused", "silent"), -line["run"].get("started_at", 0.0)))
    return {"crawls": lines, "live": any(line["state"] in ("running", "silent") or line.get("workers") for line in lines)}


def workers(crawl: Crawl, db: Database, query: Mapping[str, str]) -> dict[str, object]:
    found = roster(db, store_now(db))
    lines = [_worker_line(worker) for worker in reversed(found[-MOST_WORKERS:])]
    live = any(worker.health in RUNNING for worker in found)
    return {"workers": sorted(lines, key=lambda line: line["state"] not in RUNNING), "live": live, "all": len(found)}


def _worker_line(worker: WorkerRow) -> dict[str, object]:
    values = asdict(worker)
    del values["stats"], values["health"]
    return values | {
        "state": worker.health.value, "pages": worker.count("pages"), "relevant": worker.count("relevant"),
        "per_minute": worker.per_minute, "part": worker.text("partition"), "trouble": trouble(worker),
    }  # fmt: skip
