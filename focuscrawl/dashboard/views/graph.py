"""The shape of the crawled web, as `scrapy graph` computes it."""

from __future__ import annotations

from collections.abc import Mapping

from focuscrawl.store.crawls import Crawl
from focuscrawl.store.engines.database import Database
from focuscrawl.store.overview import row_counts
from focuscrawl.store.pages.link_graph import shape_of_store

MOST_PAGES = 20_000
"""Of which it is computed here, in about a second of a processor; a larger crawl's belongs into a process of its own."""
KEPT_SECONDS = 600.0


def view(crawl: Crawl, db: Database, query: Mapping[str, str]) -> dict[str, object]:
    """How many pages there are."""
    return {"pages": row_counts(db, ["page"])["page"], "most": MOST_PAGES}


def shape(crawl: Crawl, db: Database, query: Mapping[str, str]) -> dict[str, object]:
    """None of a crawl that has no pages, or too many."""
    pages = row_counts(db, ["page"])["page"]
    return {"shape": shape_of_store(db) if 0 < pages <= MOST_PAGES else None}
