"""A store in which something has happened: two runs, and a page of each fate."""

from __future__ import annotations

import json
import zlib
from pathlib import Path

from focuscrawl.store.engines.database import Database
from focuscrawl.store.engines.records import signed
from focuscrawl.url.hosts import uid_of
from tests.report.sample import NOW, add_host, add_page, empty_crawl, hid, insert

DAY = 86_400.0
HOST = "http://news.example.com"
ADDED, EDITED, LOST, MISSED, MOVED = (f"{HOST}/{name}" for name in ("new", "edited", "lost", "missed", "moved"))
HOME = "http://blog.example.org/home?a=1&b=<2>"
HOSTILE = "<script>alert(1)</script> \x1b[31mred\u202e & ]]> 中文"
OLD = "The crawler reads ten pages a second.\n\nIts store is a file on one machine, and that is enough for most."
NEW = "The crawler reads forty pages a second.\n\nIts store is a file on one machine, and that is enough for most. 新的段落。"
SINCE = NOW + 10 * DAY
"""When the second run began."""


def news_crawl(directory: Path, url: str = "") -> None:
    """Five pages of the collection, and one that is off topic."""
    db = empty_crawl(directory, url)
    insert(db, "run", id=1, started_at=NOW, ended_at=NOW + 60, reason="empty")
    insert(db, "run", id=2, started_at=SINCE, ended_at=SINCE + 90, reason="fresh")
    add_host(db, HOST, 5, 5)
    add_host(db, "http://blog.example.org", 1, 0)
    for page_id, (address, title) in enumerate(
        ((EDITED, HOSTILE), (LOST, "Lost"), (MISSED, "Missed"), (MOVED, "Moved"), (HOME, "Off topic")), 1
    ):
        page(db, page_id, address, title, relevant=int(address != HOME))
        if address != HOME:
            happened(db, page_id, address, "new", NOW + page_id, run=1)
    page(db, 6, ADDED, "Fresh", at=SINCE + 1)
    happened(db, 6, ADDED, "new", SINCE + 1)
    old_version(db, 1, 1, SINCE + 2)
    db.execute("update body set text=? where page_id=1", (zlib.compress(NEW.encode()),))
    happened(db, 1, EDITED, "changed", SINCE + 2, distance=9, version=1)
    happened(db, 5, HOME, "changed", SINCE + 3, distance=4)
    happened(db, 2, LOST, "suspect", SINCE - 4 * DAY, detail="404", run=1)
    happened(db, 2, LOST, "gone", SINCE + 4, detail="404")
    happened(db, 3, MISSED, "suspect", SINCE + 5, detail="404")
    happened(db, 4, MOVED, "moved", SINCE + 6, detail=HOME)
    for page_id, state in ((2, 2), (3, 1), (4, 3)):
        db.execute("update page set gone=? where page_id=?", (state, page_id))
    db.close()


def page(db: Database, page_id: int, url: str, title: str, relevant: int = 1, at: float = NOW, text: str = OLD) -> None:
    """With its visits: a page that changes once in ten days, seen three times."""
    add_page(db, page_id, url, title, 0.6 if relevant else 0.05, relevant, 0, None, "en", at=at, text=text)
    insert(
        db, "revisit", hid=hid(url), uid=uid_of(url), due_at=SINCE + DAY, first_at=at, checked_at=SINCE, read_at=at, visits=3,
        changes=1, shape=1.0, exposure=10.0, signature_digest=b"w" * 16, signature_simhash=signed(1 << 63), length=100,
    )  # fmt: skip


def happened(
    db: Database,
    page_id: int,
    url: str,
    kind: str,
    at: float,
    *,
    distance: int = 0,
    version: int = 0,
    detail: str = "",
    run: int = 2,
) -> None:
    insert(
        db, "change", at=at, run=run, kind=kind, hid=hid(url), uid=uid_of(url), page_id=page_id, url=url, distance=distance,
        version=version, detail=detail,
    )  # fmt: skip


def old_version(
    db: Database, page_id: int, number: int, at: float, added: tuple[str, ...] = (ADDED,), gone: tuple[str, ...] = (LOST,)
) -> None:
    insert(
        db, "version", page_id=page_id, number=number, read_at=NOW, replaced_at=at, title="Its old title", distance=9,
        words_added=5,
        words_gone=1, text=zlib.compress(OLD.encode()), links_added=json.dumps(added), links_gone=json.dumps(gone),
    )  # fmt: skip
