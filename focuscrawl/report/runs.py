"""Lists the runs of a crawl: what each brought, and how it ended."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from focuscrawl.report.plain import count, duration, iso_time, moment, percent
from focuscrawl.report.reasons import stop_words
from focuscrawl.report.table import Column, Table
from focuscrawl.report.translation import ENGLISH, Language
from focuscrawl.store.crawls import Crawl
from focuscrawl.store.engines.database import Database
from focuscrawl.store.workers.runs import RunRow, all_runs, is_recrawl, seconds_of
from focuscrawl.store.workers.status import live_runs, store_now

if TYPE_CHECKING:
    from focuscrawl.recrawl.monitors import Figures

NONE = "–"
SEEN = ("revisited", "changed", "new", "gone")
"""The columns of a recrawl."""


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
        """Why it ended; `running`, or `crashed` if it did not end and no process is running it."""
        return self.run.reason or ("running" if self.running else "crashed")

    @property
    def found(self) -> Figures | None:
        """The figures by which a recrawl is judged; None for a crawl, and before the end."""
        if not is_recrawl(self.run) or not self.run.stats:
            return None
        from focuscrawl.recrawl.monitors import Figures  # and with it a module that most lists do without

        return Figures.of(self.run.stats)

    @property
    def requests(self) -> int | None:
        return self.found.requests if self.found else self._stat("requests", "downloader/request_count")

    @property
    def errors(self) -> int | None:
        """Number of URLs given up; for a recrawl, of requests that failed."""
        return self.found.errors if self.found else self._stat("errors", "")

    @property
    def why(self) -> str:
        """The reason as a sentence; empty while it runs, and after a crash."""
        return stop_words(self.run.reason, self.run.why) if self.run.reason else ""

    def _stat(self, name: str, key: str) -> int | None:
        """A number from the closing stats; None if the run left none."""
        counts = self.run.stats.get("counts")
        value = counts.get(name) if isinstance(counts, dict) else self.run.stats.get(key)
        return value if isinstance(value, int) else None


def run_lines(crawl: Crawl, db: Database) -> list[RunLine]:
    """The runs of a crawl as they are now."""
    now = store_now(db)
    live = live_runs(db, now)
    return [RunLine(crawl.name, run, run.ended_at is None and run.id in live, now) for run in all_runs(db)]


def runs_table(lines: Sequence[RunLine], _: Language = ENGLISH) -> Table:
    """A table with one row per run, the newest first, in this language. Crawls are judged by what they stored, recrawls by what
    became of pages."""
    again = any(is_recrawl(line.run) for line in lines)
    rows = [
        (
            line.crawl, str(line.run.id), moment(line.run.started_at), _(duration(line.seconds)), line.reason,
            *_stored(line), *(_seen(line) if again else ()), _known(line.requests), _known(line.errors), _(line.why),
        )
        for line in sorted(lines, key=lambda line: -line.run.started_at)
    ]  # fmt: skip
    columns = [
        Column(_("crawl"), width=30, names=True), Column(_("run"), True), Column(_("started")), Column(_("duration"), True),
        Column(_("reason"), whole=True), *(Column(name, True) for name in (_("pages"), _("relevant"), _("harvest"))),
        *(Column(_(name), True) for name in (SEEN if again else ())),
        *(Column(name, True, spare=True) for name in (_("requests"), _("errors"))), Column(_("why"), width=60, spare=True),
    ]  # fmt: skip
    return Table(columns, rows, tight=True)


def _stored(line: RunLine) -> tuple[str, str, str]:
    run = line.run
    if is_recrawl(run):
        return NONE, NONE, NONE
    return count(run.pages), count(run.relevant), percent(run.harvest_rate) if run.pages else NONE


def _seen(line: RunLine) -> tuple[str, ...]:
    found = line.found
    return (NONE,) * len(SEEN) if found is None else tuple(map(count, (found.visited, found.changed, found.new, found.gone)))


def _known(value: int | None) -> str:
    return NONE if value is None else count(value)


def as_json(line: RunLine) -> dict[str, object]:
    """A run as plain values, for programs; times are ISO 8601 in UTC."""
    run, again, found = line.run, is_recrawl(line.run), line.found
    values = {name: value for name, value in asdict(run).items() if name not in ("stats", "reason", "last_at", "why")}
    seen = {} if found is None else dict(zip(SEEN, (found.visited, found.changed, found.new, found.gone), strict=True))
    return {
        "crawl": line.crawl,
        **values,
        "started_at": iso_time(run.started_at),
        "ended_at": iso_time(run.ended_at) if run.ended_at is not None else None,
        "seconds": round(line.seconds, 3),
        "reason": line.reason,
        "why": run.why or line.why,
        "mode": "recrawl" if again else "crawl",
        "harvest_rate": run.harvest_rate if run.pages and not again else None,
        **{name: seen.get(name) for name in SEEN},
        "requests": line.requests,
        "errors": line.errors,
    }
