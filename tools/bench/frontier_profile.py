"""What an operation of the store spends its time on, by statement and by function: `tools.bench.frontier --profile`."""

from __future__ import annotations

import cProfile
import pstats
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, TypeVar

from focuscrawl.items import Lease
from focuscrawl.store.commit import commit
from focuscrawl.store.engines.database import Database
from focuscrawl.store.frontier import lease_ends, leasing
from focuscrawl.store.frontier.discover import discover
from focuscrawl.store.frontier.pacing import report
from focuscrawl.store.workers import lifecycle
from tools.bench.frontier_stages import ANSWER, Stages, nowhere, original
from tools.bench.frontier_stores import LIMITS

SHOWN = 9
WARM_UP = 20
Result = TypeVar("Result")
Operation = Callable[[Database], Result]


class Fetched:
    """A result that has been read to its end."""

    def __init__(self, rows: list[Any], rowcount: int) -> None:
        self._rows, self.rowcount = iter(rows), rowcount

    def fetchone(self) -> Any:
        return next(self._rows, None)

    def fetchall(self) -> list[Any]:
        return list(self._rows)

    def __iter__(self) -> Iterator[Any]:
        return self._rows


class Timed:
    """A `Database` that counts and times its statements, reading of rows included."""

    def __init__(self, db: Database, seconds: dict[str, list[float]]) -> None:
        self._db, self._seconds = db, seconds

    def execute(self, sql: str, values: Sequence[Any] = (), /) -> Fetched:
        began = time.perf_counter()
        done = self._db.execute(sql, values)
        try:
            rows = done.fetchall()
        except Exception as error:  # psycopg: the statement gives no rows
            if type(error).__name__ != "ProgrammingError":
                raise
            rows = []
        self._seconds[" ".join(sql.split())].append(time.perf_counter() - began)
        return Fetched(rows, done.rowcount)

    def executemany(self, sql: str, rows: Iterable[Sequence[Any]], /) -> Any:
        many = list(rows)
        if not many:
            return self._db.executemany(sql, many)
        began = time.perf_counter()
        done = self._db.executemany(sql, many)
        self._seconds[f"{' '.join(sql.split())} [{len(many) // 10 * 10}+ rows]"].append(time.perf_counter() - began)
        return done

    def __getattr__(self, name: str) -> Any:
        return getattr(self._db, name)


class Watched:
    """One kind of operation: by turns with its statements timed, and with its functions profiled."""

    def __init__(self, stages: Stages) -> None:
        self._stages = stages
        self._statements = defaultdict[str, list[float]](list)
        self._profile = cProfile.Profile()
        self._seconds = list[float]()
        self._turn = 0

    async def run(self, operation: Operation[Result]) -> Result:
        """In a transaction of its own."""
        self._turn += 1
        if self._turn <= WARM_UP:
            return await self._stages.store.call(operation)
        return await self._stages.store.call(self._timed(operation) if self._turn % 2 else self._profiled(operation))

    def _timed(self, operation: Operation[Result]) -> Operation[Result]:
        def timed(db: Database) -> Result:
            began = time.perf_counter()
            try:
                return operation(Timed(db, self._statements))
            finally:
                self._seconds.append(time.perf_counter() - began)

        return timed

    def _profiled(self, operation: Operation[Result]) -> Operation[Result]:
        return lambda db: self._profile.runcall(operation, db)

    def show(self, title: str) -> None:
        """The most expensive statements and functions."""
        count = len(self._seconds)
        if not count:
            print(f"{title}: not run")
            return
        whole = 1000 * sum(self._seconds) / count
        rows = sorted(((sum(each), len(each), sql) for sql, each in self._statements.items()), reverse=True)
        spent = 1000 * sum(seconds for seconds, _, _ in rows) / count
        calls_each = sum(calls for _, calls, _ in rows) / count
        print(f"\n{title}: {whole:.2f} ms, of it {spent:.2f} in {calls_each:.1f} statements; {count} times")
        for seconds, calls, sql in rows[:SHOWN]:
            print(f"{1000 * seconds / count:>8.3f} ms {calls / count:>6.1f}x  {sql[:150]}")
        stats: Any = pstats.Stats(self._profile)
        functions = sorted(((row[2], row[1], name) for name, row in stats.stats.items()), reverse=True)[:SHOWN]
        print("functions, own time under the profiler (for shares, not for absolutes):")
        runs = max(1, self._turn - WARM_UP - count)
        for seconds, calls, (file, line, name) in functions:
            print(f"{1000 * seconds / runs:>8.3f} ms {calls / runs:>6.1f}x  {file.rpartition('/')[2]}:{line} {name}")


def answered(db: Database, worker: int, lease: Lease, now: float) -> None:
    report(db, worker, lease, ANSWER, now, LIMITS)


async def profile(stages: Stages, rounds: int, batch: int) -> None:
    """Print it for each operation of a cycle."""
    store, web = stages.store, stages.web
    leased, reported, done, links = (Watched(stages) for _ in range(4))

    def lease(db: Database) -> list[Lease]:
        now = store.clock()
        lifecycle.check_live(db, store.worker)
        lease_ends.wake(db, now)
        return leasing.lease(db, store.worker, batch, now, LIMITS)

    for _ in range(rounds):
        for one in await leased.run(lease):
            change = stages.change(one, web.page_links(web.by_hid.get(one.hid, 0)))
            await reported.run(partial(answered, worker=store.worker, lease=one, now=change.now))
            await done.run(partial(commit, change=change, archive=nowhere, find_duplicate=original))
        found = web.page_links(web.some_host())
        await links.run(partial(discover, found=found, now=store.clock()))
    leased.show(f"lease of {batch}")
    reported.show("report of an answer")
    done.show("commit of a page with links")
    links.show("links of a page alone")
