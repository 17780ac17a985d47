"""A crawl in numbers: read-only queries behind the summary and the report.

Plain SQL that any engine understands. Each is at most one pass over one table and never reads texts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from focuscrawl.frontier.states import State
from focuscrawl.items import EXAMPLE, SEED
from focuscrawl.politeness.pace import PaceSettings
from focuscrawl.store.engines.database import IS_GONE, THERE, Database
from focuscrawl.store.engines.records import term_pairs
from focuscrawl.store.frontier.host_browsing import waiting_of_host, without_gone
from focuscrawl.store.frontier.pacing import pace_of
from focuscrawl.store.revisits.revisit_rows import left
from focuscrawl.store.workers.runs import harvest_rate

GONE = f"""select count(*) as pages, coalesce(sum(relevant), 0) as relevant, count(original) as duplicates
    from page where {IS_GONE}"""
PAGES = f"""select count(*), coalesce(sum(p.relevant), 0), coalesce(sum(case when p.original is null then p.relevant end), 0),
        count(p.original), coalesce(sum(case when o.digest=p.digest then 1 else 0 end), 0), coalesce(sum(p.noindex), 0)
    from page p left join page o on o.page_id=p.original where p.{THERE}"""
MOST_HOSTS = 50
"""Hosts that are listed."""
HOSTS = """select hid, origin, name, site, requests, pages, relevant, duplicates, errors, links, ready_at from host
    order by relevant desc, pages desc, requests desc, origin limit ?"""
ERROR = "select error from url where hid=? and error<>'' group by error order by count(*) desc limit 1"
ERROR_OF_WAITING = ERROR.replace("error<>''", f"state={State.WAIT:d}")
HOST_SUMS = f"""select h.requests, h.pages-g.pages, h.relevant-g.relevant, h.duplicates-g.duplicates, h.errors, h.links,
    h.hosts, h.fetched
    from (select coalesce(sum(requests), 0) as requests, coalesce(sum(pages), 0) as pages,
        coalesce(sum(relevant), 0) as relevant, coalesce(sum(duplicates), 0) as duplicates,
        coalesce(sum(errors), 0) as errors, coalesce(sum(links), 0) as links, count(*) as hosts,
        coalesce(sum(case when pages>0 then 1 else 0 end), 0) as fetched from host) h, ({GONE}) g"""
"""Hosts go on counting pages that are gone, which an index has."""
CAUSES = f"""select u.state, u.error, count(*), min(h.origin || u.path) from url u join host h on h.hid=u.hid
    where u.error<>'' and u.state in ({State.WAIT:d}, {State.FILTERED:d}, {State.DENIED:d}, {State.FAILED:d}, {State.GONE:d})
    and u.kind<={EXAMPLE} and not exists (select 1 from page p where p.hid=u.hid and p.uid=u.uid and p.{THERE})
    group by u.state, u.error order by 3 desc, 2"""
ROBOTS_WAIT = f"""select r.error, count(*), min(h.origin || u.path) from robots r join host h on h.origin=r.origin
    join url u on u.hid=h.hid and u.state={State.QUEUED:d} where r.state='wait' group by r.error"""
NO_HOST = ("dns", "dns-failed", "certificate")
"""Why a host is not asked for its robots.txt, in words of its own; else the file could not be read."""
WHY_NO_PAGE = f"""select case when u.state in ({State.WAIT}, {State.FILTERED}, {State.DENIED}, {State.FAILED}, {State.GONE})
    then u.error when u.state={State.QUEUED} and r.state='wait' then r.error else '' end
    from url u join host h on h.hid=u.hid left join robots r on r.origin=h.origin where u.kind between {SEED} and {EXAMPLE}"""
SEEDS = f"""select h.origin || u.path, u.kind, u.state, u.status, u.error, h.pages, h.relevant
    from url u join host h on h.hid=u.hid where u.kind between {SEED} and {EXAMPLE}
    order by h.relevant desc, h.pages desc, 1 limit 200"""
BEST = f"""select url, title, language, relevance, depth, terms from page
    where relevant=1 and original is null and noindex=0 and {THERE} order by relevance desc, page_id limit 50"""
NOTHING = f"""select language, count(*) from page where {THERE} and relevant=0 and relevance=0 and language<>''
    group by language order by 2 desc, 1"""
NOTHING_FOR = f"""select p.language, count(*) from verdict v join page p on p.page_id=v.page_id where v.topic=? and p.{THERE}
    and v.relevant=0 and v.relevance=0 and p.language<>'' group by p.language order by 2 desc, 1"""
COPIED = f"""select o.url, o.title, count(*), min(p.url), min(p.original_similarity) from page p
    join page o on o.page_id=p.original where p.{THERE} and o.{THERE} group by o.page_id, o.url, o.title order by 3 desc, 1
    limit 20"""


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
    gone: int = 0
    """Pages that were stored and are gone since: in none of the numbers above, but in what happened on the way."""
    gone_relevant: int = 0

    @property
    def harvest_rate(self) -> float:
        return harvest_rate(self.relevant, self.pages)

    @property
    def waiting(self) -> int:
        return waiting_of(self.states)


@dataclass(slots=True, frozen=True)
class HostSums:
    """What the hosts have brought, as they count it. Pages, relevant pages and duplicates are those of `Totals`."""

    requests: int = 0
    pages: int = 0
    """Without pages that are gone since, as the next two."""
    relevant: int = 0
    duplicates: int = 0
    errors: int = 0
    links: int = 0
    hosts: int = 0
    hosts_fetched: int = 0

    @property
    def harvest_rate(self) -> float:
        return harvest_rate(self.relevant, self.pages)


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
    trouble: str = ""
    """Why nothing of it could be fetched, or why what waits there cannot be fetched now, as an error's name; else empty."""


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


