"""What a worker reports of itself with each heartbeat, for `scrapy workers`: JSON in the column `worker.stats`."""

from __future__ import annotations

from collections import deque
from dataclasses import asdict

import orjson

from focuscrawl.crawl.counting import ProcessCounts

RATE_SECONDS = 60.0
"""The time over which pages per minute are measured: a shorter one shows every pause of a host as a stop."""
REMEMBERED_SECONDS = 60.0
"""How long a trouble is still reported after it was last seen: while it lasts, no heartbeat can be written."""


class HeartbeatStats:
    """The statistics of one process. The rate is that of the last minute, or since the start."""

    def __init__(self) -> None:
        self._pages: deque[tuple[float, int]] = deque()
        self._trouble = ""
        self._trouble_at = 0.0

    def notice(self, trouble: str, now: float) -> None:
        """Note why writing waits, as of `now` (epoch seconds); empty when it does not."""
        if trouble:
            self._trouble, self._trouble_at = trouble, now
        elif now - self._trouble_at > REMEMBERED_SECONDS:
            self._trouble = ""

    def per_minute(self, pages: int, now: float) -> float:
        """The pages per minute, 0 in the first second. `pages`: stored so far."""
        self._pages.append((now, pages))
        while now - self._pages[0][0] > RATE_SECONDS:
            self._pages.popleft()
        since, before = self._pages[0]
        return 60 * (pages - before) / (now - since) if now - since >= 1 else 0.0

    def json(self, counts: ProcessCounts, now: float, *, trouble: str, control: str, partition: str) -> str:
        """The value of `worker.stats` for one heartbeat.

        Args:
            counts: since the start of the process.
            now: epoch seconds, by the store's clock.
            trouble: why writing to the store waits; empty when it does not.
            control: what operators want of the crawl, a value of `store.workers.control.WantedState`.
            partition: this worker's part of the hosts as `i/n`; empty without one.
        """
        self.notice(trouble, now)
        values = {
            **asdict(counts),
            "pages_per_minute": round(self.per_minute(counts.pages, now), 1),
            "control": control,
            "trouble": self._trouble,
            "partition": partition,
        }
        return orjson.dumps(values).decode()
