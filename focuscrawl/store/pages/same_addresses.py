"""Do other hosts have the addresses of this one, and the same pages there? Asked of a host that may be a mirror
(`focuscrawl.frontier.mirrors`)."""

from __future__ import annotations

from collections.abc import Sequence

from focuscrawl.frontier.mirrors import Compared
from focuscrawl.store.engines.database import Database
from focuscrawl.url.hosts import hid_of
from focuscrawl.url.key import url_key
from focuscrawl.url.normalize import join, split

MOST = 100
"""Pages that are looked up, the last ones: some 10 µs for each other origin."""
PAGES = "select url, coalesce(original, page_id) from page where hid=? and gone<2 order by page_id desc limit ?"
PAGE = "select coalesce(original, page_id) from page where hid=? and uid=? and gone<2"


def compare_addresses(db: Database, origin: str, others: Sequence[str]) -> Compared:
    """Look the stored pages of one origin up at the same addresses of others."""
    pages = known = read = same = 0
    for url, text in db.execute(PAGES, (hid_of(origin), MOST)).fetchall():
        keys = [url_key(join(other, split(url)[1])).url_id for other in others]
        there = {row[0] for key in keys if (row := db.execute(PAGE, key).fetchone())}
        pages += 1
        known += bool(db.dialect.known_urls(db, keys))
        read += bool(there)
        same += text in there
    return Compared(pages, known, read, same)
