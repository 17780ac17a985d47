"""The pages of one's own crawls as texts for a topic. Reads only; the crawl may be running."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from focuscrawl.errors import BadInput
from focuscrawl.store.crawls import all_crawls
from focuscrawl.store.database import Database
from focuscrawl.topics.texts import PageText
from focuscrawl.url.hosts import hid_of, uid_of
from focuscrawl.url.normalize import split

BATCH = 200
PAGE = (
    "select p.pid, p.url, p.title, p.language, b.text, p.fetched_at from page p join body b on b.pid=p.pid where p.status=200"
)
IS_OWN = "p.original is null and p.noindex=0 and p.gone<2"
"""Neither a copy of another page, nor does it want not to be indexed, nor is it gone."""
OWN = f"{PAGE} and {IS_OWN} and p.pid>? order by p.pid limit ?"
LAST = "select pid from page where status=200 order by pid desc limit 1 offset ?"


@dataclass(frozen=True, slots=True)
class CrawledPage:
    pid: int
    page: PageText
    fetched_at: float


def crawled_pages(db: Database, name: str, after: int = 0) -> Iterator[CrawledPage]:
    """The pages of crawl `name` behind this number, in the order of storing and in constant memory."""
    while rows := db.execute(OWN, (after, BATCH)).fetchall():
        after = rows[-1][0]
        for row in rows:
            yield _crawled(row, name)


def latest_pages(db: Database, name: str, most: int) -> list[CrawledPage]:
    """The last pages stored, at most so many."""
    row = db.execute(LAST, (most,)).fetchone()
    return list(crawled_pages(db, name, row[0] if row else 0))


def page_numbered(db: Database, name: str, pid: int) -> PageText | None:
    """The page of this number, None if it is not there, or gone by now."""
    row = db.execute(f"{PAGE} and p.gone<2 and p.pid=?", (pid,)).fetchone()
    return _crawled(row, name).page if row else None


def own_page(db: Database, name: str, pid: int) -> CrawledPage | None:
    """The page of this number, if it is one of `crawled_pages`."""
    row = db.execute(f"{PAGE} and {IS_OWN} and p.pid=?", (pid,)).fetchone()
    return _crawled(row, name) if row else None


def page_at(db: Database, name: str, url: str) -> PageText | None:
    """The page of this normal URL, None if the crawl has not stored it."""
    row = db.execute(f"{PAGE} and p.hid=? and p.uid=?", (hid_of(split(url)[0]), uid_of(url))).fetchone()
    return _crawled(row, name).page if row else None


def found_in_crawls(crawls_dir: Path, url: str) -> PageText | None:
    """The page of this URL in any crawl; a store that cannot be read is passed over."""
    for crawl in all_crawls(crawls_dir):
        try:
            db = crawl.open()
        except BadInput:
            continue
        try:
            page = page_at(db, crawl.name, url)
        finally:
            db.close()
        if page:
            return page
    return None


def _crawled(row: tuple[int, str, str, str, bytes, float], crawl: str) -> CrawledPage:
    pid, url, title, language, body, fetched_at = row
    text = zlib.decompress(body).decode("utf-8", "replace")
    return CrawledPage(pid, PageText(url, title, text, language, f"crawl {crawl}"), fetched_at)