def row_counts(db: Database, tables: Iterable[str]) -> dict[str, int]:
    """The number of rows of each table."""
    return {table: int(db.execute(f"select count(*) from {table}").fetchone()[0]) for table in tables}


def totals(db: Database) -> Totals:
    pages, sums = db.execute(PAGES).fetchone(), host_sums(db)
    hosts = (sums.requests, sums.hosts, sums.hosts_fetched, sums.links)
    gone, gone_relevant, _ = db.execute(GONE).fetchone()
    values: tuple[Any, ...] = (*pages, *hosts, url_states(db), gone, gone_relevant)
    return Totals(*values)


def host_sums(db: Database) -> HostSums:
    """One pass over the hosts: some 30 ms for 50 000, however many pages there are."""
    return HostSums(*map(int, db.execute(HOST_SUMS).fetchone()))


def url_states(db: Database) -> dict[str, int]:
    """URLs by name of their state. One pass over the URLs: 0.2 s of a processor for a million."""
    return {State(state).name: int(count) for state, count in db.execute("select state, count(*) from url group by state")}


def waiting_of(states: Mapping[str, int]) -> int:
    """How many URLs wait or are being fetched, by what `url_states` counted."""
    return sum(states.get(state.name, 0) for state in (State.QUEUED, State.WAIT, State.LEASED))


def hosts(db: Database) -> list[HostRow]:
    """The hosts with the most relevant pages, with the URLs that wait on each, without pages that are gone."""
    rows = [HostRow(*row) for row in db.execute(HOSTS, (MOST_HOSTS,)).fetchall()]
    rows = [replace(row, waiting=waiting_of_host(db, row.hid)) for row in rows]
    found = [replace(row, trouble=_trouble(db, row)) for row in rows]
    return sorted((_present(db, row) for row in found), key=lambda row: (-row.relevant, -row.pages, -row.requests, row.origin))


def _present(db: Database, row: HostRow) -> HostRow:
    pages, relevant, duplicates = without_gone(db, row.hid, row.pages, row.relevant, row.duplicates)
    return replace(row, pages=pages, relevant=relevant, duplicates=duplicates)


