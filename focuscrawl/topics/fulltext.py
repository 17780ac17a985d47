"""Full-text search over the pages of a crawl, in Chinese and English: SQLite's FTS5 over our segmenter's terms.

The index is a file of its own beside the store (`search.sqlite`), made when first asked for and carried on by the pages
stored since; where none can be written it is made in memory. It can be deleted at any time.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from focuscrawl.store.crawls import Crawl
from focuscrawl.text.segment import Segmenter
from focuscrawl.topics.crawled import crawled_pages

INDEX = "search.sqlite"
VERSION = "1"
TITLE_WEIGHT = 4.0
"""A word of the title against the same word in the text."""
SCHEMA = """
create table state(k text primary key, v text) without rowid;
create virtual table text using fts5(title, body, content='', tokenize="unicode61 remove_diacritics 0 tokenchars '+#'");
"""
FIND = "select rowid, -bm25(text, ?, 1.0) from text where text match ? order by bm25(text, ?, 1.0), rowid limit ?"


@dataclass(frozen=True, slots=True)
class Hit:
    pid: int
    score: float
    """BM25, larger is better."""


class FullText:
    """The index of one crawl. Not safe for use from two threads at once."""

    def __init__(self, crawl: Crawl) -> None:
        self._segmenter = Segmenter()
        self._store = crawl.open()
        try:
            self._index = self._open(crawl.directory / INDEX)
            self.added = self._catch_up()
        except sqlite3.Error:
            # A folder that cannot be written, a full disk, a damaged index: none of them matters here.
            self._index = self._fresh(sqlite3.connect(":memory:"))
            self.added = self._catch_up()
        """Pages that were new to the index."""

    def search(self, queries: Iterable[str], limit: int = 20) -> list[Hit]:
        """Pages that hold any of these words or phrases, best first; none for queries without terms."""
        phrases = [self._segmenter.terms(query) for query in queries]
        wanted = " OR ".join(dict.fromkeys('"' + " ".join(phrase) + '"' for phrase in phrases if phrase))
        if not wanted:
            return []
        rows = self._index.execute(FIND, (TITLE_WEIGHT, wanted, TITLE_WEIGHT, limit))
        return [Hit(pid, score) for pid, score in rows]

    def close(self) -> None:
        self._store.close()
        self._index.close()

    def _open(self, path: Path) -> sqlite3.Connection:
        db = sqlite3.connect(path, timeout=10)
        try:
            known = dict(db.execute("select k, v from state"))
        except sqlite3.OperationalError:  # an empty file
            return self._fresh(db)
        if known.get("version") == VERSION and known.get("segmenter") == self._segmenter.name and self._same_store(known):
            return db
        db.close()
        path.unlink()
        return self._fresh(sqlite3.connect(path, timeout=10))

    def _fresh(self, db: sqlite3.Connection) -> sqlite3.Connection:
        db.executescript(SCHEMA)
        db.executemany("insert into state values(?, ?)", [("version", VERSION), ("segmenter", self._segmenter.name)])
        db.commit()
        return db

    def _same_store(self, known: dict[str, str]) -> bool:
        """Whether the page that was indexed last is still that page: a crawl may have been deleted and made anew."""
        if "last" not in known:
            return True
        row = self._store.execute("select url, fetched_at from page where pid=?", (int(known["last"]),)).fetchone()
        return row is not None and f"{row[0]} {row[1]}" == known["page"]

    def _catch_up(self) -> int:
        """Index what was stored since, in one transaction. Returns the number of pages."""
        row = self._index.execute("select v from state where k='last'").fetchone()
        added, terms = 0, self._segmenter.terms
        for found in crawled_pages(self._store, "", int(row[0]) if row else 0):
            values = (found.pid, " ".join(terms(found.page.title)), " ".join(terms(found.page.text)))
            self._index.execute("insert into text(rowid, title, body) values(?, ?, ?)", values)
            added += 1
        if added:
            state = [("last", str(found.pid)), ("page", f"{found.page.url} {found.fetched_at}")]
            self._index.executemany("insert or replace into state values(?, ?)", state)
        self._index.commit()
        return added
