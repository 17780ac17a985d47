"""The side of `focuscrawl.crawl.indexing` that runs in a process of its own.

A module by itself, so that neither process imports what only the other one needs: asyncio there, tantivy here.
"""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

from focuscrawl.search.searching import follow_once, lower_priority
from focuscrawl.store.crawls import Crawl
from focuscrawl.store.location import lend

PAGES = 2_000
"""Pages of one look: some seconds."""


def follow_apart(body: bytes, directory: str, store_url: str) -> dict[str, Any]:
    """Bring the index of the crawl in `directory` nearer to its store; whether there is more to do."""
    lower_priority()
    lend(store_url)
    path = Path(directory)
    with closing(Crawl(path.name, path).open()) as db:
        db.dialect.keep_little(db)  # page after page is read, each once
        return {"left": follow_once(path, db, PAGES) >= PAGES}
