"""Reads hosts for people who look through them: figures, the present pace and rules, and why URLs were not stored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from focuscrawl.frontier.states import State
from focuscrawl.politeness.pace import Pace
from focuscrawl.store.engines.database import IS_GONE, OPEN_STATES, Database, literal
from focuscrawl.store.frontier.host_rows import load_pace

Order = Literal["relevant", "pages", "requests", "errors", "waiting"]
ORDERS: dict[Order, tuple[str, ...]] = {
    "relevant": ("h.relevant", "h.pages", "h.requests"),
    "pages": ("h.pages",),
    "requests": ("h.requests",),
    "errors": ("h.errors",),
    "waiting": ("coalesce(h.best_priority, -1e300)",),
}
"""The columns of each order, the largest values first; hosts with equal values come by origin. `waiting`: the hosts whose best
waiting URLs have the highest priorities come first."""
COLUMNS = """h.hid, h.origin, h.name, h.site, h.ip_address, h.requests, h.pages, h.relevant, h.duplicates, h.errors, h.links,
    h.found_at, h.ready_at, h.held, h.best_priority is not null, h.pace, coalesce(r.state, ''), coalesce(r.status, 0),
    coalesce(r.fetched_at, 0), coalesce(r.expires_at, 0)"""
SOURCE = "from host h left join robots r on r.origin=h.origin"
SOME = f"select {{keys}}, {COLUMNS} {SOURCE} where {{condition}} order by {{order}} limit ?"
CONTAINS = "h.name like ? escape '!'"
OF_NAME = f"select {COLUMNS} {SOURCE} where h.name=? order by h.origin"
BODY = "select body from robots where origin=?"
CAUSES = """select u.state, u.error, count(*), min(u.path) from url u where u.hid=? and u.error<>'' group by u.state, u.error
    order by 3 desc, 2"""
WAITING = f"""select count(*) from url
    where hid=? and state in {OPEN_STATES}"""
GONE = f"select count(*), coalesce(sum(relevant), 0), count(original) from page where hid=? and {IS_GONE}"
FETCHES = """select f.at, f.status, f.error
    from (select hid, at, status, error from fetches order by tx desc, id desc limit ?) f where f.hid=? order by f.at"""
LOOKED = 100_000
"""Last fetches of the crawl among which those of a host are searched for."""


@dataclass(frozen=True, slots=True)
class ListedHost:
    """One origin with its figures."""

    hid: int
    origin: str
    name: str
    site: str
    ip_address: str
    requests: int
    pages: int
    relevant: int
    duplicates: int
    errors: int
    links: int
    found_at: float
    """When the crawl found the first URL of the origin."""
    ready_at: float
    held: bool
    waits: bool
    """Whether it has queued URLs."""
    pace: Pace
    robots: str
    """State of its robots.txt: `rules`, `allow` or `wait`; empty: not asked for yet."""
    robots_status: int
    robots_at: float
    robots_until: float


@dataclass(frozen=True, slots=True)
class CauseOfHost:
    """A reason for which URLs of an origin were not stored, or wait for another try."""

    state: State
    cause: str
    count: int
    path: str
    """The path of one such URL."""


@dataclass(frozen=True, slots=True)
class HostFetch:
    """One fetch from a host."""

    at: float
    status: int
    error: str


Cursor = tuple[tuple[float, ...], str]
"""The host after which a list goes on: its values in the columns of the order, and its origin."""


@dataclass(frozen=True, slots=True)
class ListedHosts:
    """One page of a list of hosts."""

    hosts: list[ListedHost]
    following: Cursor | None
    """The cursor of the next page; None: there are no more hosts."""


def listed_hosts(db: Database, order: Order, limit: int, after: Cursor | None = None, text: str = "") -> ListedHosts:
    """At most `limit` origins in this order, the first ones or those after a cursor. `text`: only origins whose host name
    contains it."""
    keys, conditions, values = ", ".join(ORDERS[order]), ["1=1"], list[Any]()
    if text:
        conditions, values = [CONTAINS], [f"%{literal(text)}%"]
    if after:
        marks = ", ".join("?" * len(after[0]))
        conditions.append(f"(({keys})<({marks}) or ({keys})=({marks}) and h.origin>?)")
        values += [*after[0], *after[0], after[1]]
    falling = ", ".join(f"{key} desc" for key in ORDERS[order])
    statement = SOME.format(keys=keys, condition=" and ".join(conditions), order=f"{falling}, h.origin")
    rows = db.execute(statement, (*values, limit)).fetchall()
    wide = len(ORDERS[order])
    hosts = [_host(db, row[wide:]) for row in rows]
    return ListedHosts(hosts, (tuple(rows[-1][:wide]), hosts[-1].origin) if len(rows) == limit else None)


def hosts_of_name(db: Database, name: str) -> list[ListedHost]:
    """All origins of a host name, sorted."""
    return [_host(db, row) for row in db.execute(OF_NAME, (name,)).fetchall()]


def robots_body(db: Database, origin: str) -> bytes:
    """The robots.txt that an origin has now; empty if there is none."""
    row = db.execute(BODY, (origin,)).fetchone()
    return bytes(row[0]) if row else b""


def causes_of_host(db: Database, hid: int) -> list[CauseOfHost]:
    """Why URLs of an origin were not stored, or wait for another try; the most frequent reason first."""
    return [CauseOfHost(State(state), cause, int(number), path) for state, cause, number, path in db.execute(CAUSES, (hid,))]


def waiting_of_host(db: Database, hid: int) -> int:
    """How many URLs of an origin wait or are being fetched."""
    return int(db.execute(WAITING, (hid,)).fetchone()[0])


def without_gone(db: Database, hid: int, pages: int, relevant: int, duplicates: int) -> tuple[int, int, int]:
    """What an origin has of its pages, relevant pages and duplicates. It goes on counting those that are gone, which an index
    has."""
    gone = db.execute(GONE, (hid,)).fetchone()
    return pages - gone[0], relevant - gone[1], duplicates - gone[2]


def fetches_of_host(db: Database, hid: int) -> list[HostFetch]:
    """The fetches from an origin among the last `LOOKED` of the crawl, in the order in which they ended."""
    return [HostFetch(at, status, error) for at, status, error in db.execute(FETCHES, (LOOKED, hid))]


def _host(db: Database, row: Any) -> ListedHost:
    facts = dict(zip(ListedHost.__slots__, row, strict=True))
    names = ("pages", "relevant", "duplicates")
    facts |= zip(names, without_gone(db, facts["hid"], *(facts[name] for name in names)), strict=True)
    facts |= {"held": bool(facts["held"]), "waits": bool(facts["waits"]), "pace": load_pace(facts["pace"])}
    return ListedHost(**facts)
