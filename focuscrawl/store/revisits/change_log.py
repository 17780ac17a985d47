"""The log of changes: one row for each that a commit observed, and what the rows of a time come to, page by page.

Every row says something of before and after: `new` and `back` (once it was gone) come in, `gone` and `moved` go out, `changed`
and `suspect` stay. So the first and the last row of a time say whether the page was there before it and is there after it,
whatever lies between.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import pairwise
from typing import Any

import orjson

from focuscrawl.frontier.states import REMOVED
from focuscrawl.store.engines.database import Database

COUNTS = "select kind, count(*) from change where at>? and at<=? group by kind"
INSERT = """insert into change(at, run, kind, hid, uid, page_id, url, distance, version, detail)
    values(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""


class ChangeKind(StrEnum):
    """What has happened to a page of the collection."""

    NEW = "new"
    CHANGED = "changed"
    SUSPECT = "suspect"
    GONE = "gone"
    MOVED = "moved"
    BACK = "back"


@dataclass(slots=True, frozen=True)
class ObservedChange:
    """One row. `distance`, `version`, `detail`: see `store.engines.schema`."""

    kind: ChangeKind
    distance: int = 0
    version: int = 0
    detail: str = ""


def log_change(db: Database, at: float, run: int, page: tuple[int, int, int, str], change: ObservedChange) -> None:
    """Add a row, in the transaction of the commit that observed the change. `page`: hid, uid, page_id and URL."""
    db.execute(INSERT, (at, run, change.kind.value, *page, change.distance, change.version, change.detail))


# What several changes of one page come to for a reader who knows the collection as it was before them

LEFT, JOINED = "left", "joined"
"""Details of a `changed`: it is in the collection no more (not relevant now, a copy, not to be indexed), or not before."""
NEVER_OUT = ChangeKind.SUSPECT.value
"""Detail of a `back`: the page had been missed, but was never taken out."""


class NetChange(StrEnum):
    """The list a page is told in."""

    NEW = "new"
    CHANGED = "changed"
    GONE = "gone"
    SUSPECT = "suspect"
    """Missing at the last visit, not confirmed: it is in the collection still."""


@dataclass(slots=True, frozen=True)
class ChangeSpan:
    """The rows of one page within a time, as far as they matter."""

    first: ChangeKind
    last: ChangeKind
    changed: bool = False
    """There is a row `changed`, or a `back` with another text."""
    out: bool = True
    """A first row `back` ends an absence."""
    left: int = 0
    """Number of the first `changed` that left the collection; 0: none did."""
    joined: int = 0
    """The same of those that joined it."""
    inside: bool = True
    """The page belongs to the collection now, as far as relevance, copies and noindex go."""


def net_of(span: ChangeSpan) -> NetChange | None:
    """None: a reader has nothing to do."""
    before, after = _was_there(span), span.inside and span.last not in (ChangeKind.GONE, ChangeKind.MOVED)
    if before and after:
        if span.changed:
            return NetChange.CHANGED
        return NetChange.SUSPECT if span.last is ChangeKind.SUSPECT else None
    if after:
        return NetChange.NEW
    return NetChange.GONE if before else None


def reason_of(span: ChangeSpan, net: NetChange) -> str:
    """Why it is in this list, for a person: new, back, joined, changed, gone, moved, left or suspect."""
    if net is NetChange.NEW:
        return span.first.value if span.first in (ChangeKind.NEW, ChangeKind.BACK) else JOINED
    if net is NetChange.GONE:
        return span.last.value if span.last in (ChangeKind.GONE, ChangeKind.MOVED) else LEFT
    return net.value


def _was_there(span: ChangeSpan) -> bool:
    if span.first is ChangeKind.NEW or (span.first is ChangeKind.BACK and span.out):
        return False
    if span.left or span.joined:
        return bool(span.left) and not 0 < span.joined < span.left
    return span.inside


BATCH = 500
"""Rows read at once. No transaction stays open between two batches."""
LAST = (1 << 63) - 1
INSIDE = "coalesce(p.relevant=1 and p.original is null and p.noindex=0 and p.status=200, false)"
OF_PAGE = "from change d where d.hid=c.hid and d.uid=c.uid and d.at>=? and d.at<? order by d.id"
ROWS = f"""select c.id, (select d.id {OF_PAGE} limit 1), (select d.id {OF_PAGE} desc limit 1), c.kind, c.detail, c.at, c.url,
    c.page_id, c.hid, c.uid, c.distance, c.version, coalesce(p.title, ''), coalesce(p.status, 0), coalesce(p.relevance, 0),
    {INSIDE}
    from (select * from change where +at>=? and +at<? and id<? order by id desc limit {{limit}}) c
    left join page p on p.page_id=c.page_id order by c.id desc"""
"""Subqueries and a limit in figures: so PostgreSQL looks into its indexes and does not read the whole table for each batch. The
signs keep SQLite from sorting all changes of the time for each."""
SUMS = f"""select max(c.distance), sum(case when c.kind='changed' or c.version>0 or c.distance>0 then 1 else 0 end),
    coalesce(min(case when c.kind='changed' and c.detail='{LEFT}' then c.id end), 0),
    coalesce(min(case when c.kind='changed' and c.detail='{JOINED}' then c.id end), 0),
    coalesce(min(case when c.version>0 then c.version end), 0), max(c.version)
    from change c where c.hid=? and c.uid=? and c.at>=? and c.at<?"""
VERSIONS = """select page_id, number, words_added, words_gone, links_added, links_gone from version
    where page_id in ({}) order by page_id, number"""


@dataclass(slots=True, frozen=True)
class PageChange:
    """One page and what its changes within a time come to."""

    id: int
    """Of the last of them: larger is later."""
    net: NetChange
    reason: str
    """As `reason_of`; `REMOVED` where an operator took it out."""
    url: str
    at: float
    """Of the last of them."""
    page_id: int = 0
    title: str = ""
    relevance: float = 0.0
    status: int = 0
    """That confirmed that it is gone; else of the stored page."""
    moved_to: str = ""
    suspect: bool = False
    """It was missing at the last visit."""
    changes: int = 0
    """Visits that saw a change."""
    distance: int = 0
    """Bits between the SimHashes at its largest change."""
    version: int = 0
    """The kept version that it had before, or the next one that is kept; 0: none is, so there is no diff."""
    last_version: int = 0
    """The last one that was replaced."""
    words_added: int = 0
    """Sums over the versions that are kept."""
    words_gone: int = 0
    links_added: tuple[str, ...] = ()
    links_gone: tuple[str, ...] = ()


def changes_of(db: Database, since: float, until: float, *, everything: bool = False) -> Iterator[PageChange]:
    """Changes at `since` or later and before `until`, by page, the latest first. `everything`: not of the collection alone,
    but also pages that are irrelevant, repeat others or must not be indexed."""
    before, window = LAST, (since, until)
    statement = ROWS.format(limit=BATCH)
    while rows := db.execute(statement, (*window, *window, *window, before)).fetchall():
        before = rows[-1][0]
        found = (_change(row, _sums(db, row, window), everything) for row in rows if row[0] == row[2])
        yield from _with_versions(db, [each for each in found if each])


def changes_between(db: Database, edges: Sequence[float]) -> list[dict[str, int]]:
    """Observed changes by kind, behind an edge and not behind the next."""
    return [{kind: int(number) for kind, number in db.execute(COUNTS, span)} for span in pairwise(edges)]


def last_run_began(db: Database) -> float:
    """Epoch seconds; 0 in a store without runs."""
    return float(db.execute("select coalesce(max(started_at), 0) from run").fetchone()[0])


@dataclass(slots=True, frozen=True)
class _ChangeWithVersions:
    change: PageChange
    low: int
    high: int
    """Versions that were replaced within the time; 0: none is kept."""


@dataclass(slots=True, frozen=True)
class _PageSums:
    """What the rows of one page in the log add up to, within the time asked about."""

    first: ChangeKind
    first_detail: str
    distance: int
    changes: int
    went: int
    came: int
    low: int
    high: int


def _sums(db: Database, row: Sequence[Any], window: tuple[float, float]) -> _PageSums:
    ended, began, _, kind, detail, _, _, _, hid, uid, distance, version, *_ = row
    if began != ended:
        first = db.execute("select kind, detail from change where id=?", (began,)).fetchone()
        sums = db.execute(SUMS, (hid, uid, *window)).fetchone()
        return _PageSums(ChangeKind(first[0]), first[1], *map(int, sums))
    changed = ChangeKind(kind) is ChangeKind.CHANGED
    return _PageSums(
        ChangeKind(kind), detail, distance, int(changed or version > 0 or distance > 0),
        ended if changed and detail == LEFT else 0,
        ended if changed and detail == JOINED else 0, version, version,
    )  # fmt: skip


def _change(row: Sequence[Any], sums: _PageSums, everything: bool) -> _ChangeWithVersions | None:
    ended, _, _, kind, detail, at, url, page_id, _, _, _, _, title, status, relevance, inside = row
    span = ChangeSpan(
        sums.first, ChangeKind(kind), sums.changes > 0, sums.first_detail != NEVER_OUT,
        0 if everything else sums.went, 0 if everything else sums.came, everything or bool(inside),
    )  # fmt: skip
    net = net_of(span)
    if net is None:
        return None
    removed = net is NetChange.GONE and span.last is ChangeKind.GONE and detail == REMOVED
    found = PageChange(
        ended, net, REMOVED if removed else reason_of(span, net), url, at, page_id, title, relevance,
        status=int(detail) if span.last is ChangeKind.GONE and detail.isdecimal() else status,
        moved_to=detail if span.last is ChangeKind.MOVED else "", suspect=span.last is ChangeKind.SUSPECT,
        changes=sums.changes, distance=sums.distance,
    )  # fmt: skip
    return _ChangeWithVersions(found, sums.low, sums.high)


def _with_versions(db: Database, found: Sequence[_ChangeWithVersions]) -> Iterator[PageChange]:
    """The changes, those of pages with versions with what these say."""
    wanted = [each.change.page_id for each in found if each.low and each.change.net is NetChange.CHANGED]
    rows: dict[int, list[Sequence[Any]]] = {}
    if wanted:
        for row in db.execute(VERSIONS.format(",".join("?" * len(wanted))), wanted):
            rows.setdefault(row[0], []).append(row[1:])
    for each in found:
        kept = [row for row in rows.get(each.change.page_id, ()) if each.low <= row[0] <= each.high]
        yield _measured(each.change, kept) if kept else each.change


def _measured(change: PageChange, versions: Sequence[Sequence[Any]]) -> PageChange:
    """Links that came and went again are in neither list."""
    added: dict[str, None] = {}
    gone: dict[str, None] = {}
    for _, _, _, came, went in versions:
        _count(orjson.loads(came or "[]"), added, gone)
        _count(orjson.loads(went or "[]"), gone, added)
    return replace(
        change, version=versions[0][0], last_version=versions[-1][0], words_added=sum(row[1] for row in versions),
        words_gone=sum(row[2] for row in versions), links_added=tuple(added), links_gone=tuple(gone),
    )  # fmt: skip


def _count(urls: Sequence[str], to: dict[str, None], against: dict[str, None]) -> None:
    for url in urls:
        if url in against:
            del against[url]
        else:
            to[url] = None
