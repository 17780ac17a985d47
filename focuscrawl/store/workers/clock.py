"""The time of a crawl's store: the same for all its workers, and not disturbed when a machine's clock is set.

For PostgreSQL it is the server's time. For SQLite it starts at the wall clock when the first worker opens the store, and runs
with the machine's monotonic clock, which all processes share.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from datetime import UTC, datetime

from focuscrawl.frontier.states import State
from focuscrawl.store.engines.database import Database
from focuscrawl.store.engines.meta import read_meta, set_meta
from focuscrawl.store.workers.lifecycle import any_alive, boot_id

logger = logging.getLogger(__name__)

KEY = "clock"
"""Key in `meta`, for SQLite: id of the boot, and seconds from the monotonic clock to the time of the live workers."""
QUESTIONS = 5
"""How often a server is asked for its time at each reading of its clock."""
FOLLOW_SECONDS = 60.0
"""Between two readings of the server's clock."""
MOST_BACKWARD = 0.05
"""Most seconds by which one reading sets the clock back."""
TOLERANCE = 1.0
"""Seconds by which two readings of a clock may differ that was not set."""
Clock = Callable[[], float]
"""Gives the present time, by the store's clock where nothing else is said."""


class StoreClock:
    """A clock in seconds since the epoch. It runs with the machine's monotonic clock and follows that of a server."""

    def __init__(self, offset: float, monotonic: Clock) -> None:
        self._offset, self._monotonic = offset, monotonic
        self._looked = monotonic()

    def __call__(self) -> float:
        return self._monotonic() + self._offset

    def follow(self, db: Database) -> None:
        """Once a minute, adjust the clock to the server's: machines drift by seconds a day, and one that was suspended lags.

        It is set forward at once and backward slowly, so that no delay is cut short."""
        if self._monotonic() - self._looked < FOLLOW_SECONDS:
            return
        self._looked = self._monotonic()
        offset = _server_offset(db, self._monotonic)
        if offset is not None:
            self._offset = max(offset, self._offset - MOST_BACKWARD)


def store_clock(db: Database, wall: Clock = time.time, monotonic: Clock = time.monotonic) -> StoreClock:
    """The clock of a store. To be called inside a transaction, before the worker is registered."""
    offset = _server_offset(db, monotonic)
    if offset is None:
        offset = _common_offset(db, wall, monotonic)
    elif not any_alive(db):
        _move_if_set_back(db, monotonic() + offset, "the clock of the PostgreSQL server")
    return StoreClock(offset, monotonic)


def _server_offset(db: Database, monotonic: Clock) -> float | None:
    """Seconds from the monotonic clock to the server's time; None without a server.

    The quickest of several answers counts, because a slow one is late by an unknown time."""
    answers: list[tuple[float, float]] = []
    for _ in range(QUESTIONS):
        asked = monotonic()
        server = db.dialect.clock(db)
        if server is None:
            return None
        took = monotonic() - asked
        answers.append((took, server - asked - took / 2))
    return min(answers)[1]


def offset_of_workers(db: Database) -> float | None:
    """For SQLite: seconds from the monotonic clock to the time of the workers that are alive; None if none is."""
    boot, _, kept = (read_meta(db, KEY) or "").partition(" ")
    return float(kept) if boot == boot_id() and any_alive(db) else None


def _common_offset(db: Database, wall: Clock, monotonic: Clock) -> float:
    """Seconds from the monotonic clock to the time of the live workers of this boot; without any, to the wall clock."""
    kept = offset_of_workers(db)
    if kept is not None:
        return kept
    offset = wall() - monotonic()
    _move_if_set_back(db, wall(), "this machine's clock")
    set_meta(db, KEY, f"{boot_id()} {offset!r}")
    return offset


def _move_if_set_back(db: Database, now: float, which: str) -> None:
    """If the clock (`which`: its name in the log) was set back since the last worker was seen, move stored times that lie ahead
    back with it, so that nothing waits for the difference. Of several processes that begin at once, one does so: on PostgreSQL
    the others wait for its locks, and then see no worker ahead."""
    db.execute("update worker set beat_at=beat_at where beat_at>?", (now,))
    (last,) = db.execute("select coalesce(max(beat_at), 0) from worker").fetchone()
    if now < last - TOLERANCE:
        _move(db, now, now - last)
        said, before = (f"{datetime.fromtimestamp(at, UTC):%Y-%m-%d %H:%M} UTC" for at in (now, last))
        logger.warning("%s was set back from %s to %s; what waits is moved back with it", which, before, said)


TIMES_OF_REVISITS = ("first_at", "checked_at", "read_at", "changed_at", "signal_at", "gone_at")
LOGGED = (("run", "started_at"), ("run", "ended_at"), ("change", "at"))


def _move(db: Database, now: float, seconds: float) -> None:
    """Shift what has happened and what falls due after `now`, by `seconds` (below 0). Pages that were looked at before keep
    their times, because a year more or less would spoil the estimates of their change rates. In logs, what happened after `now`
    has happened now: so it stays in order, and is no news any more for who asks since the last run."""
    for table in ("host", "ip_pace"):
        db.execute(f"update {table} set ready_at=ready_at+?, pace='' where ready_at>0", (seconds,))
    db.execute(f"update url set due_at=due_at+? where state={State.WAIT:d}", (seconds,))
    db.execute("update robots set fetched_at=fetched_at+?, expires_at=expires_at+?", (seconds, seconds))
    db.execute("update host set robots_until=robots_until+? where robots_until>0", (seconds,))
    db.execute("update worker set beat_at=beat_at+?", (seconds,))
    db.execute("update revisit set due_at=due_at+? where checked_at>? or (checked_at=0 and due_at>?)", (seconds, now, now))
    for column in TIMES_OF_REVISITS:
        db.execute(f"update revisit set {column}={column}+? where {column}>?", (seconds, now))
    for table, column in LOGGED:
        db.execute(f"update {table} set {column}=? where {column}>?", (now, now))
