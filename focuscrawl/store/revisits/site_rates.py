"""How fast the pages of each site change, as estimated and as seen. Reads only.

Junghoo Cho and Hector Garcia-Molina, "The Evolution of the Web and Implications for an Incremental Crawler" (VLDB 2000): a page
changes by a Poisson process, so that with rate r it has changed after t days with probability 1 - exp(-r t).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
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


@dataclass(slots=True)
class _Sums:
    """Sums over the pages of one site."""

    pages: int = 0
    changed: list[float] = field(default_factory=lambda: [0.0] * len(SPANS))
    """For each of SPANS: how many pages are expected to have changed after so many days."""
    visits: int = 0
    changes: int = 0
    ages: float = 0.0
    due: int = 0


def site_rates(db: Database, now: float) -> list[SiteRates]:
    """Most pages first. One pass in key order: what is held are a few sums a site."""
    sums: defaultdict[str, _Sums] = defaultdict(_Sums)
    for _, _, shape, exposure, visits, changes, checked_at, due_at, site in _without_gone(db):
        rate = shape / exposure if exposure > 0 else 0.0
        own = sums[site]
        own.pages += 1
        for span, days in enumerate(SPANS):
            own.changed[span] -= math.expm1(-rate * days)
        own.visits += visits
        own.changes += changes
        own.ages += max(now - checked_at, 0.0)
        own.due += due_at <= now
    rows = [_rates(site, own) for site, own in sums.items()]
    return sorted(rows, key=lambda row: (-row.pages, row.site))


def _rates(site: str, sums: _Sums) -> SiteRates:
    day, week, month = (changed / sums.pages for changed in sums.changed)
    return SiteRates(site, sums.pages, day, week, month, sums.visits, sums.changes, sums.ages / sums.pages, sums.due)


def _without_gone(db: Database) -> Iterator[Any]:
    """The rows of VISITS whose pages are not gone. Both statements are in key order, so that one pass over each is enough."""
    gone = _in_key_order(db, GONE)
    next_gone = next(gone, None)
    for row in _in_key_order(db, VISITS):
        key = row[0], row[1]
        while next_gone is not None and tuple(next_gone) < key:
            next_gone = next(gone, None)
        if next_gone is None or tuple(next_gone) != key:
            yield row


def _in_key_order(db: Database, statement: str) -> Iterator[Any]:
    """All rows of a statement that gives the next BATCH rows behind a key, which is their first two columns."""
    key = (LEAST_NUMBER, LEAST_NUMBER)
    while rows := db.execute(statement, (*key, BATCH)).fetchall():
        yield from rows
        key = (rows[-1][0], rows[-1][1])
