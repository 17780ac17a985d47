"""Lists for operators the URLs that wait, in the order in which they would be fetched. It only reads."""

from __future__ import annotations

import heapq
import math
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import IntEnum, StrEnum
from itertools import islice
from typing import Any

from focuscrawl.frontier.patience import Patience, patience_within, turns
from focuscrawl.frontier.states import REMOVED, State
from focuscrawl.settings import FRONTIER_PATIENCE, ROBOTSTXT_OBEY
from focuscrawl.store.engines.database import Database
from focuscrawl.store.frontier.host_rows import load_pace
from focuscrawl.store.frontier.leasing import ON_HOLD
from focuscrawl.store.workers.runs import last_setting, object_of
from focuscrawl.url.normalize import join

COLUMNS = """h.origin, h.name, u.path, u.state, u.priority, u.depth, u.tries, u.due_at, u.error, u.status,
    h.ready_at, h.robots_until, h.held, r.state, l.worker, l.leased_at"""
SOURCE = """from url u join host h on h.hid=u.hid left join robots r on r.origin=h.origin
    left join lease l on l.hid=u.hid and l.uid=u.uid"""
BEST_OF = f"select {COLUMNS} {SOURCE} where u.hid=? and u.state={State.QUEUED:d} order by u.priority desc limit ?"
IN_STATE = f"select {COLUMNS} {SOURCE} where {{condition}}{{of_host}} order by {{order}} limit ?"
BEFORE_ROBOTS = f"""select coalesce(sum(urls), 0), count(distinct name) from (
    select h.name, (select count(*) from url u where u.hid=h.hid and u.state={State.QUEUED:d}) as urls from host h
    where h.best_priority is not null and h.held=0 and h.robots_until<=?) as waiting"""
"""Host by host: to join all URLs with their hosts takes twice as long."""
HOSTS = """select hid, name, best_priority, ready_at, robots_until, held, pace from host
    where {condition} order by best_priority desc, name"""
LAST_ARGUMENTS = "select arguments from run order by id desc limit 1"
LIMITS = ("max_pages", "max_requests", "budget")
"""Arguments of a run that limit its fetches."""
UNFOCUSED = frozenset({"breadth-first", "depth-first", "weight"})
"""Strategies that do not choose by score, and never wait. A test compares them with those of `models.order.strategies`."""


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


class Stage(IntEnum):
    """What must come first before a URL is fetched, in the order in which URLs are listed."""

    IN_HAND = 0
    TURN = 1
    """Its turn: the delay of its host, better URLs, the time of its next try."""
    ROBOTS = 2
    """The robots.txt of its host."""
    OPERATOR = 3


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
    robots_until: float | None
    """Until when the rules of its origin hold; None: the crawl does not obey robots.txt."""
    held: bool
    robots: str
    """State of the robots.txt of its origin; empty: not asked for yet."""
    worker: int | None
    leased_at: float | None

    def stage(self, now: float) -> Stage:
        if self.state is State.LEASED:
            return Stage.IN_HAND
        return _stage(self.held or self.state is State.FILTERED, self.robots_until, now)


def _stage(held: bool, robots_until: float | None, now: float) -> Stage:
    return Stage.OPERATOR if held else Stage.TURN if robots_until is None or robots_until > now else Stage.ROBOTS


def _free_at(ready_at: float, now: float) -> float:
    """When a host may be asked: at once where it only waits for its own answer."""
    return now if ready_at > now + ON_HOLD else max(ready_at, now)


def waiting_urls(db: Database, now: float, limit: int, kinds: Iterable[Kind] = WAITING, host: str = "") -> list[Waiting]:
    """At most `limit` URLs of these kinds, in the order in which they would be fetched if nothing new were found: what a worker
    has in hand, what comes to its turn, what waits for robots.txt, and what an operator holds back, each the best first.

    `host`: only URLs of this host name. Without it, hosts that may give no more pages (`max_pages_per_host`) are left out."""
    obeys = _obeys_robots(db)
    listed: list[tuple[Stage, float, float, Waiting]] = []
    for kind in kinds:
        found = _queued(db, now, limit, host, obeys) if kind is Kind.QUEUED else _in_state(db, now, kind, limit, host)
        for at, one in found:
            one = one if obeys else replace(one, robots_until=None)
            listed.append((one.stage(now), at, -one.priority, one))
    return [one for *_, one in sorted(listed, key=lambda each: each[:3])[:limit]]


def before_robots(db: Database, now: float) -> tuple[int, int]:
    """How many queued URLs, on how many hosts, wait until the robots.txt of their origin is read. Hosts that may give no more
    pages are left out, as in the list."""
    if not _obeys_robots(db):
        return 0, 0
    urls, hosts = db.execute(BEFORE_ROBOTS, (now,)).fetchone()
    return int(urls), int(hosts)


def _obeys_robots(db: Database) -> bool:
    """Whether the last run obeyed robots.txt."""
    value = last_setting(db, "ROBOTSTXT_OBEY")
    return value.lower() not in ("false", "0") if value else ROBOTSTXT_OBEY


def _in_state(db: Database, now: float, kind: Kind, limit: int, host: str) -> Iterator[tuple[float, Waiting]]:
    """URLs in another state than queued, with the times of their turns."""
    statement = IN_STATE.format(
        condition=CONDITIONS[kind], of_host=" and h.name=?" if host else "",
        order="u.due_at" if kind is Kind.RETRY else "u.priority desc",
    )  # fmt: skip
    for one in map(_waiting, db.execute(statement, (host, limit) if host else (limit,)).fetchall()):
        yield max(one.due_at, _free_at(one.ready_at, now)) if kind is Kind.RETRY else now, one


