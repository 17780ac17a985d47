"""The runs of a crawl: with which arguments each was started, what it stored, and how it ended."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from focuscrawl.store.engines.database import Database
from focuscrawl.store.engines.meta import read_meta, set_meta

RUNS = """select r.id, r.started_at, r.ended_at, r.reason, r.arguments, r.stats,
        coalesce(p.pages, 0), coalesce(p.relevant, 0), coalesce(p.duplicates, 0), p.last_at,
        r.why
    from run r left join (
        select run, count(*) as pages, sum(relevant) as relevant, count(original) as duplicates, max(fetched_at) as last_at
        from page group by run) p on p.run=r.id
    order by r.id"""
RUNS_UNCOUNTED = """select r.id, r.started_at, r.ended_at, r.reason, r.arguments, r.stats, 0, 0, 0, null, r.why from run r
    order by r.id"""
HEARTBEATS = "select w.run, w.stats, w.beat_at from worker w join run r on r.id=w.run where r.ended_at is null"


def object_of(column: str) -> dict[str, Any]:
    """A column with a JSON object; anything else, as a damaged row may hold, is empty."""
    try:
        value = orjson.loads(column or "{}")
    except orjson.JSONDecodeError:
        return {}
    return value if isinstance(value, dict) else {}


def harvest_rate(relevant: int, pages: int) -> float:
    """The relevant share of fetched pages; 0 where there is none."""
    return relevant / pages if pages else 0.0


@dataclass(slots=True, frozen=True)
class RunRow:
    id: int
    started_at: float
    ended_at: float | None
    """None while the run lasts, or after a crash."""
    reason: str
    arguments: dict[str, object]
    stats: dict[str, object]
    pages: int
    """Stored by this run; see `all_runs` for how that is known."""
    relevant: int
    duplicates: int
    last_at: float | None
    """The last sign of life of a run without an end: its worker's last heartbeat, or its last page. Of one that has ended, when
    the last page was fetched of which it stored the present version. None without any."""
    why: str = ""
    """The reason as a sentence with figures, without a full stop; empty where the short name says it all."""
    logged_errors: int = 0
    """Errors in its log when it wrote its end, or sent its last heartbeat."""

    @property
    def harvest_rate(self) -> float:
        return harvest_rate(self.relevant, self.pages)

    @property
    def drift(self) -> tuple[str, ...]:
        """The drift alarms of the run, as sentences."""
        return self._sentences("drift")

    @property
    def barren(self) -> tuple[str, ...]:
        """Sentences about parts of the web that proved barren, and mirrors."""
        return self._sentences("barren")

    def _sentences(self, name: str) -> tuple[str, ...]:
        sentences = self.stats.get(name)
        return tuple(map(str, sentences)) if isinstance(sentences, list) else ()


def begin_run(db: Database, arguments: str, now: float) -> int:
    """Add a run with these arguments (JSON); returns its number."""
    row = db.execute("insert into run(started_at, arguments) values(?, ?) returning id", (now, arguments)).fetchone()
    return int(row[0])


def end_run(db: Database, run: int, reason: str, stats: str, now: float, why: str = "") -> None:
    """Write down how a run ended. `reason`: a short name; `why`: a sentence with figures, or empty."""
    db.execute("update run set ended_at=?, reason=?, why=?, stats=? where id=?", (now, reason, why, stats, run))


def seconds_of(run: RunRow, now: float, running: bool = False) -> float:
    """How long a run took: up to `now` while it is running, up to its last sign of life if it crashed."""
    last_sign = now if running else run.last_at or run.started_at
    end = last_sign if run.ended_at is None else run.ended_at
    return max(end - run.started_at, 0.0)


def is_recrawl(run: RunRow | None) -> bool:
    """Whether it revisited pages instead of crawling."""
    return run is not None and run.arguments.get("mode") == "recrawl"


def all_runs(db: Database, *, counted: bool = True) -> list[RunRow]:
    """All runs, the oldest first.

    How much a run has stored is taken from its closing stats, because other runs may have stored newer versions of its pages
    since. A run without closing stats is still running or has crashed: then it is what the store has of it, or what its last
    heartbeat said if that is more.

    `counted`: count the pages in the store. Without it, a run that left neither stats nor a heartbeat has stored nothing."""
    heartbeats = {run: (object_of(stats), at) for run, stats, at in db.execute(HEARTBEATS).fetchall()}
    runs = []
    for id_, start, end, reason, arguments, stats, pages, relevant, copies, last, why in db.execute(
        RUNS if counted else RUNS_UNCOUNTED
    ):
        closing, (heartbeat, beat_at) = object_of(stats), heartbeats.get(id_, ({}, None))
        stored = _stored((pages, relevant, copies), closing.get("counts"), heartbeat)
        last = max((sign for sign in (last, beat_at) if sign is not None), default=None)
        told = heartbeat.get("logged_errors")
        errors = told if isinstance(told, int) else logged_errors(closing)
        runs.append(RunRow(id_, start, end, reason or "", object_of(arguments), closing, *stored, last, why, errors))
    return runs


def logged_errors(stats: Mapping[str, object]) -> int:
    """The number of errors that were logged, by the stats of a run."""
    return sum(value for level in ("ERROR", "CRITICAL") if isinstance(value := stats.get(f"log_count/{level}"), int))


def _stored(rows: tuple[int, int, int], counts: object, heartbeat: dict[str, object]) -> tuple[int, int, int]:
    """(pages, relevant pages, duplicates) of a run, from what the store has, its closing counts and its last heartbeat."""
    names = ("pages", "relevant", "duplicates")
    if isinstance(counts, dict) and all(isinstance(counts.get(name), int) for name in names):
        pages, relevant, copies = (int(counts[name]) for name in names)
        return pages, relevant, copies
    pages, relevant, copies = (value if isinstance(value := heartbeat.get(name), int) else 0 for name in names)
    return rows if rows[0] >= pages else (pages, relevant, copies)


def last_crawl_arguments(db: Database) -> dict[str, object]:
    """The arguments of the last run that was not a recrawl; empty if there is none."""
    crawls = (object_of(row[0]) for row in db.execute("select arguments from run order by id desc"))
    return next((arguments for arguments in crawls if arguments.get("mode") != "recrawl"), {})


def first_revisiting(db: Database) -> int:
    """The number of the first run that revisits pages: a recrawl, or a crawl that does so at its edge; 0 if there was none."""
    runs = ((run, object_of(arguments)) for run, arguments in db.execute("select id, arguments from run order by id"))
    return next((run for run, arguments in runs if "recrawl" in (arguments.get("mode"), arguments.get("at_edge"))), 0)


def newest_run(db: Database) -> int:
    """The number of the run that started last; 0 in a store without runs."""
    return int(db.execute("select coalesce(max(id), 0) from run").fetchone()[0])


def last_reason(db: Database) -> str:
    """Why the run that started last has ended; empty if it has not, or was broken off."""
    row = db.execute("select reason from run order by id desc limit 1").fetchone()
    return str(row[0] or "") if row else ""


def last_settled(db: Database) -> int:
    """The last run up to which all runs have ended, so that none of them stores anything any more; 0: there is none."""
    (live,) = db.execute("select min(run) from worker where state='live'").fetchone()
    return newest_run(db) if live is None else int(live) - 1


CONDITIONS = "conditions of run "
"""Prefix of a key in `meta`; the number of the run follows."""


def keep_conditions(db: Database, run: int, conditions: Mapping[str, object]) -> None:
    """Write down what a run begins with besides its arguments: `settings` that differ from the defaults, and its `job`, because
    the files that describe the job may change."""
    set_meta(db, f"{CONDITIONS}{run}", orjson.dumps(conditions).decode())


def conditions_of(db: Database, run: int) -> dict[str, object] | None:
    """What `keep_conditions` wrote down; None for a run from before it did."""
    kept = read_meta(db, f"{CONDITIONS}{run}")
    return object_of(kept) if kept else None


def job_name(db: Database) -> str:
    """What the job of the run that started last is called; "topic" for a run from before that was written down."""
    return next((str(part.get("topic") or "topic") for part in _job_parts(db)), "topic")


def job_keywords(db: Database) -> list[str]:
    """The keywords of all topics of the run that started last."""
    return [str(word) for part in _job_parts(db) for word in part.get("keywords", ())]


def _job_parts(db: Database) -> list[dict[str, Any]]:
    """What the run that started last was asked for, for each topic; empty for a run from before that was written down."""
    kept = (conditions_of(db, newest_run(db)) or {}).get("job")
    return [part for part in kept if isinstance(part, dict)] if isinstance(kept, list) else []


def settings_of(db: Database, run: int) -> dict[str, str] | None:
    """The settings of a run that differed from the defaults; None for a run from before they were written down."""
    kept = (conditions_of(db, run) or {}).get("settings")
    return {str(name): str(value) for name, value in kept.items()} if isinstance(kept, dict) else None


def last_setting(db: Database, name: str) -> str:
    """The value of this setting in the run that started last; "" if it was the default or is not known."""
    (run,) = db.execute("select max(id) from run").fetchone()
    return (settings_of(db, run) or {}).get(name, "") if run else ""
