"""Can the crawl's directory and its store be used? Asked before anything is started or written."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

from focuscrawl.engine.control import stopped
from focuscrawl.engine.crawl_lock import already_running
from focuscrawl.errors import BadInput
from focuscrawl.frontier.partition import Partition
from focuscrawl.store.alone import OccupiedError, check_alone
from focuscrawl.store.connecting import POINTER, SQLITE_FILE, open_if_there
from focuscrawl.store.control import Wanted, read_control
from focuscrawl.store.grain import check_grain
from focuscrawl.store.roster import store_now
from focuscrawl.store.topics import topics_of

SQLITE_MAGIC = b"SQLite format 3\0"


def check_place(
    directory: Path, several: bool = False, url: str = "", partition: Partition | None = None, *, alone: bool = False
) -> None:
    """Raises BadInput when `CRAWLS_DIR/NAME` cannot be made or written to, the server at `url` cannot be used, or there is a
    store that is not ours, a crawl that an operator stopped or whose workers share it by another grain than `partition`, or one
    of several topics that is to go on with one of them: its pages would have no verdicts for the others. AlreadyRunning when a
    recrawl is at work, or this is one (`alone`) and any other worker is."""
    store = directory / (POINTER if (directory / POINTER).exists() else SQLITE_FILE)
    there = next(part for part in (store, *store.parents) if part.exists())
    if there != store and not there.is_dir():
        raise BadInput(f"{there} is no directory: the crawl would be kept in {directory}; set CRAWLS_DIR or the name")
    if not os.access(there, os.W_OK if there == store else os.W_OK | os.X_OK):
        raise BadInput(f"{there} cannot be written to: the crawl would be kept in {directory}; set CRAWLS_DIR")
    if there == store and store.name == SQLITE_FILE and _is_new(store):
        return
    db = open_if_there(directory, url)
    if db is None:
        return
    try:
        names, control = topics_of(db), read_control(db)
        check_grain(db, partition)
        check_alone(db, alone, store_now(db))
    except OccupiedError as error:
        raise already_running(directory.name, error.worker) from None
    finally:
        db.close()
    if control.state is Wanted.STOP:
        raise BadInput(stopped(directory.name, control))
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
