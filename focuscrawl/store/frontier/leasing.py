"""Leases URLs to workers: who may fetch which URL now. Two workers never get the same URL, because `Dialect.lock_ready_hosts`
gives each host to one of them.

Invariant: a URL is in state LEASED exactly while a row in `lease` names the worker that holds it. Over all workers a host name
has at most `concurrency` leases in flight, and so has an IP address; while a host name has that many, its rows are on hold. The
host row alone decides when a host is asked next. Both tables always change in the same step of the store.
"""

from __future__ import annotations

import heapq
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from focuscrawl.frontier.lanes import LANE, is_lifted, value_of
from focuscrawl.frontier.partition import Partition
from focuscrawl.frontier.states import State
from focuscrawl.items import Lease
from focuscrawl.politeness.pace import Pace, PaceSettings, concurrency, started
from focuscrawl.store.engines.database import Database
from focuscrawl.store.frontier.host_rows import load_pace
from focuscrawl.store.frontier.partitions import DEFAULT, hosts_of, urls_of
from focuscrawl.url.hosts import registered_domain
from focuscrawl.url.normalize import join

HOLD = 1e6
"""A host on hold waits for its own answer, not for a time. Its next time is set this many seconds ahead."""
ON_HOLD = HOLD / 2
"""A host whose next time lies farther ahead than this many seconds is on hold. No delay is so long, and a hold that began a
while ago is still recognized."""
RECENT = 200
"""Fetches over which the share of a host is measured."""
GIVES_WAY = 0.8
"""The priorities of a host above its share are multiplied by this, so that it gives way to hosts that promise nearly as much,
but not to others."""
SHORTEST_TURN = 0.02
"""Least seconds between the turns of hosts that wait for one IP address."""
SPARE = 8
"""One in this many places of a worker is never given to a host that has all its other places."""

RECENT_HOSTS = """select hid, count(*) from (select hid from fetches order by tx desc, id desc limit ?) as recent
    group by hid"""
BEST = f"""select u.uid, u.priority, u.depth, u.distance, u.tries, u.crashes, u.hops, u.kind, u.path, p.url
    from url u left join page p on p.page_id=u.parent where u.hid=? and u.state={State.QUEUED:d}{{only}}
    order by u.priority desc limit ?"""
TAKE_URL = f"update url set state={State.LEASED:d} where hid=? and uid=? and state={State.QUEUED:d}"
SET_READY = "update host set ready_at=? where name=?"
PAGES_OF_SITE = """select (select coalesce(sum(pages), 0) from host where site=?),
    (select count(*) from lease l join host h on h.hid=l.hid where h.site=? and l.uid<>0)"""
INSERT_LEASE = "insert into lease(hid, uid, worker, name, ip_address, leased_at) values(?, ?, ?, ?, ?, ?)"
PACE_ADDRESS = """insert into ip_pace(ip_address, ready_at) values(?, ?) on conflict(ip_address) do update
    set ready_at=case when ip_pace.ready_at>excluded.ready_at then ip_pace.ready_at else excluded.ready_at end"""


