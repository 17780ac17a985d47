"""When is a page worth a request? The threshold of the marginal value, computed once a day from a sample of all pages.

Each host that politeness keeps from being asked as often as its pages deserve has another one. See `recrawl.planning`.
"""

from __future__ import annotations

import logging
import random
from collections.abc import AsyncIterator

import orjson

from focuscrawl.recrawl.state import DAY, RevisitRecord
from focuscrawl.store.crawl_store import CrawlStore
from focuscrawl.store.engines.database import Database
from focuscrawl.store.engines.meta import read_meta, set_meta
from focuscrawl.store.frontier.pacing import pace_of
from focuscrawl.store.revisits import revisit_rows
from focuscrawl.url.key import LEAST_NUMBER

logger = logging.getLogger(__name__)

THRESHOLD = "recrawl_threshold"
"""Key in `meta`: the marginal value from which a page is worth a request, when it was computed, and the settings by which, as
JSON."""
BATCH = 1000
"""Records in one operation on the store, during which commits and leases wait."""
SAMPLE = 2000
"""Pages of a crawl, or of a large host, from which the threshold is computed."""
LARGE = 500
"""A host with at least this many pages may not be asked as often as they deserve, so it has a threshold of its own."""


class Sample:
    """A random sample of at most SAMPLE records that come one by one, each with the same chance (Vitter, ACM TOMS 1985,
    algorithm R)."""

    def __init__(self) -> None:
        self.items: list[RevisitRecord] = []
        self.seen = 0
        self._random = random.Random(0)

    def add(self, revisit: RevisitRecord) -> None:
        self.seen += 1
        if len(self.items) < SAMPLE:
            self.items.append(revisit)
        elif (slot := self._random.randrange(self.seen)) < SAMPLE:
            self.items[slot] = revisit


async def load_threshold(store: CrawlStore) -> float:
    """Set the planner's threshold to the one computed last; returns when that was, in epoch seconds. Both are 0 if the settings
    were others then: the next threshold would stay near to the former one, which says nothing of them."""
    solved = await store.call(read_meta, key=THRESHOLD)
    known, present = orjson.loads(solved or "{}"), store.planner.solved_by
    if known.get("settings", present) != present:
        known = {}
    store.planner.threshold = float(known.get("threshold", 0.0))
    return float(known.get("at", 0.0))


async def compute_threshold(store: CrawlStore, now: float) -> None:
    """Compute the thresholds, if that was not done within a day by these settings. One pass over all revisits: some seconds for
    10^6."""
    if 0 <= now - await load_threshold(store) < DAY:  # below 0: the clock was set back
        return
    everything, host, hid = Sample(), Sample(), 0
    async for revisit in _all_revisits(store):
        if revisit.hid != hid:
            await _compute_of_host(store, host)
            host, hid = Sample(), revisit.hid
        host.add(revisit)
        everything.add(revisit)
    await _compute_of_host(store, host)
    if not everything.seen:
        return
    profiles = await store.call(revisit_rows.load_profiles, hids={revisit.hid for revisit in everything.items})
    planner = store.planner
    planner.threshold = planner.solve(everything.items, profiles)
    solved = orjson.dumps({"threshold": planner.threshold, "at": now, "settings": planner.solved_by}).decode()
    await store.call(set_meta, key=THRESHOLD, value=solved)
    logger.info("recrawl: a request is worth %.3g, by %d pages", planner.threshold, everything.seen)


async def _all_revisits(store: CrawlStore) -> AsyncIterator[RevisitRecord]:
    cursor = (LEAST_NUMBER, LEAST_NUMBER)
    while batch := await store.call(revisit_rows.next_records, url=cursor, limit=BATCH):
        cursor = batch[-1].hid, batch[-1].uid
        for revisit in batch:
            yield revisit


async def _compute_of_host(store: CrawlStore, pages: Sample) -> None:
    if pages.seen >= LARGE:
        await store.call(_write_threshold, store=store, pages=pages)


def _write_threshold(db: Database, store: CrawlStore, pages: Sample) -> None:
    hid = pages.items[0].hid
    delay = max(pace_of(db, hid).delay, store.limits.host.delay)
    share = pages.seen / len(pages.items)  # each page of the sample stands for this many
    threshold = store.planner.solve_host(pages.items, delay * share)  # 0 if politeness does not bind any more
    revisit_rows.set_threshold(db, hid, threshold)
