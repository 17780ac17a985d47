"""A crawl in numbers: read-only queries behind the summary, the report and the list of runs.

Plain SQL that any engine understands. Each is at most one pass over one table and never reads texts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import orjson

from focuscrawl.frontier.states import State
from focuscrawl.items import EXAMPLE, SEED
from focuscrawl.store.engines.database import Database
from focuscrawl.store.engines.records import term_pairs

RUNS = """select r.id, r.started_at, r.ended_at, r.reason, r.arguments, r.stats,
        coalesce(p.pages, 0), coalesce(p.relevant, 0), coalesce(p.duplicates, 0), p.last_at,
        r.why
    from run r left join (
        select run, count(*) as pages, sum(relevant) as relevant, count(original) as duplicates, max(fetched_at) as last_at
        from page group by run) p on p.run=r.id
    order by r.id"""
PAGES = """select count(*), coalesce(sum(p.relevant), 0), coalesce(sum(case when p.original is null then p.relevant end), 0),
        count(p.original), coalesce(sum(case when o.digest=p.digest then 1 else 0 end), 0), coalesce(sum(p.noindex), 0)
    from page p left join page o on o.page_id=p.original where p.gone<2"""
HOSTS = """select hid, origin, name, site, requests, pages, relevant, duplicates, errors, links, ready_at from host
    order by relevant desc, pages desc, requests desc, origin limit ?"""
SIGNS = "select w.run, w.stats from worker w join run r on r.id=w.run where r.ended_at is null"
CAUSES = f"""select u.state, u.error, count(*), min(h.origin || u.tail) from url u join host h on h.hid=u.hid
    where u.error<>'' and u.state in (2, 7, 8, 9, 10) and u.kind<={EXAMPLE}
    and not exists (select 1 from page p where p.hid=u.hid and p.uid=u.uid and p.gone<2)
    group by u.state, u.error order by 3 desc, 2"""
ROBOTS_WAIT = """select count(*), min(h.origin || u.tail) from robots r join host h on h.origin=r.origin
    join url u on u.hid=h.hid and u.state=0 where r.state='wait'"""
SEEDS = f"""select h.origin || u.tail, u.kind, u.state, u.status, u.error, h.pages, h.relevant
    from url u join host h on h.hid=u.hid where u.kind between {SEED} and {EXAMPLE}
    order by h.relevant desc, h.pages desc, 1 limit ?"""
BEST = """select url, title, language, relevance, depth, terms from page
    where relevant=1 and original is null and noindex=0 and gone<2 order by relevance desc, page_id limit ?"""
COPIED = """select o.url, o.title, count(*), min(p.url), min(p.original_similarity) from page p join page o on
    o.page_id=p.original
    where p.gone<2 and o.gone<2 group by o.page_id, o.url, o.title order by 3 desc, 1 limit ?"""


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
        told = self.stats.get("drift")
        return tuple(map(str, told)) if isinstance(told, list) else ()


@dataclass(slots=True, frozen=True)
class Totals:
    pages: int = 0
    """Stored with status 200, duplicates too; in all of these numbers without pages that are gone."""
    relevant: int = 0
    distinct: int = 0
    """Relevant pages that repeat no other."""
    duplicates: int = 0
    exact: int = 0
    """Duplicates whose text is the same to the letter."""
    noindex: int = 0
    requests: int = 0
    """All requests, also for robots.txt."""
    hosts: int = 0
    hosts_fetched: int = 0
    links: int = 0
    states: dict[str, int] = field(default_factory=dict)
    """URLs by name of their state."""

    @property
    def harvest_rate(self) -> float:
        return self.relevant / self.pages if self.pages else 0.0

    @property
    def waiting(self) -> int:
        return sum(self.states.get(state.name, 0) for state in (State.QUEUED, State.WAIT, State.LEASED))


@dataclass(slots=True, frozen=True)
class HostRow:
    hid: int
    origin: str
    name: str
    site: str
    requests: int
    pages: int
    relevant: int
    duplicates: int
    errors: int
    links: int
    ready_at: float
    waiting: int = 0


@dataclass(slots=True, frozen=True)
class CauseRow:
    state: State
    cause: str
    count: int
    example: str
    """One URL."""


@dataclass(slots=True, frozen=True)
class SeedRow:
    url: str
    example: bool
    state: State
    status: int
    error: str
    host_pages: int
    host_relevant: int


@dataclass(slots=True, frozen=True)
class BestRow:
    url: str
    title: str
    language: str
    relevance: float
    depth: int
    terms: tuple[tuple[str, float], ...]


@dataclass(slots=True, frozen=True)
class CopyRow:
    url: str
    title: str
    copies: int
    example: str
    similarity: float
    """Of the least similar copy."""


def seconds_of(run: RunRow, now: float, running: bool = False) -> float:
    """How long a run took; up to `now` while it is running, up to its last page when it never ended."""
    last_sign = now if running or run.last_at is None else run.last_at
    end = last_sign if run.ended_at is None else run.ended_at
    return max(end - run.started_at, 0.0)


def is_recrawl(run: RunRow | None) -> bool:
    """Whether it revisited pages instead of crawling."""
    return run is not None and run.arguments.get("mode") == "recrawl"


def row_counts(db: Database, tables: Iterable[str]) -> dict[str, int]:
    """The number of rows of each table."""
    return {table: int(db.execute(f"select count(*) from {table}").fetchone()[0]) for table in tables}


def runs(db: Database) -> list[RunRow]:
    """Oldest first. What a run has stored is taken from its closing stats: others may have stored newer versions since. Of one
    that has none, for it runs or crashed, it is what the store has of it, or what its last heartbeat said if that is more."""
    signs = {run: _mapping(stats) for run, stats in db.execute(SIGNS).fetchall()}
    found = []
    for id_, start, end, reason, arguments, stats, pages, relevant, copies, last, why in db.execute(RUNS):
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


def totals(db: Database) -> Totals:
    pages = db.execute(PAGES).fetchone()
    hosts = db.execute(
        """select coalesce(sum(requests), 0), count(*), coalesce(sum(case when pages>0 then 1 else 0 end), 0),
        coalesce(sum(links), 0) from host"""
    ).fetchone()
    states = {State(state).name: count for state, count in db.execute("select state, count(*) from url group by state")}
    values: tuple[Any, ...] = (*pages, *hosts, states)
    return Totals(*values)


def hosts(db: Database, limit: int = 50) -> list[HostRow]:
    """The hosts with the most relevant pages, with the URLs that wait on each."""
    waiting = "select count(*) from url where hid=? and state in (0, 1, 2)"
    rows = db.execute(HOSTS, (limit,)).fetchall()
    return [HostRow(*row, *db.execute(waiting, row[:1]).fetchone()) for row in rows]


def causes(db: Database) -> list[CauseRow]:
    """What kept URLs from being stored, or makes them wait for another try; the most frequent first."""
    found = [CauseRow(State(state), *rest) for state, *rest in db.execute(CAUSES)]
    count, example = db.execute(ROBOTS_WAIT).fetchone()
    if count:
        found.append(CauseRow(State.WAIT, "robots-wait", count, example))
    return sorted(found, key=lambda row: -row.count)


def seeds(db: Database, limit: int = 200) -> list[SeedRow]:
    """Seeds and example pages, those of the best hosts first."""
    return [
        SeedRow(url, kind == 2, State(state), status, error, pages, relevant)
        for url, kind, state, status, error, pages, relevant in db.execute(SEEDS, (limit,))
    ]


def best_pages(db: Database, limit: int = 50) -> list[BestRow]:
    """The most relevant pages, duplicates left out."""
    return [
        BestRow(url, title, language, relevance, depth, term_pairs(terms))
        for url, title, language, relevance, depth, terms in db.execute(BEST, (limit,))
    ]


def copied_pages(db: Database, limit: int = 20) -> list[CopyRow]:
    """The pages with the most duplicates."""
    return [CopyRow(*row) for row in db.execute(COPIED, (limit,))]


def refused_links(db: Database) -> dict[str, int]:
    """Refused URLs by rule, the most frequent first."""
    return dict(db.execute("select rule, count(*) from refused group by rule order by 2 desc, 1").fetchall())


def relevance_in_order(db: Database) -> Iterator[bool]:
    """For each stored page in the order of storing: relevant or not."""
    return (bool(relevant) for (relevant,) in db.execute("select relevant from page order by page_id"))


def _mapping(column: str) -> dict[str, object]:
    """A JSON object; anything else, as a damaged row may hold, is empty."""
    try:
        value = orjson.loads(column or "{}")
    except orjson.JSONDecodeError:
        return {}
    return value if isinstance(value, dict) else {}


def live_runs(db: Database, now: float, silence: float = 60.0) -> set[int]:
    """Runs with a worker whose last sign of life is at most `silence` seconds old."""
    rows = db.execute("select distinct run from worker where state='live' and beat_at>=?", (now - silence,))
    return {run for (run,) in rows}


@dataclass(slots=True, frozen=True)
class FrontierNow:
    """The frontier at one moment."""

    ready: int = 0
    """URLs that wait for nothing but their turn."""
    waiting: int = 0
    """URLs that wait for another try."""
    hosts: int = 0
    """Hosts with ready URLs."""
    slowest: str = ""
    """Name of the host with ready URLs that may be asked last."""
    slowest_in: float = 0.0
    """Seconds until it may."""
    due: int = 0
    """Visits that a recrawl has still to make; 0 while nothing is recrawled."""


def frontier_now(db: Database, now: float) -> FrontierNow:
    """Counts from the partial indexes alone: some 10 ms for a million URLs."""
    from focuscrawl.store.revisits.schedule import left  # late: it brings the fingerprints, which lists of runs do not need

    ready, waiting, hosts_ready, ranked = db.execute(
        """select (select count(*) from url where state=0), (select count(*) from url where state=2),
        (select count(*) from host where best is not null), (select count(*) from revisit where value>0)"""
    ).fetchone()
    slowest = db.execute(
        "select name, ready_at from host where best is not null and ready_at between ? and ? order by ready_at desc limit 1",
        (now, now + 1e5),
    ).fetchone()
    name, ready_at = slowest or ("", now)
    return FrontierNow(ready, waiting, hosts_ready, name, ready_at - now, sum(left(db)) + ranked)