@dataclass(slots=True, frozen=True)
class LeaseLimits:
    """The limits that leases keep to."""

    host: PaceSettings = field(default_factory=PaceSettings)
    ip_address: PaceSettings = field(default_factory=lambda: PaceSettings(0.0, 4, statuses=False))
    slots: int = 1 << 20
    """Most requests of one worker in flight. No host ever gets them all."""
    pages_per_host: int = 0
    """Most pages with status 200 that are stored of a host; 0: no limit."""
    pages_per_site: int = 0
    """Most such pages of all hosts of a registered domain together; 0: no limit. Workers that lease at the same moment may
    exceed it by what they lease then (PostgreSQL)."""
    kind: int = 0
    """Only URLs of this kind (`items.SEED` or `EXAMPLE`) are leased, for the start of a crawl; 0: all kinds."""
    obey_robots: bool = True
    host_share: float = 1.0
    """Share of the recent fetches above which a host gives way to others that promise nearly as much; 1: it never does."""
    partition: Partition | None = None
    """This worker's part of the frontier; None: it leases from all of it."""
    grain: str = DEFAULT
    """The grain of the crawl, see `store.frontier.partitions`."""
    recrawl: bool = False
    """Whether only URLs in the upper lane are leased, see `frontier.lanes`."""
    least: float = -math.inf
    """Least priority of a URL that is leased, see `store.frontier.look_ahead`."""

    @property
    def own(self) -> Partition | None:
        """The part from which the next leases come; None: all. The start of a crawl is not divided: one worker fetches all
        pages that define the topic."""
        return None if self.kind else self.partition

    @property
    def hosts(self) -> str:
        """SQL condition on the `host` rows that may have something to lease; empty: any row."""
        return _both(f"host.best_priority>={LANE}" if self.recrawl else "", hosts_of(self.own))

    @property
    def urls(self) -> str:
        """SQL condition on the `url` rows (alias u) of such a host; empty: any row."""
        return _both(f"u.priority>={LANE}" if self.recrawl else "", urls_of(self.own))


def _both(one: str, other: str) -> str:
    """SQL: both of these conditions; an empty one always holds."""
    return " and ".join(filter(None, (one, other)))


@dataclass(slots=True, frozen=True)
class _Host:
    """A row of `Dialect.lock_ready_hosts`."""

    hid: int
    origin: str
    name: str
    ip_address: str
    robots_until: float
    pages: int
    ended: int
    pace_json: str
    best: float

    @property
    def pace(self) -> Pace:
        return load_pace(self.pace_json)


def lease(db: Database, worker: int, count: int, now: float, limits: LeaseLimits, robots: int | None = None) -> list[Lease]:
    """Lease up to `count` URLs: the best ones of all hosts that may be asked now, of each host as many as it has places.

    A host whose robots.txt is not known gives a lease on that instead. `robots`: how many of these there may be besides; None:
    they are among the `count`. URLs of another worker's part are leased only if this worker's own part has none ready and none
    worth waiting for."""
    leases = _lease(db, worker, count, now, limits, robots)
    if not leases and limits.own and limits.least == -math.inf and limits.own.foreign == "fetch":
        return _lease(db, worker, count, now, replace(limits, partition=None), robots)
    return leases


def _lease(db: Database, worker: int, count: int, now: float, limits: LeaseLimits, robots: int | None) -> list[Lease]:
    # More hosts than leases, because some have no free place, need their robots.txt first, or turn out to give way.
    hosts = [_Host(*row) for row in db.dialect.lock_ready_hosts(db, now, 4 * count + 16, limits.hosts)]
    if not hosts:
        return []
    free = db.dialect.free_ip_addresses(db, {host.ip_address for host in hosts if host.ip_address})
    # The batch counts leases only now that the rows of the hosts are locked: before that another worker may add some.
    batch = _Batch(db, worker, count, now, limits, above_share(db, limits.host_share), free, robots)
    for host in hosts:
        if host.best < limits.least or batch.is_better_than(host.best):
            break
        batch.consider(host)
    return batch.take()


def above_share(db: Database, share: float) -> frozenset[int]:
    """The hosts (hid) that had more than this share of the recent fetches, including those in flight. 0.1 ms."""
    if share >= 1.0:
        return frozenset()
    counts = Counter(dict(db.execute(RECENT_HOSTS, (RECENT,)).fetchall()))
    counts.update(hid for (hid,) in db.execute("select hid from lease where uid<>0"))
    limit = share * counts.total()
    return frozenset(hid for hid, count in counts.items() if count > limit)


def giving_way(priority: float) -> float:
    """A priority reduced because its host is above its share. Negative priorities fall, too."""
    if is_lifted(priority):
        return LANE + GIVES_WAY * value_of(priority)
    return priority * GIVES_WAY if priority > 0 else priority / GIVES_WAY


