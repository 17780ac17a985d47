"""From one store to another, row for row, in batches by key, with a proof that what arrived is what was sent.

The proof of a table is its number of rows and the sum of their digests (BLAKE2b, 128 bits), which does not depend on the order:
it is made of the rows that were read, and once more of those that are there afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from sqlalchemy import Float, LargeBinary, Table

from focuscrawl.store.engines.database import Database, transaction
from focuscrawl.store.engines.meta import COMMIT_MARKS
from focuscrawl.store.engines.schema import tables
from focuscrawl.store.frontier.partitions import PATH_INDEX, grain_of
from focuscrawl.store.workers.clock import KEY as CLOCK

UNFINISHED = "copying"
"""Key in `meta`, only of a store that is being filled."""
OF_THE_STORE = frozenset({CLOCK, UNFINISHED})
"""Rows of `meta` that say something about the store, not about the crawl."""
BATCH, LARGE_BATCH = 2000, 200
"""Rows at once: usually, and of tables with large values."""
Row = tuple[Any, ...]
Progress = Callable[[str, str, int], None]
"""Called with the step (copy or check), the table, and the rows so far."""


class CopyError(Exception):
    """What arrived is not what was sent."""


@dataclass(slots=True, frozen=True)
class Proof:
    """What proves that rows arrived: their number, and the sum of their digests modulo 2^128."""

    rows: int = 0
    digest: int = 0

    def with_rows(self, rows: Sequence[Row]) -> Proof:
        digest = self.digest
        for row in rows:
            digest += int.from_bytes(blake2b(repr(row).encode("utf-8", "surrogatepass"), digest_size=16).digest(), "big")
        return Proof(self.rows + len(rows), digest % (1 << 128))


def copy_tables(source: Database, target: Database, progress: Progress) -> dict[str, Proof]:
    """Copy all rows, as they are at one moment, to a store that has none. Returns proofs of what was sent, by table."""
    source.dialect.begin_reading(source)
    try:
        if grain_of(source) == "path":
            target.execute(PATH_INDEX)
        return {str(table.name): _copy(table, source, target, progress) for table in tables.sorted_tables}
    finally:
        source.dialect.rollback(source)


def _copy(table: Table, source: Database, target: Database, progress: Progress) -> Proof:
    proof, last = Proof(), 0
    counter = table.autoincrement_column
    place = None if counter is None else list(table.columns).index(counter)
    for rows in _batches(table, source, target.dialect.name):
        with transaction(target):
            target.dialect.insert_rows(target, table, rows)
        proof = proof.with_rows(rows)
        if place is not None:
            last = max(last, *(row[place] for row in rows))
        progress("copy", table.name, proof.rows)
    if counter is not None and last:
        target.dialect.set_counter(target, table.name, counter.name, last)
    return proof


def check(target: Database, sent: dict[str, Proof], progress: Progress) -> None:
    """Read everything back. Raises CopyError, naming the first table that differs."""
    target.dialect.begin_reading(target)
    try:
        for table in tables.sorted_tables:
            proof = Proof()
            for rows in _batches(table, target, target.dialect.name):
                proof = proof.with_rows(rows)
                progress("check", table.name, proof.rows)
            _compare(table.name, sent[table.name], proof)
    finally:
        target.dialect.rollback(target)


def _compare(table: str, sent: Proof, proof: Proof) -> None:
    if sent.rows != proof.rows:
        raise CopyError(f"table {table} has {proof.rows:,} rows where {sent.rows:,} were sent")
    if sent.digest != proof.digest:
        raise CopyError(f"table {table} has {proof.rows:,} rows, as many as were sent, and not the same ones")


def _batches(table: Table, db: Database, engine: str) -> Iterator[list[Row]]:
    """The rows of a table by primary key, as they are to be in a store of this engine."""
    keys = [column.name for column in table.primary_key.columns]
    places = [[column.name for column in table.columns].index(key) for key in keys]
    size = LARGE_BATCH if any(isinstance(column.type, LargeBinary) for column in table.columns) else BATCH
    names, order = ", ".join(column.name for column in table.columns), ", ".join(keys)
    behind = f"where ({order})>({', '.join('?' * len(keys))})"
    last: Row = ()
    while True:
        where = behind if last else ""
        found = db.execute(f"select {names} from {table.name} {where} order by {order} limit {size}", last).fetchall()
        if not found:
            return
        last = tuple(found[-1][place] for place in places)
        rows = [_as_kept(table, row, engine) for row in found if not _is_of_the_store(table, row)]
        if rows:
            yield rows


def _is_of_the_store(table: Table, row: Row) -> bool:
    return table.name == "meta" and (row[0] in OF_THE_STORE or row[0].startswith(COMMIT_MARKS))


def _as_kept(table: Table, row: Row, engine: str) -> Row:
    """A row as a store of this engine keeps it, in plain values. Numbers of transactions mean nothing in another store, and
    PostgreSQL has no NUL in texts."""
    values = []
    for column, value in zip(table.columns, row, strict=True):
        if column.name == "tx":
            value = 0
        elif isinstance(value, str) and engine == "postgresql" and "\0" in value:
            value = value.replace("\0", "\ufffd")
        elif isinstance(column.type, Float) and value is not None:
            value = float(value)
        elif isinstance(value, memoryview):
            value = bytes(value)
        values.append(value)
    return tuple(values)
