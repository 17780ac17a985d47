"""What the store's code sees of a database, SQLite's or PostgreSQL's: the few calls that both offer, with `?` for values.

Statements outside the two dialect files (`sqlite_dialect`, `postgres_dialect`) are written so that both engines take them.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from sqlalchemy import Table

from focuscrawl.url.key import UrlId

# What is said in another way to SQLite and to PostgreSQL: transactions, locks, and the hot statements on many rows.
#
# SQLite has one writer at a time, so that its locks are nothing. On PostgreSQL every transaction locks in this order, and
# none deadlocks: its own leases and URLs, texts, other URLs by key, hosts by number, addresses. Leasing never waits, but for
# the waking of retries before it.


NewUrl = tuple[int, int, float, int, int, int, int, int, str, int]
"""hid, uid, priority, depth, distance, hops, kind, parent, path, bucket."""


UrlFacts = tuple[int, float, int, int, int, int]
"""state, priority, depth, distance, kind, parent."""
UrlChange = tuple[float, int, int, int, int, int, int, int]
"""priority, parent, depth, distance, kind, lifted (0 or 1), hid, uid."""


class Dialect(Protocol):
    """One object for all connections of its engine."""

    name: str
    group: int
    """Operations of a writer in one transaction at most."""
    for_share: str
    """SQL behind a select: nobody changes its rows before the transaction ends."""
    in_order: bool
    """Whether numbers that the database gives become visible in their order: there is one writer at a time."""

    def begin(self, db: Database, *, patience: float | None = None) -> None:
        """Begin a transaction that writes. `patience`: seconds that it waits for a lock at most; None: the usual."""

    def begin_reading(self, db: Database) -> None:
        """Begin a transaction that sees the store as it is now, however long it lasts. `rollback` ends it."""

    def see_one_moment(self, db: Database) -> None:
        """All that the open transaction reads is as of one moment. Before its first statement that reads or writes."""

    def commit(self, db: Database) -> None:
        """Raises OutcomeUnknownError when the connection broke just now and the server cannot be asked."""

    def rollback(self, db: Database) -> None:
        """Undo the open transaction; nothing where there is none, or no connection any more."""

    def limit_time(self, db: Database, seconds: float) -> None:
        """For a connection that only reads and is soon closed: what takes longer fails with one of `ERRORS`; on SQLite all of
        it together, on PostgreSQL each statement."""

    def keep_little(self, db: Database) -> None:
        """For a connection that reads hardly anything twice: hold little of what was read in this process's memory."""

    def clock(self, db: Database) -> float | None:
        """The server's time, seconds since the epoch; None where the machine's clock is the only one."""

    def lock_hosts(self, db: Database, hids: Iterable[int], names: Iterable[str] = ()) -> None:
        """Nobody else changes these rows, and all rows of these host names, before the transaction ends."""

    def lock_names_of(self, db: Database, hids: Iterable[int]) -> None:
        """As `lock_hosts` for all rows of the host names that these rows have."""

    def lock_ip_address(self, db: Database, ip: str) -> tuple[float, str]:
        """(ready_at, pace) of the IP address, whose row is ours up to the end of the transaction."""

    def lock_texts(self, db: Database, keys: Collection[int]) -> None:
        """Nobody else stores a text with one of these fingerprints before the transaction ends."""

    def lock_ready_hosts(self, db: Database, now: float, limit: int, only: str = "") -> list[Any]:
        """Rows (hid, origin, name, ip_address, robots_until, pages, pace, best) of hosts that may be asked and have something
        waiting, the best first. They are ours, with all rows of their names. `only`: a further condition on `host`."""

    def free_ip_addresses(self, db: Database, ips: Collection[str]) -> dict[str, float]:
        """ready_at of those addresses that are ours now; others are in another worker's hands for a moment."""

    def best_urls(self, db: Database, hid: int, limit: int, kind: int = 0, only: str = "") -> list[Any]:
        """Rows (uid, priority, depth, distance, tries, crashes, hops, kind, path, parent's URL) of waiting URLs of one of
        `lock_ready_hosts`, the best first. `only`: a further condition on `url`, called u."""

    def known_urls(self, db: Database, keys: Collection[UrlId]) -> dict[UrlId, tuple[int, float, int, int]]:
        """(state, priority, depth, distance) of those that the frontier knows."""

    def insert_urls(self, db: Database, rows: Sequence[NewUrl]) -> int:
        """Insert those that are not there, which are in key order. Returns how many were new."""

    def lock_urls(self, db: Database, keys: Collection[UrlId]) -> dict[UrlId, UrlFacts]:
        """Those of the URLs that are ours now; others are being changed by somebody else."""

    def change_urls(self, db: Database, rows: Sequence[UrlChange]) -> None:
        """Give URLs that are ours these values; a lifted one loses the `reason` of its old priority."""

    def rescore_urls(self, db: Database, rows: Sequence[tuple[float, str, int, int]]) -> list[int]:
        """(priority, parts or nothing, hid, uid) in key order: for URLs that wait and that nobody else is changing; the hid of
        each that changed."""

    def refresh_hosts(self, db: Database, hids: Collection[int]) -> None:
        """Set the best waiting priority of hosts that are ours from their queues; written only where it has changed."""

    def wake_urls(self, db: Database, now: float, limit: int) -> list[tuple[int, float]]:
        """Queue waiting URLs whose time has come; (hid, priority) of each."""

    def insert_inlinks(self, db: Database, keys: Sequence[UrlId], page_id: int) -> None:
        """The page links to these URLs; rows that are there stay, here and in the next two."""

    def insert_refused(self, db: Database, rows: Sequence[tuple[int, int, str]], page_id: int) -> None:
        """(hid, uid, rule) of links that were refused, in key order."""

    def insert_bands(self, db: Database, keys: Sequence[int], page_id: int) -> None:
        """Keys of the page's fingerprint."""

    def insert_rows(self, db: Database, table: Table, rows: Sequence[tuple[Any, ...]]) -> None:
        """Rows with a value for every column; one of `meta` takes the place of that with its key."""

    def set_counter(self, db: Database, table: str, column: str, last: int) -> None:
        """Numbers that the database gives from now on are above `last`, which a row has."""

    def clear(self, db: Database) -> None:
        """Delete every row of every table."""

    def rows_under_keys(self, db: Database, keys: Sequence[int], limit: int, values: tuple[int, int, int]) -> list[Any]:
        """Rows (page_id, simhash, features) of originals under these keys of fingerprints, the `limit` oldest of each.
        `values`: only behind this page_id, and not of the page with this hid and uid."""

    fetch_order: str
    """SQL: what a fetch gets in the column `tx`. Fetches are read in the order of (tx, id)."""

    def settled_fetches(self, db: Database) -> int:
        """All fetches with a `tx` below this are visible; none will be added to them."""


