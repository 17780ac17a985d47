"""A job as it is listed, wherever it runs."""

from __future__ import annotations

from dataclasses import dataclass

HERE, SCRAPYD = "here", "scrapyd"
"""Where a job runs: as a process of this machine, or on Scrapyd."""
WAITING, RUNNING, ENDED = "pending", "running", "ended"


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
