"""The one commit at the end of a fetch: page, fingerprints, links and the URL's new state, together or not at all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from focuscrawl.frontier.outcome import FetchOutcome
from focuscrawl.frontier.partition import Partition
from focuscrawl.frontier.states import Event, State, advance
from focuscrawl.items import SOFT404_PROBE, SOURCES, Duplicate, Fingerprint, Lease, Page
from focuscrawl.recrawl.page_signature import changed
from focuscrawl.recrawl.planning import Planner
from focuscrawl.recrawl.settings import RecrawlSettings
from focuscrawl.store.engines.database import Database
from focuscrawl.store.engines.page_record import PAGES, WarcLocation, record_of
from focuscrawl.store.engines.records import packed_text
from focuscrawl.store.frontier.discover import DiscoveredUrl, Rescored, discover, rescore
from focuscrawl.store.frontier.host_rows import HostChanges
from focuscrawl.store.frontier.partitions import without_foreign
from focuscrawl.store.pages.duplicates import forget_keys
from focuscrawl.store.pages.fetch_log import note
from focuscrawl.store.pages.links import encode
from focuscrawl.store.pages.verdicts import store_verdicts
from focuscrawl.store.revisits import commit_revisit
from focuscrawl.store.revisits import sources as signals
from focuscrawl.store.revisits.commit_revisit import SOFT_404, Revisit, look
from focuscrawl.store.revisits.duplicate_promotion import hand_over, look_at_copies
from focuscrawl.store.revisits.sources import note_feeds
from focuscrawl.url.key import UrlId

NOWHERE = WarcLocation()

UPSERT_PAGE = f"{PAGES.upsert} returning page_id"
FINISH_URL = "update url set state=?, status=?, error=?, tries=?, due_at=? where hid=? and uid=? and state=1"


@dataclass(slots=True)
class Commit:
    """All that one finished fetch changes."""

    page: Page
    outcome: FetchOutcome
    now: float
    run: int
    worker: int
    found: list[DiscoveredUrl] = field(default_factory=list)
    """Links to enter the frontier (dropped when the page turns out to be a duplicate)."""
    inlinks: Sequence[UrlId] = ()
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
    grain: str = ""
    """Of static allocation; empty: to be looked up."""
    only: Partition | None = None
    """Links to other workers' parts are refused (PARTITION_FOREIGN=drop)."""
    planner: Planner = field(default_factory=lambda: Planner(RecrawlSettings()))
    """When a page is looked at again."""
    versions: int = 0
    """Former versions that are kept."""
    keys_of: Callable[[Fingerprint], Sequence[int]] | None = None
    """Band keys of any fingerprint: when an original is gone, a copy of it takes its place."""


@dataclass(slots=True)
class Committed:
    late: bool = False
    """The lease had been taken back, or an operator had removed the URL: nothing was written."""
    page_id: int = 0
    state: State = State.DONE
    new_links: int = 0
    rescored: int = 0
    foreign: int = 0
    """Links that were refused because they are another worker's."""
    duplicate: Duplicate | None = None
    seen: str = ""
    """What has become of the page since the last visit, see `store.revisits.commit_revisit.Revisit`."""
    signals: int = 0
    """Pages that a sitemap or feed said to have changed."""


