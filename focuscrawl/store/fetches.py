"""The log of ended fetches: what an order strategy has seen, so that it can be shown all of it once more.

A page read back has its verdict, kind, title, language, lease and links with what refused them; neither text nor words.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass, field
from typing import Any

from focuscrawl.items import Duplicate, Lease, Page, Verdict
from focuscrawl.store.links import decode
from focuscrawl.store.overview import term_pairs
from focuscrawl.store.topics import topics_of, verdicts_of
from focuscrawl.url.normalize import join

NOTE = """insert into fetch(worker, hid, uid, pid, at, status, error, redirect, score, depth, distance, tries, hops, kind,
        parent) select ?, hid, uid, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, kind, parent from url where hid=? and uid=?"""
ENDED = """select f.id, f.hid, f.uid, f.at, f.status, f.error, f.redirect, f.score, f.depth, f.distance, f.tries, f.hops,
        f.kind, h.origin, u.tail, q.url, f.pid, p.url, p.title, p.language, p.kind, p.noindex, p.relevance, p.relevant,
        p.threshold, p.terms, p.cosine, p.original, p.similarity, o.url, o.digest=p.digest, b.links
    from fetch f join url u on u.hid=f.hid and u.uid=f.uid join host h on h.hid=f.hid left join page q on q.pid=f.parent
    left join page p on p.pid=f.pid left join body b on b.pid=f.pid left join page o on o.pid=p.original
    where f.id>? and f.worker<>? order by f.id limit ?"""
FROM = "select id from fetch where worker<>? order by id desc limit 1 offset ?"
PID = 16
"""Place of the page's number in a row of ENDED."""
EXAMPLE = 2
"""Kind of a URL that is an example page."""


@dataclass(slots=True, frozen=True)
class Ended:
    """One row of the log, not yet unpacked."""

    id: int
    row: tuple[Any, ...]
    verdicts: dict[str, Verdict] = field(default_factory=dict)
    """By topic."""

    def page(self) -> Page:
        """The fetch as the pipelines had it (see the module's first lines); 0.3 ms for a page of 100 links."""
        (
            hid, uid, at, status, error, redirect, score, depth, distance, tries, hops, kind, origin, tail, parent, pid,
            *stored,
        ) = self.row  # fmt: skip
        url = join(origin, tail)
        lease = Lease(
            hid, uid, url, score, depth, distance, tries, 0, hops, parent or "", kind == EXAMPLE
        )  # fmt: skip
        page = Page(lease, url, status, at, error=error, redirect=redirect)
        if pid and stored[0] is not None:
            _fill(page, *stored)
            page.verdicts = self.verdicts
        return page


def _fill(
    page: Page, url: str, title: str, language: str, kind: str, noindex: int, relevance: float, relevant: int,
    threshold: float, terms: str, cosine: float, original: int | None, similarity: float, twin: str | None,
    same: int | None, links: bytes | None,
) -> None:  # fmt: skip
    page.url, page.title, page.language, page.kind, page.noindex = url, title, language, kind, bool(noindex)
    page.verdict = Verdict(relevance, bool(relevant), threshold, term_pairs(terms), cosine)
    if original is not None:
        page.duplicate = Duplicate(original, twin or "", "exact" if same else "near", similarity)
    page.links = decode(links or b"")


def note(db: sqlite3.Connection, page: Page, worker: int, pid: int) -> None:
    """Write down that a fetch has ended. `pid`: of the page that was stored, else 0."""
    lease = page.lease
    values = (
        worker, pid, page.fetched_at, page.status, page.error, page.redirect, lease.score, lease.depth, lease.distance,
        lease.tries, lease.hops, lease.hid, lease.uid,
    )  # fmt: skip
    db.execute(NOTE, values)


def before_last(db: sqlite3.Connection, worker: int, count: int) -> int:
    """The id in the log behind which the last `count` fetches of other workers stand."""
    row = db.execute(FROM, (worker, count)).fetchone()
    return int(row[0]) if row else 0


def ended(db: sqlite3.Connection, after: int, worker: int, limit: int, behind: int | None = None) -> tuple[list[Ended], int]:
    """The next fetches in the order in which they ended, those of `worker` left out, and the id to go on behind. `behind`:
    what lies farther behind the end of the log is skipped; None: nothing is."""
    (newest,) = db.execute("select coalesce(max(id), 0) from fetch").fetchone()
    if behind is not None:
        after = max(after, newest - behind)
    rows = db.execute(ENDED, (after, worker, limit)).fetchall()
    last = rows[-1][0] if len(rows) == limit else newest  # which is far ahead, if all that follows is our own
    topics = topics_of(db)
    found = [Ended(row[0], row[1:], verdicts_of(db, row[PID]) if topics and row[PID] else {}) for row in rows]
    return found, max(last, after)
