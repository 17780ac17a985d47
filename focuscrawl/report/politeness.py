"""Seconds between two answers of a host, beside the least time that is kept: what can be shown to whoever runs it."""

from __future__ import annotations

from itertools import pairwise
from statistics import median
from typing import NamedTuple

from focuscrawl.store.engines.database import Database
from focuscrawl.store.pages.fetch_log import ends_by_host

FETCHES = 5_000
"""The last ones, of which gaps are shown."""
MOST_GAPS = 20
"""Hosts."""


class Gap(NamedTuple):
    host: str
    fetches: int
    median: float
    delay: float
    """The least time between two requests that is kept now; 0: none was decided yet."""


class Politeness(NamedTuple):
    fetches: int
    hosts: int
    gaps: list[Gap]
    """The most asked hosts first."""


def politeness(db: Database) -> Politeness:
    ends = ends_by_host(db, FETCHES)
    gaps = [
        Gap(name, len(times), median(found), delay)
        for name, times, delay in ends
        if (found := [later - earlier for earlier, later in pairwise(times)])
    ]
    return Politeness(sum(len(times) for _, times, _ in ends), len(ends), gaps[:MOST_GAPS])
