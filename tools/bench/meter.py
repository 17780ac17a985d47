"""A Scrapy extension that reads the clocks of its process between two items, so that start and end do not count.

Settings: METER_FILE (JSON is written there), METER_SKIP (items before the measurement), METER_ITEMS (items in it).
"""

from __future__ import annotations

import json
import time
from pathlib import Path

from scrapy import signals
from scrapy.crawler import Crawler
from scrapy.http import Response


class Meter:
    """Processor time (all threads, user and system; and the event loop's alone), wall time and bytes."""

    def __init__(self, file: str, skip: int, items: int) -> None:
        self._file, self._skip, self._items = file, skip, items
        self._count = 0
        self._bytes = 0
        self._start = (0.0, 0.0, 0.0, 0)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Meter:
        settings = crawler.settings
        meter = cls(settings["METER_FILE"], settings.getint("METER_SKIP"), settings.getint("METER_ITEMS"))
        crawler.signals.connect(meter.item_scraped, signals.item_scraped)
        crawler.signals.connect(meter.response_received, signals.response_received)
        return meter

    def response_received(self, response: Response) -> None:
        self._bytes += len(response.body)

    def item_scraped(self) -> None:
        self._count += 1
        if self._count == self._skip:
            self._start = (time.process_time(), time.thread_time(), time.perf_counter(), self._bytes)
        elif self._count == self._skip + self._items:
            cpu, loop, wall, size = self._start
            found = {
                "pages": self._items,
                "cpu_ms": 1000 * (time.process_time() - cpu) / self._items,
                "loop_ms": 1000 * (time.thread_time() - loop) / self._items,
                "wall_ms": 1000 * (time.perf_counter() - wall) / self._items,
                "bytes": (self._bytes - size) / self._items,
            }
            Path(self._file).write_text(json.dumps(found), "utf-8")
