"""Marks in the crawl's store: what was exported until when, so that the next export can write what has changed since.

A mark has a label, so that one crawl can feed several destinations. It holds the time and two sets of page numbers, which take
one bit per page, compressed: the pages that the destination has by now, because only these can be changed or gone there,
whatever the filters are; and those not read whole yet, because the log of changes does not mention them again. If the filters
differ from those before, pages that have not changed may be new or gone there, too.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Iterator

from focuscrawl.store.engines.database import Database
from focuscrawl.store.engines.meta import read_meta, set_meta
from focuscrawl.store.pages.stored import oldest_unread
from focuscrawl.store.workers.status import RUNNING, roster, store_now

MARK, PAGES, WAITING, CHOSEN = "exported_until/", "exported_pages/", "exported_unread/", "exported_by/"
"""Keys in `meta` before the label: epoch seconds, the numbers of pages as bitmaps (zlib, base 85), and the filters."""
IN_FLIGHT = 60.0
"""Seconds before now at which an export of a running crawl ends, because a commit may become visible a little later than its
time and must not be missed. Later changes come with the next export."""
READ_WITHIN = 3600.0
"""Seconds for which an export waits for a page to be read whole, so that it does not export a first reading for good."""


class PageSet:
    """A set of page numbers, one bit for each."""

    def __init__(self, packed: str = "") -> None:
        self._bits = bytearray(zlib.decompress(base64.b85decode(packed)) if packed else b"")

    def __contains__(self, page_id: int) -> bool:
        place, bit = divmod(page_id, 8)
        return place < len(self._bits) and bool(self._bits[place] >> bit & 1)

    def __iter__(self) -> Iterator[int]:
        """The numbers in their order. They may be taken out meanwhile."""
        for place, bits in enumerate(self._bits):
            if bits:
                yield from (8 * place + bit for bit in range(8) if bits >> bit & 1)

    def set(self, page_id: int, there: bool) -> None:
        place, bit = divmod(page_id, 8)
        if place >= len(self._bits):
            self._bits.extend(bytes(place + 1 - len(self._bits)))
        self._bits[place] = self._bits[place] | 1 << bit if there else self._bits[place] & ~(1 << bit)

    def packed(self) -> str:
        """The set as text, from which the constructor makes it again."""
        return base64.b85encode(zlib.compress(self._bits)).decode()


def last_export(db: Database, label: str) -> tuple[float, PageSet] | None:
    """Until when the last export with this label has the changes, and which pages it has; None: there was none."""
    value = read_meta(db, MARK + label)
    return (float(value), PageSet(read_meta(db, PAGES + label) or "")) if value else None


def unread_then(db: Database, label: str) -> PageSet:
    """The pages that were not read whole yet when the last export with this label came to them."""
    return PageSet(read_meta(db, WAITING + label) or "")


def chosen_then(db: Database, label: str) -> str | None:
    """The filters of the last export with this label, as they were typed; None: there was none."""
    return read_meta(db, CHOSEN + label)


def set_last_export(db: Database, label: str, until: float, pages: PageSet, waiting: PageSet, chosen: str = "") -> None:
    """Note that all changes before `until` were written. `pages`: what the destination has; `waiting`: pages not read whole
    yet; `chosen`: the filters."""
    set_meta(db, MARK + label, repr(until))
    set_meta(db, PAGES + label, pages.packed())
    set_meta(db, WAITING + label, waiting.packed())
    set_meta(db, CHOSEN + label, chosen)


def settled_until(db: Database) -> float:
    """The time, in epoch seconds, before which all changes are in the store and their pages read whole."""
    now = store_now(db)
    if not any(worker.health in RUNNING for worker in roster(db, now)):
        return now
    waiting = oldest_unread(db)
    return now - IN_FLIGHT if waiting is None else min(max(waiting, now - READ_WITHIN), now - IN_FLIGHT)
