"""Taking a crawl's store elsewhere: what must hold before, the copy, and the one step that makes it the crawl's store.

The old store is only read. Until everything that arrived has been read back, nothing of the crawl is changed; a copy that
was cut short is known by a mark and begun again.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any, Protocol

from sqlalchemy import Float, LargeBinary, Table

from focuscrawl.errors import BadInput
from focuscrawl.store.crawls import POINTER, SQLITE_FILE, Crawl, StoreLocation, remember, remembered, schema_of
from focuscrawl.store.engines.database import Database, transaction
from focuscrawl.store.engines.meta import COMMIT_MARKS, set_meta
from focuscrawl.store.engines.schema import tables
from focuscrawl.store.engines.sqlite import LOG_ENDS
from focuscrawl.store.engines.sqlite import connect as connect_sqlite
from focuscrawl.store.frontier.partitions import PATH_INDEX, grain_of
from focuscrawl.store.workers.clock import KEY as CLOCK
from focuscrawl.store.workers.lifecycle import Observer
from focuscrawl.whole_files import write_whole

# From one store to another, row for row, in batches by key, with a proof that what arrived is what was sent.
#
# The proof of a table is its number of rows and the sum of their digests (BLAKE2b, 128 bits), which does not depend on the
# order: it is made of the rows that were read, and once more of those that are there afterwards.


UNFINISHED = "copying"
"""Key in `meta`, only of a store that is being filled."""
OF_THE_STORE = frozenset({CLOCK, UNFINISHED})
"""Rows of `meta` that say something about the store, not about the crawl."""
BATCH, LARGE_BATCH = 2000, 200
"""Rows at once: usually, and of tables with large values."""
Row = tuple[Any, ...]
Progress = Callable[[str, int], None]


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


def no_progress(table: str, rows: int) -> None:
    """Reports nothing."""


def copy_tables(source: Database, target: Database, progress: Progress = no_progress) -> dict[str, Proof]:
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
    for rows in _batches(table, source, target.dialect.name):
        with transaction(target):
            target.dialect.insert_rows(target, table, rows)
        proof = proof.with_rows(rows)
        if counter is not None:
            last = max(last, max(row[list(table.columns).index(counter)] for row in rows))
        progress(table.name, proof.rows)
    if counter is not None and last:
        target.dialect.set_counter(target, table.name, counter.name, last)
    return proof


def check(target: Database, sent: dict[str, Proof], progress: Progress = no_progress) -> None:
    """Read everything back. Raises CopyError, naming the first table that differs."""
    target.dialect.begin_reading(target)
    try:
        for table in tables.sorted_tables:
            proof = Proof()
            for rows in _batches(table, target, target.dialect.name):
                proof = proof.with_rows(rows)
                progress(table.name, proof.rows)
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


# A second crawl from a first: its files beside a copy of its store. WARC files are shared by hard links where the file
# system can, because a finished file is never changed.


MARK = "copying"
"""A file in a crawl directory that is being filled; it holds the name of the crawl it comes from."""
WARCS = "warc"


def begin_clone(crawl: Crawl, directory: Path) -> None:
    """Fill the new directory with all but the store. Raises BadInput where something else is."""
    mark = directory / MARK
    made_before = mark.is_file() and mark.read_text(encoding="utf-8") == crawl.name
    is_free = not directory.exists() or (directory.is_dir() and next(directory.iterdir(), None) is None)
    if not is_free and not made_before:
        raise BadInput(f"{directory} already exists; choose another name")
    _refuse_unfinished(crawl)
    directory.mkdir(parents=True, exist_ok=True)
    write_whole(mark, crawl.name)
    (directory / WARCS).mkdir(exist_ok=True)
    for path in sorted(crawl.directory.iterdir()):
        if path.is_file() and not path.name.startswith("store") and ".sqlite" not in path.name and path.name != MARK:
            shutil.copy2(path, directory / path.name)
    for path in sorted((crawl.directory / WARCS).glob("*.warc.gz")):
        _share(path, directory / WARCS / path.name)


def end_clone(directory: Path) -> None:
    """Make the directory a crawl, now that its store is there."""
    (directory / MARK).unlink()


def _refuse_unfinished(crawl: Crawl) -> None:
    """The last WARC file of a worker that died is cut back by the crawl's next start: in one place, not in two."""
    db = crawl.open()
    unfinished = db.execute("select 1 from worker where state='live' or (state='dead' and warc_cut=0) limit 1").fetchone()
    db.close()
    if unfinished:
        raise BadInput(
            f"a process of crawl {crawl.name} is at work or has died; let it end, or start the crawl once more, then copy it"
        )


def _share(path: Path, target: Path) -> None:
    target.unlink(missing_ok=True)
    try:
        os.link(path, target)
    except OSError:
        shutil.copy2(path, target)


PART = SQLITE_FILE + ".copy"
"""A SQLite store that is being filled."""
ACTIVITY = """select (select count(*) from worker), (select coalesce(max(id), 0) from worker), (select count(*) from url),
    (select coalesce(sum(held), 0) from host), (select coalesce(max(value), '') from meta where key='control')"""
"""Figures that change when somebody works on a crawl."""
CopyProgress = Callable[[str, str, int], None]
"""Called with the step (copy or check), the table, and the rows so far."""


