"""The log of ended fetches: an order strategy can be shown again what it has seen, and replays learn where URLs redirect.

A page read back has its verdict, kind, title, language, lease and links with what refused them; neither text nor words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from focuscrawl.items import Duplicate, Lease, Page, Verdict
from focuscrawl.store.engines.database import THERE, Database
from focuscrawl.store.engines.records import term_pairs
from focuscrawl.store.frontier.host_rows import load_pace
from focuscrawl.store.pages.links import decode
from focuscrawl.store.pages.verdicts import topics_of, verdicts_of
from focuscrawl.url.key import UrlId, url_key
from focuscrawl.url.normalize import join

NOTE = """insert into fetches(worker, hid, uid, page_id, at, status, error, redirect, priority, depth, distance, tries, hops,
    kind, parent, tx) select ?, hid, uid, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, kind, parent, {order} from url where hid=? and uid=?"""
COLUMNS = """select f.tx, f.id, f.hid, f.uid, f.at, f.status, f.error, f.redirect, f.priority, f.depth, f.distance, f.tries,
        f.hops, f.kind, h.origin, u.path, q.url, f.page_id, p.url, p.title, p.language, p.kind, p.noindex, p.relevance,
        p.relevant, p.threshold, p.terms, p.similarity, p.original, p.original_similarity, o.url, o.digest=p.digest, b.links"""
JOINS = """join url u on u.hid=f.hid and u.uid=f.uid join host h on h.hid=f.hid left join page q on q.page_id=f.parent
    left join page p on p.page_id=f.page_id left join body b on b.page_id=f.page_id left join page o on o.page_id=p.original"""
ENDED = f"{COLUMNS} from fetches f {JOINS} where {{behind}} and f.worker<>? order by f.tx, f.id limit ?"
STORED = f"""{COLUMNS} from (select 0 as tx, 0 as id, p.hid, p.uid, p.fetched_at as at, p.status, '' as error, '' as redirect,
    p.priority, u.depth, p.distance, 0 as tries, 0 as hops, u.kind, p.parent, p.page_id
    from page p join url u on u.hid=p.hid and u.uid=p.uid where p.page_id in ({{pages}}) and p.{THERE}) f {JOINS}
    order by f.page_id"""
BEHIND_IN_ORDER = "f.tx=0 and f.id>?"
"""Where rows become visible in order, `tx` is 0 in all of them. Compared as below, SQLite would read the log from its start."""
BEHIND = "(f.tx, f.id)>(?, ?) and f.tx<?"
FROM = "select tx, id from fetches where worker<>? order by tx desc, id desc limit 1 offset ?"
NEWEST = "select tx, id from fetches where tx<? order by tx desc, id desc limit 1 offset ?"
ENDS = """select h.name, f.at, h.pace from (select hid, at from fetches order by tx desc, id desc limit ?) f
    join host h on h.hid=f.hid"""
REDIRECTS = "select hid, uid, redirect from fetches where redirect<>'' order by id"
MOST_HOPS = 10
"""Redirects followed in a row, as in a crawl."""
PAGE_ID = 17
"""Index of the page's number in a row of ENDED. `Ended.row` lacks the first two columns, which are the cursor."""
Cursor = tuple[int, int]
"""The last fetch that was read: (tx, id), rising in the order in which fetches became visible."""
START: Cursor = (-1, 0)


@dataclass(slots=True, frozen=True)
class Ended:
    """One fetch of the log, not yet unpacked."""

    row: tuple[Any, ...]
    verdicts: dict[str, Verdict] = field(default_factory=dict)
    """By topic."""

    @property
    def page_id(self) -> int:
        """Number of the page that was stored; 0: none was."""
        return self.row[PAGE_ID - 2] or 0

    def page(self) -> Page:
        """The fetch as a Page, as far as the log has it (see the module's docstring); 0.3 ms for a page of 100 links."""
        (
            hid, uid, at, status, error, redirect, priority, depth, distance, tries, hops, kind, origin, tail, parent, page_id,
            *stored,
        ) = self.row  # fmt: skip
        url = join(origin, tail)
        lease = Lease(hid, uid, url, priority, depth, distance, tries, hops=hops, parent=parent or "", kind=kind)
        page = Page(lease, url, status, at, error=error, redirect=redirect, logged=True)
        if page_id and stored[0] is not None:
            _add_stored(page, stored)
            page.verdicts = self.verdicts
        return page


