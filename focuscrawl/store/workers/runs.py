"""The runs of a crawl: with which arguments each was started, what it stored, and how it ended."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

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
RUNS_TOLD = """select r.id, r.started_at, r.ended_at, r.reason, r.arguments, r.stats, 0, 0, 0, null, r.why from run r
    order by r.id"""
SIGNS = "select w.run, w.stats from worker w join run r on r.id=w.run where r.ended_at is null"


@dataclass(slots=True, frozen=True)
class RunRow:
    id: int
    started_at: float
    ended_at: float | None
    """None while it runs, or after a crash."""
    reason: str
    arguments: dict[str, object]
    stats: dict[str, object]
    pages: int
    """Stored by it, as it counted; see `runs`."""
    relevant: int
    duplicates: int
    last_at: float | None
    """When the last page was fetched whose present version is its; None without such pages."""
    why: str = ""
    """The reason as a sentence with figures, without a full stop; empty where the short name says it all."""

    @property
    def drift(self) -> tuple[str, ...]:
        """Sentences of its drift alarms."""
        return self._sentences("drift")

    @property
    def barren(self) -> tuple[str, ...]:
        """Sentences about parts of the web that proved barren, and mirrors."""
        return self._sentences("barren")

    def _sentences(self, name: str) -> tuple[str, ...]:
        told = self.stats.get(name)
        return tuple(map(str, told)) if isinstance(told, list) else ()


def seconds_of(run: RunRow, now: float, running: bool = False) -> float:
    """How long a run took; up to `now` while it is running, up to its last page when it never ended."""
    last_sign = now if running or run.last_at is None else run.last_at
    end = last_sign if run.ended_at is None else run.ended_at
    return max(end - run.started_at, 0.0)


def is_recrawl(run: RunRow | None) -> bool:
    """Whether it revisited pages instead of crawling."""
    return run is not None and run.arguments.get("mode") == "recrawl"


def all_runs(db: Database, *, counted: bool = True) -> list[RunRow]:
    """Oldest first. What a run has stored is taken from its closing stats: others may have stored newer versions since. Of one
    that has none, for it runs or crashed, it is what the store has of it, or what its last heartbeat said if that is more.

    `counted`: by a pass over the pages; without it a run that left neither stats nor heartbeat has stored nothing."""
    signs = {run: _mapping(stats) for run, stats in db.execute(SIGNS).fetchall()}
    found = []
    for id_, start, end, reason, arguments, stats, pages, relevant, copies, last, why in db.execute(
        RUNS if counted else RUNS_TOLD
    ):
        told = _mapping(stats)
        stored = _stored((pages, relevant, copies), told.get("counts"), signs.get(id_, {}))
        found.append(RunRow(id_, start, end, reason or "", _mapping(arguments), told, *stored, last, why))
    return found


def _stored(rows: tuple[int, int, int], counts: object, sign: dict[str, object]) -> tuple[int, int, int]:
    """Pages, relevant ones and duplicates of a run: by the store, its closing counts and its last heartbeat."""
    names = ("pages", "relevant", "duplicates")
    if isinstance(counts, dict) and all(isinstance(counts.get(name), int) for name in names):
        pages, relevant, copies = (int(counts[name]) for name in names)
        return pages, relevant, copies
    said = [value if isinstance(value := sign.get(name), int) else 0 for name in names]
    return rows if rows[0] >= said[0] else (said[0], said[1], said[2])


def last_arguments(db: Database) -> dict[str, object]:
    """The arguments of the run that started last; none in a store without runs."""
    row = db.execute("select arguments from run order by id desc limit 1").fetchone()
    return _mapping(row[0]) if row else {}


def last_crawl_arguments(db: Database) -> dict[str, object]:
    """Those of the last run that was no recrawl; none where there is no such run."""
    crawls = (_mapping(row[0]) for row in db.execute("select arguments from run order by id desc"))
    return next((arguments for arguments in crawls if arguments.get("mode") != "recrawl"), {})


CONDITIONS = "conditions of run "
"""Begins a key of `meta`, before the number of the run."""


def keep_conditions(db: Database, run: int, conditions: Mapping[str, object]) -> None:
    """Write down what a run begins with besides its arguments: `settings` that differ from the defaults, and its `job`, which
    files say that may be others tomorrow."""
    set_meta(db, f"{CONDITIONS}{run}", orjson.dumps(conditions).decode())


def conditions_of(db: Database, run: int) -> dict[str, object] | None:
    """What `keep_conditions` was given; None of a run that began before they were kept."""
    kept = read_meta(db, f"{CONDITIONS}{run}")
    return _mapping(kept) if kept else None


def settings_of(db: Database, run: int) -> dict[str, str] | None:
    """The settings with which a run began that differ from the defaults; None of a run that began before they were kept."""
    kept = (conditions_of(db, run) or {}).get("settings")
    return {str(name): str(value) for name, value in kept.items()} if isinstance(kept, dict) else None


def last_setting(db: Database, name: str) -> str:
    """What the run that started last had for this setting; "" for the default, or where it is not known."""
    (run,) = db.execute("select max(id) from run").fetchone()
    return (settings_of(db, run) or {}).get(name, "") if run else ""


def live_runs(db: Database, now: float, silence: float = 60.0) -> set[int]:
    """Runs with a worker whose last sign of life is at most `silence` seconds old."""
    rows = db.execute("select distinct run from worker where state='live' and beat_at>=?", (now - silence,))
    return {run for (run,) in rows}


def _mapping(column: str) -> dict[str, object]:
    """A JSON object; anything else, as a damaged row may hold, is empty."""
    try:
        value = orjson.loads(column or "{}")
    except orjson.JSONDecodeError:
        return {}
    return value if isinstance(value, dict) else {}
