"""When an original is gone, or must not be indexed any more, one of its copies takes its place, so that the text stays in the
collection. So does a page that says all that the original says, and more, or that the original names as its own URL. When
an original is rewritten, its copies may not be copies any more."""

from __future__ import annotations

from collections.abc import Iterable

from focuscrawl.items import Outgrown
from focuscrawl.recrawl.validators import READ_EVERY
from focuscrawl.store.engines.database import THERE, Database
from focuscrawl.store.frontier.host_rows import HostChanges, HostCounts
from focuscrawl.store.pages.fingerprints import ORIGINAL, KeysOf, forget_keys, stored_fingerprint, text_locks
from focuscrawl.store.revisits.change_log import JOINED, LEFT, ChangeKind, ObservedChange, log_change

COPIES_DUE = f"""update revisit set unread=?, due_at=case when due_at<? then due_at else ? end
    where (hid, uid) in (select hid, uid from page where original=? and {THERE} order by noindex, relevant desc, page_id
    limit ?)"""
MOST_COPIES = 20
"""How many copies are due at once; the others are compared at their own visits."""
TEXT = "digest, simhash, features"
BEST_COPY = f"from page where original=? and {THERE} order by noindex, relevant desc, page_id limit 1"
OUTGROW = f"""update page set original=?, original_similarity=? where page_id=? and digest=? and {ORIGINAL}
    and relevant<=(select p.relevant from page p where p.page_id=?)
    and not exists (select 1 from verdict v where v.page_id=page.page_id and v.relevant=1 and not exists
        (select 1 from verdict w where w.page_id=? and w.topic=v.topic and w.relevant=1))
    returning hid, uid, url, relevant=1 and noindex=0, digest, simhash, features"""
OPEN_COPY = f"select 1 from page where original=? and {THERE} and noindex=0 limit 1"


def recheck_duplicates(db: Database, page_id: int, now: float) -> None:
    """Let the best copies of the original `page_id`, which has another text now, be due, and be read whatever their headers
    say."""
    db.execute(COPIES_DUE, (READ_EVERY, now, now, page_id, MOST_COPIES))


def has_open_copy(db: Database, page_id: int) -> bool:
    """Whether the page `page_id` has a copy that may be indexed."""
    return db.execute(OPEN_COPY, (page_id,)).fetchone() is not None


def lock_texts_of(db: Database, page_id: int, keys: KeysOf) -> None:
    """Lock the texts of the page `page_id` and of the copy that would take its place, before the page is noted as gone: texts
    are locked before pages (see the lock order in `store.engines.database`)."""
    locks = []
    for which in ("from page where page_id=?", BEST_COPY):
        if row := db.execute(f"select {TEXT} {which}", (page_id,)).fetchone():
            mark = stored_fingerprint(*row)
            locks += text_locks(mark, keys(mark))
    db.dialect.lock_texts(db, locks)


def promote_duplicate(db: Database, page_id: int, run: int, now: float, keys: KeysOf, hosts: HostChanges) -> tuple[int, bool]:
    """Make the best copy of the page `page_id` the original, and the other copies copies of it.

    Returns the number of the new original, 0 if there is no copy, and whether it has joined the collection. It is logged as a
    page that has changed.

    Called by a commit that finds `page_id` gone, moved, or not to be indexed: once that is noted, so that no further page
    becomes its copy, and before other URLs are written."""
    row = db.execute(f"select page_id, hid, uid, url, relevant, noindex, {TEXT} {BEST_COPY}", (page_id,)).fetchone()
    if row is None:
        return 0, False
    promoted, hid, uid, url, relevant, noindex, *text = row
    mark = stored_fingerprint(*text)
    bands = keys(mark)
    db.dialect.lock_texts(db, text_locks(mark, bands))  # nothing new, unless the copy came after `lock_texts_of`
    db.execute("update page set original=null, original_similarity=0 where page_id=?", (promoted,))
    db.execute("update page set original=? where original=?", (promoted, page_id))
    db.dialect.insert_bands(db, bands, promoted)
    hosts.count(hid, HostCounts(duplicates=-1))
    joined = JOINED if relevant and not noindex else ""  # logged even so: `scrapy search --all` finds it from now on
    log_change(db, now, run, (hid, uid, promoted, url), ObservedChange(ChangeKind.CHANGED, detail=joined))
    return int(promoted), bool(joined)


def outgrow(
    db: Database, page_id: int, outgrown: Iterable[Outgrown], run: int, now: float, keys: KeysOf, hosts: HostChanges
) -> int:
    """Make these originals, with their copies, copies of the page `page_id`, which says more on the same host, or which they
    name as their own URL. An original of a topic that the page does not have, or one rewritten since they were compared,
    stays what it is. Returns how many have left the collection.

    outgrown: see `Page.outgrown`."""
    gone_out = 0
    for other, digest, similarity, _ in sorted(set(outgrown)):
        row = db.execute(OUTGROW, (page_id, similarity, other, digest, page_id, page_id)).fetchone()
        if row is None:
            continue
        hid, uid, url, was_in, *text = row
        db.execute("update page set original=? where original=?", (page_id, other))
        forget_keys(db, other, keys(stored_fingerprint(*text)))
        hosts.count(hid, HostCounts(duplicates=1))
        left = LEFT if was_in else ""
        log_change(db, now, run, (hid, uid, other, url), ObservedChange(ChangeKind.CHANGED, detail=left))
        gone_out += bool(was_in)
    return gone_out
