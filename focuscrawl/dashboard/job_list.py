"""What is known of a job, wherever it runs."""

from __future__ import annotations

from dataclasses import dataclass

HERE, SCRAPYD = "here", "scrapyd"
"""Where a job runs: as a process of this machine, or of a Scrapyd."""
WAITING, RUNNING, ENDED = "pending", "running", "ended"


@dataclass(frozen=True, slots=True)
class ListedJob:
    """One start of a crawl or recrawl, or of what makes a search index."""

    id: str
    where: str
    crawl: str
    """Its name; empty where Scrapyd does not tell it."""
    mode: str
    """`crawl`, `recrawl` or `index`; empty: not known."""
    state: str
    started_at: float | None
    ended_at: float | None = None
    code: int | None = None
    """With which the process ended; None: not known, as of one that an earlier dashboard had started."""
    said: str = ""
    """What it said last, where it ended badly."""
    log: str = ""
    """Address of its log; of jobs of this machine one of the dashboard's own."""
