"""Stored pages for the search index: what it is made of, how it learns what has changed, and what is shown of a page found.

The index reads the store, which knows nothing of it, so that no commit waits. It looks behind the last page and the last change
that it knows, at pages whose content was still to be read, and at those that revisits have stored again since: where only
numbers have changed, the log of changes does not say so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from uuid import uuid4

from focuscrawl.items import Hash64
from focuscrawl.store.engines.database import IS_OWN, THERE, UNREAD, Database
from focuscrawl.store.engines.meta import set_meta
from focuscrawl.store.engines.records import decoder, unpacked_text
from focuscrawl.store.pages.page_texts import BEST_TEXT
from focuscrawl.store.pages.verdicts import JUDGED
from focuscrawl.store.workers.runs import first_revisiting, newest_run

REWRITTEN = "contents_rewritten"
"""Key in `meta`: another value each time that the contents of many pages are made again."""
IN_FLIGHT = 1000
"""On PostgreSQL numbers become visible out of order: this many below the last one known are looked at again. It would take as
many commits during one transaction to miss one."""
OWN = f"p.status=200 and {IS_OWN}"
STAMP = f"p.page_id, p.fetched_at, p.content_version, p.relevance, case when {UNREAD} then 1 else 0 end"
NEW = f"select {STAMP} from page p where {OWN} and p.page_id>? order by p.page_id limit ?"
AMONG = f"select {STAMP} from page p where {OWN} and p.page_id in ({{}})"
READ = f"""select {STAMP}, p.url, p.title, coalesce(nullif(c.language, ''), p.language),
    {BEST_TEXT}, coalesce(c.published, ''), p.relevant
    from page p join body b on b.page_id=p.page_id left join content c on c.page_id=p.page_id
    where {OWN} and p.page_id in ({{}}) order by p.page_id"""
CHANGED = "select id, page_id from change where id>? and kind<>'suspect' order by id"
AGAIN = """select p.page_id from page p where p.run>? and p.page_id<=?
    and exists (select 1 from revisit v where v.hid=p.hid and v.uid=p.uid and v.visits>0) order by p.page_id"""
IDENTITY = """select p.url, coalesce(nullif(v.first_at, 0), p.fetched_at) from page p
    left join revisit v on v.hid=p.hid and v.uid=p.uid where p.page_id=?"""
"""What stays the same of a page at all its revisits: its URL, and when it was fetched first."""
FOUND = f"""select p.page_id, p.url, p.title, coalesce(nullif(c.language, ''), p.language), p.relevance, p.relevant,
    coalesce(c.published, ''), p.fetched_at, p.simhash, (select count(*) from page d where d.original=p.page_id and d.{THERE})
    from page p left join content c on c.page_id=p.page_id where {OWN} and p.page_id in ({{}})"""
TEXTS = f"""select p.page_id, {BEST_TEXT} from page p
    join body b on b.page_id=p.page_id left join content c on c.page_id=p.page_id where p.page_id in ({{}})"""


@dataclass(frozen=True, slots=True)
class Stamp:
    """Tells states of a page apart: it changes whenever the text of the page is stored again."""

    page_id: int
    fetched_at: float
    content_version: int
    relevance: float
    pending: bool
    """Its content is still to be read."""

    def __str__(self) -> str:
        return f"{self.fetched_at!r} {self.content_version} {self.relevance!r}"


@dataclass(frozen=True, slots=True)
class SearchablePage:
    """What is indexed of a page."""

    stamp: Stamp
    url: str
    title: str
    language: str
    text: str
    published: str
    """ISO 8601; empty where the page does not say it."""
    relevant: bool


@dataclass(frozen=True, slots=True)
class FoundPage:
    """What is shown of a page."""

    page_id: int
    url: str
    title: str
    language: str
    relevance: float
    relevant: bool
    published: str
    fetched_at: float
    simhash: Hash64
    copies: int
    """Other pages of the crawl that repeat it."""


_found = decoder(FoundPage, [each.name for each in fields(FoundPage)])


def new_pages(db: Database, after: int, limit: int) -> list[Stamp]:
    """Pages behind this number that are neither copies, nor closed to indexing, nor gone."""
    return [_stamp(row) for row in db.execute(NEW, (after, limit))]


def stamps_of(db: Database, page_ids: Sequence[int]) -> list[Stamp]:
    """As `new_pages`, of the pages with these numbers: those that are neither copies, nor closed to indexing, nor gone."""
    return [_stamp(row) for row in db.execute(_among(AMONG, page_ids), page_ids)] if page_ids else []


def searchable_pages(db: Database, page_ids: Sequence[int]) -> list[SearchablePage]:
    """Those of these pages, with their texts."""
    if not page_ids:
        return []
    return [
        SearchablePage(_stamp(row), row[5], row[6], row[7], unpacked_text(row[8]), row[9], bool(row[10]))
        for row in db.execute(_among(READ, page_ids), page_ids)
    ]


def changed_pages(db: Database, after: int) -> tuple[list[int], int]:
    """Pages that have changed, gone or come back behind this number of the log of changes, and its last number."""
    (newest,) = db.execute("select coalesce(max(id), 0) from change").fetchone()
    rows = db.execute(CHANGED, (max(after - _overlap(db), 0),)).fetchall()
    return list(dict.fromkeys(page_id for _, page_id in rows)), int(newest)


def stored_again(db: Database, run: int, last: int) -> list[int]:
    """Pages up to the number `last` that were stored again by runs after this one. It reads the whole table (0.2 s for 100 000
    pages), unless there was no such run, or none ever revisits pages."""
    first = first_revisiting(db)
    return [page_id for (page_id,) in db.execute(AGAIN, (max(run, first - 1), last))] if first and newest_run(db) > run else []


def behind(db: Database, last: int) -> int:
    """The number behind which to look for new pages if `last` is the last one known."""
    return max(last - _overlap(db), 0)


def basis(db: Database) -> str:
    """What all pages depend on: the contents as last made, and the topics that pages were judged for later."""
    rows = db.execute(f"select key, value from meta where key='{REWRITTEN}' or key like '{JUDGED}%' order by key").fetchall()
    return ";".join(f"{key}={value}" for key, value in rows)


def note_rewritten(db: Database) -> None:
    """Note that the contents of many pages are made again, so that whoever keeps something of them starts over."""
    set_meta(db, REWRITTEN, uuid4().hex)


def identity(db: Database, page_id: int) -> str:
    """A text that stays the same as long as this number stands for the same page; empty if there is no such page."""
    row = db.execute(IDENTITY, (page_id,)).fetchone()
    return f"{row[0]} {row[1]!r}" if row else ""


def found_pages(db: Database, page_ids: Sequence[int]) -> dict[int, FoundPage]:
    """Those of these pages that are neither copies, nor closed to indexing, nor gone by now."""
    if not page_ids:
        return {}
    return {page.page_id: page for page in map(_found, db.execute(_among(FOUND, page_ids), page_ids))}


def main_texts(db: Database, page_ids: Sequence[int]) -> dict[int, str]:
    """The best texts that there are."""
    if not page_ids:
        return {}
    return {page_id: unpacked_text(text) for page_id, text in db.execute(_among(TEXTS, page_ids), page_ids)}


def _among(statement: str, page_ids: Sequence[int]) -> str:
    return statement.format(", ".join("?" * len(page_ids)))


def _stamp(row: Sequence[float]) -> Stamp:
    return Stamp(int(row[0]), row[1], int(row[2]), row[3], bool(row[4]))


def _overlap(db: Database) -> int:
    return 0 if db.dialect.in_order else IN_FLIGHT
