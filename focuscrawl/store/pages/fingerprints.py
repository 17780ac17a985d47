"""Fingerprints of stored pages: what a commit locks by them, which page may be the original of others, and under which keys of
the duplicate index a page stands. It knows no method of making them, which needs NumPy (`store.pages.duplicates`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from focuscrawl.items import Duplicate, Fingerprint, Page
from focuscrawl.store.engines.database import THERE, Database
from focuscrawl.store.engines.records import features_from_bytes, unsigned

KeysOf = Callable[[Fingerprint], Sequence[int]]
"""Band keys of a fingerprint, as `DuplicateFinder.keys`."""
Find = Callable[[Database, Page], Duplicate | None]
"""Looks for the original of a page."""
ORIGINAL = f"original is null and {THERE}"
"""Condition for a page that can be the original of others."""


def text_locks(fingerprint: Fingerprint, keys: Sequence[int]) -> list[int]:
    """What `Dialect.lock_texts` is to lock, so that nobody else makes a page with a text like this one an original before the
    transaction ends. `keys`: its band keys."""
    digest = fingerprint.digest
    return [*keys, int.from_bytes(digest[:8], "big", signed=True)] if digest else []


def stored_fingerprint(digest: bytes, simhash: int, features: bytes) -> Fingerprint:
    """The fingerprint in the columns of a page that have these names."""
    return Fingerprint(bytes(digest), unsigned(simhash), features_from_bytes(features))


def keep_original(db: Database, page_id: int, noindex: bool) -> bool:
    """Whether the page can still be the original of another one. If so, it can until the end of the transaction: who finds it
    gone waits, and then sees the copies that this transaction has stored. `noindex`: whether the other one must not be indexed;
    if it may be, an original that must not be would hide it."""
    statement = f"select 1 from page where page_id=? and {ORIGINAL} and noindex<=?{db.dialect.for_share}"
    return db.execute(statement, (page_id, int(noindex))).fetchone() is not None


def settle_original(db: Database, page: Page, keys: Sequence[int], find: Find) -> None:
    """Make sure which page this one repeats (`page.duplicate`) until the end of the transaction, by what was stored since it
    was found: its original may have gone, and another page with its text may have come. `keys`: the band keys of its text.

    The lock on the keys lets another worker that stores the same text wait until this page is visible. Otherwise both would be
    originals."""
    if page.duplicate is None or not keep_original(db, page.duplicate.original, page.noindex):
        db.dialect.lock_texts(db, text_locks(page.fingerprint, keys))
        page.duplicate = find(db, page)
        while page.duplicate is not None and not keep_original(db, page.duplicate.original, page.noindex):
            page.duplicate = find(db, page)  # another worker has just found that it is gone


def forget_text(db: Database, page_id: int, keys_of: KeysOf, new: Fingerprint) -> None:
    """Remove a page whose text is about to be replaced from the duplicate index, unless its fingerprint stays the same."""
    row = db.execute("select digest, simhash, features from page where page_id=?", (page_id,)).fetchone()
    if row is not None and bytes(row[0]) != new.digest:
        forget_keys(db, page_id, keys_of(stored_fingerprint(*row)))


def forget_keys(db: Database, page_id: int, keys: Sequence[int]) -> None:
    """Remove a page that has these keys from the duplicate index."""
    db.executemany("delete from band where key=? and page_id=?", [(key, page_id) for key in sorted(keys)])
