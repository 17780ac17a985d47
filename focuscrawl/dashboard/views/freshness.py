"""How fresh the collection is: what is due and when, what has changed lately, how fast the pages of each site change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict

from focuscrawl.report.freshness import MOST_REVISITS, freshness
from focuscrawl.store.crawls import Crawl
from focuscrawl.store.engines.database import Database
from focuscrawl.store.revisits.revisit_rows import count_revisits
from focuscrawl.store.revisits.site_rates import site_rates
from focuscrawl.store.workers.status import store_now

MOST_SITES = 50


def view(crawl: Crawl, db: Database, query: Mapping[str, str]) -> dict[str, object]:
    now = store_now(db)
    found = freshness(db, now)
    return {
        "at": now, "all": found.all, "due": found.due, "later": found.later,
        "days": [{"day": day.begin, "due": day.due} for day in found.days],
        "changes": [{"day": day.begin, **day.kinds} for day in found.changes],
    }  # fmt: skip


def sites(crawl: Crawl, db: Database, query: Mapping[str, str]) -> dict[str, object]:
    """The largest."""
    if count_revisits(db) > MOST_REVISITS:
        return {"sites": [], "all_sites": 0, "too_many": True}
    rates = site_rates(db, store_now(db))
    return {"sites": [asdict(row) for row in rates[:MOST_SITES]], "all_sites": len(rates), "too_many": False}
