"""Taking a crawl's store elsewhere: what must hold before, the copy, and the one step that makes it the crawl's store.

The old store is only read. Until everything that arrived has been read back, nothing of the crawl is changed; a copy that
was cut short is known by a mark and begun again.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from focuscrawl.errors import BadInput, in_shell
from focuscrawl.store.copying.rows import UNFINISHED, Progress, Proof, check, copy_tables
from focuscrawl.store.crawls import POINTER, SQLITE_FILE, Crawl, StoreLocation, remember, remembered, schema_of
from focuscrawl.store.engines.database import Database, transaction
from focuscrawl.store.engines.meta import set_meta
from focuscrawl.store.engines.schema import tables
from focuscrawl.store.engines.sqlite import LOG_ENDS
from focuscrawl.store.engines.sqlite import connect as connect_sqlite
from focuscrawl.store.workers.lifecycle import Observer

PART = SQLITE_FILE + ".copy"
"""A SQLite store that is being filled."""
ACTIVITY = """select (select count(*) from worker), (select coalesce(max(id), 0) from worker), (select count(*) from url),
    (select coalesce(sum(held), 0) from host), (select coalesce(max(value), '') from meta where key='control')"""
"""Figures that change when somebody works on a crawl."""


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


def move(crawl: Crawl, target: CopyTarget, progress: Progress) -> Moved:
    """Copy the store of a crawl, check it, and make it the crawl's own.

    Raises BadInput when that cannot be done, CopyError when what arrived is not what was sent."""
    with _alone(crawl.directory):
        with closing(crawl.open()) as source:
            _refuse_live(source, crawl.name)
            before = _activity(source)
            sent = _fill(source, target, progress)
            if _activity(source) != before:
                raise BadInput(f"crawl {crawl.name} was changed while it was copied; leave it alone and start the copy again")
        old = _shown_location(crawl.directory)
        target.take_over()
    return Moved(old, target.shown, {table: proof.rows for table, proof in sent.items()})


def _fill(source: Database, target: CopyTarget, progress: Progress) -> dict[str, Proof]:
    with closing(target.open()) as db:
        sent = copy_tables(source, db, progress)
        check(db, sent, progress)
        with transaction(db):
            db.execute("delete from meta where key=?", (UNFINISHED,))
        if db.dialect.name == "postgresql":
            # Its planner knows nothing of so many rows at once.
            db.execute(f"analyze {', '.join(table.name for table in tables.sorted_tables)}")
    return sent


def _refuse_live(db: Database, name: str) -> None:
    """Raises BadInput while processes work on the crawl."""
    dead = Observer().dead(db, 0)
    live = db.execute("select id, machine, process_id from worker where state='live'").fetchall()
    working = [f"process {pid} of {machine.partition('/')[0]}" for worker, machine, pid in live if worker not in dead]
    if working:
        raise BadInput(f"crawl {name} is running ({', '.join(working[:3])}); stop it first: scrapy stop {in_shell(name)}")


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


def _shown_location(directory: Path) -> str:
    """Where the store of a crawl directory is, for people."""
    return str(remembered(directory) or directory / SQLITE_FILE)


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
    def location(self) -> StoreLocation:
        from focuscrawl.store.engines.postgres import without_password

        return StoreLocation(without_password(self.url), schema_of(self.name))

    @property
    def shown(self) -> str:
        return str(self.location)

    def open(self) -> Database:
        from focuscrawl.store.engines.postgres import connect

        db = connect(self.url, self.location.schema, create=True)
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
        remember(self.directory, self.location)
