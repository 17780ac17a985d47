"""Some time after a page was confirmed gone, its texts are deleted from the store.

Its row in `page` stays as a tombstone, and its row in `url` stays so that links to it do not put it into the frontier again.
"""

from __future__ import annotations

from focuscrawl.recrawl.gone import Gone
from focuscrawl.store.engines.database import Database
from focuscrawl.store.engines.meta import read_meta, set_meta

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


def purge_texts(db: Database, gone_by: float, most: int = ROWS_AT_ONCE) -> tuple[int, int]:
    """Delete text, links and versions of pages that were confirmed gone and are still gone, in a transaction of the caller.

    Args:
        db: The crawl's store.
        gone_by: Pages confirmed gone at this time or earlier, in seconds since the epoch.
        most: Most rows of the log of changes to read. The next call resumes behind them.

    Returns:
        (rows read, pages purged). Fewer rows than `most` mean that nothing is left to do.
    """
    rows = db.execute(CONFIRMED, (int(read_meta(db, PURGED) or 0), gone_by, most)).fetchall()
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
