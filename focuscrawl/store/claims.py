"""What one worker does for all: the first that claims it, or the next when that one is gone."""

from __future__ import annotations

from focuscrawl.store.database import Database


def claim(db: Database, key: str, worker: int) -> bool:
    """Whether this worker may do what `key` names. Of several that ask at once one is told so."""
    insert = "insert into meta(k, v) values(?, ?) on conflict(k) do nothing"
    if db.execute(insert, (key, str(worker))).rowcount == 1:
        return True
    (holder,) = db.execute("select v from meta where k=?", (key,)).fetchone()
    if int(holder) == worker:
        return True
    if db.execute("select 1 from worker where id=? and state='live'", (int(holder),)).fetchone():
        return False
    return db.execute("update meta set v=? where k=? and v=?", (str(worker), key, holder)).rowcount == 1
