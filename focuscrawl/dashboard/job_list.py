"""A job as it is listed, wherever it runs."""

from __future__ import annotations

import time
from dataclasses import dataclass

from focuscrawl.whole_files import fitting

HERE, SCRAPYD = "here", "scrapyd"
"""Where a job runs: as a process of this machine, or on Scrapyd."""
WAITING, RUNNING, ENDED = "pending", "running", "ended"
CUT = "…"
"""The end of a name that was too long."""


def new_id(crawl: str) -> str:
    """An id for a new job of this crawl, after which files are named: its name, cut if it is too long, and the time in
    milliseconds."""
    shown = fitting(crawl)
    return f"{shown if shown == crawl else shown + CUT}-{time.time_ns() // 1_000_000}"


def crawl_of(job: str) -> str:
    """The crawl's name in the id of a job; empty if the id does not say it, or not all of it."""
    name, _, made = job.rpartition("-")
    return name if made.isdecimal() and not name.endswith(CUT) else ""


@dataclass(frozen=True, slots=True)
class ListedJob:
    """One process that crawls, recrawls or makes a search index."""

    id: str
    where: str
    crawl: str
    """The crawl's name; empty if Scrapyd does not report it."""
    mode: str
    """`crawl`, `recrawl` or `index`; empty if unknown."""
    state: str
    started_at: float | None
    ended_at: float | None = None
    code: int | None = None
    """The exit code; None if it is unknown, for example because an earlier dashboard started the process."""
    said: str = ""
    """The last line of its log, if it failed. (Named as in `jobs.json`.)"""
    log: str = ""
    """URL of its log; for jobs of this machine it is a page of the dashboard."""
