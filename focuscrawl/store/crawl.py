"""The store of one crawl as a crawl process uses it: every step is one operation of the writer thread.

Several processes may open the same crawl. Each is a worker with leases, a heartbeat and a WARC file of its own.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Protocol, TypeVar

from focuscrawl.items import Duplicate, Lease, Page
from focuscrawl.politeness.pace import Outcome as Answer
from focuscrawl.politeness.robots_state import RobotsState
from focuscrawl.store import fetches, lease_ends, leasing, pacing, runs, workers
from focuscrawl.store.archive import Archive, cut_back_dead
from focuscrawl.store.committing import Commit, Committed, commit
from focuscrawl.store.crashmark import CrashMark, parsing_of
from focuscrawl.store.discover import Found, Rescored, discover, rescore
from focuscrawl.store.leasing import Limits
from focuscrawl.store.pages import texts_of
from focuscrawl.store.refine import Unrefined, refine, unrefined
from focuscrawl.store.robotstxt import load_robots, save_robots
from focuscrawl.store.sqlite import connect
from focuscrawl.store.writer import Writer

SEED_BATCH = 2000
Result = TypeVar("Result")


class Finder(Protocol):
    """Looks for the original of a page among the pages with pid > `after`."""

    def __call__(self, db: sqlite3.Connection, page: Page, after: int = 0) -> Duplicate | None: ...


class CrawlStore:
    """`clock` gives epoch seconds. All coroutines return after their commit."""

    def __init__(
        self, directory: Path, name: str, limits: Limits, arguments: str, *, clock: Callable[[], float] = time.time,
        warc_max_bytes: int = 1 << 30,
    ) -> None:  # fmt: skip
        self.directory = directory
        self.clock = clock
        self.limits = limits
        directory.mkdir(parents=True, exist_ok=True)
        db = connect(directory / "store.sqlite")
        db.execute("begin immediate")
        self.run = runs.begin(db, arguments, clock())
        self.worker = workers.register(db, self.run, clock())
        db.execute("commit")
        self.mark = CrashMark(directory, self.worker)
        self.archive = Archive(directory / "warc", name, self.worker, clock, warc_max_bytes)
        self.writer = Writer(db, self.archive)
        self._db = db

    async def add_seeds(self, found: Sequence[Found]) -> int:
        """Make seeds and examples known; returns how many were new."""
        new = 0
        for start in range(0, len(found), SEED_BATCH):
            part = found[start : start + SEED_BATCH]
            new += await self.writer.submit(partial(discover, found=part, now=self.clock()))
        return new

    async def lease(self, count: int, kind: int = 0) -> tuple[list[Lease], float | None]:
        """Leases, and when the next one may be had if there was none.

        Raises WorkerLostError when others have taken this worker for dead."""
        limits = replace(self.limits, kind=kind) if kind else self.limits

        def operation(db: sqlite3.Connection) -> tuple[list[Lease], float | None]:
            now = self.clock()
            workers.check_live(db, self.worker)
            lease_ends.wake(db, now)
            leases = leasing.lease(db, self.worker, count, now, limits)
            return leases, None if leases else lease_ends.next_due(db, now, kind)

        return await self.writer.submit(operation)

    async def release(self, leases: Sequence[Lease], wait: float = 0.0) -> None:
        """Give back what was not fetched; `wait`: seconds until the host may be asked."""

        def operation(db: sqlite3.Connection) -> None:
            for lease in leases:
                lease_ends.release(db, self.worker, lease, self.clock() + wait)

        await self.writer.submit(operation)

    def report(self, lease: Lease, answer: Answer, now: float) -> None:
        """A request has ended, well or not."""
        self.writer.post(lambda db: pacing.report(db, self.worker, lease, answer, now, self.limits))

    async def claim_address(self, lease: Lease, address: str) -> float:
        """0 when the request may go to `address` now, else the seconds until it may."""
        return await self.writer.submit(
            lambda db: pacing.claim_address(db, self.worker, lease, address, self.clock(), self.limits)
        )

    async def reserve(self, name: str) -> float:
        """0 when a request without a lease may go to a host name now, else the seconds until it may ask again."""
        return await self.writer.submit(lambda db: pacing.reserve(db, name, self.clock(), self.limits))

    async def find_duplicate(self, page: Page, finder: Finder) -> tuple[Duplicate | None, int]:
        """The page's original if there is one, and the last pid that was looked at."""

        def operation(db: sqlite3.Connection) -> tuple[Duplicate | None, int]:
            (last,) = db.execute("select coalesce(max(pid), 0) from page").fetchone()
            return finder(db, page), last

        return await self.writer.submit(operation)

    async def commit(self, change: Commit, finder: Finder, looked: int) -> Committed:
        """The one commit of a page. `looked`: the last pid that `find_duplicate` had seen."""

        def again(db: sqlite3.Connection, page: Page) -> Duplicate | None:
            (last,) = db.execute("select coalesce(max(pid), 0) from page").fetchone()
            return finder(db, page, looked) if last > looked else None

        return await self.writer.submit(lambda db: commit(db, change, self.archive.write, again))

    async def rescore(self, scores: Sequence[Rescored]) -> int:
        """Give waiting URLs new priorities; returns how many were changed."""
        return await self.writer.submit(lambda db: rescore(db, scores))

    async def before_last_fetches(self, count: int) -> int:
        """The id in the log of fetches behind which the last `count` of other workers and runs stand."""
        return await self.writer.submit(lambda db: fetches.before_last(db, self.worker, count))

    async def ended_fetches(self, after: int, limit: int, behind: int | None = None) -> tuple[list[fetches.Ended], int]:
        """The next fetches of other workers and runs, in the order in which they ended, and the id to go on behind."""
        return await self.writer.submit(lambda db: fetches.ended(db, after, self.worker, limit, behind))

    async def call(self, operation: Callable[[sqlite3.Connection], Result]) -> Result:
        """Any other operation on the store, in a transaction of its own."""
        return await self.writer.submit(operation)

    async def robots(self, origins: Sequence[str]) -> dict[str, RobotsState]:
        """What is known of the robots.txt of these origins."""
        return await self.writer.submit(lambda db: load_robots(db, origins))

    async def save_robots(self, lease: Lease, origin: str, state: RobotsState, crawl_delay: float | None) -> None:
        """Keep what the origin answered, and end the lease."""

        def operation(db: sqlite3.Connection) -> None:
            save_robots(db, lease.hid, origin, state)
            lease_ends.drop_unsent(db, self.worker, lease, self.clock())
            pacing.set_crawl_delay(db, lease.hid, crawl_delay, self.limits.host, self.clock())

        await self.writer.submit(operation)

    async def unrefined(self, count: int) -> list[Unrefined]:
        """Kept pages that wait for their best text."""
        return await self.writer.submit(lambda db: unrefined(db, count))

    def refine(self, pid: int, text: str) -> None:
        self.writer.post(lambda db: refine(db, pid, text))

    async def set_meta(self, key: str, value: str) -> None:
        await self.writer.submit(lambda db: workers.set_meta(db, key, value))

    def put_meta(self, key: str, value: str) -> None:
        """As `set_meta`, for when nobody waits: it is written before whatever is asked for later."""
        self.writer.post(lambda db: workers.set_meta(db, key, value))

    async def meta(self, key: str) -> str | None:
        def operation(db: sqlite3.Connection) -> str | None:
            row = db.execute("select v from meta where k=?", (key,)).fetchone()
            return row[0] if row else None

        return await self.writer.submit(operation)

    async def texts_of(self, urls: Sequence[str]) -> list[tuple[str, str]]:
        """(URL, title and main text) of those pages that are stored."""
        return await self.writer.submit(lambda db: texts_of(db, urls))

    async def claim(self, key: str) -> bool:
        """Whether this worker may do what `key` names: the first that asks, or the next when that one is gone."""

        def operation(db: sqlite3.Connection) -> bool:
            row = db.execute("select v from meta where k=?", (key,)).fetchone()
            holder = int(row[0]) if row else 0
            alive = db.execute("select 1 from worker where id=? and state='live'", (holder,)).fetchone()
            if alive and holder != self.worker:
                return False
            db.execute("insert or replace into meta(k, v) values(?, ?)", (key, str(self.worker)))
            return True

        return await self.writer.submit(operation)

    async def beat(self) -> tuple[bool, int, list[str]]:
        """Heartbeat, and a look for dead workers: (still alive for the others, leases taken back, URLs set aside)."""

        def operation(db: sqlite3.Connection) -> tuple[bool, int, list[str]]:
            now = self.clock()
            alive = workers.beat(db, self.worker, now)
            taken, aside = 0, []
            for worker, warc in workers.dead_workers(db, now):
                if worker == self.worker:
                    continue
                count, urls = workers.bury(db, worker, now, parsing_of(self.directory, worker))
                taken += count
                aside += urls
                cut_back_dead(db, self.directory / "warc", worker, warc)
            return alive, taken, aside

        return await self.writer.submit(operation)

    async def others_hold(self) -> bool:
        return await self.writer.submit(lambda db: workers.others_hold(db, self.worker))

    async def waiting(self) -> int:
        """URLs that are known and not fetched yet."""
        return await self.writer.submit(
            lambda db: int(db.execute("select count(*) from url where state in (0, 1, 2)").fetchone()[0])
        )

    def give_up(self) -> None:
        """The process is to end soon: what cannot be written now (full disk, locked database) fails."""
        self.writer.give_up()

    def close(self, reason: str, stats: str, why: str = "") -> None:
        """End the worker's part of the run. Leases still held are given back. Blocks until all is written."""

        def operation(db: sqlite3.Connection) -> None:
            lease_ends.take_back(db, self.worker, self.clock())
            workers.leave(db, self.worker)
            runs.end(db, self.run, reason, stats, self.clock(), why)

        self.writer.post(operation)
        self.writer.close()
        self.archive.close()
        self.mark.close()
        self._db.close()
