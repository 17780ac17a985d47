"""Static allocation in the store: the bucket of every host and URL, and which part of the frontier belongs to which worker.

Invariant: a crawl has one grain for all its workers, with or without partitions, and all buckets follow from it
(`settle_grain`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol, TypeVar

import orjson

from focuscrawl.errors import BadInput
from focuscrawl.frontier.partition import BUCKETS, Partition, bucket_of, buckets_of, key_of, owner, parse_part
from focuscrawl.frontier.states import BY_PART, State
from focuscrawl.items import Link
from focuscrawl.store.engines.database import Database
from focuscrawl.store.engines.meta import read_meta, set_meta
from focuscrawl.store.workers.lifecycle import Observer
from focuscrawl.store.workers.status import RUNNING, roster, store_now
from focuscrawl.url.hosts import host_name
from focuscrawl.url.key import LEAST_NUMBER, UrlKey

GRAIN, DEFAULT = "partition_grain", "host"
"""The key of the grain in `meta`, and the grain of a crawl that does not have the key."""
OTHERS = """select w.id, r.arguments from worker w join run r on r.id=w.run where w.state='live' and w.id<>?"""
ANY_HELD = "select 1 from host where held=1 limit 1"
WAITING_BY_HOST = f"""select h.bucket, sum(w.n) from (
    select hid, count(*) as n from url where state={State.QUEUED:d} group by hid
    union all select hid, count(*) as n from url where state={State.WAIT:d} group by hid) as w join host h on h.hid=w.hid
    group by h.bucket"""
WAITING_BY_URL = f"""select bucket, count(*) from url where state={State.QUEUED:d} group by bucket
    union all select bucket, count(*) from url where state={State.WAIT:d} group by bucket"""


class Located(Protocol):
    """A URL with its key: see `store.frontier.discover.DiscoveredUrl`, and the links of a page."""

    @property
    def url(self) -> str: ...

    @property
    def key(self) -> UrlKey: ...


Item = TypeVar("Item", bound=Located)
Refused = tuple[int, int, str]
"""hid and uid of a link, and the rule that refuses it."""


ALL = tuple(range(BUCKETS))
"""The buckets of a worker without a partition."""


def grain_of(db: Database) -> str:
    """The grain of the crawl."""
    return read_meta(db, GRAIN) or DEFAULT


@lru_cache(maxsize=1024)
def bucket_by(grain: str, origin: str, ip_address: str = "") -> int:
    """The bucket of a host row. It is not used under the grain `path`, where URLs have buckets."""
    return bucket_of(key_of("host" if grain == "path" else grain, origin, ip_address))


def url_bucket(grain: str, url: str) -> int:
    """The bucket of a URL row; 0 under grains for which the bucket of the host counts."""
    return bucket_of(key_of(grain, url)) if grain == "path" else 0


def without_foreign(db: Database, only: Partition | None, items: Sequence[Item]) -> Sequence[Item]:
    """Those of the URLs that belong to this partition; None: all of them."""
    if only is None:
        return items
    buckets = _buckets_of_items(db, only.grain, items)
    return [item for item, bucket in zip(items, buckets, strict=True) if only.owns(bucket)]


def without_foreign_links(
    db: Database, only: Partition | None, discovered: Sequence[Item], refused: Sequence[Refused], links: Iterable[Link]
) -> tuple[Sequence[Item], Sequence[Refused]]:
    """Of the links of a page, those of this partition that enter the frontier, and those that are refused, the foreign ones
    among them. Foreign links that a closed part refuses are noted as foreign, so that this worker leaves them alone when the
    part opens again.

    Args:
        only: this partition; None: no link is foreign.
        discovered: URLs that no rule refused.
        refused: (hid, uid, rule) of the others.
        links: all of them.
    """
    if only is None:
        return discovered, refused
    own = without_foreign(db, only, discovered)
    kept = {item.key.url_id for item in own}
    left = [*refused, *((*item.key.url_id, "foreign") for item in discovered if item.key.url_id not in kept)]
    closed = [link for link in links if link.refused in BY_PART]
    own_closed = {link.key.url_id for link in without_foreign(db, only, closed)}
    foreign = {(hid, uid) for hid, uid, rule in left if rule in BY_PART} - own_closed
    return own, [(hid, uid, "foreign" if (hid, uid) in foreign else rule) for hid, uid, rule in left]


def of_same_part(db: Database, partition: Partition, source: Located, items: Sequence[Item]) -> list[Item]:
    """Those of the URLs that belong to the same worker's partition as a page with links to them."""
    own, *others = (owner(bucket, partition.count) for bucket in _buckets_of_items(db, partition.grain, [source, *items]))
    return [item for item, other in zip(items, others, strict=True) if other == own]