class CopyTarget(Protocol):
    """Where a store may go."""

    @property
    def shown(self) -> str: ...

    def open(self) -> Database:
        """An empty store with the mark UNFINISHED. Raises BadInput if there is another crawl's store."""
        ...

    def take_over(self) -> None:
        """Make the store, which is finished and closed, that of the crawl."""
        ...


@dataclass(slots=True, frozen=True)
class Moved:
    source: str
    target: str
    tables: dict[str, int]
    """Rows by table."""


def move(crawl: Crawl, target: CopyTarget, progress: CopyProgress) -> Moved:
    """Copy the store of a crawl, check it, and make it the crawl's own.

    Raises BadInput when that cannot be done, CopyError when what arrived is not what was sent."""
    with _alone(crawl.directory):
        with closing(crawl.open()) as source:
            refuse_live(source, crawl.name)
            before = _activity(source)
            sent = _fill(source, target, progress)
            if _activity(source) != before:
                raise BadInput(f"crawl {crawl.name} was changed while it was copied; leave it alone and start the copy again")
        shown = shown_place(crawl.directory)
        target.take_over()
    return Moved(shown, target.shown, {table: proof.rows for table, proof in sent.items()})


def _fill(source: Database, target: CopyTarget, progress: CopyProgress) -> dict[str, Proof]:
    with closing(target.open()) as db:
        sent = copy_tables(source, db, lambda table, rows: progress("copy", table, rows))
        check(db, sent, lambda table, rows: progress("check", table, rows))
        with transaction(db):
            db.execute("delete from meta where key=?", (UNFINISHED,))
        if db.dialect.name == "postgresql":
            db.execute(
                f"analyze {', '.join(table.name for table in tables.sorted_tables)}"
            )  # its planner knows nothing of so many rows at once
    return sent


def refuse_live(db: Database, name: str) -> None:
    """Raises BadInput while processes work on the crawl."""
    dead = Observer().dead(db, 0)
    live = [
        (one, machine, pid) for one, machine, pid in db.execute("select id, machine, process_id from worker where state='live'")
    ]
    working = [f"process {pid} of {machine.partition('/')[0]}" for one, machine, pid in live if one not in dead]
    if working:
        raise BadInput(f"crawl {name} is running ({', '.join(working[:3])}); stop it first: scrapy stop {name}")


def _activity(db: Database) -> tuple[Any, ...]:
    return tuple(db.execute(ACTIVITY).fetchone())


@contextlib.contextmanager
def _alone(directory: Path) -> Iterator[None]:
    """Raises BadInput while another process copies this crawl."""
    handle = os.open(directory, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError as error:
        raise BadInput(f"{directory} is being copied by another process; wait for it") from error
    finally:
        os.close(handle)


def shown_place(directory: Path) -> str:
    """Where the store of a crawl directory is, for people."""
    place = remembered(directory)
    return f"schema {place.schema} of {place.url}" if place else str(directory / SQLITE_FILE)


@dataclass(slots=True)
class SqliteTarget:
    """A file in a crawl directory. One that lies there from before is kept under another name. `stamp`: for that."""

    directory: Path
    stamp: str

    @property
    def shown(self) -> str:
        return str(self.directory / SQLITE_FILE)

    def open(self) -> Database:
        for end in ("", *LOG_ENDS):
            (self.directory / (PART + end)).unlink(missing_ok=True)
        db = connect_sqlite(self.directory / PART)
        set_meta(db, UNFINISHED, self.stamp)
        return db

    def take_over(self) -> None:
        path = self.directory / SQLITE_FILE
        for end in ("", *LOG_ENDS) if path.exists() else ():
            old = self.directory / (SQLITE_FILE + end)
            if old.exists():
                old.rename(self.directory / f"store-{self.stamp}.sqlite{end}")
        (self.directory / PART).rename(path)
        for end in LOG_ENDS:
            (self.directory / (PART + end)).unlink(missing_ok=True)
        (self.directory / POINTER).unlink(missing_ok=True)


@dataclass(slots=True)
class PostgresTarget:
    """A schema of a database. `url` may hold a password."""

    directory: Path
    url: str
    name: str
    stamp: str

    @property
    def place(self) -> StoreLocation:
        from focuscrawl.store.engines.postgres import without_password

        return StoreLocation(without_password(self.url), schema_of(self.name))

    @property
    def shown(self) -> str:
        return f"schema {self.place.schema} of {self.place.url}"

    def open(self) -> Database:
        from focuscrawl.store.engines.postgres import connect

        db = connect(self.url, self.place.schema, create=True)
        try:
            with transaction(db):
                marked = db.execute("select 1 from meta where key=?", (UNFINISHED,)).fetchone()
                if marked is None and db.execute("select 1 from run limit 1").fetchone():
                    raise BadInput(
                        f"{self.shown} already holds a crawl; copy to another name with --name NEW, or drop that schema first"
                        " if an earlier copy left it behind"
                    )
                if marked:
                    self._empty(db)
                set_meta(db, UNFINISHED, self.stamp)
        except BaseException:
            db.close()
            raise
        return db

    def _empty(self, db: Database) -> None:
        """Delete what an earlier copy left, but the version of the tables."""
        (version,) = db.execute("select value from meta where key='version'").fetchone()
        db.dialect.clear(db)
        set_meta(db, "version", version)

    def take_over(self) -> None:
        remember(self.directory, self.place)
