"""Brings the search index up to the store: the pages that were stored, have changed, are gone, were read whole or were stored
again since then."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from focuscrawl.search.index import IndexedPage, IndexState, SearchIndex
from focuscrawl.store.engines.database import Database
from focuscrawl.store.pages.searchable import (
    SearchablePage,
    Stamp,
    basis,
    behind,
    changed_pages,
    identity,
    new_pages,
    searchable_pages,
    stamps_of,
    stored_again,
)
from focuscrawl.store.workers.runs import last_settled
from focuscrawl.url.hosts import host_name

BATCH = 200
COMMIT = 5_000
"""Pages between two commits, which is the most that a crash loses."""
PENDING = 10_000
"""Most pages without content whose content is looked for at once."""


def follow(index: SearchIndex, db: Database, most: int = 0, progress: Callable[[int], None] | None = None) -> int:
    """Bring the index, whose writing must have begun, up to the store. Every step can be repeated, so that neither a crash nor
    another order of the same steps changes the result.

    Args:
        most: About this many pages at most; 0: all.
        progress: Called after each commit with the number of pages done so far.

    Returns:
        The number of pages that were put or removed.
    """
    current, state = basis(db), index.state
    if state.last_page and (state.basis != current or identity(db, state.last_page) != state.identity):
        index.clear()
    state, done, settled = index.state, 0, last_settled(db)
    # First the pages that are indexed already. An empty index gets all pages as new ones below.
    changed, last_change = changed_pages(db, state.last_change) if state.last_page else ([], changed_pages(db, 0)[1])
    awaited, revisited = index.pending(PENDING), stored_again(db, state.last_run, state.last_page)
    again = [page_id for page_id in dict.fromkeys((*changed, *awaited, *revisited)) if page_id <= state.last_page]
    followed = replace(state, last_change=last_change, last_run=settled, basis=current)
    for start in range(0, len(again), BATCH):
        part = again[start : start + BATCH]
        done += _renew(index, db, part, stamps_of(db, part))
    # Then the new ones, from a little before the last one on, because a commit may become visible late.
    seen = set(again)
    last, committed = behind(db, state.last_page), 0
    while (not most or done < most) and (found := new_pages(db, last, BATCH)):
        last = found[-1].page_id
        fresh = [stamp for stamp in found if stamp.page_id not in seen]
        done += _renew(index, db, [stamp.page_id for stamp in fresh], fresh)
        if done - committed >= COMMIT:
            committed = done
            _commit(index, db, last, followed)
            if progress:
                progress(done)
    if done > committed or followed != state:
        _commit(index, db, last, followed)
    return done


def _commit(index: SearchIndex, db: Database, last: int, followed: IndexState) -> None:
    """Make what was put and removed visible, with how far the index has followed the store: to the page `last`, and otherwise
    as `followed` says."""
    last = max(last, index.state.last_page)
    index.commit(replace(followed, last_page=last, identity=identity(db, last)))


def _renew(index: SearchIndex, db: Database, page_ids: Sequence[int], there: Sequence[Stamp]) -> int:
    """Put those of the pages that differ from what is indexed, and remove those that are not `there`."""
    known = index.stamps(page_ids)
    outdated = [stamp.page_id for stamp in there if known.get(stamp.page_id) != str(stamp)]
    for page in searchable_pages(db, outdated):
        index.put(_indexed(page))
    removed = known.keys() - {stamp.page_id for stamp in there}
    for page_id in removed:
        index.remove(page_id)
    return len(outdated) + len(removed)


def _indexed(page: SearchablePage) -> IndexedPage:
    stamp = page.stamp
    return IndexedPage(
        page_id=stamp.page_id,
        stamp=str(stamp),
        host=host_name(page.url),
        language=page.language,
        title=page.title,
        text=page.text,
        at=published_at(page.published) or stamp.fetched_at,
        relevance=stamp.relevance,
        relevant=page.relevant,
        pending=stamp.pending,
    )


def published_at(date: str) -> float:
    """Epoch seconds of an ISO 8601 date, which may be a year, month or day only; 0 if there is no valid date."""
    for text in (date, f"{date}-01", f"{date}-01-01"):
        try:
            found = datetime.fromisoformat(text)
            return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()
        except (ValueError, OverflowError):
            continue
    return 0.0
