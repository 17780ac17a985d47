"""The workers of a crawl, and what each has stored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict

from focuscrawl.report.workers import trouble
from focuscrawl.store.crawls import Crawl
from focuscrawl.store.engines.database import Database
from focuscrawl.store.workers.status import RUNNING, WorkerRow, roster, store_now

MOST = 200
"""How many workers are listed: the latest ones."""


def view(crawl: Crawl, db: Database, query: Mapping[str, str]) -> dict[str, object]:
    workers = roster(db, store_now(db))
    lines = [_line(worker) for worker in reversed(workers[-MOST:])]
    live = any(worker.health in RUNNING for worker in workers)
    return {"workers": sorted(lines, key=lambda line: line["state"] not in RUNNING), "live": live, "all": len(workers)}


def _line(worker: WorkerRow) -> dict[str, object]:
    values = asdict(worker)
    del values["stats"], values["health"]
    return values | {
        "state": worker.health.value, "pages": worker.count("pages"), "relevant": worker.count("relevant"),
        "per_minute": worker.per_minute, "part": worker.text("partition"), "trouble": trouble(worker),
    }  # fmt: skip
