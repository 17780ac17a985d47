"""Can the crawl's directory be used? Asked before anything is started or written."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

from focuscrawl.errors import BadInput
from focuscrawl.store.crawls import STORE, Crawl
from focuscrawl.store.topics import topics_of

SQLITE_MAGIC = b"SQLite format 3\0"


def check_place(directory: Path, several: bool = False) -> None:
    """Raises BadInput when `CRAWLS_DIR/NAME` cannot be made or written to, holds a store that is not ours, or a crawl of
    several topics that is to go on with one of them: its pages would have no verdicts for the others."""
    store = directory / STORE
    there = next(part for part in (store, *store.parents) if part.exists())
    if there != store and not there.is_dir():
        raise BadInput(f"{there} is no directory: the crawl would be kept in {directory}; set CRAWLS_DIR or the name")
    if not os.access(there, os.W_OK if there == store else os.W_OK | os.X_OK):
        raise BadInput(f"{there} cannot be written to: the crawl would be kept in {directory}; set CRAWLS_DIR")
    if there == store and not _is_new(store):
        db = Crawl(directory.name, directory).open()
        names = topics_of(db)
        db.close()
        if names and not several:
            raise BadInput(
                f"The crawl {directory.name!r} has several topics ({', '.join(names)}): give their files, as in"
                " -a seeds=FILE,FILE, or another -a name=."
            )


def _is_new(store: Path) -> bool:
    """A store of which a crash has left nothing but the file: it will be made."""
    if not store.is_file() or store.stat().st_size == 0:
        return store.is_file()
    with store.open("rb") as file:
        if file.read(len(SQLITE_MAGIC)) != SQLITE_MAGIC:
            return False
    db = sqlite3.connect(f"file:{store.resolve().as_posix().replace('?', '%3f').replace('#', '%23')}?mode=ro", uri=True)
    try:
        return not db.execute("select count(*) from sqlite_master").fetchone()[0]
    except sqlite3.Error:
        return False
    finally:
        db.close()