def _add_stored(page: Page, stored: Sequence[Any]) -> None:
    """Add what the tables `page` and `body` have of the fetched page: the columns of ENDED from `p.url` on."""
    (
        page.url, page.title, page.language, page.kind, noindex, relevance, relevant, threshold, terms, similarity,
        original, original_similarity, twin, same, links,
    ) = stored  # fmt: skip
    page.noindex = bool(noindex)
    page.verdict = Verdict(relevance, bool(relevant), threshold, term_pairs(terms), similarity)
    if original is not None:
        page.duplicate = Duplicate(original, twin or "", "exact" if same else "near", original_similarity)
    page.links = decode(links or b"")


def log_fetch(db: Database, page: Page, worker: int, page_id: int) -> None:
    """Add a fetch that has ended, in the transaction of its commit. `page_id`: the page that was stored; 0: none."""
    lease = page.lease
    values = (
        worker, page_id, page.fetched_at, page.status, page.error, page.redirect, lease.priority, lease.depth, lease.distance,
        lease.tries, lease.hops, lease.hid, lease.uid,
    )  # fmt: skip
    db.execute(NOTE.format(order=db.dialect.fetch_order), values)


def before_last(db: Database, worker: int, count: int) -> Cursor:
    """The cursor before the last `count` fetches of other workers."""
    row = db.execute(FROM, (worker, count)).fetchone()
    return (row[0], row[1]) if row else START


def ended(db: Database, after: Cursor, worker: int, limit: int, behind: int | None = None) -> tuple[list[Ended], Cursor]:
    """The next fetches behind `after` in the order in which they became visible, and the cursor behind them.

    Fetches of `worker` are left out. `behind`: fetches farther than this from the end of the log are skipped; None: none is."""
    settled = db.dialect.settled_fetches(db)
    newest = db.execute(NEWEST, (settled, 0)).fetchone()
    if newest is None or tuple(newest) <= after:
        return [], after
    if behind is not None and (first := db.execute(NEWEST, (settled, behind)).fetchone()):
        after = max(after, (first[0], first[1]))
    in_order = db.dialect.in_order
    cursor = (max(after, (0, 0))[1],) if in_order else (*after, settled)
    rows = db.execute(ENDED.format(behind=BEHIND_IN_ORDER if in_order else BEHIND), (*cursor, worker, limit)).fetchall()
    last = (rows[-1][0], rows[-1][1]) if len(rows) == limit else (newest[0], newest[1])
    return _ended(db, rows), max(last, after)


def stored(db: Database, page_ids: Sequence[int]) -> list[Ended]:
    """The last fetches of stored pages, those that are not gone, by page number; each as deep as is known of its URL now."""
    pages = ", ".join("?" * len(page_ids))
    return _ended(db, db.execute(STORED.format(pages=pages), tuple(page_ids)).fetchall()) if page_ids else []


def _ended(db: Database, rows: Sequence[tuple[Any, ...]]) -> list[Ended]:
    topics = topics_of(db)
    return [Ended(row[2:], verdicts_of(db, row[PAGE_ID]) if topics and row[PAGE_ID] else {}) for row in rows]


def ends_by_host(db: Database, last: int) -> list[tuple[str, list[float], float]]:
    """The host names of the last `last` fetches, the one with the most fetches first.

    Each comes with the times at which its fetches ended, in order, and the seconds that are kept between two requests to it now
    (0: not decided yet)."""
    times: dict[str, list[float]] = {}
    delays: dict[str, float] = {}
    for name, at, pace in db.execute(ENDS, (last,)):
        times.setdefault(name, []).append(at)
        delays[name] = max(delays.get(name, 0.0), load_pace(pace).delay)
    return [(name, sorted(times[name]), delays[name]) for name in sorted(times, key=lambda name: (-len(times[name]), name))]


def redirect_targets(db: Database) -> dict[UrlId, UrlId]:
    """Where redirecting URLs led, over any number of redirects in a row."""
    to = {(hid, uid): url_key(target).url_id for hid, uid, target in db.execute(REDIRECTS)}
    found: dict[UrlId, UrlId] = {}
    for start in to:
        url_id, hops = start, 0
        while url_id in to and hops < MOST_HOPS:
            url_id, hops = to[url_id], hops + 1
        found[start] = url_id
    return found
