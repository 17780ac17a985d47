"""Shows the politeness of a crawl, for the owners of hosts, too: the seconds between two answers of a host, and its delay."""

from __future__ import annotations

from itertools import pairwise
from math import ceil, floor, log10
from statistics import median
from typing import NamedTuple

from focuscrawl.store.engines.database import Database
from focuscrawl.store.pages.fetch_log import ends_by_host

FETCHES = 5_000
"""The gaps are those of this many last fetches."""
MOST_GAPS = 20
"""Most hosts that are shown."""
LEAST_POWER = -2
"""The scale begins at 10 to this power of a second. Shorter gaps are between answers that came together."""


class Gap(NamedTuple):
    """The times between two answers of a host, in seconds."""

    host: str
    fetches: int
    median: float
    delay: float
    """The least time between two requests that is kept now; 0: not decided yet."""
    least: float
    low: float
    """A quarter of the gaps are shorter."""
    high: float
    """A quarter of the gaps are longer."""
    longest: float


class Politeness(NamedTuple):
    fetches: int
    hosts: int
    gaps: list[Gap]
    """The most asked hosts first."""

    @property
    def scale(self) -> tuple[float, float]:
        """The seconds at both ends of the strips, which are powers of ten."""
        known = [seconds for gap in self.gaps for seconds in (gap.least, gap.delay, gap.longest) if seconds > 0] or [1.0]
        low = max(floor(log10(min(known))), LEAST_POWER)
        return 10.0**low, 10.0 ** max(ceil(log10(max(known))), low + 1)

    def place(self, seconds: float) -> float:
        """The position of a time on a strip, from 0 to 1, on a logarithmic scale."""
        low, high = self.scale
        return log10(min(max(seconds, low), high) / low) / log10(high / low)


def politeness(db: Database) -> Politeness:
    ends = ends_by_host(db, FETCHES)
    gaps = [
        Gap(name, len(times), median(found), delay, found[0], found[len(found) // 4], found[-1 - len(found) // 4], found[-1])
        for name, times, delay in ends
        if (found := sorted(later - earlier for earlier, later in pairwise(times)))
    ]
    return Politeness(sum(len(times) for _, times, _ in ends), len(ends), gaps[:MOST_GAPS])
