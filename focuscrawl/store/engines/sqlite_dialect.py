"""SQLite's way: `begin immediate` lets one writer in, so that no row needs a lock."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Collection, Iterable, Sequence
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any, cast

from focuscrawl.frontier.lanes import LANE
from focuscrawl.frontier.states import State
from focuscrawl.store.engines.database import (
    BY_OPERATOR,
    ENDED,
    READY_ORDER,
    THERE,
    WAITING_STATES,
    Database,
    LockedUrl,
    NewUrl,
    UrlChange,
)
from focuscrawl.url.key import UrlId

if TYPE_CHECKING:
    from sqlalchemy import Table

CLOCK_STEPS = 100_000
"""Steps of SQLite's virtual machine between two readings of the clock: some milliseconds."""
LITTLE_KIB = 2 * 1024
"""Size of the page cache after `keep_little`."""
LOCK_SECONDS = 60.0
"""How long a transaction waits for the one before it."""

READY = f"""select hid, origin, name, ip_address, robots_until, pages, {ENDED}, pace, best_priority from host
    where best_priority is not null and held=0 and ready_at<=?{{only}}
    order by {READY_ORDER} limit ?"""
INSERT_URL = """insert into url(hid, uid, priority, depth, distance, hops, kind, parent, path, bucket)
    values(?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing"""
KNOWN = "select state, priority, depth, distance from url where hid=? and uid=?"
FACTS = f"select state, priority, depth, distance, kind, parent, {BY_OPERATOR} from url where hid=? and uid=?"
CHANGE_URL = """update url set priority=?, parent=?, depth=?, distance=?, kind=?,
    priority_parts=case when ?=1 then '' else priority_parts end where hid=? and uid=?"""
RESCORE = f"""update url set priority=?, priority_parts=coalesce(nullif(?, ''), priority_parts)
    where hid=? and uid=? and state in {WAITING_STATES} and priority<>? and abs(priority)<{LANE}
    and not {BY_OPERATOR}"""
BEST_OF_HOST = f"select priority from url where hid=? and state={State.QUEUED:d} order by priority desc limit 1"
SET_BEST = "update host set best_priority=? where hid=? and best_priority is distinct from ?"
INSERT_INLINK = "insert into inlink(hid, uid, page_id) values(?, ?, ?) on conflict do nothing"
INSERT_REFUSED = "insert into refused(hid, uid, rule, page_id) values(?, ?, ?, ?) on conflict do nothing"
INSERT_BAND = "insert into band(key, page_id) values(?, ?) on conflict do nothing"
UNDER_KEY = f"""select p.page_id, p.simhash, p.features from band b join page p on p.page_id=b.page_id
    where b.key=? and b.page_id>? and p.original is null and p.{THERE} and p.noindex<=? and not (p.hid=? and p.uid=?)
    order by b.page_id limit ?"""


