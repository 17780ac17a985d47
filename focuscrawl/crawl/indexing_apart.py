"""The side of `focuscrawl.crawl.indexing` that runs in a process of its own: the only part of a crawl that loads tantivy."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from focuscrawl.search.searching import follow_once, lower_priority
from focuscrawl.store.crawls import Crawl
from focuscrawl.store.location import lend

PAGES = 2_000
"""Pages of one look: some seconds."""


def follow_apart(directory: str, store_url: str) -> bool:
    """Bring the index of the crawl in `directory` nearer to its store; whether something is left to do."""
    lower_priority()
    lend(store_url)
    path = Path(directory)
    with closing(Crawl(path.name, path).open()) as db:
        db.dialect.keep_little(db)  # page after page is read, each once
        return follow_once(path, db, PAGES) >= PAGES
