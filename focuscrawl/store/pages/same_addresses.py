"""Compares a host that may be a mirror with other hosts: do they have its addresses, and the same pages there?

The counts go to `focuscrawl.frontier.mirrors`, which decides. They are taken here because SQL stays in the store."""

from __future__ import annotations

from collections.abc import Sequence

from focuscrawl.frontier.mirrors import Compared
from focuscrawl.store.engines.database import THERE, Database
from focuscrawl.url.hosts import hid_of, uid_of
from focuscrawl.url.normalize import join, split

MOST = 100
"""The last pages of the origin that are looked up, each at some 10 µs for each other origin."""
PAGES = f"select url, coalesce(original, page_id) from page where hid=? and {THERE} order by page_id desc limit ?"
PAGE = f"select coalesce(original, page_id) from page where hid=? and uid=? and {THERE}"


def compare_addresses(db: Database, origin: str, others: Sequence[str]) -> Compared:
    """Look up the stored pages of one origin at the same addresses of others."""
    hids = [(other, hid_of(other)) for other in others]
    pages = known = read = same = 0
    for url, text in db.execute(PAGES, (hid_of(origin), MOST)).fetchall():
        path = split(url)[1]
        keys = [(hid, uid_of(join(other, path))) for other, hid in hids]  # not by `url_key`, whose cache is for links
        texts_there = {row[0] for key in keys if (row := db.execute(PAGE, key).fetchone())}
        pages += 1
        known += bool(db.dialect.known_urls(db, keys))
        read += bool(texts_there)
        same += text in texts_there
    return Compared(pages, known, read, same)
