"""Counts for operators what waits in the frontier, by state and by host. It only reads."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from focuscrawl.frontier.states import REMOVED, State
from focuscrawl.items import SITEMAP
from focuscrawl.store.engines.database import OPEN_STATES, Database, rows_among
from focuscrawl.store.frontier.operator_changes import HeldHost, held_hosts

PER_HOST = "select hid, count(*) from url where state=? group by hid"
PER_WAITING_STATE = f"""select state, count(*) from url
    where state in {OPEN_STATES} group by state"""
HOST_FACTS = "select hid, name, coalesce(best_priority, 0), ready_at, held from host where hid in ({marks})"
NEXT_HOST = "select min(ready_at) from host where best_priority is not null and held=0"
NEXT_RETRY = f"select min(due_at) from url where state={State.WAIT:d}"


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


def waiting_counts(db: Database) -> dict[State, int]:
    """How many URLs are queued, leased, or wait for another try. Unlike `frontier_stats` this needs only the index of waiting
    URLs."""
    counts = db.execute(PER_WAITING_STATE).fetchall()
    return dict.fromkeys((State.QUEUED, State.LEASED, State.WAIT), 0) | {State(state): int(count) for state, count in counts}


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
    for hid, name, best, ready_at, held in rows_among(db, HOST_FACTS, sorted({*queued, *retries})):
        more = HostWaiting(name, queued.get(hid, 0), retries.get(hid, 0), best, ready_at, bool(held))
        names[name] = _together(names[name], more) if name in names else more
    return sorted(names.values(), key=lambda host: (-host.queued - host.retries, host.name))


def _together(one: HostWaiting, more: HostWaiting) -> HostWaiting:
    return HostWaiting(
        one.name, one.queued + more.queued, one.retries + more.retries, max(one.best, more.best),
        max(one.ready_at, more.ready_at), one.held or more.held,
    )  # fmt: skip
