"""What the store's code sees of a database, SQLite's or PostgreSQL's: the few calls that both offer, with `?` for values.

Statements outside the two dialect files (`sqlite_dialect`, `postgres_dialect`) are written so that both engines take them.
"""

from __future__ import annotations

import contextlib
import random
import re
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from sqlalchemy import Table

from focuscrawl.frontier.states import State
from focuscrawl.url.key import UrlId

# What differs between SQLite and PostgreSQL: transactions, locks, and the hot statements on many rows.
#
# SQLite has one writer at a time, so there the methods that lock do nothing. On PostgreSQL every transaction locks in this
# order: its own leases and URLs, texts, pages, other URLs by key, hosts by number, IP addresses. Pages among each other have no
# order; the few transactions that deadlock by that are made again, by the writer or by `operator_changes.change`. Leasing never
# waits for a lock, except to wake the retries that are due before it.


def literal(text: str) -> str:
    """A text as it stands for itself in a pattern of `like ? escape '!'`."""
    return re.sub("[!%_]", r"!\g<0>", text)


AGAIN_SECONDS = 0.05
"""Most seconds before a transaction that conflicted with another one is tried again."""


NewUrl = tuple[int, int, float, int, int, int, int, int, str, int]
"""hid, uid, priority, depth, distance, hops, kind, parent, path, bucket."""


LockedUrl = tuple[int, float, int, int, int, int, bool]
"""state, priority, depth, distance, kind, parent, whether an operator gave the priority."""
UrlChange = tuple[float, int, int, int, int, int, int, int]
"""priority, parent, depth, distance, kind, lifted (0 or 1), hid, uid."""

WAITING_STATES = f"({State.QUEUED:d}, {State.WAIT:d})"
"""SQL: the states of a URL that waits, for its turn or for another try …"""
OPEN_STATES = f"({State.QUEUED:d}, {State.LEASED:d}, {State.WAIT:d})"
"""… and of one that waits or is being fetched."""
VISITED = "exists (select 1 from revisit v where v.hid=url.hid and v.uid=url.uid)"
"""SQL: whether a row of `url` has revisits, because it was fetched before, or is a sitemap, feed or probe."""
THERE, IS_GONE = "gone<2", "gone>=2"
"""SQL, after the name of a table and a dot where one is needed: pages that are live or suspect, and all others, which are gone,
have moved or were taken out by an operator."""
IS_OWN = f"p.original is null and p.noindex=0 and p.{THERE}"
"""SQL: a page (p) that is not a copy of another, may be indexed, and is not gone. With `relevant=1` it is in the collection."""
SHORT_REDIRECT = "redirect <> '' AND length(redirect) < 1000"
"""SQL: rows of `fetches` with a redirect that fits into an index of each engine."""
UNREAD = "relevant = 1 AND original IS NULL AND content_version = 0 AND warc <> ''"
"""SQL: kept pages that were not read whole yet."""
OPERATOR = "operator"
"""Name of the only part of a priority that an operator gave. Neither links nor what the order learns change that priority."""
BY_OPERATOR = f"""substr(priority_parts, 1, {len(OPERATOR) + 3})='[["{OPERATOR}'"""
"""Whether an operator gave the priority of a row of `url`."""
READY_BY_PACE = """case when exists (select 1 from robots r
    where r.origin=host.origin and r.state='wait' and r.expires_at=host.ready_at) then 0.0 else ready_at end"""
"""When the pace of a host's name allows the next request, by one of its rows. When the robots.txt of that row's origin is tried
again is no matter of the other origins of the name."""


ENDED = "cast(pages as bigint)+errors"
"""SQL: how many URLs of a `host` were stored or given up. The sum of two integers of PostgreSQL may be too large for one."""
READY_ORDER = f"best_priority desc, {ENDED}, robots_until=0, ready_at"
"""SQL: hosts, the best first, as the index `host_best` has them. Of equals those of which least was fetched come first,
then those whose robots.txt was read."""


