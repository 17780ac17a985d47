"""Keeps the one grain by which the workers of a crawl divide it: it stands in `meta` and changes only while no other worker
runs."""

from __future__ import annotations

from focuscrawl.errors import BadInput
from focuscrawl.frontier.partition import Partition
from focuscrawl.frontier.states import State
from focuscrawl.store.engines.database import Database
from focuscrawl.store.engines.meta import read_meta, set_meta
from focuscrawl.store.frontier.partitions import DEFAULT, GRAIN, bucket_by, url_bucket
from focuscrawl.store.workers.lifecycle import Observer
from focuscrawl.store.workers.status import RUNNING, roster, store_now
from focuscrawl.url.key import LEAST_NUMBER

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
