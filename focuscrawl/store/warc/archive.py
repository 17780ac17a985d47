"""The WARC file of a worker as a companion of the store's transactions.

Invariant: the first `worker.warc_length` bytes of `worker.warc` are whole records of committed fetches. Bytes behind them
belong to no commit, and are cut off when the commit fails or the worker is found dead. Records are on the disk before the
commit that names them: a power failure may undo commits, and even the registration of workers, but no stored page lacks its
record.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from focuscrawl.items import Page
from focuscrawl.store.engines.database import Database
from focuscrawl.store.engines.page_record import WarcLocation
from focuscrawl.store.warc.file import WarcWriter
from focuscrawl.store.warc.recovery import DamagedWarcError, cut_back
from focuscrawl.whole_files import fitting

logger = logging.getLogger(__name__)

FORGOTTEN = "forgotten"
"""Folder beside the files for files that the store does not know."""
_WORKER = re.compile(r"-w(\d+)\.warc\.gz$")


class Archive:
    """Writes fetches into `folder`/NAME-TIME-SEQ-WORKER.warc.gz; a new file when one is full. A long NAME is cut."""

    def __init__(self, folder: Path, name: str, worker: int, clock: Callable[[], float], max_bytes: int) -> None:
        self._folder = folder
        self._name = fitting(name)
        self._worker = worker
        self._clock = clock
        self._max_bytes = max_bytes
        self._sequence = 0
        self._writer: WarcWriter | None = None
        self._start = 0
        """Bytes of the file at `begin`."""
        self._mark = 0
        """Bytes of the file at `mark`."""
        self._dirty = False
        """Whether something was written since `begin`."""

    def write(self, page: Page) -> WarcLocation:
        """Write the request, response and metadata records of a fetch; returns where the response is."""
        writer = self._writer or self._open()
        self._dirty = True
        return writer.write(page, _metadata(page))

    def begin(self) -> None:
        if self._writer and self._writer.length >= self._max_bytes:
            self._writer.close()
            self._writer = None
        self._start = self._writer.length if self._writer else 0
        self._dirty = False

    def mark(self) -> None:
        self._mark = self._writer.length if self._writer else 0

    def back(self) -> None:
        if self._writer:
            self._writer.rollback(self._mark)

    def before_commit(self, db: Database) -> None:
        if self._dirty and self._writer:
            self._writer.flush(durable=True)
            db.execute(
                "update worker set warc=?, warc_length=? where id=?",
                (self._writer.path.name, self._writer.length, self._worker),
            )

    def undo(self) -> None:
        if self._dirty and self._writer:
            self._writer.rollback(self._start)
        self._dirty = False

    def close(self) -> None:
        if self._writer:
            self._writer.close()

    def _open(self) -> WarcWriter:
        self._folder.mkdir(exist_ok=True)
        self._sequence += 1
        stamp = datetime.fromtimestamp(self._clock(), UTC).strftime("%Y%m%d%H%M%S")
        path = self._folder / f"{self._name}-{stamp}-{self._sequence:05}-w{self._worker}.warc.gz"
        self._writer = WarcWriter(path)
        return self._writer


def _metadata(page: Page) -> dict[str, str]:
    lease = page.lease
    fields = {
        "via": lease.parent,
        "hopsFromSeed": "L" * lease.depth + "R" * lease.hops,
        "priority": f"{lease.priority:.4f}",
    }
    if page.verdict:
        fields["relevance"] = f"{page.verdict.relevance:.4f}"
    if page.duplicate:
        fields["duplicate-of"] = page.duplicate.url
    return {name: value for name, value in fields.items() if value}


def cut_back_dead(db: Database, folder: Path, worker: int, name: str) -> None:
    """Cut the last WARC file of a dead worker back to its last commit, and remove a later one that has none."""
    if name:
        (length,) = db.execute("select warc_length from worker where id=?", (worker,)).fetchone()
        try:
            if (folder / name).exists() and (cut := cut_back(folder / name, length)):
                logger.warning("WARC %s: %d bytes behind the last commit of worker %d cut off", name, cut, worker)
        except DamagedWarcError as error:
            logger.error("WARC of worker %d: %s", worker, error)
    for path in folder.glob(f"*-w{worker}.warc.gz") if folder.exists() else ():
        if _sequence(path.name) > _sequence(name):
            path.unlink(missing_ok=True)  # another worker of this directory may have been faster


def move_away_unknown(db: Database, folder: Path, worker: int) -> None:
    """Move away the files of workers that the store does not know, because a power failure undid the commits that registered
    them, or because the store was restored from a copy. Their pages are fetched again. `worker`: the one that starts now, which
    may have got the number of a forgotten one."""
    files = {path: int(match[1]) for path in folder.glob("*.warc.gz") if (match := _WORKER.search(path.name))}
    known = {number for (number,) in db.execute("select id from worker where id<>?", (worker,))}  # after listing the files
    for path, number in files.items():
        if number >= worker and number not in known:
            (folder / FORGOTTEN).mkdir(exist_ok=True)
            path.rename(folder / FORGOTTEN / path.name)
            logger.warning("WARC %s is of no worker that the store knows: moved to the folder %s", path.name, FORGOTTEN)


def _sequence(name: str) -> int:
    """The sequence number in the name of a worker's file; 0 for an empty name. (Clocks are set back, so the time gives no
    order.)"""
    return int(name.rsplit("-", 2)[1]) if name else 0
