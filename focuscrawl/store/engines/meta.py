"""Single facts about a crawl, by name: the table `meta`."""

from __future__ import annotations

from focuscrawl.store.engines.database import Database

VERSION = 8
"""Of the tables, under the name `version`. A store of another version is refused: raise it with every change of a table,
but not for a new index, which a store is given when its crawl goes on."""
FORMER_INDEXES = ("host_q", "host_ready")
"""Of earlier programs of this version; dropped when a crawl goes on, because they cost time with every write. An index that is
to have other columns gets another name, and its former one stands here."""
COMMIT_MARKS = "commit/"
"""Begin the names under which processes on PostgreSQL keep the mark of their last commit."""


def read_meta(db: Database, key: str) -> str | None:
    """The value kept under `key`, or None."""
    row = db.execute("select value from meta where key=?", (key,)).fetchone()
    return row[0] if row else None


def change_meta(db: Database, key: str, value: str) -> str:
    """Keep `value` under `key`; returns what was there if it was another value, else an empty text."""
    before = read_meta(db, key)
    if before == value:
        return ""
    set_meta(db, key, value)
    return before or ""


def set_meta(db: Database, key: str, value: str) -> None:
    """Keep `value` under `key`, in place of what was there."""
    db.execute("insert into meta(key, value) values(?, ?) on conflict(key) do update set value=excluded.value", (key, value))
