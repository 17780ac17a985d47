"""The one commit at the end of a fetch: page, fingerprints, links and the URL's new state, together or not at all."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import orjson

from focuscrawl.dedup.features import to_bytes
from focuscrawl.frontier.outcome import Outcome
from focuscrawl.frontier.states import Event, State, advance
from focuscrawl.items import Duplicate, Page
from focuscrawl.store.discover import Found, Rescored, discover, rescore
from focuscrawl.store.duplicates import signed
from focuscrawl.store.fetches import note
from focuscrawl.store.lease_ends import free_host
from focuscrawl.store.links import encode
from focuscrawl.store.topics import store_verdicts
from focuscrawl.store.warc import Location

NOWHERE = Location("", 0, 0)

PAGE_COLUMNS = [
    "hid",
    "uid",
    "url",
    "run",
    "worker",
    "status",
    "fetched_at",
    "latency",
    "address",
    "content_type",
    "charset",
    "language",
    "length",
    "truncated",
    "etag",
    "last_modified",
    "title",
    "keywords",
    "description",
    "summary",
    "kind",
    "relevance",
    "relevant",
    "threshold",
    "terms",
    "cosine",
    "score",
    "depth",
    "distance",
    "parent",
    "example",
    "noindex",
    "digest",
    "simhash",
    "features",
    "original",
    "similarity",
    "warc",
    "warc_offset",
    "warc_length",
    "timings",
]
SET_PAGE = ", ".join([f"{name}=excluded.{name}" for name in PAGE_COLUMNS if name not in ("hid", "uid")] + ["tier=0"])
UPSERT_PAGE = f"""insert into page({", ".join(PAGE_COLUMNS)}) values({", ".join("?" * len(PAGE_COLUMNS))})
    on conflict(hid, uid) do update set {SET_PAGE} returning pid"""
FINISH_URL = "update url set state=?, status=?, error=?, tries=?, due_at=? where hid=? and uid=? and state=1"
COUNT_HOST = """update host set pages=pages+?, relevant=relevant+?, duplicates=duplicates+?, errors=errors+?, links=links+?
    where hid=?"""
INSERT_INLINK = "insert into inlink(hid, uid, pid) values(?, ?, ?) on conflict do nothing"
INSERT_REFUSED = "insert into refused(hid, uid, rule, pid) values(?, ?, ?, ?) on conflict do nothing"


@dataclass(slots=True)
class Commit:
    """All that one finished fetch changes."""

    page: Page
    outcome: Outcome
    now: float
    run: int
    worker: int
    found: list[Found] = field(default_factory=list)
    """Links to enter the frontier (dropped when the page turns out to be a duplicate)."""
    inlinks: Sequence[tuple[int, int]] = ()
    """(hid, uid) of all links in scope, for in-degrees."""
    refused: Sequence[tuple[int, int, str]] = ()
    keys: Sequence[int] = ()
    """Band keys of the fingerprint."""
    lift: bool = True
    """Whether a better link lifts a waiting URL."""
    rescored: Sequence[Rescored] = ()
    """Waiting URLs that this fetch gave another priority."""
    expand_duplicates: bool = False
    """Near-duplicates expand all the same (the strategies that follow every link)."""


@dataclass(slots=True)
class Committed:
    late: bool = False
    """The lease had been taken back: nothing was written."""
    pid: int = 0
    state: State = State.DONE
    new_links: int = 0
    rescored: int = 0
    duplicate: Duplicate | None = None


def commit(
    db: sqlite3.Connection,
    change: Commit,
    archive: Callable[[Page], Location],
    find_duplicate: Callable[[sqlite3.Connection, Page], Duplicate | None],
) -> Committed:
    """Apply `change`. `archive` writes the WARC records and tells where; `find_duplicate` looks once more for an
    original, now that nothing can be written in between."""
    page, lease = change.page, change.page.lease
    ended = db.execute(
        "delete from lease where hid=? and uid=? and worker=? returning wire", (lease.hid, lease.uid, change.worker)
    ).fetchone()
    if ended is None:
        return Committed(late=True)
    if ended[0]:
        free_host(db, lease.hid, change.now)
    outcome = change.outcome
    if outcome.event is Event.STORED and page.duplicate is None:
        page.duplicate = find_duplicate(db, page)
        if page.duplicate:
            outcome = Outcome(Event.DUPLICATE)
    done = Committed(state=advance(State.LEASED, outcome.event), duplicate=page.duplicate)
    where = archive(page) if page.status else NOWHERE
    if outcome.event in (Event.STORED, Event.DUPLICATE):
        done.pid = _store_page(db, change, where)
        done.new_links = _store_links(db, change, done.pid)
    elif outcome.event is Event.REDIRECTED:
        done.new_links = _follow_redirect(db, change)
    _finish(db, change, outcome, done.state)
    note(db, page, change.worker, done.pid)
    done.rescored = rescore(db, change.rescored)
    return done


def _store_page(db: sqlite3.Connection, change: Commit, where: Location) -> int:
    page, lease = change.page, change.page.lease
    verdict, mark, twin = page.verdict, page.fingerprint, page.duplicate
    header = {name.lower(): value for name, value in page.headers}
    parent = db.execute("select parent from url where hid=? and uid=?", (lease.hid, lease.uid)).fetchone()
    values = (
        lease.hid, lease.uid, page.url, change.run, change.worker, page.status, page.fetched_at, page.latency,
        page.address, page.content_type, page.charset, page.language, len(page.body), page.truncated,
        header.get("etag", "")[:200], header.get("last-modified", "")[:80], page.title, page.keywords,
        page.description, page.summary, page.kind, verdict.score if verdict else 0.0,
        int(bool(verdict and verdict.relevant)), verdict.threshold if verdict else 0.0,
        orjson.dumps(verdict.terms if verdict else ()).decode(), verdict.similarity if verdict else 0.0,
        lease.score, lease.depth, lease.distance,
        parent[0] if parent else 0, int(lease.example), int(page.noindex), mark.digest, signed(mark.simhash),
        to_bytes(mark.features), twin.original if twin else None, twin.similarity if twin else 0.0,
        where.file, where.offset, where.length, orjson.dumps(page.timings).decode(),
    )  # fmt: skip
    pid: int = db.execute(UPSERT_PAGE, values).fetchone()[0]
    db.execute(
        "insert or replace into body(pid, text, links) values(?, ?, ?)",
        (pid, zlib.compress(page.text.encode("utf-8", "replace"), 1), encode(page.links)),
    )
    store_verdicts(db, pid, page.verdicts)
    if twin is None:
        db.executemany("insert or ignore into band(key, pid) values(?, ?)", [(key, pid) for key in change.keys])
    return pid


def _store_links(db: sqlite3.Connection, change: Commit, pid: int) -> int:
    twin = change.page.duplicate
    if twin is not None and (twin.kind == "exact" or not change.expand_duplicates):
        return 0
    for item in change.found:
        item.parent = pid
    new = discover(db, change.found, change.now, lift=change.lift)
    db.executemany(INSERT_INLINK, [(hid, uid, pid) for hid, uid in change.inlinks])
    db.executemany(INSERT_REFUSED, [(hid, uid, rule, pid) for hid, uid, rule in change.refused])
    return new


def _follow_redirect(db: sqlite3.Connection, change: Commit) -> int:
    lease = change.page.lease
    row = db.execute("select parent, kind from url where hid=? and uid=?", (lease.hid, lease.uid)).fetchone()
    target = Found(change.page.redirect, lease.score, lease.depth, lease.distance, lease.hops + 1, row[1], row[0])
    return discover(db, [target], change.now, lift=change.lift)


def _finish(db: sqlite3.Connection, change: Commit, outcome: Outcome, state: State) -> None:
    page, lease = change.page, change.page.lease
    tries = lease.tries + int(outcome.event is Event.RETRY and outcome.counts)
    due = change.now + outcome.retry_in if outcome.event is Event.RETRY else 0.0
    db.execute(FINISH_URL, (state, page.status, outcome.reason, tries, due, lease.hid, lease.uid))
    stored = outcome.event in (Event.STORED, Event.DUPLICATE)
    relevant = stored and page.verdict is not None and page.verdict.relevant
    failed = state in (State.FAILED, State.GONE)
    counts = (stored, relevant, page.duplicate is not None, failed, len(page.links) if stored else 0)
    db.execute(COUNT_HOST, (*(int(count) for count in counts), lease.hid))