class Dialect(Protocol):
    """What an engine does in its own way; one object serves all its connections.

    "Ours" are rows that this transaction has locked."""

    name: str
    group: int
    """Most operations that a writer puts into one transaction."""
    for_share: str
    """SQL to append to a select, so that nobody changes the selected rows before the transaction ends."""
    lock_urls_found: str
    """SQL to append to a select from `url`, called u, so that it locks its rows, without those that others have locked."""
    in_order: bool
    """Whether rows become visible in the order of the numbers that the database gives them: true with one writer at a time."""

    def begin(self, db: Database, *, patience: float | None = None) -> None:
        """Begin a transaction that writes. `patience`: most seconds to wait for a lock; None: the engine's usual time."""

    def begin_reading(self, db: Database) -> None:
        """Begin a transaction that sees the store as it is now, however long it lasts. `rollback` ends it."""

    def see_one_moment(self, db: Database) -> None:
        """Let the open transaction read everything as of one moment. To be called before it reads or writes anything."""

    def commit(self, db: Database) -> None:
        """Commit the open transaction. Raises OutcomeUnknownError when the connection broke and the server cannot be asked."""

    def rollback(self, db: Database) -> None:
        """Undo the open transaction; nothing where there is none, or no connection any more."""

    def limit_time(self, db: Database, seconds: float) -> None:
        """Let what takes longer fail with one of `ERRORS`: on SQLite all further statements together, on PostgreSQL each. For a
        connection that only reads and is soon closed."""

    def keep_little(self, db: Database) -> None:
        """Keep little of what was read in this process's memory. For a connection that hardly reads anything twice."""

    def clock(self, db: Database) -> float | None:
        """The server's time, seconds since the epoch; None where the machine's clock is the only one."""

    def refresh_statistics(self, db: Database) -> None:
        """Let the engine look again at tables that are small and have doubled since it did, so that it does not go on with ways
        to read them that are good for empty ones."""

    def lock_hosts(self, db: Database, hids: Iterable[int], names: Iterable[str] = ()) -> None:
        """Lock these rows of `host`, and all rows of these host names, until the transaction ends."""

    def lock_names_of(self, db: Database, hids: Iterable[int]) -> None:
        """Lock all rows that share a host name with one of these."""

    def lock_ip_address(self, db: Database, ip: str) -> tuple[float, str]:
        """Lock the row of an IP address until the transaction ends, and return its (ready_at, pace)."""

    def lock_texts(self, db: Database, keys: Collection[int]) -> None:
        """Keep others from storing a text with one of these fingerprint keys until the transaction ends."""

    def lock_ready_hosts(self, db: Database, now: float, limit: int, only: str = "") -> list[Any]:
        """Lock hosts that may be asked now and have URLs waiting, with all rows of their names.

        Returns their rows (hid, origin, name, ip_address, robots_until, pages, ended, pace, best), in READY_ORDER. `ended`: how
        many of its URLs were stored or given up. `only`: a further condition on `host`."""

    def free_ip_addresses(self, db: Database, ips: Collection[str]) -> dict[str, float]:
        """Lock those of these IP addresses that no other worker has locked, and return the ready_at of each."""

    def known_urls(self, db: Database, keys: Collection[UrlId]) -> dict[UrlId, tuple[int, float, int, int]]:
        """(state, priority, depth, distance) of those that the frontier knows."""

    def insert_urls(self, db: Database, rows: Sequence[NewUrl]) -> int:
        """Insert the URLs that the frontier does not know, and return how many that were. `rows` are in key order."""

    def lock_urls(self, db: Database, keys: Collection[UrlId]) -> dict[UrlId, LockedUrl]:
        """Lock those of these URLs that nobody else is changing, and return what the frontier says of them."""

    def change_urls(self, db: Database, rows: Sequence[UrlChange]) -> None:
        """Set these values of locked URLs. A lifted URL loses the `reason` of its old priority."""

    def rescore_urls(self, db: Database, rows: Sequence[tuple[float, str, int, int]]) -> list[int]:
        """Set priority and reason of those URLs that wait and that nobody else is changing; returns the hid of each of them.

        `rows`: (priority, parts of the score as JSON or "", hid, uid), in key order."""

    def refresh_hosts(self, db: Database, hids: Collection[int]) -> None:
        """Set the best waiting priority of locked hosts from their queues, where it has changed."""

    def insert_inlinks(self, db: Database, keys: Sequence[UrlId], page_id: int) -> None:
        """Note that the page links to these URLs. Existing rows stay as they are, here and in the next two methods."""

    def insert_refused(self, db: Database, rows: Sequence[tuple[int, int, str]], page_id: int) -> None:
        """Note the links of the page that a rule refused. `rows`: (hid, uid, rule), in key order."""

    def delete_inlinks(self, db: Database, keys: Sequence[UrlId], page_id: int) -> None:
        """Forget that the page links there. `keys`: in their order."""

    def insert_bands(self, db: Database, keys: Sequence[int], page_id: int) -> None:
        """Enter the page under these keys of its fingerprint into the duplicate index."""

    def insert_rows(self, db: Database, table: Table, rows: Sequence[tuple[Any, ...]]) -> None:
        """Insert rows, each with a value for every column. A row of `meta` replaces the one with its key."""

    def set_counter(self, db: Database, table: str, column: str, last: int) -> None:
        """Let the numbers that the database gives to new rows begin above `last`, the largest one in use."""

    def clear(self, db: Database) -> None:
        """Delete every row of every table."""

    def rows_under_keys(self, db: Database, keys: Sequence[int], limit: int, values: tuple[int, int, int, int]) -> list[Any]:
        """Rows (page_id, simhash, features) of originals under these fingerprint keys, of each key the `limit` oldest.

        `values`: (page_id, noindex, hid, uid). Only pages behind this page_id are returned, not the page of this URL, and if
        `noindex` is 0 none that must not be indexed."""

    fetch_order: str
    """SQL for the column `tx` of a new fetch. Fetches are read in the order of (tx, id)."""

    def settled_fetches(self, db: Database) -> int:
        """A `tx` below which all fetches are visible and none will be added any more."""


