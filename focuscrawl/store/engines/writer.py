"""The one thread of a process that writes to the store: operations are queued and committed in groups.

Invariant: an operation is a function of the connection. It is applied completely or not at all, in the order of submission, and
its future is resolved only after its commit. A group of operations shares one transaction. If an operation raises, which is
rare, the group is rolled back and applied again with a savepoint before each operation, so that this one alone is undone. If
the database is locked by another process, the disk is full or read-only, or the server cannot be reached, the whole group is
rolled back and tried again: callers simply wait, and nothing is lost. So an operation may be applied several times, and only
the last time counts.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import queue
import sqlite3
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar, runtime_checkable

from focuscrawl.store.engines.database import ERRORS, Database, DatabaseError, OutcomeUnknownError, pause_before_again

logger = logging.getLogger(__name__)
Result = TypeVar("Result")
Operation = Callable[[Database], Result]

LOCK_SECONDS, HURRIED_LOCK_SECONDS = 2.0, 0.2
"""How long one try waits for the lock of the database: usually, and after `give_up`."""
PAUSE_SECONDS = 2.0
"""Between tries while the disk is full or the database locked."""
ENDING_SECONDS = 20.0
"""How long `close` waits for what is queued as for any operation: a disk or server may be busy for some seconds."""
PATIENCE_SECONDS = 3.0
"""After `give_up`: how long the open transaction is waited for before the connection is broken."""
SLOW_SECONDS = 3.0
"""A transaction that takes longer is waiting for something."""
LOOK_SECONDS = 0.2
"""Between checks whether it has ended."""
RIDE_SECONDS = 0.1
"""How long operations that nobody waits for are held back, so that they share a transaction with others."""


class StorageError(Exception):
    """An operation could not be written, and waiting does not help, or has ended (`Writer.give_up`)."""


class Companion(Protocol):
    """Something beside the database that is written in the same step (the WARC file)."""

    def begin(self) -> None:
        """Remember the present state."""

    def mark(self) -> None:
        """Remember the state before one operation."""

    def back(self) -> None:
        """Go back to the state of `mark`: the operation failed."""

    def before_commit(self, db: Database) -> None:
        """Make what was written durable and note it in the transaction."""

    def undo(self) -> None:
        """Go back to the state of `begin`."""


@runtime_checkable
class Breakable(Protocol):
    """A database that may never answer. While it is waited for, `wanted` says whether to go on; `interrupt` ends the wait."""

    wanted: Callable[[], bool]

    def interrupt(self) -> None: ...


@dataclass(slots=True)
class _Task:
    operation: Operation[Any]
    loop: asyncio.AbstractEventLoop | None
    future: asyncio.Future[Any] | None
    undone: Callable[[], None] = lambda: None
    """Takes back what the operation has noted in memory."""
    result: Any = None
    error: BaseException | None = None


class Writer:
    """Owns the connection that writes. `submit` is for callers in the event loop that wait, `post` for those that do not."""

    def __init__(self, db: Database, companion: Companion | None = None) -> None:
        self._db = db
        self._companion = companion
        self._queue: queue.SimpleQueue[_Task | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="store-writer", daemon=True)
        self._given_up = threading.Event()
        self.groups = 0
        self.trouble = ""
        """Why writing waits now; empty if it does not."""
        self._begun = 0.0
        """When the current try began (monotonic clock); 0 between tries."""
        self.gone = False
        """Whether nothing more is tried, because the connection broke after `give_up`."""
        if isinstance(db, Breakable):
            db.wanted = lambda: not self._given_up.is_set()
        self._thread.start()

    async def submit(self, operation: Operation[Result], undone: Callable[[], None] = lambda: None) -> Result:
        """Run the operation in a transaction; returns its result once that is committed, or raises its error. `undone` is
        called, in the writing thread, whenever the group is rolled back, so that nothing stays of this try in memory either:
        before any operation of the group is tried again, and though this one may not have run.

        Raises StorageError when it cannot be written."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Result] = loop.create_future()
        self._queue.put(_Task(operation, loop, future, undone))
        return await future

    def post(self, operation: Operation[Any]) -> None:
        """Run the operation soon. An error is only logged."""
        self._queue.put(_Task(operation, None, None))

    def give_up(self) -> None:
        """From now on do not wait for a full disk, a lock or a server that cannot be reached: what cannot be written fails."""
        if self._given_up.is_set():
            return
        self._given_up.set()
        if isinstance(self._db, Breakable):
            threading.Thread(target=self._break_off, args=(self._db.interrupt,), name="store-giving-up", daemon=True).start()

    @property
    def waits(self) -> bool:
        """Whether nothing can be written now."""
        begun = self._begun
        return bool(self.trouble) or (begun > 0 and time.monotonic() - begun > SLOW_SECONDS)

    def close(self, last: Operation[Any] | None = None) -> bool:
        """Write what is queued, and `last` behind it, then stop. Blocks. What cannot be written (full disk) fails after
        ENDING_SECONDS, or sooner after `give_up`. Returns False if that is so of `last`."""
        task = None if last is None else _Task(last, None, None)
        if task is not None:
            self._queue.put(task)
        self._queue.put(None)
        self._thread.join(ENDING_SECONDS)
        self.give_up()  # what still waits for a disk, a lock or a server fails now, so that the thread ends
        self._thread.join()
        return task is None or task.error is None

    def _break_off(self, interrupt: Callable[[], None]) -> None:
        """Break the connection if the server does not answer."""
        while self._thread.is_alive():
            begun = self._begun
            patience = LOOK_SECONDS if self.trouble else PATIENCE_SECONDS
            if begun and time.monotonic() - begun > patience:
                interrupt()
            self._thread.join(LOOK_SECONDS)

    def _run(self) -> None:
        last = False
        while not last:
            group, last = self._next_group()
            if self.gone:
                for task in group:
                    task.error = StorageError("the database cannot be reached")
            elif group:
                self._commit(group)
            self._begun = 0.0
            _resolve(group)

    def _next_group(self) -> tuple[list[_Task], bool]:
        """The operations to write now, and whether they are the last. Posted ones wait a little for one that somebody waits
        for, because a transaction of their own would cost as much as half a page."""
        group: list[_Task] = []
        waited_for = False
        while not group or len(group) < self._db.dialect.group:
            try:
                task = self._queue.get(not group or not waited_for, RIDE_SECONDS if group else None)
            except queue.Empty:
                break
            if task is None:
                return group, True
            group.append(task)
            waited_for = waited_for or task.loop is not None or self._given_up.is_set()
        return group, False

    def _commit(self, group: list[_Task]) -> None:
        apart = False  # see `_try`
        while True:
            try:
                self._begun = time.monotonic()
                self._try(group, apart)
            except (sqlite3.OperationalError, DatabaseError, OSError) as error:
                self._undo(group)
                if not self._may_try_again(group, error):
                    return
                continue
            except OutcomeUnknownError as error:  # nothing is undone: it may have been committed
                # A later commit must not confirm the WARC file either: whoever finds this worker dead cuts it back.
                self.gone = True
                self._fail(group, error)
                return
            except BaseException as error:
                self._undo(group)
                if isinstance(error, Exception) and not apart and len(group) > 1:
                    apart = True  # one operation is at fault: only that one is to fail
                    continue
                for task in group:
                    task.error = task.error or error
                return
            if self.trouble:
                logger.warning("store: writing goes on")
            self.trouble = ""
            self.groups += 1
            return

    def _may_try_again(self, group: list[_Task], error: Exception) -> bool:
        """Wait until another try makes sense; False if none does, or if the time is up."""
        pause = pause_before_again(error)
        if pause is not None:
            self._given_up.wait(pause)
            return True
        if not _passing(error) or self._given_up.is_set():
            self.gone = self._given_up.is_set() and isinstance(error, DatabaseError) and error.lost
            self._fail(group, error)
            return False
        if not self.trouble:
            logger.warning("store: writing waits (%s); the crawl goes on when it can write again", error)
        self.trouble = str(error)
        self._given_up.wait(PAUSE_SECONDS)
        return True

    def _fail(self, group: list[_Task], error: Exception) -> None:
        for task in group:
            task.error = StorageError(str(error))
        logger.error("store: %d operations failed: %s", len(group), error)

    def _try(self, group: list[_Task], apart: bool) -> None:
        """Apply a group and commit it. `apart`: an operation that raises is undone alone, at the cost of a savepoint for
        each."""
        if self._companion:
            self._companion.begin()  # first: if the lock cannot be had, `undo` must not find the state of the last group
        self._db.dialect.begin(self._db, patience=HURRIED_LOCK_SECONDS if self._given_up.is_set() else LOCK_SECONDS)
        for task in group:
            task.error = None
            if apart:
                self._apply_apart(task)
            else:
                task.result = task.operation(self._db)
        if self._companion:
            self._companion.before_commit(self._db)
        self._db.dialect.commit(self._db)

    def _apply_apart(self, task: _Task) -> None:
        if self._companion:
            self._companion.mark()
        self._db.execute("savepoint operation")
        try:
            task.result = task.operation(self._db)
        except (sqlite3.OperationalError, DatabaseError, OSError):
            raise  # not the operation's fault: `_commit` tries the whole group again
        except Exception as error:
            task.error = error
            self._db.execute("rollback to operation")
            task.undone()
            if self._companion:
                self._companion.back()
        self._db.execute("release operation")

    def _undo(self, group: list[_Task]) -> None:
        with contextlib.suppress(*ERRORS):
            self._db.dialect.rollback(self._db)
        for task in group:
            task.undone()
        if self._companion:
            with contextlib.suppress(OSError):  # bytes that it cannot cut off are overwritten by the next ones
                self._companion.undo()


def _passing(error: BaseException) -> bool:
    """Whether waiting may help: a lock, a full or read-only disk, a server that cannot be reached."""
    if isinstance(error, DatabaseError):
        return error.passing
    text = str(error).lower()
    return isinstance(error, OSError) or any(word in text for word in ("locked", "busy", "full", "readonly", "disk i/o"))


def _resolve(group: list[_Task]) -> None:
    loops: dict[asyncio.AbstractEventLoop, list[_Task]] = {}
    for task in group:
        if task.loop is not None:
            loops.setdefault(task.loop, []).append(task)
        elif task.error is not None and not isinstance(task.error, StorageError):
            logger.error("store: an operation failed: %r", task.error)
    for loop, tasks in loops.items():
        if not loop.is_closed():
            loop.call_soon_threadsafe(_deliver, tasks)  # one wake-up for a whole group


def _deliver(tasks: list[_Task]) -> None:
    for task in tasks:
        assert task.future is not None
        if task.future.done():  # its caller was cancelled; what it wanted is written all the same
            continue
        if task.error is not None:
            task.future.set_exception(task.error)
        else:
            task.future.set_result(task.result)