class SqliteDialect:
    """See `Dialect`."""

    name = "sqlite"
    group = 32
    for_share = ""
    lock_urls_found = ""
    in_order = True
    fetch_order = "0"

    def begin(self, db: Database, *, patience: float | None = None) -> None:
        db.execute(f"pragma busy_timeout={round(1000 * (LOCK_SECONDS if patience is None else patience))}")
        db.execute("begin immediate")

    def begin_reading(self, db: Database) -> None:
        db.execute("begin")
        db.execute("select 1 from meta limit 1").fetchall()  # SQLite's snapshot begins with the first read, not with `begin`

    def see_one_moment(self, db: Database) -> None:
        """A transaction that writes has no others beside it."""

    def commit(self, db: Database) -> None:
        db.execute("commit")

    def rollback(self, db: Database) -> None:
        if getattr(db, "in_transaction", False):
            db.execute("rollback")

    def limit_time(self, db: Database, seconds: float) -> None:
        end = time.monotonic() + seconds
        cast(sqlite3.Connection, db).set_progress_handler(lambda: int(time.monotonic() > end), CLOCK_STEPS)

    def keep_little(self, db: Database) -> None:
        db.execute(f"pragma cache_size=-{LITTLE_KIB}")

    def clock(self, db: Database) -> float | None:
        return None

    def refresh_statistics(self, db: Database) -> None:
        """Nothing: SQLite plans without statistics here, by the indexes that there are."""

    def lock_hosts(self, db: Database, hids: Iterable[int], names: Iterable[str] = ()) -> None:
        """Nothing: see the first line of this module, also for the other locks."""

    def lock_names_of(self, db: Database, hids: Iterable[int]) -> None:
        """Nothing."""

    def lock_ip_address(self, db: Database, ip: str) -> tuple[float, str]:
        return db.execute("select ready_at, pace from ip_pace where ip_address=?", (ip,)).fetchone() or (0.0, "")

    def lock_texts(self, db: Database, keys: Collection[int]) -> None:
        """Nothing."""

    def lock_ready_hosts(self, db: Database, now: float, limit: int, only: str = "") -> list[Any]:
        return db.execute(READY.format(only=f" and {only}" if only else ""), (now, limit)).fetchall()

    def free_ip_addresses(self, db: Database, ips: Collection[str]) -> dict[str, float]:
        marks = ",".join("?" * len(ips))
        known = dict(
            db.execute(f"select ip_address, ready_at from ip_pace where ip_address in ({marks})", tuple(ips)).fetchall()
        )
        return {ip: known.get(ip, 0.0) for ip in ips}

    def known_urls(self, db: Database, keys: Collection[UrlId]) -> dict[UrlId, tuple[int, float, int, int]]:
        return {key: facts for key in keys if (facts := db.execute(KNOWN, key).fetchone())}

    def insert_urls(self, db: Database, rows: Sequence[NewUrl]) -> int:
        return max(db.executemany(INSERT_URL, rows).rowcount, 0) if rows else 0

    def lock_urls(self, db: Database, keys: Collection[UrlId]) -> dict[UrlId, LockedUrl]:
        found = {key: db.execute(FACTS, key).fetchone() for key in keys}
        return {key: facts for key, facts in found.items() if facts}

    def change_urls(self, db: Database, rows: Sequence[UrlChange]) -> None:
        db.executemany(CHANGE_URL, rows)

    def rescore_urls(self, db: Database, rows: Sequence[tuple[float, str, int, int]]) -> list[int]:
        changed: list[int] = []
        for hid, of_host in groupby(rows, key=itemgetter(2)):
            changed += [hid] * db.executemany(RESCORE, [(*row, row[0]) for row in of_host]).rowcount
        return changed

    def refresh_hosts(self, db: Database, hids: Collection[int]) -> None:
        for hid in hids:
            row = db.execute(BEST_OF_HOST, (hid,)).fetchone()
            best = row[0] if row else None
            db.execute(SET_BEST, (best, hid, best))

    def insert_inlinks(self, db: Database, keys: Sequence[UrlId], page_id: int) -> None:
        db.executemany(INSERT_INLINK, [(*key, page_id) for key in keys])

    def delete_inlinks(self, db: Database, keys: Sequence[UrlId], page_id: int) -> None:
        db.executemany("delete from inlink where hid=? and uid=? and page_id=?", [(*key, page_id) for key in keys])

    def insert_refused(self, db: Database, rows: Sequence[tuple[int, int, str]], page_id: int) -> None:
        db.executemany(INSERT_REFUSED, [(*row, page_id) for row in rows])

    def insert_bands(self, db: Database, keys: Sequence[int], page_id: int) -> None:
        db.executemany(INSERT_BAND, [(key, page_id) for key in keys])

    def rows_under_keys(self, db: Database, keys: Sequence[int], limit: int, values: tuple[int, int, int, int]) -> list[Any]:
        return [row for key in keys for row in db.execute(UNDER_KEY, (key, *values, limit))]

    def settled_fetches(self, db: Database) -> int:
        return 1

    def insert_rows(self, db: Database, table: Table, rows: Sequence[tuple[Any, ...]]) -> None:
        replace = "or replace " if table.name == "meta" else ""
        db.executemany(f"insert {replace}into {table.name} values({', '.join('?' * len(table.columns))})", rows)

    def set_counter(self, db: Database, table: str, column: str, last: int) -> None:
        """Nothing: the counter follows the rows that are inserted."""

    def clear(self, db: Database) -> None:
        from focuscrawl.store.engines.schema import tables

        for table in tables.sorted_tables:
            db.execute(f"delete from {table.name}")
