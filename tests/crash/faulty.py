"""Scrapy's command line with a fault built in, which environment variables name:

POISON=URL              the process dies (kill -9) as soon as it reads this page itself
POISON_TERMS=URL        the same when it cuts the page's text into terms
RAISE=URL               the pipeline that judges relevance raises on this page
DEAD_SECONDS=4          a worker that is silent for so long is dead, instead of 45
GRACE_SECONDS=300       answers may still come in for so long after a signal, instead of 5
ENDING_SECONDS=300      a store that cannot be written is waited for so long at the end, instead of 20
SAME_REQUEST=5          signals within so many seconds are one request, instead of 0.1 or 0.5
CLOCK_JUMP=86400,FILE   when FILE is there, the wall clock is set forward by a day; the monotonic clock stays
"""

from __future__ import annotations

import importlib
import os
import signal
import sys
from typing import Any

from tests.forked import set_clock, wall_clock

SECONDS = {
    "DEAD_SECONDS": "focuscrawl.store.workers.lifecycle",
    "GRACE_SECONDS": "focuscrawl.scrapy_side.signals",
    "ENDING_SECONDS": "focuscrawl.store.engines.writer",
}
"""The modules of constants that may be others."""
FAULTS = ("POISON", "POISON_TERMS", "RAISE", *SECONDS, "SAME_REQUEST", "CLOCK_JUMP")


class JumpingClock:
    """time.time, to be replaced before the program is loaded."""

    def __init__(self, seconds: float, signal_file: str) -> None:
        self._wall, self._seconds, self._file, self._jumped = wall_clock(), seconds, signal_file, False

    def __call__(self) -> float:
        self._jumped = self._jumped or os.path.exists(self._file)
        return self._wall() + self._seconds * self._jumped


def poison(poisoned: str) -> None:
    from focuscrawl.reading.page import Reading
    from focuscrawl.reading.page_reader import PageReader, Turn

    read = PageReader.read

    async def read_or_die(
        self: PageReader, body: bytes, content_type: str, url: str, *, apart: bool = False, turn: Turn | None = None
    ) -> Reading:
        if url == poisoned and not apart:
            os.kill(os.getpid(), signal.SIGKILL)
        return await read(self, body, content_type, url, apart=apart, turn=turn)

    PageReader.read = read_or_die  # type: ignore[method-assign]


def poison_terms(poisoned: str) -> None:
    from focuscrawl.crawl.page_reading import CrawlReader
    from focuscrawl.items import Page
    from focuscrawl.reading.page import Reading

    fill = CrawlReader._fill

    async def fill_or_die(self: CrawlReader, page: Page, reading: Reading) -> None:
        if page.url == poisoned:
            os.kill(os.getpid(), signal.SIGKILL)
        await fill(self, page, reading)

    CrawlReader._fill = fill_or_die  # type: ignore[method-assign]


def raise_on(raising: str) -> None:
    from focuscrawl.items import Page
    from pipelines.relevance import RelevancePipeline

    process_item = RelevancePipeline.process_item

    def process_or_raise(self: RelevancePipeline, item: Any) -> Any:
        if isinstance(item, Page) and item.url == raising:
            raise ArithmeticError("a fault built in by a test")
        return process_item(self, item)

    RelevancePipeline.process_item = process_or_raise  # type: ignore[method-assign]


def take_signals_together(seconds: float) -> None:
    from focuscrawl.scrapy_side import signals

    signals.SAME_REQUEST = dict.fromkeys(signals.SAME_REQUEST, seconds)


def main() -> None:
    told = {name: os.environ[name] for name in FAULTS if name in os.environ}
    if jump := told.get("CLOCK_JUMP"):
        seconds, _, path = jump.partition(",")
        set_clock(JumpingClock(float(seconds), path))
    if url := told.get("POISON"):
        poison(url)
    if url := told.get("POISON_TERMS"):
        poison_terms(url)
    if url := told.get("RAISE"):
        raise_on(url)
    for name in SECONDS.keys() & told.keys():
        vars(importlib.import_module(SECONDS[name]))[name] = float(told[name])
    if together := told.get("SAME_REQUEST"):
        take_signals_together(float(together))
    from scrapy.cmdline import execute

    execute(["scrapy", *sys.argv[1:]])


if __name__ == "__main__":
    main()
