"""Workers exchange what they learn through logs in the store.

Invariant: a learner knows the sum of its own counts and of its log up to `_Log.position`. It takes nothing over twice, and a
row that could not be written is written the next time under the same number.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from focuscrawl.errors import BadInput
from focuscrawl.shared_counts import Learned, Part
from focuscrawl.store.crawl_store import CrawlStore
from focuscrawl.store.engines.database import Database
from focuscrawl.store.workers import models, shared_logs
from focuscrawl.store.workers.lifecycle import is_eldest
from focuscrawl.store.workers.shared_logs import NewRows, ReadPosition

logger = logging.getLogger(__name__)

EXCHANGE_SECONDS = 20.0
"""Between two exchanges: the other workers know within twice this time what one has learned."""
SOON_SECONDS = 1.0
"""Between two looks whether there is something that others should hear of at once. To exchange it takes about 1 ms."""
WHOLE_AFTER = 32
"""Old rows after which the eldest worker replaces them by one row with their sum, so that a new worker has little to read."""


@dataclass(slots=True)
class _Log:
    name: str
    learned: Learned
    position: ReadPosition | None = None
    """How far the log was read; None: not at all yet."""
    packing: asyncio.Future[bytes] | None = None
    """Packing of what was taken from the learner. It continues if the exchange is cancelled."""
    number: int = 0
    """Number of the last row that this worker made."""
    unwritten: list[tuple[int, bytes]] = field(default_factory=list)
    long: bool = False
    """Whether the sum of all rows should be written."""
    torn: bool = False
    """A reading was cancelled halfway: the learner may lack rows, so its sum must not be written."""


@dataclass(frozen=True, slots=True)
class _Whole:
    """The sum of all that a learner knows, to be written."""

    numbers: dict[int, int]
    """By worker, the number of its last row that is part of the sum."""
    based_on: int
    """Version of the sum in the store that this one replaces."""
    body: bytes


class Sharing:
    """What one process exchanges. Used by one task at a time."""

    def __init__(self, store: CrawlStore) -> None:
        self._store = store
        self._logs: list[_Log] = []
        self._lock = asyncio.Lock()

    async def join(self, name: str, learned: Learned) -> None:
        """Take over what the log of this name holds, and exchange it from now on. Raises BadInput when it cannot be read."""
        log = _Log(name, learned)
        async with self._lock:
            unread, log.long = await self._store.call(self._exchange, log=log, whole=None)
            await self._take_over(log, unread)
            self._logs.append(log)

    async def exchange(self, soon: bool = False) -> bool:
        """Write what was learned here, take over what others have written.

        `soon`: it is one between two others, which does not write the sum of all rows, because that may take 0.3 s.
        True if a learner had been silent for so long that it had to start again from the sum of all rows."""
        restarted = False
        async with self._lock:
            for log in self._logs:
                whole = await self._pack(log, soon)
                unread, log.long = await self._store.call(self._exchange, log=log, whole=whole)
                log.unwritten.clear()
                restarted |= unread.whole is not None
                await self._take_over(log, unread)
        return restarted

    async def _pack(self, log: _Log, soon: bool) -> _Whole | None:
        """Make a row of what was learned, and return the sum of all rows if that is to be written."""
        if log.packing is not None:
            await self._finish_packing(log)
        log.packing = asyncio.ensure_future(asyncio.to_thread(_pack, log.learned.take()))
        position = log.position if log.long and not (log.torn or soon) else None
        parts = log.learned.whole() if position else iter(())  # as of now: what the next row holds is part of it, and no more
        await self._finish_packing(log)
        if position is None:
            return None
        numbers = {**position.numbers, self._store.worker: log.number}
        return _Whole(numbers, position.version, await asyncio.to_thread(shared_logs.pack_whole, numbers, parts))

    async def _finish_packing(self, log: _Log) -> None:
        assert log.packing is not None
        body, log.packing = await asyncio.shield(log.packing), None
        if body:
            log.number += 1
            log.unwritten.append((log.number, body))

    def _exchange(self, db: Database, log: _Log, whole: _Whole | None) -> tuple[NewRows, bool]:
        """The operation on the store. Returns what is unread, and whether the sum of all rows should be written next time."""
        worker, now = self._store.worker, self._store.clock()
        for number, body in log.unwritten:
            shared_logs.append(db, log.name, worker, number, body, now)
        if whole:
            shared_logs.write_whole(db, log.name, whole.body, whole.numbers, whole.based_on, worker, now)
        unread = _read(db, log.name, worker, log.position, now)
        return unread, unread.old >= WHOLE_AFTER and is_eldest(db, worker)

    async def _take_over(self, log: _Log, unread: NewRows) -> None:
        """Add what is new to the learner, a few milliseconds of the event loop at a time."""
        if log.torn:
            return
        log.torn = True
        if unread.whole is not None:
            log.learned.restart()
            await _add(log, whole_parts(log.name, unread.whole.body))
        for row in unread.rows:
            await _add(log, await asyncio.to_thread(row_parts, log.name, row))
        log.position, log.torn = unread.position, False


def _pack(parts: Iterator[Part]) -> bytes:
    """The parts as the body of a row; empty if there are none."""
    first = next(parts, None)
    return b"" if first is None else models.pack(chain((first,), parts))


def take_over(db: Database, name: str, learned: Learned, now: float) -> None:
    """Add all that a log holds to a learner, for a process that only reads. Raises BadInput when it cannot be read."""
    unread = _read(db, name, 0, None, now)
    if unread.whole is not None:
        learned.restart()
        for part in whole_parts(name, unread.whole.body):
            add_part(name, learned, part)
    for row in unread.rows:
        for part in row_parts(name, row):
            add_part(name, learned, part)


def whole_parts(name: str, body: bytes) -> Iterator[Any]:
    """The parts of a sum of all rows. Raises BadInput if it is damaged."""
    try:
        yield from shared_logs.unpack_whole(body)[1]
    except ValueError as error:
        raise _damaged(name, error) from error


def row_parts(name: str, body: bytes) -> Sequence[Any]:
    """The parts of a row; of a damaged one nothing, with a warning in the log."""
    try:
        return list(models.unpack(body))
    except ValueError as error:
        logger.warning("something that a worker learned (%s) cannot be read: %s", name, error)
        return ()


async def _add(log: _Log, parts: Iterable[Any]) -> None:
    for part in parts:
        add_part(log.name, log.learned, part)
        await asyncio.sleep(0)


def add_part(name: str, learned: Learned, part: Any) -> None:
    """Add what another worker learned. A part that cannot be used is left out, with a warning in the log."""
    try:
        learned.add(part)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        logger.warning(
            "something that a worker learned (%s) is left out: another version wrote it, or it is damaged (%r)",
            name, error,
        )  # fmt: skip


def _read(db: Database, name: str, worker: int, position: ReadPosition | None, now: float) -> NewRows:
    try:
        return shared_logs.read(db, name, worker, position, now)
    except ValueError as error:
        raise _damaged(name, error) from error


def _damaged(name: str, error: ValueError) -> BadInput:
    return BadInput(f"Row {name} of table model in the store cannot be read ({error}); delete it, and it is learned again.")
