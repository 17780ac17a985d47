"""When an original is gone, one of its copies takes its place: its text must not leave the collection with it. When it is
rewritten, its copies may be copies no more."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from focuscrawl.dedup.features import from_bytes
from focuscrawl.items import Fingerprint
from focuscrawl.recrawl.validators import READ_EVERY
from focuscrawl.store.change_log import Happened, Kind, record
from focuscrawl.store.database import Database
from focuscrawl.store.duplicates import unsigned
from focuscrawl.store.host_changes import HostChanges
from focuscrawl.store.net_change import JOINED

COPIES_DUE = """update visit set unread=?, due_at=case when due_at<? then due_at else ? end
    where (hid, uid) in (select hid, uid from page where original=? and gone<2 order by noindex, relevant desc, pid limit ?)"""
MOST_COPIES = 20
"""That are looked at at once; the others follow at visits of their own."""
HEIR = """select pid, hid, uid, url, digest, simhash, features, relevant, noindex from page where original=? and gone<2
    order by noindex, relevant desc, pid limit 1"""


def look_at_copies(db: Database, pid: int, now: float) -> None:
    """The original `pid` says something else now: the best of its copies are due, and are to be read whatever headers say."""
    db.execute(COPIES_DUE, (READ_EVERY, now, now, pid, MOST_COPIES))


def hand_over(
    db: Database, pid: int, run: int, now: float, keys: Callable[[Fingerprint], Sequence[int]], hosts: HostChanges
) -> int:
    """Make the best copy of the page `pid` an original and the others copies of that one; its number, 0 where there is none.

    For the commit that confirms that `pid` is gone, or has moved: after its visit was written and before other URLs are, see
    the lock order in `store.dialect`. `keys`: of a fingerprint, as `DuplicateFinder.keys`. The heir is logged as one that has
    joined the collection."""
    row = db.execute(HEIR, (pid,)).fetchone()
    if row is None:
        return 0
    heir, hid, uid, url, digest, simhash, features, relevant, noindex = row
    bands = list(keys(Fingerprint(bytes(digest), unsigned(simhash), from_bytes(features))))
    db.dialect.lock_texts(db, [*bands, int.from_bytes(digest[:8], "big", signed=True)])
    db.execute("update page set original=null, similarity=0 where pid=?", (heir,))
    db.execute("update page set original=? where original=?", (heir, pid))
    db.dialect.insert_bands(db, bands, heir)
    hosts.count(hid, (0, 0, -1, 0, 0))
    if relevant and not noindex:
        record(db, now, run, (hid, uid, heir, url), Happened(Kind.CHANGED, detail=JOINED))
    return int(heir)
