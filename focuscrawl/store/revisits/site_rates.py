"""How fast the pages of each site change, as estimated and as seen. Reads only.

Junghoo Cho and Hector Garcia-Molina, "The Evolution of the Web and Implications for an Incremental Crawler" (VLDB 2000): a page
changes by a Poisson process, so that with rate r it has changed after t days with probability 1 - exp(-r t).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from focuscrawl.items import EXAMPLE
from focuscrawl.store.engines.database import IS_GONE, Database
from focuscrawl.url.key import LEAST_NUMBER

BATCH = 5000
SPANS = (1.0, 7.0, 30.0)
"""Days: within a day, a week, a month."""
VISITS = f"""select v.hid, v.uid, v.shape, v.exposure, v.visits, v.changes, v.checked_at, v.due_at, h.site
    from revisit v join host h on h.hid=v.hid where (v.hid, v.uid)>(?, ?) and v.kind<={EXAMPLE} order by v.hid, v.uid limit ?"""
GONE = f"select hid, uid from page where {IS_GONE} and (hid, uid)>(?, ?) order by hid, uid limit ?"


@dataclass(slots=True, frozen=True)
class SiteRates:
    """The pages of one registered domain, without those that are gone."""

    site: str
    pages: int
    day: float
    """Share of its pages that has changed after a day, by the estimated rates."""
    week: float
    month: float
    visits: int
    """Without the first fetch of each page."""
    changes: int
    """Visits that saw a change."""
    age: float
    """Mean seconds since the last look."""
    due: int
    """Pages whose next visit is due now."""


def site_rates(db: Database, now: float) -> list[SiteRates]:
    """Most pages first. One pass in key order: what is held are a few sums a site."""
    sums: dict[str, list[float]] = {}  # by site, the fields of `SiteRates` behind `site`, in their order
    gone = _after_another(db, GONE)
    next_gone = next(gone, None)
    for hid, uid, shape, exposure, visits, changes, checked_at, due_at, site in _after_another(db, VISITS):
        while next_gone is not None and tuple(next_gone) < (hid, uid):
            next_gone = next(gone, None)
        if next_gone is not None and tuple(next_gone) == (hid, uid):
            continue
        rate = shape / exposure if exposure > 0 else 0.0
        own = sums.get(site)
        if own is None:
            own = sums[site] = [0.0] * 8
        own[0] += 1
        for place, days in enumerate(SPANS, 1):
            own[place] -= math.expm1(-rate * days)
        own[4] += visits
        own[5] += changes
        own[6] += max(now - checked_at, 0.0)
        own[7] += due_at <= now
    rows = [_row(site, values) for site, values in sums.items()]
    return sorted(rows, key=lambda row: (-row.pages, row.site))


def _row(site: str, values: list[float]) -> SiteRates:
    pages, day, week, month, visits, changes, age, due = values
    return SiteRates(
        site, int(pages), day / pages, week / pages, month / pages, int(visits), int(changes), age / pages, int(due)
    )  # fmt: skip


def _after_another(db: Database, statement: str) -> Iterator[Any]:
    place = (LEAST_NUMBER, LEAST_NUMBER)
    while rows := db.execute(statement, (*place, BATCH)).fetchall():
        yield from rows
        place = (rows[-1][0], rows[-1][1])
