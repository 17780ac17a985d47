"""Politeness in the store: keeps the pace of hosts and IP addresses over restarts, and shares it among all workers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from focuscrawl.items import Lease
from focuscrawl.politeness.pace import Pace, PaceSettings, RequestOutcome, after_answer, started, with_crawl_delay
from focuscrawl.politeness.robots_state import RobotsState
from focuscrawl.store.engines.database import READY_BY_PACE, Database
from focuscrawl.store.frontier.host_rows import HostChanges, dump_pace, load_pace
from focuscrawl.store.frontier.leasing import ON_HOLD, LeaseLimits
from focuscrawl.store.frontier.partitions import bucket_by
from focuscrawl.url.hosts import hid_of, host_name

WITHOUT_ADDRESS = """select h.origin, h.name from host h where h.hid=?
    and not exists (select 1 from host o where o.name=h.name and o.ip_address<>'')"""

LATE = 0.1
"""Share of the IP address's delay that may pass between a lease and its request."""
TINY = 1e-3
"""Seconds by which two equal times may differ, because the store keeps them as floats."""
SHORTEST_WAIT = 0.05
"""Seconds after which a turn is asked for again if there is no delay. It is not shorter because each try is a transaction."""
OTHER_RULES = """select r.body from robots r join host h on h.origin=r.origin
    where h.name=? and h.hid<>? and r.state='rules' and r.expires_at>?"""
DelayOf = Callable[[bytes], float | None]
"""Reads the Crawl-delay that is for us from a robots.txt; None: it has none."""
ASKED = "update host set pace=?, ready_at=?, requests=requests+case when hid=? then 1 else 0 end where name=?"


def pace_of(db: Database, hid: int) -> Pace:
    """The present pace of a host; if the store has none, that of a host that was never asked."""
    row = db.execute("select pace from host where hid=?", (hid,)).fetchone()
    return load_pace(row[0] if row else "")


def report(db: Database, worker: int, lease: Lease, outcome: RequestOutcome, now: float, limits: LeaseLimits) -> None:
    """Report that a request of a lease has ended. The host and its IP address get the next time at which they may be asked, and
    the lease does not count as in flight any more."""
    db.execute("update lease set in_flight=0 where hid=? and uid=? and worker=?", (lease.hid, lease.uid, worker))
    db.dialect.lock_names_of(db, [lease.hid])
    row = db.execute("select name, pace from host where hid=?", (lease.hid,)).fetchone()
    if row is None:
        return
    pace = after_answer(load_pace(row[1]), outcome, now, limits.host)
    db.execute(ASKED, (dump_pace(pace), pace.next_at, lease.hid, row[0]))
    if outcome.ip_address:
        _report_address(db, lease.hid, outcome, now, limits)


def let_ask(db: Database, hid: int, now: float) -> None:
    """Let the host be asked from `now` on, whatever has failed there. Its delay stays."""
    db.dialect.lock_names_of(db, [hid])
    row = db.execute("select name, pace from host where hid=?", (hid,)).fetchone()
    if row is not None:
        pace = replace(load_pace(row[1]), fails=0, backoff_until=0.0, next_at=now)
        db.execute("update host set pace=?, ready_at=? where name=?", (dump_pace(pace), now, row[0]))


def rest(db: Database, hid: int, until: float) -> None:
    """Let nothing be asked of the host before `until`."""
    db.dialect.lock_names_of(db, [hid])
    row = db.execute("select name, pace, ready_at from host where hid=?", (hid,)).fetchone()
    if row is None:
        return
    pace = load_pace(row[1])
    pace = replace(pace, next_at=max(pace.next_at, until))
    db.execute("update host set pace=?, ready_at=? where name=?", (dump_pace(pace), max(row[2], until), row[0]))


def _report_address(db: Database, hid: int, outcome: RequestOutcome, now: float, limits: LeaseLimits) -> None:
    ip, settings = outcome.ip_address, limits.ip_address
    _keep_ip_address(db, hid, ip, limits.grain)
    ready_at, column = db.dialect.lock_ip_address(db, ip)
    pace = after_answer(load_pace(column), outcome, now, settings)
    set_ip_pace(db, ip, max(ready_at, pace.next_at), dump_pace(pace))


def _keep_ip_address(db: Database, hid: int, ip: str, grain: str) -> None:
    """Keep the IP address of a host. Under the grain `address` the first one decides the bucket of the host name."""
    if grain == "address":
        db.dialect.lock_names_of(db, [hid])
        if unknown := db.execute(WITHOUT_ADDRESS, (hid,)).fetchone():
            db.execute("update host set bucket=? where name=?", (bucket_by(grain, unknown[0], ip), unknown[1]))
    db.execute("update host set ip_address=? where hid=? and ip_address<>?", (ip, hid, ip))


def set_ip_pace(db: Database, ip: str, ready_at: float, pace: str) -> None:
    """Write the row of an IP address that this transaction has locked."""
    db.execute(
        """insert into ip_pace(ip_address, ready_at, pace) values(?, ?, ?)
        on conflict(ip_address) do update set ready_at=excluded.ready_at, pace=excluded.pace""",
        (ip, ready_at, pace),
    )


