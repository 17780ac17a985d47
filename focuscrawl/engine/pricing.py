"""What is a request worth? Solved once a day on a sample of all pages, and for each host that politeness keeps from being asked
as often as its pages deserve. See `recrawl.planning`."""

from __future__ import annotations

import logging
import random
from collections.abc import AsyncIterator
from functools import partial

import orjson

from focuscrawl.recrawl.state import DAY, Visit
from focuscrawl.store import visits
from focuscrawl.store.crawl import CrawlStore
from focuscrawl.store.database import Database
from focuscrawl.store.pacing import load_pace

logger = logging.getLogger(__name__)

THRESHOLD = "recrawl_threshold"
"""In `meta`: JSON of the crawl value that is worth a request, and when it was solved."""
BATCH = 1000
SAMPLE = 2000
LARGE = 500
"""Pages of a host from which on its politeness may bind."""
SET_HOST = "insert into habit(hid, threshold) values(?, ?) on conflict(hid) do update set threshold=excluded.threshold"


class Sample:
    """Of things that come one by one, each as likely as any other (Vitter, ACM TOMS 1985, algorithm R)."""

    def __init__(self, size: int) -> None:
        self.items: list[Visit] = []
        self.seen = 0
        self._size, self._random = size, random.Random(0)

    def add(self, visit: Visit) -> None:
        self.seen += 1
        if len(self.items) < self._size:
            self.items.append(visit)
        elif (slot := self._random.randrange(self.seen)) < self._size:
            self.items[slot] = visit


async def load_threshold(store: CrawlStore) -> float:
    """Set the planner's threshold to the one that was solved last; returns when that was."""
    known = orjson.loads(await store.meta(THRESHOLD) or "{}")
    store.planner.threshold = float(known.get("threshold", 0.0))
    return float(known.get("at", 0.0))


async def solve(store: CrawlStore, now: float) -> None:
    """Once a day. One pass over all visits, BATCH of them in an operation: some seconds for 10^6."""
    if now - await load_threshold(store) < DAY:
        return
    everything, host, hid = Sample(SAMPLE), Sample(SAMPLE), 0
    async for visit in _all_visits(store):
        if visit.hid != hid:
            await _solve_host(store, host)
            host, hid = Sample(SAMPLE), visit.hid
        host.add(visit)
        everything.add(visit)
    await _solve_host(store, host)
    if not everything.seen:
        return
    habits = await store.call(partial(visits.load_habits, hids={visit.hid for visit in everything.items}))
    planner = store.planner
    planner.threshold = planner.solve(everything.items, now, habits)
    await store.set_meta(THRESHOLD, orjson.dumps({"threshold": planner.threshold, "at": now}).decode())
    logger.info("recrawl: a request is worth %.3g, by %d pages", planner.threshold, everything.seen)


async def _all_visits(store: CrawlStore) -> AsyncIterator[Visit]:
    place = (-(1 << 63), -(1 << 63))
    while batch := await store.call(partial(visits.after, place=place, limit=BATCH)):
        place = batch[-1].hid, batch[-1].uid
        for visit in batch:
            yield visit


async def _solve_host(store: CrawlStore, pages: Sample) -> None:
    if pages.seen >= LARGE:
        await store.call(partial(_write_threshold, store=store, pages=pages))


def _write_threshold(db: Database, store: CrawlStore, pages: Sample) -> None:
    hid = pages.items[0].hid
    row = db.execute("select pace from host where hid=?", (hid,)).fetchone()
    delay = max(load_pace(row[0]).delay if row else 0.0, store.limits.host.delay)
    share = pages.seen / len(pages.items)  # each page of the sample stands for so many
    threshold = store.planner.solve_host(pages.items, delay * share)  # 0 without a delay, in place of one that held once
    db.execute(SET_HOST, (hid, threshold))
