"""With which anchor texts do other pages link to this one?

The table `inlink` says which stored pages link to a known URL. The anchors are found in the packed links of those pages
(`store.pages.links`), of which the rest is not parsed.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from json import JSONDecodeError, JSONDecoder

import orjson

from focuscrawl.items import Names
from focuscrawl.store.engines.database import Database

MOST_ANCHORS = 5
"""Most different anchors that are returned of a page."""
MOST_LINKING = 20
"""How many linking pages are read, those that were stored first."""
LINKING = """select i.page_id, h.origin || u.path from page p join inlink i on i.hid=p.hid and i.uid=p.uid
    join url u on u.hid=i.hid and u.uid=i.uid join host h on h.hid=i.hid
    where p.page_id=? order by i.page_id limit ?"""
_DECODER = JSONDecoder(strict=False)


class Anchors:
    """Reads anchors. Keeps the links of the last linking pages, because the next page is often linked from the same ones."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._links = lru_cache(maxsize=50)(self._unpacked_links)

    def of(self, page_id: int) -> Names:
        """The anchors of the links to a stored page, the most frequent first, without empty ones (of pictures)."""
        linking = self._db.execute(LINKING, (page_id, MOST_LINKING)).fetchall()
        found = Counter(anchor for page_id, url in linking for anchor in anchors_in(self._links(page_id), url))
        return tuple(anchor for anchor, _ in found.most_common(MOST_ANCHORS))

    def _unpacked_links(self, page_id: int) -> bytes:
        row = self._db.execute("select links from body where page_id=?", (page_id,)).fetchone()
        return zlib.decompress(row[0]) if row and row[0] else b""


def anchors_in(links: bytes, url: str) -> Iterable[str]:
    """The anchors of the links to `url` among links as `store.pages.links` writes them, unpacked; each once."""
    needle = b"[" + orjson.dumps(url) + b","
    found = dict[str, None]()
    start = links.find(needle)
    while start >= 0:
        start += len(needle)
        end = links.find(b'",', start) + 1  # a quotation mark within has a backslash before it, and `",` may follow that
        found |= dict.fromkeys([_string(links, start, end)])
        start = links.find(needle, end)
    return [anchor for anchor in found if anchor]


def _string(links: bytes, start: int, end: int) -> str:
    while end > 0:
        try:
            return str(_DECODER.decode(links[start:end].decode("utf-8", "replace")))
        except JSONDecodeError:
            end = links.find(b'",', end) + 1
    return ""