def set_crawl_delay(
    db: Database, hid: int, crawl_delay: float | None, settings: PaceSettings, now: float, delay_of: DelayOf = lambda body: None
) -> None:
    """Apply the Crawl-delay of a robots.txt (None: it has none) from the request for that file on. It holds for the name of the
    host, so that the longest one counts of those in the files of all its origins that are valid now. `delay_of`: reads it from
    such a file."""
    db.dialect.lock_names_of(db, [hid])
    name, column, ready_at = db.execute("select name, pace, ready_at from host where hid=?", (hid,)).fetchone()
    others = [delay_of(bytes(body)) or 0.0 for (body,) in db.execute(OTHER_RULES, (name, hid, now)).fetchall()]
    pace = with_crawl_delay(load_pace(column), max([crawl_delay or 0.0, *others]), settings)
    ready = max(ready_at, pace.next_at, now + pace.delay)
    db.execute("update host set pace=?, ready_at=? where name=?", (dump_pace(pace), ready, name))


def reserve(db: Database, origin: str, now: float, limits: LeaseLimits) -> float:
    """Take the next turn of the host of an origin for a request without a lease of its own, such as the redirect of a
    robots.txt. Returns 0 if the request may be sent now. Else no turn is taken, and the result is the seconds after which to
    ask again."""
    name, hosts = host_name(origin), HostChanges()
    # Also if no page of the host is known, there is to be a pace to keep to.
    hosts.find(hid_of(origin), origin, bucket_by(limits.grain, origin))
    hosts.write(db, now)
    db.dialect.lock_hosts(db, (), [name])
    ready_at, column = db.execute(f"select max({READY_BY_PACE}), max(pace) from host where name=?", (name,)).fetchone()
    if ready_at <= now:
        pace = started(load_pace(column or ""), now, limits.host)
        db.execute("update host set ready_at=? where name=?", (pace.next_at, name))
        return 0.0
    on_hold = ready_at > now + ON_HOLD
    return max(limits.host.delay, SHORTEST_WAIT) if on_hold else float(ready_at - now)


def claim_ip_address(db: Database, worker: int, lease: Lease, ip_address: str, now: float, limits: LeaseLimits) -> float:
    """Take a place on the IP address of a leased host, which has become known or has changed. Returns 0 if the request may be
    sent, else the seconds until it may: then the lease is to be given back.

    The redirect of a robots.txt, a request without a row in `lease`, keeps to the delay of the IP address, too. A lease that
    already has its place (one that `is_late`) takes another turn if others have asked meanwhile."""
    leased = db.execute(
        "select ip_address from lease where hid=? and uid=? and worker=?", (lease.hid, lease.uid, worker)
    ).fetchone()
    if leased is not None and leased[0] == ip_address:
        return _next_turn(db, lease, ip_address, now, limits.ip_address.delay)
    _keep_ip_address(db, lease.hid, ip_address, limits.grain)
    ready_at, pace = db.dialect.lock_ip_address(db, ip_address)
    (busy,) = db.execute("select count(*) from lease where ip_address=? and in_flight=1", (ip_address,)).fetchone()
    wait = max(ready_at - now, 0.0)
    if busy >= limits.ip_address.concurrency:
        wait = max(wait, limits.ip_address.delay, SHORTEST_WAIT)
    if wait > 0:
        return wait
    db.execute("update lease set ip_address=? where hid=? and uid=? and worker=?", (ip_address, lease.hid, lease.uid, worker))
    if limits.ip_address.delay > 0:
        set_ip_pace(db, ip_address, now + limits.ip_address.delay, pace)
    return 0.0


def is_late(lease: Lease, now: float, limits: LeaseLimits) -> bool:
    """Whether a request that is sent only now could come too soon before the next one to its IP address: the delay of the
    address counts from the lease, and the process was busy in between."""
    return limits.ip_address.delay > 0 and now - lease.at > LATE * limits.ip_address.delay


def _next_turn(db: Database, lease: Lease, ip_address: str, now: float, delay: float) -> float:
    """Take a turn for a late lease. The delay of the IP address begins now, and 0 is returned. If others have asked meanwhile
    and their delay still runs, returns the seconds until it ends."""
    ready_at, pace = db.dialect.lock_ip_address(db, ip_address)
    asked_since = ready_at > lease.at + delay + TINY
    if asked_since and ready_at > now:
        return ready_at - now
    set_ip_pace(db, ip_address, max(ready_at, now + delay), pace)
    return 0.0


# The robots.txt of origins, as fetched, with the time until which it holds (RFC 9309 section 2.4).


def load_robots(db: Database, origins: Iterable[str]) -> dict[str, RobotsState]:
    """The stored robots.txt of each of these origins that has one."""
    states = {}
    for origin in origins:
        row = db.execute(
            "select state, status, body, fetched_at, expires_at, error from robots where origin=?", (origin,)
        ).fetchone()
        if row:
            states[origin] = RobotsState(*row)
    return states


def save_robots(db: Database, hid: int, origin: str, state: RobotsState) -> None:
    """Store the robots.txt of an origin, or the failure to get it. Accordingly, pages of the origin may be leased until it
    expires, or the next try is due then."""
    db.dialect.lock_names_of(db, [hid])
    db.execute(
        """insert into robots(origin, state, status, body, fetched_at, expires_at, error) values(?, ?, ?, ?, ?, ?, ?)
        on conflict(origin) do update set state=excluded.state, status=excluded.status, body=excluded.body,
        fetched_at=excluded.fetched_at, expires_at=excluded.expires_at, error=excluded.error""",
        (origin, state.state, state.status, state.body, state.fetched_at, state.expires_at, state.error),
    )
    until = 0.0 if state.state == "wait" else state.expires_at
    db.execute("update host set robots_until=? where hid=?", (until, hid))
