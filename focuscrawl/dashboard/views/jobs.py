"""All jobs in one list: the processes that dashboards have started on this machine, and the jobs of Scrapyd."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict

from focuscrawl.dashboard.job_list import ENDED, RUNNING, ListedJob
from focuscrawl.dashboard.jobs import MOST_JOBS
from focuscrawl.dashboard.state import Dashboard
from focuscrawl.errors import BadInput

ALIVE = 5e9
"""Later than every time, so that pending jobs are listed before those that have begun."""


def view(dashboard: Dashboard) -> dict[str, object]:
    """Jobs that have not ended come first, then the latest. If Scrapyd does not answer, `problem` says so, and the jobs of this
    machine are listed."""
    found, problem = dashboard.jobs.here(), ""
    if scrapyd := dashboard.jobs.scrapyd:
        try:
            found += sorted(dashboard.stores.cache.get("scrapyd", scrapyd.jobs), key=_order)[:MOST_JOBS]
        except BadInput as error:
            problem = str(error)
    states = Counter(job.state for job in found)
    return {
        "jobs": [asdict(job) for job in sorted(found, key=_order)], "problem": problem,
        "scrapyd": scrapyd.url if scrapyd else "", "running": states[RUNNING], "live": states.total() > states[ENDED],
    }  # fmt: skip


def _order(job: ListedJob) -> tuple[bool, float]:
    return job.state == ENDED, -(job.started_at or ALIVE)
