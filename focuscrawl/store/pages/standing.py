"""Where each page stands in the crawled web, as it was last worked out (`store.pages.weighing`): the table `standing`."""

from __future__ import annotations

from collections.abc import Iterator

from focuscrawl.graph.page_weight import Standing
from focuscrawl.store.engines.database import Database
from focuscrawl.store.engines.records import RecordTable

STANDINGS = RecordTable("standing", Standing, ("page_id",))
HEAVIEST = f"""select {STANDINGS.selected("s")}, p.url, p.title from standing s join page p on p.page_id=s.page_id
    order by s.weight desc, s.page_id limit ?"""
AT = "standings_at"
"""In `meta`: when they were made. Its row is what two that write them at once wait for."""


def standing_of(db: Database, page_id: int) -> Standing | None:
    """None of a page that was stored since they were made."""
    row = db.execute(f"select {STANDINGS.selected('s')} from standing s where s.page_id=?", (page_id,)).fetchone()
    return STANDINGS.from_row(row) if row else None


def heaviest(db: Database, limit: int) -> Iterator[tuple[Standing, str, str]]:
    """(standing, URL, title) of the pages with the largest weights."""
    for *row, url, title in db.execute(HEAVIEST, (limit,)).fetchall():
        yield STANDINGS.from_row(row), url, title
