"""Stores of earlier versions are brought up to date when a crawl opens them: nothing is fetched again for a new column."""

from __future__ import annotations

import sqlite3

from sqlalchemy.dialects import sqlite
from sqlalchemy.schema import CreateTable

from focuscrawl.store.schema import fetch, verdict

FILL_FETCH = """insert into fetch(worker, hid, uid, pid, at, status, score, depth, distance, tries, hops, kind, parent)
    select p.worker, p.hid, p.uid, p.pid, p.fetched_at, p.status, p.score, p.depth, p.distance, u.tries, u.hops, u.kind,
        p.parent from page p join url u on u.hid=p.hid and u.uid=p.uid order by p.pid"""

OLDER = frozenset({"1"})
"""Versions that can be brought up to date."""


def upgrade(db: sqlite3.Connection, version: str) -> str:
    """Bring a store of one of OLDER up to date. Returns its version then."""
    db.execute("begin immediate")
    try:
        if db.execute("select v from meta where k='version'").fetchone()[0] == "1":  # else another process was faster
            _add_fetches(db)
            db.execute("update meta set v='2' where k='version'")
        db.execute("commit")
    except BaseException:
        db.execute("rollback")
        raise
    return "2"


def _add_fetches(db: sqlite3.Connection) -> None:
    """Version 2: why a run stopped, reasons of changed scores, cosines (which all scores were), verdicts by topic, and the log
    of fetches (nothing is known any more of those that stored nothing)."""
    db.execute("alter table run add column why TEXT not null default ''")
    db.execute("alter table url add column reason TEXT not null default ''")
    db.execute("alter table page add column cosine FLOAT not null default 0")
    db.execute("update page set cosine=relevance")
    for table in (fetch, verdict):
        db.execute(str(CreateTable(table).compile(dialect=sqlite.dialect())))
    db.execute(FILL_FETCH)
