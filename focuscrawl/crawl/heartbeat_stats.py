"""What a worker tells about itself with each heartbeat, for `scrapy workers`: JSON in the column `worker.stats`."""

from __future__ import annotations

from collections import deque
from dataclasses import asdict
from typing import TYPE_CHECKING

import orjson

if TYPE_CHECKING:
    from focuscrawl.crawl.session import CrawlSession

RATE_SECONDS = 60.0
REMEMBERED_SECONDS = 60.0
"""A trouble is told for so long after it was seen: while it lasts, no heartbeat may be written."""


class Vitals:
    """Of one process. The rate is that of the last minute, or since the start."""

    def __init__(self) -> None:
        self._pages: deque[tuple[float, int]] = deque()
        self._trouble = ""
        self._trouble_at = 0.0

    def notice(self, trouble: str, now: float) -> None:
        """Why writing waits, as of `now` (epoch seconds); empty when it does not."""
        if trouble:
            self._trouble, self._trouble_at = trouble, now
        elif now - self._trouble_at > REMEMBERED_SECONDS:
            self._trouble = ""

    def per_minute(self, pages: int, now: float) -> float:
        """`pages`: stored so far."""
        self._pages.append((now, pages))
        while now - self._pages[0][0] > RATE_SECONDS:
            self._pages.popleft()
        since, before = self._pages[0]
        return 60 * (pages - before) / (now - since) if now - since >= 1 else 0.0

    def json(self, session: CrawlSession, now: float) -> str:
        """Keys: pages, relevant, duplicates, requests, errors, pages_per_minute, control, trouble, partition."""
        self.notice(session.store.writer.trouble, now)
        values = {
            **asdict(session.counts),
            "pages_per_minute": round(self.per_minute(session.counts.pages, now), 1),
            "control": str(session.control.wanted),
            "trouble": self._trouble,
            "partition": session.job.arguments.partition,
        }
        return orjson.dumps(values).decode()
