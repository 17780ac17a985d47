"""What a crawl under test cost: the longest gap of its event loop and its peak memory, and where tests note that."""

from __future__ import annotations

import asyncio
import json
import os
import resource
import sqlite3
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from scrapy import signals
from scrapy.crawler import Crawler

from focuscrawl.errors import BadInput
from focuscrawl.store.engines.database import DatabaseError

RECORD = "FAULTS_RECORD"
"""Environment variable: a file that takes a line of JSON for each thing noted. Without it nothing is noted."""
STEP = 0.02
"""Seconds that the watch sleeps again and again; how late it wakes is how long the loop was busy with something else."""


class Watch:
    """Scrapy extension: notes `gap` (seconds) and `memory` (bytes at the peak) of a process when its spider closes."""

    def __init__(self) -> None:
        self._gap = 0.0
        self._task: asyncio.Task[None] | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Watch:
        watch = cls()
        crawler.signals.connect(watch.opened, signals.spider_opened)
        crawler.signals.connect(watch.closed, signals.spider_closed)
        return watch

    def opened(self) -> None:
        self._task = asyncio.ensure_future(self._watch())

    def closed(self) -> None:
        if self._task:
            self._task.cancel()
        memory = 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        note(gap=self._gap, memory=memory)

    async def _watch(self) -> None:
        while True:
            began = time.perf_counter()
            await asyncio.sleep(STEP)
            self._gap = max(self._gap, time.perf_counter() - began - STEP)


def settings() -> dict[str, str]:
    """Those with which a crawl is watched, while something is to be noted."""
    return {"EXTENSIONS": json.dumps({"tests.faults.watch.Watch": 5})} if RECORD in os.environ else {}


def note_cost(folder: Path) -> None:
    """Note what the crawls below `folder` have cost, see `tests.crash.invariants.cost`."""
    if RECORD in os.environ:
        from tests.crash.invariants import cost  # only now: crawls load this module in their own process

        for store in folder.glob("*/store.sqlite"):
            with suppress(BadInput, DatabaseError, sqlite3.Error):  # some tests leave none that can be read
                note(**cost(store.parent))


def note(**what: Any) -> None:
    """Keep figures under the name of the test that runs."""
    if RECORD in os.environ:
        test = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" ")[0]
        with open(os.environ[RECORD], "a", encoding="utf-8") as record:
            record.write(json.dumps({"test": test, **what}) + "\n")
