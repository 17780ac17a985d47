"""The log of changes: one row for each change that a commit observed, and the net change of each page over a span of time.

By a row `new` or `back` (after it was gone) a page enters the collection, by `gone` or `moved` it leaves, by `changed` or
`suspect` it stays. So the first and the last row of a span say whether the page was there before it and is there after it,
whatever happened in between.
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
NO_RUN = 0
"""Number in the log for what no run observed."""
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
    """A row of the log. For `distance`, `version` and `detail` see `store.engines.schema`."""

    kind: ChangeKind
    distance: int = 0
    version: int = 0
    detail: str = ""


def log_change(db: Database, at: float, run: int, page: tuple[int, int, int, str], change: ObservedChange) -> None:
    """Add a row, in the transaction of the commit that observed the change. `page`: hid, uid, page_id and URL."""
    db.execute(INSERT, (at, run, change.kind.value, *page, change.distance, change.version, change.detail))


# The net change of a page, for a reader who knows the collection as it was before

LEFT, JOINED = "left", "joined"
"""Details of a row `changed`: the page left the collection (it is not relevant any more, a copy, or must not be indexed), or it
joined it."""
NEVER_OUT = ChangeKind.SUSPECT.value
"""Detail of a row `back`: the page was missing once, but was never taken out of the collection."""


class NetChange(StrEnum):
    """The list in which a page is reported."""

    NEW = "new"
    CHANGED = "changed"
    GONE = "gone"
    SUSPECT = "suspect"
    """Missing at the last visit, which is not confirmed yet: the page is still in the collection."""


@dataclass(slots=True, frozen=True)
class ChangeSpan:
    """What matters of the rows of one page within a span of time."""

    first: ChangeKind
    last: ChangeKind
    changed: bool = False
    """Whether there is a row `changed`, or a row `back` with another text."""
    out: bool = True
    """Whether a first row `back` means that the page was out of the collection before."""
    left: int = 0
    """Number of the first row by which the page left the collection; 0: there is none."""
    joined: int = 0
    """Number of the first row by which it joined the collection; 0: there is none."""
    inside: bool = True
    """Whether the page belongs to the collection now by relevance, copies and noindex."""


def net_of(span: ChangeSpan) -> NetChange | None:
    """The list in which the page is reported; None: nothing has changed for the reader."""
    before, after = _was_there(span), span.inside and span.last not in (ChangeKind.GONE, ChangeKind.MOVED)
    if before and after:
        if span.changed:
            return NetChange.CHANGED
        return NetChange.SUSPECT if span.last is ChangeKind.SUSPECT else None
    if after:
        return NetChange.NEW
    return NetChange.GONE if before else None


def reason_of(span: ChangeSpan, net: NetChange) -> str:
    """Why the page is in this list: new, back, joined, changed, gone, moved, left or suspect."""
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
"""With subqueries and a literal limit PostgreSQL uses its indexes and does not read the whole table for each batch. The plus
signs keep SQLite from sorting all changes of the span for each batch."""
SUMS = f"""select max(c.distance), sum(case when c.kind='changed' or c.version>0 or c.distance>0 then 1 else 0 end),
    coalesce(min(case when c.kind='changed' and c.detail='{LEFT}' then c.id end), 0),
    coalesce(min(case when c.kind='changed' and c.detail='{JOINED}' then c.id end), 0),
    coalesce(min(case when c.version>0 then c.version end), 0), max(c.version)
    from change c where c.hid=? and c.uid=? and c.at>=? and c.at<?"""
VERSIONS = """select page_id, number, words_added, words_gone, links_added, links_gone from version
    where page_id in ({}) order by page_id, number"""


@dataclass(slots=True, frozen=True)
class PageChange:
    """The net change of one page over a span of time."""

    id: int
    """Number of its last row: larger is later."""
    net: NetChange
    reason: str
    """As `reason_of` gives it; `REMOVED` if an operator took the page out."""
    url: str
    at: float
    """Time of its last row."""
    page_id: int = 0
    title: str = ""
    relevance: float = 0.0
    status: int = 0
    """The status that confirmed that the page is gone; else that of the stored page."""
    moved_to: str = ""
    suspect: bool = False
    """Whether the page was missing at the last visit."""
    changes: int = 0
    """How many visits saw a change."""
    distance: int = 0
    """Bits between the SimHashes at the largest change."""
    version: int = 0
    """The kept version from before the span, or the next one that is kept; 0: none is, so there is no diff."""
    last_version: int = 0
    """The last version that was replaced."""
    words_added: int = 0
    """As `words_gone`, a sum over the versions that are kept."""
    words_gone: int = 0
    links_added: tuple[str, ...] = ()
    links_gone: tuple[str, ...] = ()


def changes_of(db: Database, since: float, until: float, *, everything: bool = False) -> Iterator[PageChange]:
    """The net changes of pages at `since` or later and before `until`, the latest first.

    `everything`: not only of the collection, but also of pages that are irrelevant, repeat others or must not be indexed."""
    before, window = LAST, (since, until)
    statement = ROWS.format(limit=BATCH)
    while rows := db.execute(statement, (*window, *window, *window, before)).fetchall():
        before = rows[-1][0]
        found = (_change(row, _sums(db, row, window), everything) for row in rows if row[0] == row[2])
        yield from _with_versions(db, [each for each in found if each])


def changes_between(db: Database, edges: Sequence[float]) -> list[dict[str, int]]:
    """For each span between two edges, the number of observed changes by kind, after the first edge and up to the second."""
    return [{kind: int(number) for kind, number in db.execute(COUNTS, span)} for span in pairwise(edges)]


def last_run_began(db: Database) -> float:
    """When the last run began, in epoch seconds; 0 in a store without runs."""
    return float(db.execute("select coalesce(max(started_at), 0) from run").fetchone()[0])


@dataclass(slots=True, frozen=True)
class _ChangeWithVersions:
    change: PageChange
    low: int
    high: int
    """The first and the last version that were replaced within the time; 0: none is kept."""


@dataclass(slots=True, frozen=True)
class _PageSums:
    """What the rows of one page in the log add up to, within the time asked about."""

    first: ChangeKind
    first_detail: str
    distance: int
    changes: int
    left: int
    """As in `ChangeSpan`, like `joined`."""
    joined: int
    low: int
    """As in `_ChangeWithVersions`, like `high`."""
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
        0 if everything else sums.left, 0 if everything else sums.joined, everything or bool(inside),
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
    """The change with what its versions say. Links that came and went again are in neither list."""
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