def _buckets_of_items(db: Database, grain: str, items: Sequence[Located]) -> list[int]:
    by_name: dict[str, int] = {}
    if grain == "address":  # the bucket of a known host may follow from its IP address
        for name in {host_name(item.key.origin) for item in items}:
            row = db.execute("select bucket from host where name=? limit 1", (name,)).fetchone()
            if row:
                by_name[name] = row[0]
    return [_bucket_of_item(grain, item, by_name) for item in items]


def _bucket_of_item(grain: str, item: Located, by_name: dict[str, int]) -> int:
    if grain == "path":
        return url_bucket(grain, item.url)
    known = by_name.get(host_name(item.key.origin)) if by_name else None
    return bucket_by(grain, item.key.origin) if known is None else known


@lru_cache(maxsize=64)
def hosts_with(grain: str, buckets: tuple[int, ...]) -> str:
    """SQL condition on the `host` rows that may have URLs waiting in these buckets; empty: any row."""
    if len(buckets) == BUCKETS:
        return ""
    if grain != "path":
        return f"host.bucket in {_list(buckets)}"
    return f"exists (select 1 from url o where o.hid=host.hid and o.state={State.QUEUED:d} and o.bucket in {_list(buckets)})"


def hosts_of(own: Partition | None) -> str:
    """SQL condition on the `host` rows that may have URLs of this part waiting; empty: any row."""
    return hosts_with(own.grain, own.buckets) if own else ""


@lru_cache(maxsize=64)
def urls_of(own: Partition | None) -> str:
    """SQL condition on the `url` rows (alias u) of a host that `hosts_of` selects; empty: any row."""
    return f"u.bucket in {_list(own.buckets)}" if own and own.grain == "path" and own.count > 1 else ""


def awaited(own: Partition | None) -> Partition | None:
    """The part whose URLs a worker waits for; None: all, also where it fetches those of others when none of its own is
    ready."""
    return None if own is None or own.foreign == "fetch" else own


def due_in(db: Database, grain: str, buckets: tuple[int, ...], until: float) -> bool:
    """Whether anything in these buckets falls due until then."""
    if not buckets:
        return False
    due = first_due(db, grain, buckets)
    return due is not None and due <= until


def first_due(db: Database, grain: str = DEFAULT, buckets: tuple[int, ...] = ALL, least: float | None = None) -> float | None:
    """When the first host or waiting URL in these buckets falls due; None: there is none. `least`: only hosts and URLs with at
    least this priority. A host on hold counts with the time to which the hold was set."""
    some_held = db.execute(ANY_HELD).fetchone() is not None
    rows = [db.execute(statement).fetchone() for statement in _first_due(grain, buckets, least, some_held)]
    return min((row[0] for row in rows if row), default=None)


@lru_cache(maxsize=64)
def _first_due(grain: str, buckets: tuple[int, ...], least: float | None, some_held: bool) -> tuple[str, str]:
    """The statements of `first_due`, for hosts and for retries. The first is asked many times a second where hosts wait for one
    address; without `held` the index `host_best` answers it, and no row of a host is read."""
    best, priority = ("", "") if least is None else (f" and best_priority>={least}", f" and u.priority>={least}")
    hosts = f" and {only}" if (only := hosts_with(grain, buckets)) else ""
    free = " and held=0" if some_held else ""
    join, retries = "", ""
    if hosts:
        join = "" if grain == "path" else "join host on host.hid=u.hid"
        retries = f" and {'u' if grain == 'path' else 'host'}.bucket in {_list(buckets)}"
    return (
        f"select ready_at from host where best_priority is not null{free}{best}{hosts} order by ready_at limit 1",
        f"select u.due_at from url u {join} where u.state={State.WAIT:d}{priority}{retries} order by u.due_at limit 1",
    )


def _list(buckets: Iterable[int]) -> str:
    return f"({','.join(map(str, buckets))})"


@dataclass(slots=True, frozen=True)
class Elsewhere:
    """Whether anything falls due soon that does not belong to this worker."""

    runs: bool
    """Some of it belongs to other live workers, which may discover URLs for this one."""
    rests: bool
    """Some of it belongs to no live worker."""


def elsewhere(db: Database, partition: Partition, worker: int, until: float) -> Elsewhere:
    """What falls due elsewhere until then. To be asked when nothing in the worker's own part is due."""
    mine = set(partition.buckets)
    theirs = covered_by_others(db, worker) - mine
    rest = set(range(BUCKETS)) - mine - theirs
    return Elsewhere(
        due_in(db, partition.grain, tuple(sorted(theirs)), until), due_in(db, partition.grain, tuple(sorted(rest)), until)
    )