class OutcomeUnknownError(Exception):
    """It cannot be found out now whether the last transaction was committed."""


@dataclass(eq=False, repr=False)
class DatabaseError(Exception):
    """A PostgreSQL server refused a statement or cannot be reached."""

    text: str
    _: KW_ONLY
    passing: bool = False
    """Waiting may help (server down, disk full, lock)."""
    lost: bool = False
    """The connection is gone, and with it the transaction."""
    again: bool = False
    """The transaction may be tried again at once."""
    locked: bool = False
    """It waited in vain for what another transaction has locked."""
    full: bool = False
    """There is no room on the server's disk."""


class ValueRefusedError(Exception):
    """A value does not fit its column. That is the fault of one operation; the server is all right."""


ERRORS = (sqlite3.Error, DatabaseError, ValueRefusedError)
"""What reading or writing a store may raise."""


def pause_before_again(error: Exception) -> float | None:
    """After how many seconds the transaction that failed by this error is to be tried again, because it conflicted with another
    one; None: that would not help."""
    return random.uniform(0, AGAIN_SECONDS) if isinstance(error, DatabaseError) and error.again else None


def is_locked(error: Exception) -> bool:
    """Whether another process holds the lock that was waited for."""
    if isinstance(error, DatabaseError):
        return error.locked
    return isinstance(error, sqlite3.OperationalError) and "locked" in str(error)


def is_full(error: Exception) -> bool:
    """Whether there is no room on the disk that the store is on."""
    if isinstance(error, DatabaseError):
        return error.full
    return isinstance(error, sqlite3.OperationalError) and "is full" in str(error)


def is_not_writable(error: Exception) -> bool:
    """Whether this user, or nobody, may write to the store's file or to those of its log."""
    words = ("readonly", "unable to open")  # the second of the log's
    return isinstance(error, sqlite3.OperationalError) and any(said in str(error) for said in words)


class Rows(Protocol):
    """The result of a statement."""

    @property
    def rowcount(self) -> int: ...

    def fetchone(self) -> Any: ...

    def fetchall(self) -> list[Any]: ...

    def __iter__(self) -> Iterator[Any]: ...


class Database(Protocol):
    """One connection. Rows are tuples. A statement outside of a transaction (see `transaction`) is committed at once."""

    @property
    def dialect(self) -> Dialect: ...

    def execute(self, sql: str, values: Sequence[Any] = (), /) -> Rows: ...

    def executemany(self, sql: str, rows: Iterable[Sequence[Any]], /) -> Rows: ...

    def close(self) -> None: ...


def rows_among(db: Database, statement: str, values: Sequence[Any]) -> Iterator[Any]:
    """The rows of a select with `in ({marks})`, for any number of values: 500 at a time."""
    for start in range(0, len(values), 500):
        some = values[start : start + 500]
        yield from db.execute(statement.format(marks=",".join("?" * len(some))), some).fetchall()


@contextlib.contextmanager
def transaction(db: Database, patience: float | None = None) -> Iterator[None]:
    """A transaction: what is written inside becomes visible together, or not at all if something is raised.

    `patience`: most seconds to wait for locks of others; None: the engine's usual time."""
    db.dialect.begin(db, patience=patience)
    try:
        yield
    except BaseException:
        db.dialect.rollback(db)
        raise
    db.dialect.commit(db)
