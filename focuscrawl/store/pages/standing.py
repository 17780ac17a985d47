"""Reads the table `standing`: the weight of each page in the crawled web, as `store.pages.weighing` computed it last."""

from __future__ import annotations

from collections.abc import Iterator

from focuscrawl.graph.page_weight import Standing
from focuscrawl.store.engines.database import Database
from focuscrawl.store.engines.records import RecordTable

STANDINGS = RecordTable("standing", Standing, ("page_id",))
HEAVIEST = f"""select {STANDINGS.selected("s")}, p.url, p.title from standing s join page p on p.page_id=s.page_id
    order by s.weight desc, s.page_id limit ?"""
AT = "standings_at"
"""Key in `meta`: when the table was made. Two processes that make it at once wait for each other at this row."""


def standing_of(db: Database, page_id: int) -> Standing | None:
    """The standing of a page; None if it was stored since the table was made."""
    row = db.execute(f"select {STANDINGS.selected('s')} from standing s where s.page_id=?", (page_id,)).fetchone()
    return STANDINGS.from_row(row) if row else None


def heaviest(db: Database, limit: int) -> Iterator[tuple[Standing, str, str]]:
    """(standing, URL, title) of the pages with the largest weights."""
    for *row, url, title in db.execute(HEAVIEST, (limit,)).fetchall():
        yield STANDINGS.from_row(row), url, title