def _trouble(db: Database, host: HostRow) -> str:
    """Why nothing of a host could be fetched, or what waits there cannot be, as an error's name; empty if nothing is known to
    be wrong."""
    if host.pages and not host.waiting:
        return ""
    robots = db.execute("select state, error from robots where origin=?", (host.origin,)).fetchone()
    if robots and robots[0] == "wait":
        return str(robots[1]) if robots[1] in NO_HOST else "robots-wait"
    if host.pages and pace_of(db, host.hid).fails < PaceSettings().breaker_fails:
        return ""
    row = db.execute(ERROR_OF_WAITING if host.pages else ERROR, (host.hid,)).fetchone()
    return str(row[0]) if row else ""


def why_no_seed_gave_a_page(db: Database) -> str:
    """What kept most of the seeds and example pages from being read, as an error's name; empty if a page is stored, or one of
    them was read or not asked for yet, or there are none."""
    if db.execute("select 1 from page limit 1").fetchone():
        return ""
    errors = [str(error) for (error,) in db.execute(WHY_NO_PAGE)]
    return max(errors, key=errors.count) if all(errors) and errors else ""


def causes(db: Database) -> list[CauseRow]:
    """What kept URLs from being stored, or makes them wait for another try; the most frequent first."""
    found = [CauseRow(State(state), *rest) for state, *rest in db.execute(CAUSES)]
    waiting: dict[str, CauseRow] = {}
    for error, count, example in db.execute(ROBOTS_WAIT):
        name = error if error in NO_HOST else "robots-wait"
        before = waiting.get(name)
        waiting[name] = CauseRow(State.WAIT, name, count + (before.count if before else 0), example)
    found += waiting.values()
    return sorted(found, key=lambda row: -row.count)


def seeds(db: Database) -> list[SeedRow]:
    """Seeds and example pages, those of the best hosts first."""
    return [
        SeedRow(url, kind == EXAMPLE, State(state), status, error, pages, relevant)
        for url, kind, state, status, error, pages, relevant in db.execute(SEEDS)
    ]


def best_pages(db: Database) -> list[BestRow]:
    """The most relevant pages, duplicates left out."""
    return [
        BestRow(url, title, language, relevance, depth, term_pairs(terms))
        for url, title, language, relevance, depth, terms in db.execute(BEST)
    ]


def copied_pages(db: Database) -> list[CopyRow]:
    """The pages with the most duplicates."""
    return [CopyRow(*row) for row in db.execute(COPIED)]


def scored_nothing(db: Database, topic: str = "") -> dict[str, int]:
    """Pages with a relevance of 0 by language, the most frequent first. `topic`: one of a crawl of several."""
    return dict(db.execute(*((NOTHING_FOR, (topic,)) if topic else (NOTHING, ()))).fetchall())


def refused_links(db: Database) -> dict[str, int]:
    """Refused URLs by rule, the most frequent first."""
    return dict(db.execute("select rule, count(*) from refused group by rule order by 2 desc, 1").fetchall())


def last_threshold(db: Database) -> float | None:
    """The threshold of the page stored last that is not gone; None if there is none."""
    row = db.execute(f"select threshold from page where {THERE} order by page_id desc limit 1").fetchone()
    return float(row[0]) if row else None


def relevances(db: Database) -> Iterator[tuple[float, bool]]:
    """Relevance and verdict of each stored page that is not gone, in no order."""
    return (
        (relevance, bool(relevant)) for relevance, relevant in db.execute(f"select relevance, relevant from page where {THERE}")
    )


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
    """Revisits that a recrawl has still to make; 0 while nothing is recrawled."""


def frontier_now(db: Database, now: float) -> FrontierNow:
    """Counts from the partial indexes alone: some 10 ms for a million URLs."""
    ready, waiting, hosts_ready, ranked = db.execute(
        f"""select (select count(*) from url where state={State.QUEUED:d}),
        (select count(*) from url where state={State.WAIT:d}),
        (select count(*) from host where best_priority is not null), (select count(*) from revisit where value>0)"""
    ).fetchone()
    slowest = db.execute(
        """select name, ready_at from host where best_priority is not null and ready_at between ? and ?
        order by ready_at desc limit 1""",
        (now, now + 1e5),
    ).fetchone()
    name, ready_at = slowest or ("", now)
    return FrontierNow(ready, waiting, hosts_ready, name, ready_at - now, sum(left(db)) + ranked)
