"""How fresh the collection is: what is due and when, what has changed lately, how fast the pages of each site change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict

from focuscrawl.recrawl.state import DAY
from focuscrawl.store.crawls import Crawl
from focuscrawl.store.engines.database import Database
from focuscrawl.store.revisits.change_log import changes_between
from focuscrawl.store.revisits.revisit_rows import count_revisits, due_between
from focuscrawl.store.revisits.site_rates import site_rates
from focuscrawl.store.workers.status import store_now

AHEAD, BACK = 14, 28
"""Days."""
MOST_SITES = 50
MOST_REVISITS = 200_000
"""URLs of which the sites' rates are told: a pass over them takes a second of a processor."""


def view(crawl: Crawl, db: Database, query: Mapping[str, str]) -> dict[str, object]:
    now = store_now(db)
    today = now - now % DAY
    ahead = [now, *(today + DAY * day for day in range(1, AHEAD + 1))]
    back = [today - DAY * day for day in range(BACK - 1, -1, -1)] + [now]
    revisits = count_revisits(db)
    due, *days = due_between(db, [0.0, *ahead])
    return {
        "at": now, "all": revisits, "due": due, "later": revisits - due - sum(days),
        "days": [{"day": start, "due": number} for start, number in zip(ahead, days, strict=False)],
        "changes": [{"day": start, **kinds} for start, kinds in zip(back, changes_between(db, back), strict=False)],
    }  # fmt: skip


def sites(crawl: Crawl, db: Database, query: Mapping[str, str]) -> dict[str, object]:
    """The largest."""
    if count_revisits(db) > MOST_REVISITS:
        return {"sites": [], "all_sites": 0, "too_many": True}
    rates = site_rates(db, store_now(db))
    return {"sites": [asdict(row) for row in rates[:MOST_SITES]], "all_sites": len(rates), "too_many": False}