def commit(
    db: Database,
    change: Commit,
    archive: Callable[[Page], WarcLocation],
    find_duplicate: Callable[[Database, Page], Duplicate | None],
) -> Committed:
    """Apply `change`. `archive` writes the WARC records and tells where; `find_duplicate` looks once more for an
    original, now that nothing can be written in between."""
    page, lease = change.page, change.page.lease
    ended = db.execute(
        "delete from lease where hid=? and uid=? and worker=? returning wire", (lease.hid, lease.uid, change.worker)
    ).fetchone()
    if ended is None:
        return Committed(late=True)
    hosts = HostChanges()
    if ended[0]:
        hosts.free(lease.hid, change.now)
    if not _is_leased(db, lease):
        hosts.write(db, change.now)
        return Committed(late=True)
    revisit = look(db, lease)
    outcome = commit_revisit.judged(db, revisit, page, change.outcome, change.now)
    if outcome.event is Event.STORED and revisit.is_page and page.duplicate is None:
        digest = page.fingerprint.digest
        db.dialect.lock_texts(db, [*change.keys, int.from_bytes(digest[:8], "big", signed=True)] if digest else [])
        page.duplicate = find_duplicate(db, page)
        if page.duplicate:
            outcome = FetchOutcome(Event.DUPLICATE)
    done = Committed(state=advance(State.LEASED, outcome.event), duplicate=page.duplicate)
    where = archive(page) if page.status else NOWHERE
    if outcome.event in (Event.STORED, Event.DUPLICATE):
        _store(db, change, revisit, where, done, hosts)
    else:
        done.new_links = _not_stored(db, change, revisit, outcome, hosts)
    commit_revisit.write(db, revisit, change.run, done.page_id, change.now)
    if revisit.is_lost and change.keys_of:
        hand_over(db, revisit.page_id, change.run, change.now, change.keys_of, hosts)
    elif revisit.seen == "changed":
        look_at_copies(db, revisit.page_id, change.now)
    _finish(db, change, outcome, done.state, hosts, again=revisit.known is not None)
    if revisit.known is None:
        note(db, page, change.worker, done.page_id)
    done.rescored = rescore(db, change.rescored, change.now, hosts)
    hosts.write(db, change.now)
    commit_revisit.write_last(db, revisit, outcome)
    done.seen = revisit.seen
    return done


def _store(db: Database, change: Commit, revisit: Revisit, where: WarcLocation, done: Committed, hosts: HostChanges) -> None:
    """An answer with content."""
    page = change.page
    if not revisit.is_page:
        _store_source(db, change, revisit, done, hosts)
        return
    commit_revisit.before_storing(db, revisit, page, change.versions, change.now)
    if revisit.page_id and change.keys_of and changed(revisit.signature, page.signature):
        forget_keys(db, revisit.page_id, change.keys_of)
    done.page_id = _store_page(db, change, where)
    promise = _promise(db, page) if revisit.known else 0.0
    done.new_links, done.foreign = _store_links(db, change, done.page_id, hosts)
    commit_revisit.stored(revisit, page, change.planner, promise, change.now)
    if page.feeds and page.duplicate is None and (page.kind == "index" or (page.verdict and page.verdict.relevant)):
        note_feeds(db, page.lease, page.feeds, change.now, hosts=hosts, grain=change.grain)


def _store_source(db: Database, change: Commit, revisit: Revisit, done: Committed, hosts: HostChanges) -> None:
    """A sitemap or feed tells what is new and what has changed; a probe, how its host looks where there is nothing."""
    page, now = change.page, change.now
    if revisit.lease.kind == SOFT404_PROBE:
        commit_revisit.probed(db, revisit, page, now)
        return
    found = without_foreign(db, change.only, change.found) if change.only else change.found
    promise = _promise(db, page)
    done.new_links = discover(db, found, now, lift=change.lift, hosts=hosts, grain=change.grain)
    if page.feeds:  # the sitemaps of an index
        note_feeds(db, page.lease, page.feeds, now, hosts=hosts, grain=change.grain)
    done.signals = signals.apply(db, change.planner, page.lease, page.entries, now)
    commit_revisit.told(revisit, page, change.planner, done.signals, promise, now)


def _not_stored(db: Database, change: Commit, revisit: Revisit, outcome: FetchOutcome, hosts: HostChanges) -> int:
    """How many links were new: the target of a redirect at most."""
    page, now, new = change.page, change.now, 0
    if revisit.lease.kind == SOFT404_PROBE and outcome.event is not Event.RETRY:
        commit_revisit.probed(db, revisit, page, now)
    elif outcome.event is Event.REDIRECTED:
        if page.lease.kind in SOURCES:  # its new home is visited from now on, too
            note_feeds(db, page.lease, [page.redirect], now, hosts=hosts, grain=change.grain)
        else:
            new = _follow_redirect(db, change, hosts)
        commit_revisit.redirected(revisit, page, now)
    elif outcome.event is Event.FILTERED and page.redirect:  # to where a rule forbids to follow: it has moved all the same
        commit_revisit.redirected(revisit, page, now)
    elif outcome.event is Event.RETRY:
        if outcome.reason == SOFT_404:
            commit_revisit.probe(db, page.lease, now, hosts)
    elif outcome.event is Event.UNCHANGED:
        commit_revisit.unchanged(revisit, change.planner, now)
    elif outcome.event is Event.GONE:
        commit_revisit.missing(revisit, page.status, now)
    else:
        commit_revisit.failed(revisit, now)
    return new