def covered_by_others(db: Database, worker: int) -> set[int]:
    """Buckets from which the other live workers lease."""
    covered: set[int] = set()
    for _, arguments in db.execute(OTHERS, (worker,)).fetchall():
        covered.update(_buckets_by(arguments))
    return covered


def _buckets_by(arguments: str) -> Sequence[int]:
    """The buckets from which a worker leases, by the arguments of its run (JSON)."""
    values = orjson.loads(arguments)
    part = str(values.get("partition") or "")
    if not part or values.get("partition_foreign") == "fetch":
        return range(BUCKETS)
    return buckets_of(*parse_part(part))


def foreign_waiting(db: Database, partition: Partition) -> dict[int, int]:
    """How many URLs wait for other workers, by the number of the worker's part."""
    counts: dict[int, int] = {}
    for bucket, count in db.execute(WAITING_BY_URL if partition.grain == "path" else WAITING_BY_HOST).fetchall():
        whose = owner(bucket, partition.count)
        if whose != partition.number:
            counts[whose] = counts.get(whose, 0) + int(count)
    return counts


HELD_GRAIN = "insert into meta(key, value) values(?, ?) on conflict(key) do update set value=meta.value returning value"
PATH_INDEX = f"create index if not exists url_bucket on url(hid, bucket) where state={State.QUEUED:d}"
"""Made for the grain `path` alone, where it shows which hosts have URLs in a worker's buckets."""
AT_ONCE = 5000
"""Rows that get new buckets in one batch."""


def settle_grain(db: Database, partition: Partition | None, worker: int) -> str:
    """Set the crawl's grain to that of the partition, and return it; without a partition it stays as it is.

    To be called in the transaction that registered `worker`. Workers that start at the same moment pass one after the other.
    Raises BadInput if other workers run and use another grain."""
    current = str(db.execute(HELD_GRAIN, (GRAIN, DEFAULT)).fetchone()[0])
    if partition is None or partition.grain == current:
        return current
    dead = Observer().dead(db, worker)
    live = {one for (one,) in db.execute("select id from worker where state='live' and id<>?", (worker,))}
    if live.difference(dead):
        raise _refusal(partition, current)
    set_buckets(db, partition.grain)
    set_meta(db, GRAIN, partition.grain)
    return partition.grain


def check_grain(db: Database, partition: Partition | None) -> None:
    """Check as `settle_grain` does, but before anything is written, and by what the table of workers shows. Raises
    BadInput."""
    grain = read_meta(db, GRAIN)
    if partition is None or grain is None or grain == partition.grain:
        return
    if any(worker.health in RUNNING for worker in roster(db, store_now(db))):
        raise _refusal(partition, grain)


def _refusal(partition: Partition, current: str) -> BadInput:
    return BadInput(
        f"PARTITION_GRAIN={partition.grain} cannot be used now: other workers share this crawl by {current}; say so"
        " too, or end them first."
    )


def set_buckets(db: Database, grain: str) -> None:
    """Compute the buckets of all hosts and URLs again: some 100,000 rows a second."""
    ip_addresses: dict[str, str] = {}  # one for each host name, so that its rows stay together
    rows = db.execute("select hid, origin, name, ip_address from host order by hid").fetchall()
    for _, _, name, ip_address in rows:
        ip_addresses[name] = ip_addresses.get(name) or ip_address
    for start in range(0, len(rows), AT_ONCE):  # a server ends a transaction that is silent for long
        part = rows[start : start + AT_ONCE]
        values = [(bucket_by(grain, origin, ip_addresses[name]), hid) for hid, origin, name, _ in part]
        db.executemany("update host set bucket=? where hid=?", values)
    if grain == "path":
        db.execute(PATH_INDEX)
        origins = {hid: origin for hid, origin, _, _ in rows}
        _set_url_buckets(db, origins)


def _set_url_buckets(db: Database, origins: dict[int, str]) -> None:
    """Compute the buckets of all URLs again, for the grain `path`. `origins`: by hid."""
    last = (LEAST_NUMBER, LEAST_NUMBER)
    while True:
        rows = db.execute(
            "select hid, uid, path from url where (hid, uid)>(?, ?) order by hid, uid limit ?", (*last, AT_ONCE)
        ).fetchall()
        if not rows:
            return
        values = [(url_bucket("path", origins[hid] + tail), hid, uid) for hid, uid, tail in rows]
        db.executemany("update url set bucket=? where hid=? and uid=?", values)
        last = rows[-1][:2]
