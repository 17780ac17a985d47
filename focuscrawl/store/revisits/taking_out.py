"""An operator takes what is already stored of a host out of the collection, beside the crawl or without one.

A page that is taken out is treated as one that is gone: it is in no search, export or count, the log of changes has a row for
it, and its text is purged after the time of grace. Its URL is removed like one that waits (`store.frontier.operator_changes`),
so that neither links nor recrawls bring it back. `add` takes it back, and a visit that finds it then makes it a page again.
Sitemaps and feeds, which would announce its pages as new, are removed with it.

All of it can be repeated: the next call finishes what was interrupted. Locks are taken in the order of
`store.engines.database`: those of URLs and then of their revisits, as when a recrawl wakes them; those of pages one page after
the other, as when commits find them gone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from focuscrawl.frontier.states import REMOVED, Event, State, advance
from focuscrawl.recrawl.gone import RAREST, TAKEN_OUT, Gone
from focuscrawl.store.engines.database import THERE, VISITED, Database
from focuscrawl.store.frontier.host_rows import HostChanges
from focuscrawl.store.frontier.operator_changes import BATCH, UrlPrefix, change
from focuscrawl.store.pages.fingerprints import KeysOf
from focuscrawl.store.pages.links import forget_inlinks
from focuscrawl.store.revisits.change_log import NO_RUN, ChangeKind, ObservedChange, log_change
from focuscrawl.store.revisits.duplicate_promotion import lock_texts_of, promote_duplicate
from focuscrawl.store.revisits.revisit_rows import RESTS
from focuscrawl.store.workers.clock import Clock
from focuscrawl.url.key import LEAST_NUMBER, UrlId, url_key

KEPT = f"""(exists (select 1 from page p where p.hid=url.hid and p.uid=url.uid)
    or {VISITED})"""
OF_PART = f"""select hid, uid, state, error from url where hid=? and substr(path, 1, cast(? as integer))=? and uid>? and {KEPT}
    order by uid limit ?"""
OF_URL = f"select hid, uid, state, error from url where hid=? and uid=? and {KEPT}"
REMOVE = f"""update url set state={advance(State.DONE, Event.REMOVED):d}, error='{REMOVED}', due_at=0
    where hid=? and uid=? and not (state={State.FILTERED:d} and error='{REMOVED}')"""
END_VISITS = "update revisit set value=0, due_at=? where hid=? and uid=?"
KEEP_REST = "update revisit set rest=? where hid=? and uid=?"
COPY = f"select hid, uid, page_id, url from page where hid=? and uid=? and {THERE} and original is not null"
ANY = f"""select hid, uid, page_id, url from page p where hid=? and uid=?
    and ({THERE} or exists (select 1 from page c where c.original=p.page_id and c.{THERE}))"""
"""Also a page that is gone but still has a copy, which a worker stored just before the page was taken out."""
TAKE_OUT = f"update page set gone={Gone.REMOVED:d} where page_id=? and {THERE}"
NOTE_VISIT = "update revisit set gone=?, gone_at=?, value=0, due_at=? where hid=? and uid=?"
COUNT = f"""select count(*) from page p join url u on u.hid=p.hid and u.uid=p.uid
    where p.hid=? and substr(u.path, 1, cast(? as integer))=? and p.{THERE}"""


@dataclass(slots=True)
class TakenOut:
    """How much was taken out."""

    urls: int = 0
    """URLs that had been fetched and are removed now, those of sitemaps and feeds too."""
    pages: int = 0
    """Stored pages that were not gone yet, irrelevant ones and copies too."""
    promoted: int = 0
    """Copies elsewhere that took the place of an original."""


_Page = tuple[int, int, int, str]
"""hid, uid, page_id, URL."""


class _Known(NamedTuple):
    hid: int
    uid: int
    state: int
    error: str

    @property
    def url_id(self) -> UrlId:
        return self.hid, self.uid


def take_out_parts(db: Database, parts: Sequence[UrlPrefix], clock: Clock, keys: KeysOf) -> TakenOut:
    """Take out the pages in parts of hosts. What waits there is to be removed before (`operator_changes.remove_parts`).

    `clock` is read in each of the transactions: an export of changes that is made meanwhile goes on from its own time. `keys`
    finds the duplicates of an original that is taken out: one of them takes its place."""
    return _take_out(db, lambda: _in_parts(db, parts), clock, keys)


def take_out_urls(db: Database, urls: Sequence[str], clock: Clock, keys: KeysOf) -> TakenOut:
    """Take out the pages of single normal URLs. URLs without a page are passed over."""
    ids = sorted({url_key(url).url_id for url in urls})
    return _take_out(db, lambda: _among(db, ids), clock, keys)


def count_pages(db: Database, parts: Sequence[UrlPrefix]) -> int:
    """Pages that `take_out_parts` would take out."""
    return sum(db.execute(COUNT, (part.hid, len(part.path), part.path)).fetchone()[0] for part in parts)


def _take_out(db: Database, batches: Callable[[], Iterator[list[_Known]]], clock: Clock, keys: KeysOf) -> TakenOut:
    # Copies leave before the rest, so that only pages that stay take an original's place.
    done = TakenOut()
    for found in batches():
        done.urls += change(db, _remove, found=found, now=clock())
        _take_out_pages(db, COPY, found, clock, keys, done)
    for found in batches():
        _take_out_pages(db, ANY, found, clock, keys, done)
    return done


def _in_parts(db: Database, parts: Sequence[UrlPrefix]) -> Iterator[list[_Known]]:
    for part in sorted(parts, key=lambda part: part.hid):
        last = LEAST_NUMBER
        while rows := db.execute(OF_PART, (part.hid, len(part.path), part.path, last, BATCH)).fetchall():
            yield [_Known(*row) for row in rows]
            last = rows[-1][1]


def _among(db: Database, ids: Sequence[UrlId]) -> Iterator[list[_Known]]:
    for start in range(0, len(ids), BATCH):
        yield [_Known(*row) for key in ids[start : start + BATCH] for row in db.execute(OF_URL, key)]


def _remove(db: Database, found: Sequence[_Known], now: float) -> int:
    """Remove URLs, so that neither links nor recrawls lead there any more; returns how many. What a recrawl is fetching of them
    just now is not kept."""
    removed = [each for each in found if db.execute(REMOVE, each.url_id).rowcount]
    db.executemany(END_VISITS, [(now + RAREST, *each.url_id) for each in removed])
    db.executemany(KEEP_REST, [(each.state, *each.url_id) for each in removed if each.state in RESTS])
    hosts = HostChanges()
    hosts.look_again(each.hid for each in removed)
    hosts.write(db, now)
    return len(removed)


def _take_out_pages(db: Database, statement: str, found: Sequence[_Known], clock: Clock, keys: KeysOf, done: TakenOut) -> None:
    """Take out the pages that `statement` selects of these URLs, and let copies take their places."""
    pages = [row for each in found for row in db.execute(statement, each.url_id)]
    for start in range(0, len(pages), db.dialect.group):
        group = pages[start : start + db.dialect.group]
        taken, promoted = change(db, _take_out_group, pages=group, clock=clock, keys=keys)
        done.pages += taken
        done.promoted += promoted


def _take_out_group(db: Database, pages: Sequence[_Page], clock: Clock, keys: KeysOf) -> tuple[int, int]:
    """Take out these pages; returns how many were not gone before, and how many copies have taken the place of one."""
    hosts, now, taken, promoted = HostChanges(), clock(), 0, 0
    for page in pages:
        lock_texts_of(db, page[2], keys)
        taken += _take_out_page(db, page, now)
        promoted += promote_duplicate(db, page[2], NO_RUN, now, keys, hosts)[0] > 0
    hosts.write(db, now)
    return taken, promoted


def _take_out_page(db: Database, page: _Page, now: float) -> bool:
    """Take out one page; returns whether it was not gone before."""
    hid, uid, page_id, _ = page
    if not db.execute(TAKE_OUT, (page_id,)).rowcount:
        return False
    forget_inlinks(db, page_id)
    db.execute(NOTE_VISIT, (TAKEN_OUT, now, now + RAREST, hid, uid))
    log_change(db, now, NO_RUN, page, ObservedChange(ChangeKind.GONE, detail=REMOVED))
    return True