def _waiting(row: Any) -> Waiting:
    origin, name, tail, state, priority, depth, tries, due, error, status, ready, until, held, robots, worker, at = row
    return Waiting(
        join(origin, tail), name, State(state), priority, depth, tries, due, error, status,
        ready, until, bool(held), robots or "", worker, at,
    )  # fmt: skip


# The turns of queued URLs ------------------------------------------------------------------------------------------------


class _Host:
    """Those origins of a host name that are in one stage; they share its pace."""

    def __init__(self, best: float, free_at: float, delay: float) -> None:
        self.best = best
        """No URL that is left has a higher priority."""
        self.free_at, self.delay = free_at, delay
        """When it may be asked next, and the least seconds between two requests."""
        self.hids: list[int] = []
        self._left: list[Waiting] | None = None

    def left(self, db: Database, limit: int) -> list[Waiting]:
        """Its URLs that were not taken yet, the best last."""
        if self._left is None:
            found = [_waiting(row) for hid in self.hids for row in db.execute(BEST_OF, (hid, limit)).fetchall()]
            self._left = sorted(found, key=lambda one: -one.priority)[:limit][::-1]  # equal ones as the store leases them
        return self._left


def _queued(db: Database, now: float, limit: int, name: str, obeys: bool) -> Iterator[tuple[float, Waiting]]:
    """The next `limit` queued URLs, stage by stage, with the times of their turns. `obeys`: whether robots.txt is obeyed."""
    condition, values = ("name=?", (name,)) if name else ("best_priority is not null", ())
    stages: dict[Stage, dict[str, _Host]] = {}
    free = Counter[Stage]()
    for hid, of, best, ready_at, robots_until, held, pace in db.execute(HOSTS.format(condition=condition), values).fetchall():
        stage = _stage(held, robots_until if obeys else None, now)
        hosts, free_at = stages.setdefault(stage, {}), _free_at(ready_at, now) if stage is Stage.TURN else now
        if of not in hosts:
            free[stage] += free_at <= now
            if free_at <= now and free[stage] > limit:
                continue  # as many better hosts may be asked now
            hosts[of] = _Host(-math.inf, free_at, load_pace(pace).delay if stage is Stage.TURN else 0.0)
        host = hosts[of]
        host.best = max(host.best, math.inf if best is None else best)
        host.hids.append(hid)
    patient = _last_patience(db)
    left = limit
    for stage in sorted(stages):
        turns_of = _turns(db, list(stages[stage].values()), now, limit, patient if stage is Stage.TURN else None)
        for turn in islice(turns_of, left):
            left -= 1
            yield turn


def _last_patience(db: Database) -> Patience | None:
    """How the last run waited for better URLs, if at all: a recrawl or a focused crawl with a limit of fetches does."""
    row = db.execute(LAST_ARGUMENTS).fetchone()
    arguments = object_of(row[0]) if row else {}
    if arguments.get("strategy") in UNFOCUSED and arguments.get("mode") != "recrawl":
        return None
    seconds = float(last_setting(db, "FRONTIER_PATIENCE") or FRONTIER_PATIENCE)
    return patience_within([arguments.get(name) for name in LIMITS], seconds, arguments.get("minutes"))


def _turns(
    db: Database, hosts: list[_Host], now: float, limit: int, patient: Patience | None
) -> Iterator[tuple[float, Waiting]]:
    """The URLs of these hosts, with the times of their turns: whenever hosts may be asked, the best one of theirs comes first,
    unless the crawl waits for better ones (`frontier.patience`). The pace of IP addresses, and the time that answers take, are
    left out."""
    resting = [(host.free_at, number) for number, host in enumerate(hosts)]
    heapq.heapify(resting)
    ready: list[tuple[float, int]] = []
    most = limit + (patient.count if patient else 0)
    at = now
    while resting or ready:
        if not ready:
            at = max(at, resting[0][0])
        while resting and resting[0][0] <= at:
            number = heapq.heappop(resting)[1]
            heapq.heappush(ready, (-hosts[number].best, number))
        number = heapq.heappop(ready)[1]
        host = hosts[number]
        if not (left := host.left(db, most)):
            continue
        if left[-1].priority < host.best:  # others may come before it
            host.best = left[-1].priority
            heapq.heappush(ready, (-host.best, number))
            continue
        if patient:
            waits = ((free_at - at, hosts[other]) for free_at, other in resting)
            if _better_soon(db, waits, left[-1].priority, most, patient):
                heapq.heappush(ready, (-host.best, number))
                at = resting[0][0]
                continue
        yield at, left.pop()
        host.best = left[-1].priority if left else -math.inf
        heapq.heappush(resting, (at + host.delay, number))


def _better_soon(db: Database, resting: Iterable[tuple[float, _Host]], priority: float, most: int, patient: Patience) -> bool:
    """Whether enough URLs above this priority can be fetched so soon that it waits for them. `resting`: hosts, with the seconds
    until they may be asked; `most`: URLs of each that are read."""
    soon = 0
    for wait, host in resting:
        if host.best > priority:
            better = sum(one.priority > priority for one in host.left(db, most))
            soon += min(better, turns(wait, host.delay, patient.horizon))
    return soon >= patient.count
