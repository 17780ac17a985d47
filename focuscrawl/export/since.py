"""What was exported up to when: a mark in the crawl's store, so that the next export can write what has changed since.

A mark has a label, for those who feed several places from one crawl.
"""

from __future__ import annotations

from focuscrawl.store.engines.database import Database
from focuscrawl.store.engines.meta import read_meta, set_meta
from focuscrawl.store.workers.status import RUNNING, roster, store_now

MARK = "exported_until/"
"""Key in `meta` before the label: epoch seconds."""
IN_FLIGHT = 60.0
"""Seconds by which an export of a running crawl ends before now: a commit may become visible a little later than its time, and
must not be missed. What is later comes with the next export."""


def last_export(db: Database, label: str) -> float | None:
    """Until when the last export with this label tells of changes; None: there was none."""
    value = read_meta(db, MARK + label)
    return float(value) if value else None


def set_last_export(db: Database, label: str, until: float) -> None:
    """All changes before `until` have been written."""
    set_meta(db, MARK + label, repr(until))


def settled_until(db: Database) -> float:
    """Changes before this time are all in the store that ever will be, epoch seconds."""
    now = store_now(db)
    running = any(worker.health in RUNNING for worker in roster(db, now))
    return now - IN_FLIGHT if running else now
