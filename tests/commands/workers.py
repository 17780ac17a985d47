"""Workers of a crawl that no process stands for."""

from __future__ import annotations

from pathlib import Path

from focuscrawl.store.crawls import crawl_named
from focuscrawl.store.workers.lifecycle import beat, leave, register
from focuscrawl.store.workers.status import store_now


def add_worker(crawls: Path, *, ended: bool = False, silence: float = 0.0, stats: str = "") -> None:
    db = crawl_named(crawls, "news").open(write=True)
    now = store_now(db) - silence
    worker = register(db, 1, now)
    beat(db, worker, now, stats)
    if ended:
        leave(db, worker)
    db.close()
