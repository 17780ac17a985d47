"""Taking a crawl's store elsewhere: what must hold before, the copy, and the one step that makes it the crawl's store.

The old store is only read. Until everything that arrived has been read back, nothing of the crawl is changed; a copy that
was cut short is known by a mark and begun anew.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from focuscrawl.errors import BadInput
from focuscrawl.store.connecting import POINTER, SQLITE_FILE, StorePlace, remember, schema_of, url_key
from focuscrawl.store.copying import UNFINISHED, Proof, check, copy_tables
from focuscrawl.store.crawls import Crawl
from focuscrawl.store.database import Database, transaction
from focuscrawl.store.meta import set_meta
from focuscrawl.store.schema import tables
from focuscrawl.store.sqlite import connect as connect_sqlite
from focuscrawl.store.workers import Observer

PART = SQLITE_FILE + ".copy"
"""A SQLite store that is being filled."""
MARKS = """select (select count(*) from worker), (select coalesce(max(id), 0) from worker), (select count(*) from url),
    (select coalesce(sum(held), 0) from host), (select coalesce(max(v), '') from meta where k='control')"""
"""What changes when somebody works on a crawl."""
Told = Callable[[str, str, int], None]
"""Told of the progress: copy or check, table, rows."""


class Target(Protocol):
    """Where a store may go."""

    @property
    def shown(self) -> str: ...

    def open(self) -> Database:
        """An empty store, which bears the mark. Raises BadInput where there is another one."""
        ...

    def take_over(self) -> None:
        """It is finished and closed: from now on it is the crawl's store."""
        ...


@dataclass(slots=True, frozen=True)
class Moved:
    source: str
    target: str
    tables: dict[str, int]
    """Rows by table."""


def move(crawl: Crawl, target: Target, told: Told) -> Moved:
    """Copy the store of a crawl, check it, and make it the crawl's own.

    Raises BadInput when that cannot be done, CopyError when what arrived is not what was sent."""
    with _alone(crawl.directory):
        source = crawl.open()
        try:
            refuse_live(source, crawl.name)
            before = _marks(source)
            sent = _fill(source, target, told)
            if _marks(source) != before:
                raise BadInput(f"crawl {crawl.name} was changed while it was copied; leave it alone and start the copy again")
        finally:
            source.close()
        shown = shown_place(crawl.directory)
        target.take_over()
    return Moved(shown, target.shown, {table: proof.rows for table, proof in sent.items()})


def _fill(source: Database, target: Target, told: Told) -> dict[str, Proof]:
    db = target.open()
    try:
        sent = copy_tables(source, db, lambda table, rows: told("copy", table, rows))
        check(db, sent, lambda table, rows: told("check", table, rows))
        with transaction(db):
            db.execute("delete from meta where k=?", (UNFINISHED,))
        if db.dialect.name == "postgresql":
            db.execute(
                f"analyze {', '.join(table.name for table in tables.sorted_tables)}"
            )  # its planner knows nothing of so many rows at once
    finally:
        db.close()
    return sent


def refuse_live(db: Database, name: str) -> None:
    """Raises BadInput while processes work on the crawl."""
    dead = Observer().dead(db, 0)
    live = [(one, machine, pid) for one, machine, pid in db.execute("select id, machine, pid from worker where state='live'")]
    working = [f"process {pid} of {machine.partition('/')[0]}" for one, machine, pid in live if one not in dead]
    if working:
        raise BadInput(f"crawl {name} is running ({', '.join(working[:3])}); stop it first: scrapy stop {name}")


def _marks(db: Database) -> tuple[Any, ...]:
    return tuple(db.execute(MARKS).fetchone())


@contextlib.contextmanager
def _alone(directory: Path) -> Iterator[None]:
    """One copy of a crawl at a time."""
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
    place = url_key(directory)
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
        for end in ("", "-wal", "-shm"):
            (self.directory / (PART + end)).unlink(missing_ok=True)
        db = connect_sqlite(self.directory / PART)
        set_meta(db, UNFINISHED, self.stamp)
        return db

    def take_over(self) -> None:
        path = self.directory / SQLITE_FILE
        for end in ("", "-wal", "-shm") if path.exists() else ():
            old = self.directory / (SQLITE_FILE + end)
            if old.exists():
                old.rename(self.directory / f"store-{self.stamp}.sqlite{end}")
        (self.directory / PART).rename(path)
        (self.directory / POINTER).unlink(missing_ok=True)


@dataclass(slots=True)
class PostgresTarget:
    """A schema of a database. `url` may hold a password."""

    directory: Path
    url: str
    name: str
    stamp: str

    @property
    def place(self) -> StorePlace:
        from focuscrawl.store.postgres import without_password

        return StorePlace(without_password(self.url), schema_of(self.name))

    @property
    def shown(self) -> str:
        return f"schema {self.place.schema} of {self.place.url}"

    def open(self) -> Database:
        from focuscrawl.store.postgres import connect

        db = connect(self.url, self.place.schema, create=True)
        try:
            with transaction(db):
                marked = db.execute("select 1 from meta where k=?", (UNFINISHED,)).fetchone()
                if marked is None and db.execute("select 1 from run limit 1").fetchone():
                    raise BadInput(
                        f"{self.shown} holds a crawl already; copy to another name: --name NEW, or drop that schema first if it"
                        " is what an earlier copy left behind"
                    )
                if marked:
                    self._empty(db)
                set_meta(db, UNFINISHED, self.stamp)
        except BaseException:
            db.close()
            raise
        return db

    def _empty(self, db: Database) -> None:
        """Throw away what an earlier copy left."""
        (version,) = db.execute("select v from meta where k='version'").fetchone()
        db.dialect.clear(db)
        set_meta(db, "version", version)

    def take_over(self) -> None:
        remember(self.directory, self.place)
