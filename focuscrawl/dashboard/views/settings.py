"""The arguments, settings and job of each run as they were when it began (files may have changed since), the place of the
store, and the versions of this program."""

from __future__ import annotations

from collections.abc import Mapping

from focuscrawl.errors import BadInput
from focuscrawl.report.reasons import stop_words
from focuscrawl.report.summary import versions
from focuscrawl.store.crawls import SQLITE_FILE, Crawl, remembered
from focuscrawl.store.engines.database import Database
from focuscrawl.store.workers.runs import RunRow, all_runs, conditions_of, is_recrawl, seconds_of
from focuscrawl.store.workers.status import live_runs, store_now

MOST_RUNS = 50
QUERY = frozenset({"run"})


def view(crawl: Crawl, db: Database, query: Mapping[str, str]) -> dict[str, object]:
    """The data of the run that the query asks for, else of the last one. Raises BadInput if there is no such run."""
    runs, now = all_runs(db, counted=False), store_now(db)
    live = live_runs(db, now)
    place = crawl.location or remembered(crawl.directory)
    file = crawl.directory / SQLITE_FILE
    number = query.get("run", "")
    chosen = next((run for run in runs if str(run.id) == number), None) if number else (runs[-1] if runs else None)
    if number and chosen is None:
        raise BadInput(f"the crawl has had no run {number[:20]!r}")
    arguments, conditions = (chosen.arguments, conditions_of(db, chosen.id)) if chosen else ({}, None)
    return {
        "chosen": chosen.id if chosen else 0, "conditions": conditions,
        "arguments": {name: value for name, value in arguments.items() if value not in ("", [], None)},
        "runs": [_run(run, now, run.id in live) for run in reversed(runs[-MOST_RUNS:])], "all_runs": len(runs),
        "directory": str(crawl.directory), "database": f"{place.url}, {place.schema}" if place else "",
        "bytes": file.stat().st_size if file.is_file() else None, "versions": versions(),
    }  # fmt: skip


def _run(run: RunRow, now: float, live: bool) -> dict[str, object]:
    running = live and run.ended_at is None
    return {
        "id": run.id, "mode": "recrawl" if is_recrawl(run) else "crawl", "started_at": run.started_at, "ended_at": run.ended_at,
        "seconds": seconds_of(run, now, running), "running": running, "pages": run.pages, "relevant": run.relevant,
        "why": stop_words(run.reason, run.why) if run.reason else "",
    }  # fmt: skip
