"""Lets links of stored pages enter the frontier when an earlier run refused them and this one follows them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from focuscrawl.frontier.partition import Partition
from focuscrawl.items import Link
from focuscrawl.store.engines.database import Database
from focuscrawl.store.frontier.discover import DiscoveredUrl, discover
from focuscrawl.store.frontier.partitions import without_foreign
from focuscrawl.store.pages.links import set_links


class ReopenedPage(NamedTuple):
    """A stored page with links that were refused before and may be followed now."""

    page_id: int
    links: Sequence[Link]
    """All of its links."""
    discovered: Sequence[DiscoveredUrl]
    """Those that may be followed now."""


def queue_links(db: Database, pages: Sequence[ReopenedPage], only: Partition | None, now: float) -> int:
    """Let links of stored pages enter the frontier. `only`: as in a commit. Returns the number of URLs that are new."""
    for page in pages:
        set_links(db, page.page_id, page.links)
    found = [item for page in pages for item in page.discovered]
    new = discover(db, without_foreign(db, only, found) if only else found, now)
    for page in pages:
        keys = sorted(item.url_id for item in page.discovered)
        db.dialect.insert_inlinks(db, keys, page.page_id)
        db.executemany("delete from refused where hid=? and uid=?", keys)
    return new
