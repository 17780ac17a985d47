"""The grain by which all workers of a crawl share it: kept in `meta`, changed only while nobody else works on the crawl."""

from __future__ import annotations

from focuscrawl.errors import BadInput
from focuscrawl.frontier.partition import Partition
from focuscrawl.store.engines.database import Database
from focuscrawl.store.engines.meta import read_meta, set_meta
from focuscrawl.store.frontier.partitions import DEFAULT, GRAIN, bucket_by, url_bucket
from focuscrawl.store.workers.lifecycle import Observer
from focuscrawl.store.workers.status import RUNNING, roster, store_now

HELD_GRAIN = "insert into meta(key, value) values(?, ?) on conflict(key) do update set value=meta.value returning value"
PATH_INDEX = "create index if not exists url_bucket on url(hid, bucket) where state=0"
"""Made for the grain `path` alone: which hosts have anything of ours?"""
AT_ONCE = 5000
"""Rows that get new buckets in one statement."""


def settle_grain(db: Database, partition: Partition | None, worker: int) -> str:
    """The crawl's grain from now on; to be called in the transaction that registered `worker`. Of workers that start at the
    same moment one is let in after the other.

    Raises BadInput when the partition wants another one than the workers that are at it."""
    known = str(db.execute(HELD_GRAIN, (GRAIN, DEFAULT)).fetchone()[0])
    if partition is None or partition.grain == known:
        return known
    dead = Observer().dead(db, worker)
    live = {one for (one,) in db.execute("select id from worker where state='live' and id<>?", (worker,))}
    if live.difference(dead):
        raise _refusal(partition, known)
    set_buckets(db, partition.grain)
    set_meta(db, GRAIN, partition.grain)
    return partition.grain


def check_grain(db: Database, partition: Partition | None) -> None:
    """The same question before anything is written, answered from what can be seen. Raises BadInput."""
    grain = read_meta(db, GRAIN)
    if partition is None or grain is None or grain == partition.grain:
        return
    if any(worker.health in RUNNING for worker in roster(db, store_now(db))):
        raise _refusal(partition, grain)


def _refusal(partition: Partition, known: str) -> BadInput:
    return BadInput(
        f"PARTITION_GRAIN={partition.grain} cannot be used now: other workers share this crawl by {known}; say so"
        " too, or end them first."
    )


def set_buckets(db: Database, grain: str) -> None:
    """Compute all buckets anew: some 100,000 rows a second."""
    known: dict[str, str] = {}  # rows of one host name stay together
    rows = db.execute("select hid, origin, name, ip_address from host order by hid").fetchall()
    for _, _, name, ip_address in rows:
        known[name] = known.get(name) or ip_address
    for start in range(0, len(rows), AT_ONCE):  # a server ends a transaction that is silent for long
        part = rows[start : start + AT_ONCE]
        values = [(bucket_by(grain, origin, known[name]), hid) for hid, origin, name, _ in part]
        db.executemany("update host set bucket=? where hid=?", values)
    if grain == "path":
        db.execute(PATH_INDEX)
        origins = {hid: origin for hid, origin, _, _ in rows}
        _set_url_buckets(db, origins)


def _set_url_buckets(db: Database, origins: dict[int, str]) -> None:
    last = (-(1 << 63), -(1 << 63))
    while True:
        rows = db.execute(
            "select hid, uid, path from url where (hid, uid)>(?, ?) order by hid, uid limit ?", (*last, AT_ONCE)
        ).fetchall()
        if not rows:
            return
        values = [(url_bucket("path", origins[hid] + tail), hid, uid) for hid, uid, tail in rows]
        db.executemany("update url set bucket=? where hid=? and uid=?", values)
        last = rows[-1][:2]