class OutcomeUnknownError(Exception):
    """Whether the last transaction was committed cannot be found out now."""


class DatabaseError(Exception):
    """A PostgreSQL server refused a statement or is not there. `passing`: waiting may help (server down, disk full, lock);
    `lost`: the connection is gone, and with it the transaction; `again`: the transaction may be tried again at once."""

    def __init__(self, text: str, *, passing: bool = False, lost: bool = False, again: bool = False) -> None:
        super().__init__(text)
        self.passing, self.lost, self.again = passing, lost, again


class ValueRefusedError(Exception):
    """A value does not fit its column: the fault of one operation, whatever the state of the server."""


ERRORS = (sqlite3.Error, DatabaseError, ValueRefusedError)
"""What reading or writing a store may raise."""


class Rows(Protocol):
    """The result of a statement."""

    @property
    def rowcount(self) -> int: ...

    def fetchone(self) -> Any: ...

    def fetchall(self) -> list[Any]: ...

    def __iter__(self) -> Iterator[Any]: ...


class Database(Protocol):
    """One connection. Rows are tuples; a transaction is begun by hand (`dialect.begin`), else each statement is its own."""

    @property
    def dialect(self) -> Dialect: ...

    def execute(self, sql: str, values: Sequence[Any] = (), /) -> Rows: ...

    def executemany(self, sql: str, rows: Iterable[Sequence[Any]], /) -> Rows: ...

    def close(self) -> None: ...


@contextlib.contextmanager
def transaction(db: Database, patience: float | None = None) -> Iterator[None]:
    """What is done inside becomes visible together, or not at all. `patience`: seconds to wait for others' locks, where it is
    not the usual time."""
    db.dialect.begin(db, patience=patience)
    try:
        yield
    except BaseException:
        db.dialect.rollback(db)
        raise
    db.dialect.commit(db)
