"""Runs with a log of fetches, for whatever asks which run stored a page first."""

from __future__ import annotations

import json
from collections.abc import Mapping

from focuscrawl.store.engines.database import Database
from focuscrawl.store.workers.runs import RunRow, all_runs
from tests.report import sample


def run_that_stored(
    db: Database,
    pages: Mapping[int, float],
    started_at: float,
    *,
    arguments: Mapping[str, object] | None = None,
    stats: Mapping[str, object] | None = None,
) -> RunRow:
    """A further run that has ended, with one worker. `pages`: when it stored them, seconds after its start."""
    (run,) = db.execute("select coalesce(max(id), 0) + 1 from run").fetchone()
    sample.insert(
        db, "run", id=run, started_at=started_at, ended_at=started_at + 60, reason="max_pages",
        arguments=json.dumps(arguments or {}), stats=json.dumps(stats or {}),
    )  # fmt: skip
    sample.insert(
        db, "worker", id=run, run=run, machine="m", process_id=1, process_started=1.0, beat_at=started_at, state="gone"
    )
    for page_id, after in pages.items():
        sample.insert(
            db, "fetches", worker=run, hid=1, uid=page_id, page_id=page_id, at=started_at + after, status=200, priority=0.5,
            depth=0, distance=0, tries=0, hops=0, kind=0, parent=0,
        )  # fmt: skip
    return all_runs(db)[-1]
