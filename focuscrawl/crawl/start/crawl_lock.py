"""The lock of a crawl on this machine: a recrawl takes it alone, ordinary crawls share it.

It is `flock` on a file in the crawl's directory, which the kernel releases with the process, however that ends: nothing is left
that would have to be cleaned up. The file is not inherited by programs that are started. Workers on other machines are known by
the store, see `focuscrawl.store.workers.status`.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
from pathlib import Path

import orjson

from focuscrawl.errors import AlreadyRunning, BadInput, in_shell
from focuscrawl.report.plain import moment, one_line
from focuscrawl.store.crawls import Crawl
from focuscrawl.store.engines.database import ERRORS
from focuscrawl.store.workers.agreement import LINKS, MODEL, ORDER
from focuscrawl.store.workers.lifecycle import process_started
from focuscrawl.store.workers.status import OccupiedError, RunningProcess, check_alone, store_now

FILE = "run/lock"
LONGEST_NOTE = 200
"""Bytes of the JSON note in the file: three short values."""


class CrawlLock:
    """Held from `take` to `release`, or to the end of the process."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._path = directory / FILE
        self._file = -1
        self._alone = False

    def take(self, alone: bool, now: float) -> None:
        """Take the lock without waiting, and note who holds it if it is taken alone. `now`: epoch seconds.

        Raises:
            AlreadyRunning: another process has it; the message says which.
            BadInput: the file cannot be made.
        """
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o666)
        except OSError as error:
            raise BadInput(f"{self._path} cannot be locked: {error.strerror or error}.") from None
        try:
            fcntl.flock(file, (fcntl.LOCK_EX if alone else fcntl.LOCK_SH) | fcntl.LOCK_NB)
        except BlockingIOError:
            try:
                raise already_running(self._directory.name, self._holder(file)) from None
            finally:
                os.close(file)
        except OSError:  # a file system without locks: only the store can tell who is working on the crawl
            os.close(file)
            return
        self._file, self._alone = file, alone
        if alone:
            self._note(now)

    def release(self) -> None:
        """Let others in; nothing if it is not held."""
        file, self._file = self._file, -1
        if file < 0:
            return
        with contextlib.suppress(OSError):
            if self._alone:
                os.ftruncate(file, 0)
        os.close(file)

    def _note(self, now: float) -> None:
        """Write into the file who holds the lock, for the message to those who are refused. It may fail (a full disk): the
        message then says less."""
        pid = os.getpid()
        with contextlib.suppress(OSError):
            os.ftruncate(self._file, 0)
            os.pwrite(self._file, orjson.dumps({"pid": pid, "started": process_started(pid), "since": now}), 0)

    def _holder(self, file: int) -> RunningProcess | None:
        """Who holds the lock, if it can be found out: a recrawl leaves a note, ordinary crawls are in the store soon after
        their start."""
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
            note = orjson.loads(os.pread(file, LONGEST_NOTE, 0))
            # The note of a killed process stays in the file, and its number may be another process's by now.
            if process_started(int(note["pid"])) == note["started"]:
                return RunningProcess(int(note["pid"]), "", float(note["since"]), True)
        try:
            with contextlib.closing(Crawl(self._directory.name, self._directory).open()) as db:
                check_alone(db, True, store_now(db))
        except OccupiedError as error:
            return error.worker
        except (BadInput, *ERRORS):
            pass
        return None


def already_running(name: str, worker: RunningProcess | None) -> AlreadyRunning:
    """The error that says why a crawl may not begin now, and which process is working on it."""
    if worker is None:
        return AlreadyRunning(f"{name!r} is being crawled by another process; try again when it has ended.")
    return AlreadyRunning(
        f"{name!r} is being {'recrawled' if worker.recrawl else 'crawled'} by {_who(worker)}; try again when it has ended."
    )


OTHERWISE = {
    LINKS: "and follows other links, by its `max_depth`, `at_edge`, scope, languages, READING_DOCUMENTS or"
    " FRONTIER_BARREN_SHARE",
    MODEL: "and judges pages by another RELEVANCE_MODEL",
    ORDER: "and orders URLs otherwise, by its `strategy`, `important`, FRONTIER_WEIGHT_PRIOR, LINKSCORE_TUNNELLING or"
    " LINKSCORE_TUNNEL_DEPTH",
}
"""In what a running worker differs from this one; if it is none of these, in the topic."""


def crawled_otherwise(name: str, worker: RunningProcess, on: str) -> AlreadyRunning:
    """The error that says that a crawl may not begin now, because a running worker differs from it in `on`
    (`store.workers.agreement`)."""
    how = OTHERWISE.get(on, "for another topic, or for this one as it was before it was changed")
    return AlreadyRunning(
        f"{name!r} is being crawled by {_who(worker)} {how}; end that first (`scrapy stop {in_shell(name)}`, then"
        f" `scrapy resume {in_shell(name)}`), or give this crawl another -a name=."
    )


def _who(worker: RunningProcess) -> str:
    where = f" on {one_line(worker.machine)}" if worker.machine else ""
    return f"process {worker.process_id}{where} since {moment(worker.since)}"
