"""The second tier of main text: pages that are kept get the best extractor's text after their commit.

The queue is the store itself (pages in UNREFINED), so that a crash loses nothing and the next run, or an export, goes on.
"""

from __future__ import annotations

import sqlite3
import zlib
from dataclasses import dataclass

from focuscrawl.store.schema import UNREFINED


@dataclass(slots=True, frozen=True)
class Unrefined:
    """A kept page with the fast text, and where its body lies."""

    pid: int
    url: str
    content_type: str
    language: str
    warc: str
    offset: int


def next_unrefined(db: sqlite3.Connection, count: int, after: int = 0) -> list[Unrefined]:
    """The oldest pages that still have the fast text, with pid > `after`."""
    rows = db.execute(
        f"""select pid, url, content_type, language, warc, warc_offset from page
        where {UNREFINED} and pid>? order by pid limit ?""",
        (after, count),
    )
    return [Unrefined(*row) for row in rows]


def refine(db: sqlite3.Connection, pid: int, text: str | None) -> None:
    """Keep the better text; None: there is none, and it is not tried again."""
    if text is not None:
        db.execute("update body set best=? where pid=?", (zlib.compress(text.encode("utf-8", "replace"), 1), pid))
    db.execute("update page set tier=1 where pid=?", (pid,))
