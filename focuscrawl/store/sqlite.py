"""Opening the SQLite file of a crawl: pragmas, creation, version check."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from sqlalchemy.dialects import sqlite
from sqlalchemy.schema import CreateIndex, CreateTable

from focuscrawl.errors import BadInput
from focuscrawl.store.schema import SITE_VIEW, VERSION, tables
from focuscrawl.store.upgrade import OLDER, upgrade

BUSY_SECONDS = 60.0
CACHE_KIB = 64 * 1024
"""More is not faster even with a million URLs (the operating system holds the pages too), and it is this process's memory."""


def connect(path: Path, *, read_only: bool = False, cache_kib: int = CACHE_KIB) -> sqlite3.Connection:
    """A connection in autocommit mode (transactions are begun by hand), usable from any one thread at a time.

    Raises BadInput when the file is no store of ours or of another version."""
    uri = f"file:{path.resolve().as_posix().replace('?', '%3f').replace('#', '%23')}" + ("?mode=ro" if read_only else "")
    db = sqlite3.connect(uri, uri=True, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    try:
        if not read_only:
            db.execute("pragma journal_mode=wal")
            db.execute("pragma synchronous=normal")
        db.execute(f"pragma cache_size=-{cache_kib}")
        db.execute("pragma temp_store=memory")
        if not read_only:
            _create(db)
        _check(db, path, read_only)
    except sqlite3.DatabaseError as error:
        db.close()
        if isinstance(error, sqlite3.OperationalError) and "locked" in str(error):
            raise
        raise BadInput(
            f"{path} cannot be opened as a crawl store ({error}); restore it from a copy or use a new name"
        ) from error
    except BaseException:
        db.close()
        raise
    return db


def _create(db: sqlite3.Connection) -> None:
    if db.execute("select count(*) from sqlite_master").fetchone()[0]:
        return
    dialect = sqlite.dialect()
    db.execute("begin immediate")
    if not db.execute("select count(*) from sqlite_master where name='meta'").fetchone()[0]:
        for table in tables.sorted_tables:
            db.execute(str(CreateTable(table).compile(dialect=dialect)))
            for index in sorted(table.indexes, key=lambda index: str(index.name)):
                db.execute(str(CreateIndex(index).compile(dialect=dialect)))
        db.execute(SITE_VIEW)
        db.execute("insert into meta values('version', ?)", (str(VERSION),))
    db.execute("commit")


def _check(db: sqlite3.Connection, path: Path, read_only: bool) -> None:
    try:
        row = db.execute("select v from meta where k='version'").fetchone()
    except sqlite3.OperationalError as error:
        if "locked" in str(error):
            raise
        raise BadInput(f"{path} is no store of a crawl; choose another crawl name") from error
    found = row[0] if row else "none"
    if found in OLDER and read_only:
        connect(path).close()  # brings it up to date
        found = str(VERSION)
    elif found in OLDER:
        found = upgrade(db, found)
    if found != str(VERSION):
        raise BadInput(f"{path} has store version {found}, this program needs {VERSION}; use the old one, or start a new name")
