"""What the store's code sees of a database, SQLite's or PostgreSQL's: the few calls that both offer, with `?` for values.

Statements outside the two dialect files (`sqlite_dialect`, `postgres_dialect`) are written so that both engines take them.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from focuscrawl.store.dialect import Dialect


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
def transaction(db: Database) -> Iterator[None]:
    """What is done inside becomes visible together, or not at all."""
    db.dialect.begin(db)
    try:
        yield
    except BaseException:
        db.dialect.rollback(db)
        raise
    db.dialect.commit(db)
