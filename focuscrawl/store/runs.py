"""One row for each start of a crawl process."""

from __future__ import annotations

from focuscrawl.store.database import Database


def begin(db: Database, arguments: str, now: float) -> int:
    row = db.execute("insert into run(started_at, arguments) values(?, ?) returning id", (now, arguments)).fetchone()
    return int(row[0])


def end(db: Database, run: int, reason: str, stats: str, now: float, why: str = "") -> None:
    """`reason`: a short name; `why`: a sentence with the figures, where there are any."""
    db.execute("update run set ended_at=?, reason=?, why=?, stats=? where id=?", (now, reason, why, stats, run))
