"""The second tier of main text: pages that are kept get the best extractor's text after their commit.

The queue is the store itself (pages in UNREFINED), so that a crash loses nothing and the next run, or an export, goes on.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from pathlib import Path

from focuscrawl.store.database import Database
from focuscrawl.store.schema import UNREFINED
from focuscrawl.store.warc import read_record


@dataclass(slots=True, frozen=True)
class Unrefined:
    """A kept page that has only the fast text, and where its body lies."""

    pid: int
    url: str
    content_type: str
    language: str
    warc: str
    offset: int

    def body(self, directory: Path) -> bytes | None:
        """The stored body; None when the WARC file is not there or cannot be read."""
        try:
            return read_record(directory / "warc" / self.warc, self.offset).body
        except (OSError, ValueError):
            return None


def unrefined(db: Database, count: int, where: str) -> list[Unrefined]:
    """The oldest pages whose best text was not tried yet, of workers with their files at `where` (see `workers.place`)."""
    rows = db.execute(
        f"""select pid, url, content_type, language, warc, warc_offset from page
        where {UNREFINED} and worker in (select id from worker where place=?) order by pid limit ?""",
        (where, count),
    )
    return [Unrefined(*row) for row in rows]


def refine(db: Database, pid: int, text: str) -> None:
    """Keep the best text; an empty one means that there is none. It is not tried again."""
    if text:
        db.execute("update body set best=? where pid=?", (zlib.compress(text.encode("utf-8", "replace"), 1), pid))
    db.execute("update page set tier=1 where pid=?", (pid,))
