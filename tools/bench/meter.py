"""A Scrapy extension that reads the clocks of its process between two items, so that start and end do not count.

Settings: METER_FILE (JSON is written there), METER_SKIP (items before the measurement), METER_ITEMS (items in it), METER_CALLS
(count calls; the clocks then say nothing). It imports nothing of ours: a checkout that knows nothing of it is measured with a
copy.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections import Counter
from pathlib import Path
from types import FrameType
from typing import Any

from scrapy import signals
from scrapy.crawler import Crawler
from scrapy.http import Response

Clocks = dict[str, float]
WRITER = "store-writer"
"""Name of the thread that writes to the store."""


class Meter:
    """Processor time (user and system), wall time and bytes between two items."""

    def __init__(self, file: str, skip: int, items: int, calls: Calls | None = None) -> None:
        self._file, self._skip, self._items, self._calls = file, skip, items, calls
        self._count = 0
        self._bytes = 0
        self._start: Clocks = {}

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Meter:
        settings = crawler.settings
        calls = Calls() if settings.getbool("METER_CALLS") else None
        meter = cls(settings["METER_FILE"], settings.getint("METER_SKIP"), settings.getint("METER_ITEMS"), calls)
        crawler.signals.connect(meter.item_scraped, signals.item_scraped)
        crawler.signals.connect(meter.response_received, signals.response_received)
        return meter

    def response_received(self, response: Response) -> None:
        self._bytes += len(response.body)

    def item_scraped(self) -> None:
        self._count += 1
        if self._count == self._skip:
            if self._calls:
                self._calls.begin()
            self._start = self._clocks()
        elif self._count == self._skip + self._items:
            end = self._clocks()
            found: dict[str, object] = {name: (end[name] - begin) / self._items for name, begin in self._start.items()}
            if self._calls:
                found |= {name: counts.most_common() for name, counts in self._calls.end().items()}
            Path(self._file).write_text(json.dumps({"pages": self._items, **found}), "utf-8")

    def _clocks(self) -> Clocks:
        """Milliseconds of the process with all of its threads, of its event loop, of the store's writer, of its children."""
        return {
            "cpu_ms": 1000 * time.process_time(),
            "loop_ms": 1000 * time.thread_time(),
            "writer_ms": sum(_thread_ms(thread) for thread in threading.enumerate() if thread.name == WRITER),
            "children_ms": children_ms(),
            "wall_ms": 1000 * time.perf_counter(),
            "bytes": self._bytes,
        }


class Calls:
    """How many functions the event loop and the store's writer call, those in C too, by the file that calls them.

    Make it before the writer's thread begins. Counts are the same on every machine and at every hour, except for about 1 % that
    depends on which answer comes first."""

    def __init__(self) -> None:
        self._loop, self._writer = Counter[str](), Counter[str]()
        self._counts = False
        threading.setprofile(self._thread)

    def begin(self) -> None:
        self._counts = True
        sys.setprofile(lambda frame, event, _: self._count(self._loop, frame, event))

    def end(self) -> dict[str, Counter[str]]:
        self._counts = False
        sys.setprofile(None)
        return {"loop_calls": self._loop, "writer_calls": self._writer}

    def _thread(self, frame: FrameType, event: str, _: Any) -> None:
        if threading.current_thread().name != WRITER:
            sys.setprofile(None)
        else:
            sys.setprofile(lambda frame, event, _: self._count(self._writer, frame, event))

    def _count(self, counts: Counter[str], frame: FrameType, event: str) -> None:
        if self._counts and event in ("call", "c_call"):
            counts[frame.f_code.co_filename] += 1


def _thread_ms(thread: threading.Thread) -> float:
    return 1000 * time.clock_gettime(time.pthread_getcpuclockid(thread.ident or 0))


def children_ms() -> float:
    """Milliseconds of the children that live, with their ended children; in ticks of 10 ms."""
    children = {child for path in Path("/proc/self/task").glob("*/children") for child in path.read_text("ascii").split()}
    ticks = sum(int(field) for child in children for field in _stat(child)[11:15])
    return 1000 * ticks / os.sysconf("SC_CLK_TCK")


def _stat(pid: str) -> list[str]:
    try:
        return Path(f"/proc/{pid}/stat").read_text("ascii", "replace").rpartition(")")[2].split()
    except OSError:
        return []
