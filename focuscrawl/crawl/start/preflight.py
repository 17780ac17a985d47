"""What is done before a crawl starts: its job is read, its directory and store are checked, and its lock is taken. Nothing but
the file of the lock is written."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from focuscrawl.config.allowed_paths import Roots
from focuscrawl.config.arguments import CrawlArguments
from focuscrawl.config.job import CrawlJob
from focuscrawl.config.options import Options
from focuscrawl.config.scrapyd_policy import check_files
from focuscrawl.crawl.operator_control import stopped
from focuscrawl.crawl.start.crawl_lock import FILE, CrawlLock, already_running
from focuscrawl.crawl.start.stored_job import job_for
from focuscrawl.errors import BadInput, DiskFull, WrongClock
from focuscrawl.frontier.partition import Partition
from focuscrawl.store.crawls import POINTER, SQLITE_FILE, has_store, open_if_there
from focuscrawl.store.engines.sqlite import READ_ONLY, advice_to_write
from focuscrawl.store.frontier.partitions import check_grain
from focuscrawl.store.pages.verdicts import topics_of
from focuscrawl.store.workers.control import WantedState, read_control
from focuscrawl.store.workers.status import OccupiedError, check_alone, store_now

LEAST_ROOM = 1 << 20
"""Bytes that must be free where a run begins. An empty store takes a third of it. (A run that has begun waits for room.)"""
EARLIEST = datetime(2026, 1, 1, tzinfo=UTC)
"""This program is younger."""


@dataclass(slots=True, frozen=True)
class Start:
    """A job that may run now. `lock` is held; who runs the job releases it."""

    job: CrawlJob
    lock: CrawlLock


def prepare(arguments: CrawlArguments, options: Options, roots: Roots, clock: Callable[[], float]) -> Start:
    """Read the job, check where it would be kept, and take the crawl's lock on this machine.

    Args:
        clock: epoch seconds.

    Raises:
        BadInput: the job cannot be run; the message is one sentence.
        AlreadyRunning: another process is working on the crawl.
        WrongClock: the clock is years behind.
    """
    check_clock(clock())
    alone = arguments.is_recrawl
    lock = _early_lock(Path(options.crawls_dir) / arguments.name, roots, clock()) if alone else None
    try:
        job = job_for(arguments, options, roots)
        _check(job, options, roots)
        return Start(job, lock or _locked(Path(options.crawls_dir) / job.name, alone, clock()))
    except BadInput:
        if lock:
            lock.release()
        raise


def check_clock(now: float) -> None:
    """Refuse to work in 1970, where machines live whose clock was not set yet. Pages that are looked at then, and again
    when the clock is right, would seem not to have changed for half a century, and would hardly be visited again.

    Raises:
        WrongClock: that is so.
    """
    if (said := datetime.fromtimestamp(now, UTC)) < EARLIEST:
        raise WrongClock(f"this machine's clock says {said:%Y-%m-%d %H:%M} UTC, which is long past; set it, then start again")


def _check(job: CrawlJob, options: Options, roots: Roots) -> None:
    check_files(job, options.crawls_dir, roots)
    arguments = job.arguments
    partition = options.partition(arguments.partition)
    directory = Path(options.crawls_dir) / job.name
    check_directory(directory, bool(job.parts), options.store_url, partition, alone=arguments.is_recrawl)


def _early_lock(directory: Path, roots: Roots, now: float) -> CrawlLock | None:
    """The lock of a recrawl, taken before its job is read: a crawl that has just begun has no job yet, nor a store, and the
    user should be told that it is running. None where no crawl has begun here; it may be on a server that this machine has not
    worked with yet."""
    roots.check_crawl(directory)
    if not has_store(directory) and not (directory / FILE).exists():
        return None
    _check_writable(directory)
    return _locked(directory, True, now)


def _locked(directory: Path, alone: bool, now: float) -> CrawlLock:
    lock = CrawlLock(directory)
    lock.take(alone, now)
    return lock


def _check_writable(directory: Path) -> Path:
    """Check that a crawl can be kept in `directory`; returns its store, or the directory above in which it would be made."""
    store = directory / (POINTER if (directory / POINTER).exists() else SQLITE_FILE)
    there = next(part for part in (store, *store.parents) if part.exists())
    if there != store and not there.is_dir():
        raise BadInput(f"{there} is not a directory: the crawl would be kept in {directory}; set CRAWLS_DIR or the name")
    lock = directory / FILE
    for part in (there, *(part for part in (directory, directory / "warc", lock.parent, lock) if part.exists())):
        if not os.access(part, os.W_OK | os.X_OK if part.is_dir() else os.W_OK):
            if there == store:
                raise BadInput(f"{part} {READ_ONLY}; {advice_to_write(part)}")
            raise BadInput(f"{part} cannot be written to: the crawl would be kept in {directory}; set CRAWLS_DIR")
    return there


def _check_room(there: Path, directory: Path) -> None:
    """Check that a run can begin in `directory`. `there`: as `_check_writable` returns it."""
    if shutil.disk_usage(there).free >= LEAST_ROOM:
        return
    if there.is_dir():
        raise DiskFull(f"the disk of {there} is full: the crawl would be kept in {directory}; make room, or set CRAWLS_DIR")
    raise DiskFull(f"the disk of {directory} is full; make room, then start again")


def check_directory(
    directory: Path, several: bool = False, url: str = "", partition: Partition | None = None, *, alone: bool = False
) -> None:
    """Check that the crawl can be kept in `directory` and that its store can be used.

    Args:
        directory: `CRAWLS_DIR/NAME`, which need not exist.
        several: the job has several topics.
        url: the setting STORE_URL.
        partition: this worker's part of the hosts.
        alone: the run is a recrawl, which no other worker may be beside.

    Raises:
        BadInput: the directory cannot be made or written to, the server cannot be used, or the store is not ours, is of a crawl
            that an operator stopped or whose workers share it by another grain, or has several topics and would be resumed with
            one of them: its pages would have no verdicts for the others.
        DiskFull: there is no room.
        AlreadyRunning: a recrawl is running, or this is one and another worker is running.
    """
    _check_room(_check_writable(directory), directory)
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
    if control.state is WantedState.STOP:
        raise BadInput(stopped(directory.name, control))
    if names and not several:
        raise BadInput(
            f"The crawl {directory.name!r} has several topics ({', '.join(names)}): give their files, as in"
            " -a seeds=FILE,FILE, or another -a name=."
        )
