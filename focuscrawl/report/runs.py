"""The list of runs: what each brought, and how it ended."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from focuscrawl.report.plain import count, duration, moment, percent
from focuscrawl.report.rules import stop_words
from focuscrawl.report.summary import seconds_of
from focuscrawl.report.table import Column, Table
from focuscrawl.store.export import iso_time
from focuscrawl.store.overview import RunRow


@dataclass(slots=True, frozen=True)
class RunLine:
    crawl: str
    run: RunRow
    running: bool
    now: float

    @property
    def seconds(self) -> float:
        return seconds_of(self.run, self.now, self.running)

    @property
    def reason(self) -> str:
        """Why it ended; `running`, or `crashed` when no live process is behind it."""
        return self.run.reason or ("running" if self.running else "crashed")

    @property
    def requests(self) -> int | None:
        return self._stat("requests", "downloader/request_count")

    @property
    def errors(self) -> int | None:
        """URLs given up."""
        return self._stat("errors", "")

    def _stat(self, name: str, key: str) -> int | None:
        """From the closing stats; None for a run that left none."""
        counts = self.run.stats.get("counts")
        value = counts.get(name) if isinstance(counts, dict) else self.run.stats.get(key)
        return value if isinstance(value, int) else None


def runs_table(lines: Sequence[RunLine]) -> Table:
    """One row a run, the newest first."""
    rows = [
        (
            line.crawl, str(line.run.id), moment(line.run.started_at), duration(line.seconds), line.reason,
            count(line.run.pages), count(line.run.relevant), _rate(line.run), _known(line.requests), _known(line.errors),
            stop_words(line.run.reason, line.run.why) if line.run.reason else "",
        )
        for line in sorted(lines, key=lambda line: -line.run.started_at)
    ]  # fmt: skip
    columns = [
        Column("crawl", width=30), Column("run", True), Column("started"), Column("duration", True),
        Column("reason", whole=True), *(Column(name, True) for name in ("pages", "relevant", "harvest")),
        *(Column(name, True, spare=True) for name in ("requests", "errors")), Column("why", width=60, spare=True),
    ]  # fmt: skip
    return Table(columns, rows, tight=True)


def _rate(run: RunRow) -> str:
    return percent(run.relevant / run.pages) if run.pages else "–"


def _known(value: int | None) -> str:
    return "–" if value is None else count(value)


def as_json(line: RunLine) -> dict[str, object]:
    """For programs; times are ISO 8601 in UTC."""
    run = line.run
    values = {name: value for name, value in asdict(run).items() if name not in ("stats", "reason", "last_at")}
    return {
        "crawl": line.crawl,
        **values,
        "started_at": iso_time(run.started_at),
        "ended_at": iso_time(run.ended_at) if run.ended_at is not None else None,
        "seconds": round(line.seconds, 3),
        "reason": line.reason,
        "harvest_rate": run.relevant / run.pages if run.pages else None,
        "requests": line.requests,
        "errors": line.errors,
    }
