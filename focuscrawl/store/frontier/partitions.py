"""Static allocation in the store: the bucket of every host and URL, and what of the frontier belongs to whom.

Invariant: a crawl has one grain for all its workers, static or not, and every bucket is by it (see `store.frontier.grain`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol, TypeVar

import orjson

from focuscrawl.frontier.partition import BUCKETS, Partition, bucket_of, buckets_of, key_of, owner, parse_part
from focuscrawl.store.engines.database import Database
from focuscrawl.store.engines.meta import read_meta
from focuscrawl.url.hosts import host_name
from focuscrawl.url.key import UrlKey

GRAIN, DEFAULT = "partition_grain", "host"
"""Key in `meta`, and what holds where there is none."""
OTHERS = """select w.id, r.arguments from worker w join run r on r.id=w.run where w.state='live' and w.id<>?"""
WAITING_BY_HOST = """select h.bucket, sum(w.n) from (select hid, count(*) as n from url where state=0 group by hid
    union all select hid, count(*) as n from url where state=2 group by hid) as w join host h on h.hid=w.hid
    group by h.bucket"""
WAITING_BY_URL = """select bucket, count(*) from url where state=0 group by bucket
    union all select bucket, count(*) from url where state=2 group by bucket"""


class Located(Protocol):
    """A URL with its key: see `store.frontier.discover.DiscoveredUrl`."""

    url: str
    key: UrlKey


Item = TypeVar("Item", bound=Located)


ALL = tuple(range(BUCKETS))


def grain_of(db: Database) -> str:
    """The crawl's."""
    return read_meta(db, GRAIN) or DEFAULT


@lru_cache(maxsize=1024)
def bucket_by(grain: str, origin: str, ip_address: str = "") -> int:
    """Of a host's row. Under the grain `path` its URLs have buckets, and this one is not used."""
    return bucket_of(key_of("host" if grain == "path" else grain, origin, ip_address))


def url_bucket(grain: str, url: str) -> int:
    """Of a URL's row; 0 where the host's counts."""
    return bucket_of(key_of(grain, url)) if grain == "path" else 0


def without_foreign(db: Database, partition: Partition, found: Sequence[Item]) -> list[Item]:
    """Those that are this worker's."""
    by_name: dict[str, int] = {}
    if partition.grain == "address":  # a host that is known may stand by its address
        for name in {host_name(item.key.origin) for item in found}:
            row = db.execute("select bucket from host where name=? limit 1", (name,)).fetchone()
            if row:
                by_name[name] = row[0]
    return [item for item in found if partition.owns(_bucket_of_found(partition.grain, item, by_name))]


def _bucket_of_found(grain: str, item: Located, by_name: dict[str, int]) -> int:
    if grain == "path":
        return url_bucket(grain, item.url)
    known = by_name.get(host_name(item.key.origin)) if by_name else None
    return bucket_by(grain, item.key.origin) if known is None else known


@lru_cache(maxsize=64)
def hosts_with(grain: str, buckets: tuple[int, ...]) -> str:
    """A condition on `host`: it has something waiting in these buckets. Empty: any has."""
    if len(buckets) == BUCKETS:
        return ""
    if grain != "path":
        return f"host.bucket in {_list(buckets)}"
    return f"exists (select 1 from url o where o.hid=host.hid and o.state=0 and o.bucket in {_list(buckets)})"


@lru_cache(maxsize=64)
def urls_in(grain: str, buckets: tuple[int, ...]) -> str:
    """A condition on `url`, called u, of a host that `hosts_with` finds. Empty: any."""
    return f"u.bucket in {_list(buckets)}" if grain == "path" and len(buckets) < BUCKETS else ""


def due_in(db: Database, grain: str, buckets: tuple[int, ...], until: float) -> bool:
    """Whether anything in these buckets falls due by then."""
    if not buckets:
        return False
    due = first_due(db, grain, buckets)
    return due is not None and due <= until


def first_due(db: Database, grain: str = DEFAULT, buckets: tuple[int, ...] = ALL, least: float | None = None) -> float | None:
    """When the first host or waiting URL in these buckets falls due, of those with a priority of at least `least`; a host on
    hold counts as due when it ends."""
    found = [db.execute(statement).fetchone() for statement in _first_due(grain, buckets, least)]
    return min((row[0] for row in found if row), default=None)


@lru_cache(maxsize=64)
def _first_due(grain: str, buckets: tuple[int, ...], least: float | None) -> tuple[str, str]:
    """The statements of `first_due`, for hosts and for retries."""
    best, priority = ("", "") if least is None else (f" and best_priority>={least}", f" and u.priority>={least}")
    hosts = f" and {only}" if (only := hosts_with(grain, buckets)) else ""
    join, retries = "", ""
    if hosts:
        join = "" if grain == "path" else "join host on host.hid=u.hid"
        retries = f" and {'u' if grain == 'path' else 'host'}.bucket in {_list(buckets)}"
    return (
        f"select ready_at from host where best_priority is not null and held=0{best}{hosts} order by ready_at limit 1",
        f"select u.due_at from url u {join} where u.state=2{priority}{retries} order by u.due_at limit 1",
    )


def _list(buckets: Iterable[int]) -> str:
    return f"({','.join(map(str, buckets))})"


@dataclass(slots=True, frozen=True)
class Elsewhere:
    """What falls due soon and is not this worker's."""

    runs: bool
    """Some of it belongs to workers that are there: they may find URLs for this one."""
    rests: bool
    """Some of it belongs to nobody who is there."""


def elsewhere(db: Database, partition: Partition, worker: int, until: float) -> Elsewhere:
    """Looked at when nothing of one's own is due."""
    mine = set(partition.buckets)
    theirs = covered_by_others(db, worker) - mine
    rest = set(range(BUCKETS)) - mine - theirs
    return Elsewhere(
        due_in(db, partition.grain, tuple(sorted(theirs)), until), due_in(db, partition.grain, tuple(sorted(rest)), until)
    )


def covered_by_others(db: Database, worker: int) -> set[int]:
    """Buckets from which the other live workers lease."""
    found: set[int] = set()
    for _, arguments in db.execute(OTHERS, (worker,)).fetchall():
        found.update(_buckets_said(arguments))
    return found


def _buckets_said(arguments: str) -> Sequence[int]:
    """By the arguments of a run."""
    said = orjson.loads(arguments)
    part = str(said.get("partition") or "")
    if not part or said.get("partition_foreign") == "fetch":
        return range(BUCKETS)
    return buckets_of(*parse_part(part))


def foreign_waiting(db: Database, partition: Partition) -> dict[int, int]:
    """URLs that wait for other workers, by worker."""
    found: dict[int, int] = {}
    for bucket, count in db.execute(WAITING_BY_URL if partition.grain == "path" else WAITING_BY_HOST).fetchall():
        whose = owner(bucket, partition.count)
        if whose != partition.number:
            found[whose] = found.get(whose, 0) + int(count)
    return found
