"""Shows the worker processes of crawls: a table of which are at work and how fast, and sentences on what is wrong with some."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

from focuscrawl.errors import in_shell
from focuscrawl.report.plain import count, duration, one_line
from focuscrawl.report.table import Column, Table
from focuscrawl.store.crawls import Crawl
from focuscrawl.store.engines.database import Database
from focuscrawl.store.workers.control import Control, WantedState, read_control
from focuscrawl.store.workers.status import RUNNING, Health, WorkerRow, roster, store_now

COLUMNS = (
    Column("crawl", width=20, names=True), Column("id", True), Column("state", whole=True, ours=True),
        Column("machine", width=20, names=True),
    *(Column(name, True) for name in ("pid", "pages", "/min", "hosts", "leases")), Column("heard", True, ours=True),
    Column("part", whole=True),
)  # fmt: skip
"""Narrow columns, so that the table fits into 80 columns. `heard`: time since the last heartbeat."""


@dataclass(slots=True, frozen=True)
class WorkerLine:
    crawl: str
    worker: WorkerRow


@dataclass(slots=True, frozen=True)
class CrawlStatus:
    """The workers of a crawl, and what operators have asked of it."""

    crawl: str
    workers: list[WorkerRow]
    control: Control

    def sentences(self, named: bool) -> Iterator[str]:
        """Sentences on what the table does not show. `named`: whether the user asked for this crawl alone."""
        word = {WantedState.PAUSE: "paused", WantedState.STOP: "stopped"}.get(self.control.state)
        if word:
            yield f"{self.crawl} is {word} by {self.control.by}; `scrapy resume {in_shell(self.crawl)}` lets it run"
        if named and self.workers and not any(worker.health in RUNNING for worker in self.workers):
            silence = duration(min(worker.silence for worker in self.workers))
            yield f"nobody works on {self.crawl} now; the last heartbeat came {silence} ago"


def worker_status(crawl: Crawl, db: Database) -> CrawlStatus:
    """The status of a crawl, as its store has it now."""
    return CrawlStatus(crawl.name, roster(db, store_now(db)), read_control(db))


def workers_parts(lines: Sequence[WorkerLine], with_crawl: bool) -> list[str | Table]:
    """A table with one row per worker, the oldest first, and a sentence for each that is in trouble."""
    rows = [_row(line) for line in lines]
    shown = [place for place in range(len(COLUMNS)) if (with_crawl if place == 0 else any(row[place] for row in rows))]
    table = Table([COLUMNS[place] for place in shown], [[row[place] for place in shown] for row in rows], tight=True)
    return [table, *filter(None, (_sentence(line, with_crawl) for line in lines))]


def _row(line: WorkerLine) -> tuple[str, ...]:
    worker = line.worker
    rate, state = worker.per_minute, "ended" if worker.health is Health.GONE else worker.health
    return (
        line.crawl, str(worker.id), state, worker.machine, str(worker.process_id), count(worker.count("pages")),
        "–" if rate is None else f"{rate:,.0f}",
        count(worker.hosts), count(worker.leases), duration(worker.silence), worker.text("partition"),
    )  # fmt: skip


def _sentence(line: WorkerLine, with_crawl: bool) -> str:
    problem = trouble(line.worker)
    of = f" of {one_line(line.crawl)}" if with_crawl else ""
    return f"Worker {line.worker.id}{of}: {one_line(problem)}." if problem else ""


def trouble(worker: WorkerRow) -> str:
    """What is wrong with a worker, in words; empty if nothing is."""
    if worker.health is Health.DEAD and not worker.taken_back:
        return f"{_hangs(worker) if worker.there else 'its process has ended'}; the next worker takes over what it held"
    if worker.health is Health.SILENT:
        return _hangs(worker)
    return worker.text("trouble") if worker.health in RUNNING else ""


def _hangs(worker: WorkerRow) -> str:
    return worker.text("trouble") or "no heartbeat comes: it hangs, or its store or network does"


def as_json(line: WorkerLine) -> dict[str, object]:
    """A worker as plain values, for programs; what it reported about itself is under `stats`."""
    values = asdict(line.worker)
    return {"crawl": line.crawl, "state": values.pop("health"), **values, "trouble": trouble(line.worker)}
