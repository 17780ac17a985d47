"""Former texts of pages. Of one that a revisit replaces, the commit keeps the text, and what was added and removed. Of one that
was confirmed gone, the text is deleted some time later. Its row in `page` stays as a tombstone, and its row in `url` stays so
that links to it do not put it into the frontier again.

Texts are compared by plain words and single Chinese characters, because segmenters belong to the event loop and commits to the
writer's thread.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import orjson

from focuscrawl.items import Page, whole_text
from focuscrawl.recrawl.diff import DiffPiece, diff, word_change
from focuscrawl.recrawl.gone import Gone
from focuscrawl.recrawl.state import RevisitRecord
from focuscrawl.store.engines.database import Database
from focuscrawl.store.engines.meta import read_meta, set_meta
from focuscrawl.store.engines.records import unpacked_text
from focuscrawl.store.pages.links import decode

MOST_LINKS = 1000
"""Most URLs of added links that are kept for a version, and most of removed ones."""

STORED = "select p.title, p.fetched_at, b.text, b.links from page p join body b on b.page_id=p.page_id where p.page_id=?"
INSERT = """insert into version(page_id, number, read_at, replaced_at, title, text, distance, words_added, words_gone,
    links_added, links_gone) values(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""
VERSIONS = """select number, read_at, replaced_at, title, distance, words_added, words_gone, links_added, links_gone
    from version where page_id=? order by number"""
FROM_NUMBER = "select number, title, text from version where page_id=? and number>=? order by number limit 2"
ROWS_AT_ONCE = 200
"""Rows of the log in one transaction."""
PURGED = "purged"
"""Key in `meta`: number of the last row of `change` that was read. Rows are in the order of time; a page that is gone again has
another row."""
CONFIRMED = """select c.id, c.hid, c.uid, c.page_id, p.gone, exists (
        select 1 from change d where d.hid=c.hid and d.uid=c.uid and d.id>c.id and d.kind in ('gone', 'moved'))
    from change c left join page p on p.page_id=c.page_id
    where c.id>? and c.kind in ('gone', 'moved') and c.at<=? order by c.id limit ?"""
FORGET_SIGNATURE = "update revisit set signature_digest=?, signature_simhash=0, length=-1 where hid=? and uid=?"
FORGET_VALIDATORS = "update page set etag='', last_modified='', content_version=1 where page_id=?"
"""If the page comes back, it must be read: after a 304 it would have no text. Content version 1: it is not to be read whole."""


@dataclass(slots=True, frozen=True)
class Version:
    """A version that was replaced. What was added or gone is by the next version."""

    number: int
    """1 for the first version that was ever replaced."""
    read_at: float
    replaced_at: float
    title: str
    distance: int
    """Bits between the SimHashes, 0 to 64."""
    words_added: int
    words_gone: int
    links_added: tuple[str, ...]
    links_gone: tuple[str, ...]


@dataclass(slots=True, frozen=True)
class VersionDiff:
    """From version `number` to the next one, or to the text that is stored now."""

    number: int
    following: int
    """0: the text that is stored now."""
    old_title: str
    new_title: str
    pieces: tuple[DiffPiece, ...]


def keep_version(db: Database, page_id: int, visit: RevisitRecord, page: Page, most: int, now: float, distance: int) -> int:
    """Keep the stored version of the page `page_id`, which `page` is about to replace, in a transaction of the caller.

    `visit`: the record before this fetch. `most`: how many versions are kept, the latest. `distance`: bits between the two
    versions. Returns the number of the version; 0 if none is kept (`most` is 0, or nothing is stored)."""
    if most <= 0:
        db.execute("delete from version where page_id=?", (page_id,))
        return 0
    row = db.execute(STORED, (page_id,)).fetchone()
    if row is None:
        return 0
    title, fetched_at, text, links = row
    added, gone = word_change(whole_text(title, unpacked_text(text)), page.whole)
    before, after = {link.url for link in decode(links)}, {link.url for link in page.links}
    (number,) = db.execute("select coalesce(max(number), 0) + 1 from version where page_id=?", (page_id,)).fetchone()
    values = (
        page_id, number, visit.read_at or fetched_at, now, title, bytes(text), distance, added, gone,
        _urls_as_json(after - before), _urls_as_json(before - after),
    )  # fmt: skip
    db.execute(INSERT, values)
    db.execute("delete from version where page_id=? and number<=?", (page_id, number - most))
    return int(number)


def bytes_since(db: Database, page_id: int, first: int) -> int:
    """Compressed bytes of a page's text and of its versions from number `first` on: what comparing them has to read."""
    row = db.execute(
        """select (select coalesce(sum(length(text)), 0) from version where page_id=? and number>=?)
        + (select coalesce(sum(length(text)), 0) from body where page_id=?)""",
        (page_id, first, page_id),
    ).fetchone()
    return int(row[0])


def versions_of(db: Database, page_id: int) -> list[Version]:
    """The kept versions of a page, the oldest first."""
    return [
        Version(number, read_at, replaced_at, title, bits, more, less, tuple(orjson.loads(added)), tuple(orjson.loads(gone)))
        for number, read_at, replaced_at, title, bits, more, less, added, gone in db.execute(VERSIONS, (page_id,))
    ]


def diff_of(db: Database, page_id: int, number: int) -> VersionDiff | None:
    """What changed between version `number` and the next one, or the stored text; None when there is no such version."""
    rows = db.execute(FROM_NUMBER, (page_id, number)).fetchall()
    if not rows or rows[0][0] != number:
        return None
    _, old_title, old = rows[0]
    stored = db.execute(STORED, (page_id,)).fetchone()
    following, new_title, new = rows[1] if len(rows) > 1 else (0, stored[0], stored[2]) if stored else (0, "", b"")
    return VersionDiff(number, following, old_title, new_title, diff(unpacked_text(old), unpacked_text(new)))


def _urls_as_json(urls: Iterable[str]) -> str:
    return orjson.dumps([url.encode("utf-8", "replace").decode() for url in sorted(urls)[:MOST_LINKS]]).decode()


def purge_texts(db: Database, gone_by: float) -> tuple[int, int]:
    """Delete text, links and versions of pages that were confirmed gone and are still gone, in a transaction of the caller.

    Args:
        db: The crawl's store.
        gone_by: Pages confirmed gone at this time or earlier, in seconds since the epoch.

    Returns:
        (rows of the log of changes that were read, pages purged). The next call resumes behind these rows; fewer than
        ROWS_AT_ONCE mean that nothing is left to do.
    """
    rows = db.execute(CONFIRMED, (int(read_meta(db, PURGED) or 0), gone_by, ROWS_AT_ONCE)).fetchall()
    if not rows:
        return 0, 0
    pages = sorted(
        (hid, uid, page_id)
        for _, hid, uid, page_id, gone, again in rows
        if gone is not None and gone >= Gone.GONE and not again
    )
    db.executemany(FORGET_SIGNATURE, [(b"", hid, uid) for hid, uid, _ in pages])
    page_ids = sorted((page_id,) for _, _, page_id in pages)
    db.executemany(FORGET_VALIDATORS, page_ids)
    db.executemany("delete from body where page_id=?", page_ids)
    db.executemany("delete from content where page_id=?", page_ids)
    db.executemany("delete from version where page_id=?", page_ids)
    set_meta(db, PURGED, str(rows[-1][0]))
    return len(rows), len(pages)
