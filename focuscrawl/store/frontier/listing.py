"""Lists for operators what waits in the frontier, URL by URL and host by host. It only reads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from focuscrawl.frontier.states import REMOVED, State
from focuscrawl.items import SITEMAP
from focuscrawl.store.engines.database import OPEN_STATES, Database
from focuscrawl.store.frontier.operator_changes import HeldHost, held_hosts
from focuscrawl.url.normalize import join

COLUMNS = """h.origin, h.name, u.path, u.state, u.priority, u.depth, u.tries, u.due_at, u.error, u.status,
    h.ready_at, h.robots_until, h.held, r.state, l.worker, l.leased_at"""
SOURCE = """from url u join host h on h.hid=u.hid left join robots r on r.origin=h.origin
    left join lease l on l.hid=u.hid and l.uid=u.uid"""
BEST_OF = f"select {COLUMNS} {SOURCE} where u.hid=? and u.state={State.QUEUED:d} order by u.priority desc limit ?"
IN_STATE = f"select {COLUMNS} {SOURCE} where {{condition}}{{of_host}} order by u.priority desc limit ?"
HOSTS = "select hid, best_priority from host where best_priority is not null order by best_priority desc"
ONE_HOST = "select hid, null from host where name=?"
PER_HOST = "select hid, count(*) from url where state=? group by hid"
PER_WAITING_STATE = f"""select state, count(*) from url
    where state in {OPEN_STATES} group by state"""
HOST_FACTS = "select hid, name, coalesce(best_priority, 0), ready_at, held from host where hid in ({marks})"
NEXT_HOST = "select min(ready_at) from host where best_priority is not null and held=0"
NEXT_RETRY = f"select min(due_at) from url where state={State.WAIT:d}"


class Kind(StrEnum):
    """The kinds of URLs that can be listed."""

    QUEUED = "queued"
    RETRY = "retry"
    LEASED = "leased"
    REMOVED = "removed"


CONDITIONS = {
    Kind.RETRY: f"u.state={State.WAIT:d}",
    Kind.LEASED: f"u.state={State.LEASED:d} and (u.hid, u.uid) in (select hid, uid from lease)",
    Kind.REMOVED: f"u.state={State.FILTERED:d} and u.error='{REMOVED}'",
}
WAITING = (Kind.QUEUED, Kind.RETRY, Kind.LEASED)


@dataclass(slots=True, frozen=True)
class Waiting:
    """One URL, and all facts that say why it waits."""

    url: str
    host: str
    state: State
    priority: float
    depth: int
    tries: int
    due_at: float
    error: str
    status: int
    """Status of the last answer; 0: none yet."""
    ready_at: float
    """When its host may be asked."""
    robots_until: float
    held: bool
    robots: str
    """State of the robots.txt of its origin; empty: not asked for yet."""
    worker: int | None
    leased_at: float | None


@dataclass(slots=True, frozen=True)
class HostWaiting:
    """What waits on all origins of a host name."""

    name: str
    queued: int
    retries: int
    best: float
    ready_at: float
    held: bool


@dataclass(slots=True, frozen=True)
class FrontierStats:
    """The frontier in figures."""

    states: dict[State, int]
    """How many URLs are in each state, without `sources`."""
    removed: int
    """How many URLs operators have removed."""
    hosts: list[HostWaiting] = field(default_factory=list)
    """The hosts with the most waiting URLs."""
    hosts_waiting: int = 0
    """How many hosts have waiting URLs."""
    held: list[HeldHost] = field(default_factory=list)
    next_host: float | None = None
    """When the first host with queued URLs may be asked; None: there is none."""
    next_retry: float | None = None
    """When the first retry is due; None: there is none."""
    sources: int = 0
    """How many URLs are sitemaps, feeds or probes that do not wait. They are DONE before they were ever visited."""


def waiting_urls(db: Database, limit: int, kinds: Iterable[Kind] = WAITING, host: str = "") -> list[Waiting]:
    """At most `limit` URLs of these kinds, those with the highest priorities first.

    `host`: only URLs of this host name. Without it, hosts that may give no more pages (`max_pages_per_host`) are left out, and
    at most `limit` queued URLs of `limit` hosts are read."""
    urls: list[Waiting] = []
    for kind in kinds:
        urls += _queued(db, limit, host) if kind is Kind.QUEUED else _in_state(db, kind, limit, host)
    return sorted(urls, key=lambda each: -each.priority)[:limit]


def waiting_counts(db: Database) -> dict[State, int]:
    """How many URLs are queued, leased, or wait for another try. Unlike `frontier_stats` this needs only the index of waiting
    URLs."""
    counts = db.execute(PER_WAITING_STATE).fetchall()
    return dict.fromkeys((State.QUEUED, State.LEASED, State.WAIT), 0) | {State(state): int(count) for state, count in counts}


def _queued(db: Database, limit: int, host: str) -> list[Waiting]:
    hosts = db.execute(ONE_HOST, (host,)) if host else db.execute(HOSTS)
    best: list[Waiting] = []
    for hid, top in hosts.fetchall():
        if top is not None and len(best) >= limit and best[limit - 1].priority >= top:
            break
        best += map(_waiting, db.execute(BEST_OF, (hid, limit)).fetchall())
        best.sort(key=lambda each: -each.priority)
        del best[limit:]
    return best


def _in_state(db: Database, kind: Kind, limit: int, host: str) -> list[Waiting]:
    statement = IN_STATE.format(condition=CONDITIONS[kind], of_host=" and h.name=?" if host else "")
    return list(map(_waiting, db.execute(statement, (host, limit) if host else (limit,))))


def _waiting(row: Any) -> Waiting:
    origin, name, tail, state, priority, depth, tries, due, error, status, ready, until, held, robots, worker, at = row
    return Waiting(
        join(origin, tail), name, State(state), priority, depth, tries, due, error, status,
        ready, until, bool(held), robots or "", worker, at,
    )  # fmt: skip


def frontier_stats(db: Database, top: int) -> FrontierStats:
    """The figures of the frontier, with the `top` hosts that have the most waiting URLs. Reads the table of URLs once."""
    states: Counter[State] = Counter()
    sources = 0
    ended = f"kind>={SITEMAP} and state not in {OPEN_STATES}"
    for state, beside, count in db.execute(f"select state, {ended}, count(*) from url group by 1, 2"):
        if beside:
            sources += int(count)
        else:
            states[State(state)] += int(count)
    gone = "select count(*) from url where state=? and error=?"
    removed = int(db.execute(gone, (int(State.FILTERED), REMOVED)).fetchone()[0])
    hosts = _hosts(db)
    return FrontierStats(
        dict(states), removed, hosts[:top], len(hosts), held_hosts(db),
        db.execute(NEXT_HOST).fetchone()[0], db.execute(NEXT_RETRY).fetchone()[0], sources,
    )  # fmt: skip


def _hosts(db: Database) -> list[HostWaiting]:
    queued = dict(db.execute(PER_HOST, (int(State.QUEUED),)).fetchall())
    retries = dict(db.execute(PER_HOST, (int(State.WAIT),)).fetchall())
    names: dict[str, HostWaiting] = {}
    for hid, name, best, ready_at, held in _facts(db, sorted({*queued, *retries})):
        more = HostWaiting(name, queued.get(hid, 0), retries.get(hid, 0), best, ready_at, bool(held))
        names[name] = _together(names[name], more) if name in names else more
    return sorted(names.values(), key=lambda host: (-host.queued - host.retries, host.name))


def _facts(db: Database, hids: list[int]) -> list[Any]:
    rows = []
    for start in range(0, len(hids), 500):
        part = hids[start : start + 500]
        rows += db.execute(HOST_FACTS.format(marks=",".join("?" * len(part))), part).fetchall()
    return rows


def _together(one: HostWaiting, more: HostWaiting) -> HostWaiting:
    return HostWaiting(
        one.name, one.queued + more.queued, one.retries + more.retries, max(one.best, more.best),
        max(one.ready_at, more.ready_at), one.held or more.held,
    )  # fmt: skip
