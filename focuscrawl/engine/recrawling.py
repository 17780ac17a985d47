"""One process's part in looking again: it ranks what is due, so that the best is looked at first, and solves once a day for
the crawl value that is worth a request.

Invariant: only a run that recrawls wakes visits; whatever ends it, what it did not get to stays due.
"""

from __future__ import annotations

import asyncio
import logging
from datetime import UTC, datetime
from functools import partial

from focuscrawl.engine.pricing import load_threshold, solve
from focuscrawl.items import SEED, SOURCES
from focuscrawl.recrawl.entries import source_rule
from focuscrawl.recrawl.settings import RecrawlSettings
from focuscrawl.recrawl.state import DAY, Visit
from focuscrawl.store import sources, visits
from focuscrawl.store.burying import BATCH as BURIED
from focuscrawl.store.burying import bury_some
from focuscrawl.store.crawl import CrawlStore
from focuscrawl.store.database import Database
from focuscrawl.store.visits import Wanted
from focuscrawl.url.scope import Scope

logger = logging.getLogger(__name__)

OWNER = "recrawl"
"""The worker that ranks, in `meta`."""
RANK_SECONDS = 30.0
"""Between looks at what has fallen due during the run."""
BATCH = 1000


class Recrawling:
    """`on`: this run looks again at what is due."""

    def __init__(self, settings: RecrawlSettings, scope: Scope, on: bool, everything: bool) -> None:
        self._settings, self._scope, self.on, self._everything = settings, scope, on, everything
        self._wanted = Wanted()
        self._place = visits.START
        self._ranking = asyncio.Lock()
        """Nothing is ranked, and no run ends as fresh, before what `begin` does is done."""
        self._store: CrawlStore

    async def open(self, store: CrawlStore) -> None:
        """Plan with what was solved before."""
        self._store = store
        await load_threshold(store)

    async def begin(self) -> None:
        """From now on the run looks again. With 10^6 pages this takes a minute or two, in many operations."""
        self.on = True
        self._store.recrawl()
        async with self._ranking:
            await self._prepare()
            await self._rank()

    async def _prepare(self) -> None:
        store = self._store
        if await store.claim(OWNER):
            now = store.clock()
            await store.call(visits.forget_ranks)
            await store.call(visits.show_hidden)
            if self._settings.signals:
                found = await store.call(
                    partial(sources.find_sitemaps, now=now, admits=lambda url: not source_rule(self._scope, url))
                )
                logger.info("recrawl: %d sitemaps found", found)
            bury = partial(bury_some, gone_by=now - self._settings.grace * DAY, most=BURIED)
            while (await store.call(bury))[0] == BURIED:
                pass
            await solve(store, now)
        self._wanted = Wanted(before=store.clock()) if self._everything else Wanted()

    async def rank(self) -> int:
        """Give what has fallen due its place; returns how many that were. One worker does it for all."""
        if not self.on:
            return 0
        async with self._ranking:
            return await self._rank()

    async def _rank(self) -> int:
        store = self._store
        if not await store.claim(OWNER):
            return 0
        if not self._wanted.before:
            self._wanted = Wanted(due_by=store.clock())
        count = 0
        while True:
            batch, place = await store.call(partial(self._rank_some, after=self._place))
            if not batch:
                break
            count, self._place = count + batch, place  # not before the commit: the writer may have to try again
        if count:
            logger.info("recrawl: %d pages are due", count)
        return count

    async def ending(self, patience: float) -> tuple[str, str]:
        """Nothing can be fetched within `patience` seconds: the reason, and a sentence that says what is left or due next."""
        hosts, tries = await self._store.call(visits.left)
        if hosts or tries:
            waits = [f"{hosts} for their hosts"] * bool(hosts) + [f"{tries} for another try"] * bool(tries)
            then = "were not looked at" if self._everything else "stay due"
            return "empty", f"{' and '.join(waits)} wait longer than FRONTIER_IDLE_STOP ({patience:g} s), and {then}"
        due = await self._store.call(partial(visits.next_due, sources=self._settings.signals))
        when = "" if due is None else f"; the next page is due {datetime.fromtimestamp(due, UTC):%Y-%m-%d %H:%M} UTC"
        return "fresh", f"nothing more is due{when}"

    def _rank_some(self, db: Database, after: visits.Place) -> tuple[int, visits.Place]:
        found, place = visits.unranked(db, self._wanted, after, BATCH)
        wanted = [visit for visit in found if self._settings.signals or visit.kind not in SOURCES]
        if wanted:
            habits = visits.load_habits(db, {visit.hid for visit in wanted})
            values = self._store.planner.values(wanted, habits, self._store.clock())
            visits.rank(db, wanted, [1.0 if _asked_for(visit) else value for visit, value in zip(wanted, values, strict=True)])
        return len(found), place


def _asked_for(visit: Visit) -> bool:
    """By an operator, see `store.operating`: it comes first."""
    return visit.signal_kind == SEED and visit.due_at == visit.signal_at