class _Batch:
    """One round of leasing within one transaction.

    Invariant: `_room[name]` places are left for a host name, `_address_room[ip]` for an IP address and `_site_room[site]` for a
    registered domain; all three only fall, and what has no entry has no limit. `_offers` may have more URLs than can be leased;
    `_top` is a heap of the ranks of the best `count` of them: priority, then the fewest URLs of the host that have ended."""

    def __init__(
        self, db: Database, worker: int, count: int, now: float, limits: LeaseLimits, above_share: frozenset[int],
        free_ip_addresses: Mapping[str, float], robots: int | None,
    ) -> None:  # fmt: skip
        self._robots_beside = robots
        """How many robots.txt may be leased besides; None: they are among the `count`."""
        self._robots_leases: list[Lease] = []
        self._above_share, self._free_ip_addresses = above_share, free_ip_addresses
        self._db, self._worker, self._count, self._now, self._limits = db, worker, count, now, limits
        self._leases: list[Lease] = []
        self._offers: list[tuple[float, _Host, Lease]] = []
        self._top: list[tuple[float, int]] = []
        self._room: dict[str, int] = {}
        self._address_room: dict[str, int] = {}
        self._site_room: dict[str, int] = {}
        self._site_leased: dict[str, int] = {}
        """Leases on pages of a site before this batch."""
        self._turn: dict[str, int] = {}
        """By IP address, the turn that was given to the last host put off, from 0."""
        self._ready_at: dict[str, float] = {}
        """When an IP address may be asked again."""
        self._names: dict[str, int] = {}
        """Requests in flight by host name, of all workers."""
        self._addresses: dict[str, int] = {}
        """Requests in flight by IP address, of all workers."""
        self._robots: set[int] = set()
        """Hosts (hid) whose robots.txt is leased."""
        for hid, uid, name, ip_address, in_flight in db.execute("select hid, uid, name, ip_address, in_flight from lease"):
            if uid == 0:  # no URL has this number: the lease is on the host's robots.txt
                self._robots.add(hid)
            if in_flight:
                self._names[name] = self._names.get(name, 0) + 1
                self._addresses[ip_address] = self._addresses.get(ip_address, 0) + 1

    def is_better_than(self, priority: float) -> bool:
        """Whether a host whose best URL has this priority can no longer change the batch.

        A host that is as good as the worst one of the batch can, see `take`. The order in which the hosts come depends on the
        time of their last answer."""
        wanted = self._wanted
        return wanted <= 0 or (len(self._top) >= wanted and self._top[0][0] > priority)

    @property
    def _wanted(self) -> int:
        """How many URLs of pages the batch may have."""
        return self._count if self._robots_beside is not None else self._count - len(self._robots_leases)

    def consider(self, host: _Host) -> None:
        """Offer the host's best URLs, as many as may be fetched now."""
        room = self._places(host)
        if room <= 0:
            return
        if self._limits.obey_robots and host.robots_until <= self._now:
            if self._needs_robots(host):
                self._lease_robots(host)
            return
        self._room.setdefault(host.name, room)
        gives_way = host.hid in self._above_share
        for priority, one in self._top_of(host, min(room, self._count)):
            worth = giving_way(priority) if gives_way else priority
            if worth < self._limits.least:
                break
            self._offers.append((-worth, host, one))
            heapq.heappush(self._top, (worth, -host.ended))
            if len(self._top) > self._count:
                heapq.heappop(self._top)

    def _needs_robots(self, host: _Host) -> bool:
        """Whether a robots.txt may be leased now, and the batch is not full of pages that come before those of this host. Of
        equals, if as much was fetched of their hosts, a page comes before a robots.txt: of many seeds the first pages are there
        before all hosts were asked, and yet no host waits until another has given all its pages."""
        if self._robots_beside is not None and len(self._robots_leases) >= self._robots_beside:
            return False
        return len(self._top) < self._wanted or self._top[0] < (host.best, -host.ended)

    def take(self) -> list[Lease]:
        """Lease the best offers. Of equals that of the host of which least was fetched comes first; then the key decides,
        because a clock must not, see `focuscrawl.crawl.turns`."""
        taken: dict[int, tuple[_Host, list[Lease]]] = {}
        for _, host, one in sorted(self._offers, key=lambda offer: (offer[0], offer[1].ended, *offer[2].url_id)):
            if len(self._leases) >= self._wanted:
                break
            site = registered_domain(host.name) if self._limits.pages_per_site else ""
            # Looked at again, because hosts that came later share names, addresses and sites with this one.
            rooms = self._room[host.name], self._address_room.get(host.ip_address, 1), self._site_room.get(site, 1)
            if min(rooms) <= 0:
                continue
            if site:
                self._site_room[site] -= 1
            self._room[host.name] -= 1
            if host.ip_address:
                self._address_room[host.ip_address] -= 1
            taken.setdefault(host.hid, (host, []))[1].append(one)
            self._leases.append(one)
        if taken:
            self._write(list(taken.values()))
        return [*self._robots_leases, *self._leases]

    def _places(self, host: _Host) -> int:
        """How many requests the host may get now."""
        if host.name in self._room:  # another origin of the same name; the IP address may be known on this one alone
            room = self._room[host.name]
            return min(room, self._address_places(host)) if host.ip_address and room > 0 else room
        settings, slots = self._limits.host, self._limits.slots
        fair = max(1, slots - max(1, slots // SPARE))
        room = min(concurrency(host.pace, settings), fair) - self._names.get(host.name, 0)
        if self._limits.pages_per_host:
            room = min(room, self._pages_left(host))
        if self._limits.pages_per_site:
            room = min(room, self._pages_left_of_site(host))
        if host.ip_address and room > 0:
            room = min(room, self._address_places(host))
        return min(room, 1) if self._is_paced(host) else room

    def _is_paced(self, host: _Host) -> bool:
        """Whether a delay applies, so that the host gets only one request now."""
        address = self._limits.ip_address.delay > 0 and bool(host.ip_address)
        return self._limits.host.delay > 0 or host.pace.delay > 0 or address

    def _pages_left(self, host: _Host) -> int:
        """How many pages the host may still give. A host that has given all its pages is hidden from further leases."""
        leased: int = self._db.execute("select count(*) from lease where hid=? and uid<>0", (host.hid,)).fetchone()[0]
        left = self._limits.pages_per_host - host.pages - leased
        if left <= 0 and not leased:  # a lease may end without a page, and its place be free again
            self._db.execute("update host set best_priority=null where hid=?", (host.hid,))
        return left

    def _pages_left_of_site(self, host: _Host) -> int:
        """How many pages the host's site may still give. If the site has given all its pages, the host is hidden from further
        leases."""
        site = registered_domain(host.name)
        if site not in self._site_room:
            pages, leased = self._db.execute(PAGES_OF_SITE, (site, site)).fetchone()
            self._site_room[site] = self._limits.pages_per_site - pages - leased
            self._site_leased[site] = leased
        if self._site_room[site] <= 0 and not self._site_leased[site]:
            self._db.execute("update host set best_priority=null where hid=?", (host.hid,))
        return self._site_room[site]

    def _address_places(self, host: _Host) -> int:
        """How many requests the host's IP address may get now. Each host that must wait for its address is put off to another
        time, so that many hosts at one address are not considered again and again."""
        address, settings = host.ip_address, self._limits.ip_address
        if address not in self._free_ip_addresses:
            return 0  # another worker has locked it for a moment
        if address not in self._address_room:
            room = settings.concurrency - self._addresses.get(address, 0)
            self._ready_at[address] = self._free_ip_addresses[address]
            late = self._ready_at[address] > self._now
            self._address_room[address] = 0 if late else min(room, 1) if settings.delay > 0 else room
        if self._address_room[address] > 0:
            return self._address_room[address]
        turn = self._turn[address] = self._turn.get(address, -1) + 1
        due = max(self._now + SHORTEST_TURN, self._ready_at[address]) + max(settings.delay, SHORTEST_TURN) * turn
        self._db.execute("update host set ready_at=? where name=? and ready_at<=?", (due, host.name, self._now))
        return 0

    def _top_of(self, host: _Host, wanted: int) -> list[tuple[float, Lease]]:
        """The host's best waiting URLs, at most `wanted`, as (priority, lease)."""
        kind, only = self._limits.kind, self._limits.urls
        statement = BEST.format(only=(" and u.kind=?" if kind else "") + (f" and {only}" if only else ""))
        values = (host.hid, kind, wanted) if kind else (host.hid, wanted)
        rows = self._db.execute(statement + self._db.dialect.lock_urls_found, values).fetchall()
        if not rows and not kind:  # its best priority was out of date: that URL is gone
            self._db.dialect.refresh_hosts(self._db, [host.hid])
        probe = bool(rows) and host.pace.fails >= self._limits.host.breaker_fails
        return [(row[1], self._lease_of(host, row, probe)) for row in rows]

    def _lease_of(self, host: _Host, row: Sequence[Any], probe: bool) -> Lease:
        uid, priority, depth, distance, tries, crashes, hops, kind, tail, parent = row
        # The lane matters to the frontier alone; whoever holds the lease wants to know what the URL is worth.
        priority = value_of(priority) if is_lifted(priority) else priority
        return Lease(
            host.hid, uid, join(host.origin, tail), priority, depth, distance, tries, crashes, hops, parent or "",
            ip_address=host.ip_address, kind=kind, at=self._now, probe=probe,
        )  # fmt: skip

    def _lease_robots(self, host: _Host) -> None:
        """Lease the robots.txt of an origin, unless it is leased already or its next try is not due yet."""
        if host.hid in self._robots:
            return
        wait = self._db.execute("select expires_at from robots where origin=? and state='wait'", (host.origin,)).fetchone()
        if wait and wait[0] > self._now:
            self._db.execute("update host set ready_at=? where hid=?", (wait[0], host.hid))
            return
        self._db.execute(INSERT_LEASE, (host.hid, 0, self._worker, host.name, host.ip_address, self._now))
        self._room[host.name] = 0  # for all origins of the name, which share its pace
        if host.ip_address:
            self._address_room[host.ip_address] -= 1
            self._pace_address(host)
        self._db.execute(SET_READY, (self._now + HOLD, host.name))
        self._robots_leases.append(
            Lease(host.hid, 0, join(host.origin, "/robots.txt"), robots=True, ip_address=host.ip_address, at=self._now)
        )

    def _write(self, taken: list[tuple[_Host, list[Lease]]]) -> None:
        """Write the leases, and when their hosts and IP addresses may be asked again."""
        rows = [(host, one) for host, leases in taken for one in leases]
        self._db.executemany(TAKE_URL, [(host.hid, one.uid) for host, one in rows])
        self._db.executemany(
            INSERT_LEASE, [(host.hid, one.uid, self._worker, host.name, host.ip_address, self._now) for host, one in rows]
        )
        self._db.dialect.refresh_hosts(self._db, sorted(host.hid for host, _ in taken))
        ready = ((self._next_at(host, len(leases)), host.name) for host, leases in taken)
        self._db.executemany(SET_READY, [row for row in ready if row[0] > self._now])
        for host, _ in taken:
            self._pace_address(host)

    def _next_at(self, host: _Host, count: int) -> float:
        """When a host that has just given `count` leases may be asked again. If all its places are taken, that is only after an
        answer."""
        if self._names.get(host.name, 0) + count >= concurrency(host.pace, self._limits.host):
            return self._now + HOLD
        return started(host.pace, self._now, self._limits.host).next_at

    def _pace_address(self, host: _Host) -> None:
        """Let the delay of the host's IP address begin with this request."""
        if host.ip_address and self._limits.ip_address.delay > 0:
            self._db.execute(PACE_ADDRESS, (host.ip_address, self._now + self._limits.ip_address.delay))
