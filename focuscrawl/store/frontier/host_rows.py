"""Collects what a transaction changes in rows of hosts and writes it at the end of the transaction, as the lock order in
`store.engines.database` asks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

import orjson

from focuscrawl.politeness.pace import Pace
from focuscrawl.store.engines.database import READY_BY_PACE, Database, rows_among
from focuscrawl.url.hosts import host_name, registered_domain

INSERT_HOST = """insert into host(hid, origin, name, site, ready_at, pace, held, bucket, found_at)
    values(?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing"""
OF_NAME = f"select max({READY_BY_PACE}), max(pace), max(held), max(bucket) from host where name=?"
TAKE_OVER = f"""update host set ready_at=coalesce((select max(ready) from
    (select {READY_BY_PACE} as ready from host where name=? and hid<>?) as others), ready_at),
    pace=coalesce((select max(o.pace) from host o where o.name=? and o.hid<>?), pace) where hid=?"""
NAMES = "select hid, name from host where hid in ({marks})"
LIFT_HOST = "update host set best_priority=? where hid=? and (best_priority is null or best_priority<?)"
COUNT_HOST = """update host set pages=pages+?, relevant=relevant+?, duplicates=duplicates+?, errors=errors+?, links=links+?
    where hid=?"""


def load_pace(column: str) -> Pace:
    """The pace in a row of a host or an IP address."""
    return Pace(**orjson.loads(column)) if column else Pace()


def dump_pace(pace: Pace) -> str:
    """The inverse of `load_pace`."""
    return orjson.dumps(pace).decode()


class HostCounts(NamedTuple):
    """What is added to the counts of a host."""

    pages: int = 0
    relevant: int = 0
    duplicates: int = 0
    errors: int = 0
    links: int = 0


@dataclass(slots=True)
class HostChanges:
    """The changes of one transaction. Only rows of IP addresses may be locked after `write`."""

    _new: dict[int, tuple[str, int]] = field(default_factory=dict)
    """(origin, bucket) by hid of rows that are to exist."""
    _lifted: dict[int, float] = field(default_factory=dict)
    """The highest priority of a URL that waits now, by hid."""
    _stale: set[int] = field(default_factory=set)
    """Rows whose best priority is to be read again."""
    _freed: dict[int, tuple[float, float]] = field(default_factory=dict)
    """(ready_at, asked_at) by hid of hosts to be taken off hold."""
    _counts: list[tuple[int, HostCounts]] = field(default_factory=list)

    def find(self, hid: int, origin: str, bucket: int = 0) -> None:
        """Make sure that there is a row for this origin."""
        self._new[hid] = origin, bucket

    def lift(self, priorities: Iterable[tuple[int, float]]) -> None:
        """Note that URLs with these priorities wait now: (hid, priority)."""
        for hid, priority in priorities:
            if hid not in self._lifted or priority > self._lifted[hid]:
                self._lifted[hid] = priority

    def look_again(self, hids: Iterable[int]) -> None:
        """Note that waiting URLs of these hosts have lost priority or are gone, so that the best one is looked up again."""
        self._stale.update(hids)

    def free(self, hid: int, ready_at: float, asked_at: float = 0.0) -> None:
        """Take the host name off hold from `ready_at` on; the delay or back-off that its pace asks for goes on. `asked_at`: the
        last time at which the host may have been asked without a report. Its own delay counts from then."""
        before = self._freed.get(hid, (ready_at, asked_at))
        self._freed[hid] = max(ready_at, before[0]), max(asked_at, before[1])

    def count(self, hid: int, counts: HostCounts) -> None:
        """Add to the counts of a host."""
        self._counts.append((hid, counts))

    def write(self, db: Database, now: float) -> None:
        """Write all changes, each kind at once and in key order."""
        new = self._new.keys() - {hid for hid, _ in rows_among(db, NAMES, list(self._new))}
        self._insert(db, new, now)
        names = {host_name(self._new[hid][0]) for hid in new} | {name for _, name in rows_among(db, NAMES, list(self._freed))}
        touched = {*self._lifted, *self._stale, *self._freed, *(hid for hid, _ in self._counts)}
        if names or touched:
            db.dialect.lock_hosts(db, touched, names)
        for hid in sorted(new) if not db.dialect.in_order else ():
            # Once more under the lock: another worker, which did not see the new row, may have taken the name off hold.
            db.execute(TAKE_OVER, (*2 * (host_name(self._new[hid][0]), hid), hid))
        for hid, (ready_at, asked_at) in sorted(self._freed.items()):
            _free(db, hid, ready_at, asked_at)
        db.executemany(COUNT_HOST, [(*counts, hid) for hid, counts in self._counts])
        db.executemany(LIFT_HOST, [(best, hid, best) for hid, best in sorted(self._lifted.items())])
        db.dialect.refresh_hosts(db, sorted(self._stale))

    def _insert(self, db: Database, new: Iterable[int], now: float) -> None:
        """Insert the rows with these numbers. They share pace, hold and bucket with other rows of the host name."""
        for hid in sorted(new):
            origin, bucket = self._new[hid]
            name = host_name(origin)
            ready_at, pace, held, shared = db.execute(OF_NAME, (name,)).fetchone()
            chosen = bucket if shared is None else shared  # which may follow from the IP address, if that is known
            values = (hid, origin, name, registered_domain(name), ready_at or 0.0, pace or "", held or 0, chosen, now)
            db.execute(INSERT_HOST, values)


def _free(db: Database, hid: int, ready_at: float, asked_at: float) -> None:
    row = db.execute("select name, pace from host where hid=?", (hid,)).fetchone()
    if row is not None:
        name, pace = row[0], load_pace(row[1])
        db.execute("update host set ready_at=? where name=?", (max(ready_at, pace.next_at, asked_at + pace.delay), name))
