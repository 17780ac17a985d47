"""The one thread of a process that writes to the store: operations are queued and committed in groups.

Invariant: an operation is a function of the connection; it is applied wholly or not at all, in the order of
submission, and its future is resolved only after the commit that holds it. A group shares one transaction; an
operation that raises is undone alone. When the database is locked by another process, the disk is full or read-only,
the whole group is undone and tried again: callers simply wait, and nothing is lost.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import queue
import sqlite3
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

logger = logging.getLogger(__name__)
Result = TypeVar("Result")
Operation = Callable[[sqlite3.Connection], Result]

GROUP = 32
"""Operations in one transaction at most."""
LOCK_MS, CLOSING_LOCK_MS = 2000, 200
"""How long one try waits for the lock of the database."""
PAUSE_SECONDS = 2.0
"""Between tries while the disk is full or the database locked."""


class StorageError(Exception):
    """The store did not take an operation, and waiting does not help or is over (`Writer.give_up`)."""


class Companion(Protocol):
    """Something beside the database that is written in the same step (the WARC file)."""

    def begin(self) -> None:
        """Remember the present state."""

    def mark(self) -> None:
        """Remember the state before one operation."""

    def back(self) -> None:
        """Go back to the state of `mark`: the operation failed."""

    def before_commit(self, db: sqlite3.Connection) -> None:
        """Make what was written durable and note it in the transaction."""

    def undo(self) -> None:
        """Go back to the state of `begin`."""


@dataclass(slots=True)
class _Task:
    operation: Operation[Any]
    loop: asyncio.AbstractEventLoop | None
    future: asyncio.Future[Any] | None
    result: Any = None
    error: BaseException | None = None


class Writer:
    """Owner of the writing connection. `submit` is for the event loop, `post` for when nobody waits."""

    def __init__(self, db: sqlite3.Connection, companion: Companion | None = None) -> None:
        self._db = db
        self._companion = companion
        self._queue: queue.SimpleQueue[_Task | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="store-writer", daemon=True)
        self._closing = threading.Event()
        self.groups = 0
        self.operations = 0
        self.trouble = ""
        """Why writing waits just now; empty when it does not."""
        self._thread.start()

    async def submit(self, operation: Operation[Result]) -> Result:
        """Run the operation in a transaction; returns its result once that is committed, or raises its error.

        Raises StorageError when it cannot be written."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Result] = loop.create_future()
        self._queue.put(_Task(operation, loop, future))
        return await future

    def post(self, operation: Operation[Any]) -> None:
        """Run the operation some time soon; an error is logged."""
        self._queue.put(_Task(operation, None, None))

    def give_up(self) -> None:
        """From now on nothing waits for a full disk or a lock: what cannot be written fails."""
        self._closing.set()

    def close(self) -> None:
        """Finish what is queued, then stop. Blocks; an operation that cannot be written (full disk) is given up."""
        self.give_up()
        self._queue.put(None)
        self._thread.join()

    def _run(self) -> None:
        while True:
            task = self._queue.get()
            if task is None:
                return
            group, last = [task], False
            while len(group) < GROUP:
                try:
                    further = self._queue.get_nowait()
                except queue.Empty:
                    break
                if further is None:
                    last = True
                    break
                group.append(further)
            self._commit(group)
            _resolve(group)
            if last:
                return

    def _commit(self, group: list[_Task]) -> None:
        while True:
            try:
                self._try(group)
            except (sqlite3.OperationalError, OSError) as error:
                self._undo()
                if not _passing(error) or self._closing.is_set():
                    for task in group:
                        task.error = StorageError(str(error))
                    logger.error("store: %d operations failed: %s", len(group), error)
                    return
                if not self.trouble:
                    logger.warning("store: writing waits (%s); the crawl goes on when it can write again", error)
                self.trouble = str(error)
                self._closing.wait(PAUSE_SECONDS)
                continue
            except BaseException as error:
                self._undo()
                for task in group:
                    task.error = task.error or error
                return
            if self.trouble:
                logger.warning("store: writing goes on")
            self.trouble = ""
            self.groups += 1
            self.operations += len(group)
            return

    def _try(self, group: list[_Task]) -> None:
        self._db.execute(f"pragma busy_timeout={CLOSING_LOCK_MS if self._closing.is_set() else LOCK_MS}")
        if self._companion:
            self._companion.begin()  # first: when the lock is not to be had, `undo` must find nothing of the last group
        self._db.execute("begin immediate")
        for task in group:
            task.error = None
            if self._companion:
                self._companion.mark()
            if len(group) > 1:
                self._db.execute("savepoint operation")
            try:
                task.result = task.operation(self._db)
            except (sqlite3.OperationalError, OSError):
                raise
            except Exception as error:
                task.error = error
                if len(group) == 1:
                    raise
                self._db.execute("rollback to operation")
                if self._companion:
                    self._companion.back()
            if len(group) > 1:
                self._db.execute("release operation")
        if self._companion:
            self._companion.before_commit(self._db)
        self._db.execute("commit")

    def _undo(self) -> None:
        if self._db.in_transaction:
            self._db.execute("rollback")
        if self._companion:
            with contextlib.suppress(OSError):  # it has forgotten the bytes that it cannot cut off, and writes over them
                self._companion.undo()


def _passing(error: BaseException) -> bool:
    """Whether waiting may help: a lock, a full or read-only disk."""
    text = str(error).lower()
    return isinstance(error, OSError) or any(word in text for word in ("locked", "busy", "full", "readonly", "disk i/o"))


def _resolve(group: list[_Task]) -> None:
    loops: dict[asyncio.AbstractEventLoop, list[_Task]] = {}
    for task in group:
        if task.loop is not None:
            loops.setdefault(task.loop, []).append(task)
        elif task.error is not None:
            logger.error("store: an operation failed: %r", task.error)
    for loop, tasks in loops.items():
        if not loop.is_closed():
            loop.call_soon_threadsafe(_deliver, tasks)


def _deliver(tasks: list[_Task]) -> None:
    for task in tasks:
        assert task.future is not None
        if task.future.done():
            continue
        if task.error is not None:
            task.future.set_exception(task.error)
        else:
            task.future.set_result(task.result)
