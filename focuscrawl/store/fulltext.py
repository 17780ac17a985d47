"""Full-text search over the pages of a crawl, in Chinese and English: SQLite's FTS5 over our segmenter's terms.

The index is a file of its own beside the store (`search.sqlite`), made when first asked for and carried on by the pages
stored or changed since; where none can be written it is made in memory. It can be deleted at any time. A page that has changed
is indexed once more, under a row number of its own, and pages that are gone are passed over when they are found.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from focuscrawl.store.crawls import Crawl
from focuscrawl.store.pages.page_texts import CrawledPage, crawled_pages, own_page
from focuscrawl.text.segment import Segmenter

INDEX = "search.sqlite"
VERSION = "2"
TITLE_WEIGHT = 4.0
"""A word of the title against the same word in the text."""
SCHEMA = """
create table state(k text primary key, v text) without rowid;
create table latest(page_id integer primary key, row integer);
create virtual table text using fts5(title, body, content='', tokenize="unicode61 remove_diacritics 0 tokenchars '+#'");
"""
PAGES = 1 << 31
"""Row number of a page's n-th text: n times this, and its own number."""
FIND = f"""select text.rowid % {PAGES}, -bm25(text, ?, 1.0) from text left join latest l on l.page_id=text.rowid % {PAGES}
    where text match ? and (l.row is null or l.row=text.rowid) order by bm25(text, ?, 1.0), text.rowid limit ?"""
"""Contentless rows cannot be taken back: those of former texts stay, and `latest` says which one counts."""
CHANGED = "select distinct page_id from change where id>? and kind in ('changed', 'back') and page_id<=? order by page_id"
IDENTITY = """select p.url, coalesce(nullif(v.first_at, 0), p.fetched_at) from page p
    left join revisit v on v.hid=p.hid and v.uid=p.uid where p.page_id=?"""
"""What no visit changes."""


@dataclass(frozen=True, slots=True)
class Hit:
    page_id: int
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
        rows = self._index.execute(FIND, (TITLE_WEIGHT, wanted, TITLE_WEIGHT, -1))
        return list(islice((Hit(page_id, score) for page_id, score in rows if self._is_there(page_id)), limit))

    def _is_there(self, page_id: int) -> bool:
        row = self._store.execute("select gone from page where page_id=?", (page_id,)).fetchone()
        return row is not None and row[0] < 2

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
        return "last" not in known or self._identity(int(known["last"])) == known["page"]

    def _identity(self, page_id: int) -> str:
        row = self._store.execute(IDENTITY, (page_id,)).fetchone()
        return f"{row[0]} {row[1]}" if row else ""

    def _catch_up(self) -> int:
        """Index what was stored or changed since, in one transaction. Returns the number of texts."""
        known = {k: int(v) for k, v in self._index.execute("select k, v from state where k in ('last', 'changed')")}
        (newest,) = self._store.execute("select coalesce(max(id), 0) from change").fetchone()
        added = self._catch_up_changes(known["changed"], known.get("last", 0)) if "changed" in known else 0
        last = known.get("last", 0)
        for found in crawled_pages(self._store, "", last):
            self._add(found.page_id, found)
            last = found.page_id
            added += 1
        state = [("changed", str(newest)), *([("last", str(last)), ("page", self._identity(last))] if last else [])]
        self._index.executemany("insert or replace into state values(?, ?)", state)
        self._index.commit()
        return added

    def _catch_up_changes(self, after: int, last: int) -> int:
        added = 0
        for (page_id,) in self._store.execute(CHANGED, (after, last)).fetchall():
            page = own_page(self._store, "", page_id)
            known = self._index.execute("select row from latest where page_id=?", (page_id,)).fetchone()
            row = (known[0] // PAGES + 1 if known else 1) * PAGES + page_id
            self._index.execute("insert or replace into latest values(?, ?)", (page_id, row))
            if page:
                self._add(row, page)
                added += 1
        return added

    def _add(self, row: int, found: CrawledPage) -> None:
        values = (row, " ".join(self._segmenter.terms(found.page.title)), " ".join(self._segmenter.terms(found.page.text)))
        self._index.execute("insert into text(rowid, title, body) values(?, ?, ?)", values)