def _promise(db: Database, page: Page) -> float:
    """Of links that nobody has seen before: the sum of their scores."""
    scores = {link.key.url_id: link.score for link in page.links if not link.refused}
    known = db.dialect.known_urls(db, scores.keys()) if scores else {}
    return sum(score for key, score in scores.items() if key not in known)


def _is_leased(db: Database, lease: Lease) -> bool:
    """Not when an operator has removed the URL while it was on its way (`store.frontier.operator_changes`). Nobody does up to
    the commit."""
    row = db.execute(f"select state from url where hid=? and uid=?{db.dialect.for_share}", lease.url_id).fetchone()
    return row is not None and row[0] == State.LEASED


def _store_page(db: Database, change: Commit, where: WarcLocation) -> int:
    page, lease = change.page, change.page.lease
    (parent,) = db.execute("select parent from url where hid=? and uid=?", (lease.hid, lease.uid)).fetchone()
    record = record_of(page, where, run=change.run, worker=change.worker, parent=parent)
    page_id: int = db.execute(UPSERT_PAGE, PAGES.to_row(record)).fetchone()[0]
    db.execute(
        """insert into body(page_id, text, links) values(?, ?, ?)
        on conflict(page_id) do update set text=excluded.text, best=null, links=excluded.links""",
        (page_id, packed_text(page.text), encode(page.links)),
    )
    store_verdicts(db, page_id, page.verdicts)
    if page.duplicate is None:
        db.dialect.insert_bands(db, change.keys, page_id)
    return page_id


def _store_links(db: Database, change: Commit, page_id: int, hosts: HostChanges) -> tuple[int, int]:
    """How many were new, and how many belong to other workers and were refused for that."""
    twin = change.page.duplicate
    if twin is not None and (twin.kind == "exact" or not change.expand_duplicates):
        return 0, 0
    found, refused = change.found, list(change.refused)
    if change.only:
        found = without_foreign(db, change.only, found)
        kept = {item.url_id for item in found}
        refused += [(*item.url_id, "foreign") for item in change.found if item.url_id not in kept]
    for item in found:
        item.parent = page_id
    new = discover(db, found, change.now, lift=change.lift, hosts=hosts, grain=change.grain)
    db.dialect.insert_inlinks(db, change.inlinks, page_id)
    db.dialect.insert_refused(db, sorted(refused), page_id)
    return new, len(refused) - len(change.refused)


def _follow_redirect(db: Database, change: Commit, hosts: HostChanges) -> int:
    lease = change.page.lease
    parent, kind, priority = db.execute("select parent, kind, priority from url where hid=? and uid=?", lease.url_id).fetchone()
    target = DiscoveredUrl(change.page.redirect, priority, lease.depth, lease.distance, lease.hops + 1, kind, parent)
    return discover(db, [target], change.now, lift=change.lift, hosts=hosts, grain=change.grain)


def _finish(db: Database, change: Commit, outcome: FetchOutcome, state: State, hosts: HostChanges, *, again: bool) -> None:
    """The URL's new state, and what its host has had; of what was fetched before nothing is counted twice."""
    page, lease = change.page, change.page.lease
    tries = lease.tries + int(outcome.event is Event.RETRY and outcome.counts)
    due = change.now + outcome.retry_in if outcome.event is Event.RETRY else 0.0
    db.execute(FINISH_URL, (int(state), page.status, outcome.reason, tries, due, lease.hid, lease.uid))
    if again:
        return
    stored = outcome.event in (Event.STORED, Event.DUPLICATE)
    relevant = stored and page.verdict is not None and page.verdict.relevant
    failed = state in (State.FAILED, State.GONE)
    links = len(page.links) if stored else 0
    hosts.count(lease.hid, (int(stored), int(relevant), int(page.duplicate is not None), int(failed), links))
