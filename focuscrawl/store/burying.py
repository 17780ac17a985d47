"""The end of what is gone: some time after a page was confirmed gone, its texts leave the store.

The row in `page` stays as a tombstone, and that in `url`, so that links do not make it wait again.
"""

from __future__ import annotations

from focuscrawl.recrawl.state import DAY
from focuscrawl.store.database import Database, transaction
from focuscrawl.store.meta import set_meta

BATCH = 200
"""Pages of one transaction."""
BURIED = "buried"
"""Key in `meta`: number of the last row of `change` that was looked at. Rows come in the order of time, and what is gone once
more has another one."""
CONFIRMED = """select c.id, c.hid, c.uid, c.pid, p.gone, exists (
        select 1 from change d where d.hid=c.hid and d.uid=c.uid and d.id>c.id and d.kind in ('gone', 'moved'))
    from change c left join page p on p.pid=c.pid
    where c.id>? and c.kind in ('gone', 'moved') and c.at<=? order by c.id limit ?"""
FORGET_VISIT = "update visit set words=?, mark=0, length=-1 where hid=? and uid=?"
FORGET_PAGE = "update page set etag='', last_modified='', tier=1 where pid=?"
"""Should it come back, it has to be read: a 304 would leave it without a text. Tier 1: nobody makes a better text of it."""


def bury_texts(db: Database, now: float, grace_days: float, limit: int) -> int:
    """Remove text, links and versions of at most `limit` pages that were confirmed gone `grace_days` ago or earlier and are
    gone still. Returns of how many; 0: nothing is left to do. Makes its own transactions."""
    buried = 0
    while buried < limit:
        wanted = min(BATCH, limit - buried)
        with transaction(db):
            looked_at, count = bury_some(db, now - grace_days * DAY, wanted)
        buried += count
        if looked_at < wanted:
            break
    return buried


def bury_some(db: Database, gone_by: float, most: int) -> tuple[int, int]:
    """The same for the next `most` rows of `change`, in a transaction of the caller's. Returns how many rows were looked at,
    and how many pages buried."""
    row = db.execute("select v from meta where k=?", (BURIED,)).fetchone()
    rows = db.execute(CONFIRMED, (int(row[0]) if row else 0, gone_by, most)).fetchall()
    if not rows:
        return 0, 0
    pages = sorted((hid, uid, pid) for _, hid, uid, pid, gone, again in rows if gone is not None and gone >= 2 and not again)
    db.executemany(FORGET_VISIT, [(b"", hid, uid) for hid, uid, _ in pages])
    pids = sorted((pid,) for _, _, pid in pages)
    db.executemany(FORGET_PAGE, pids)
    db.executemany("delete from body where pid=?", pids)
    db.executemany("delete from version where pid=?", pids)
    set_meta(db, BURIED, str(rows[-1][0]))
    return len(rows), len(pages)
