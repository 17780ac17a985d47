"""The one commit at the end of a fetch: page, fingerprint, links, revisit and the URL's new state, together or not at all.

A fetch changes the store here and nowhere else, in one transaction of the writer. So even if the process is killed, a fetch was
either stored completely or not at all. Read `commit` from top to bottom for what happens to a page.

Fencing: a lease is a row with the number of its worker, and the commit begins by deleting that row. A worker that was taken for
dead, and whose leases were taken back, finds no row: its answer is late, and nothing of it is written. So one URL is stored by
one worker, even if a machine was paused or its clock is wrong.

Lock order: transactions on PostgreSQL take locks in one order, so that they hardly deadlock (`store.engines.database`): their
own lease and URL, texts that are compared, pages, other URLs by key, hosts by number. That is why changes of hosts are
collected in `HostChanges` and written at the end, why other URLs follow the page, and why the profile of the host comes last:
all workers that fetch from a host need that row, and this way it is locked for the shortest time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from focuscrawl.frontier.mirrors import to_follow
from focuscrawl.frontier.outcome import FetchOutcome, priority_after_hop
from focuscrawl.frontier.partition import Partition
from focuscrawl.frontier.states import Event, State, advance
from focuscrawl.items import CANONICAL, LINK, SEED, SOFT404_PROBE, SOURCES, Duplicate, Outgrown, Page
from focuscrawl.recrawl.gone import Gone
from focuscrawl.recrawl.page_signature import changed
from focuscrawl.recrawl.planning import Planner
from focuscrawl.recrawl.settings import RecrawlSettings
from focuscrawl.recrawl.state import MATERIAL
from focuscrawl.store.engines.database import Database
from focuscrawl.store.engines.page_record import PAGES, WarcLocation, record_of
from focuscrawl.store.engines.records import packed_text
from focuscrawl.store.frontier import searches
from focuscrawl.store.frontier.discover import DiscoveredUrl, Rescored, discover, rescore, taken_out
from focuscrawl.store.frontier.host_rows import HostChanges, HostCounts
from focuscrawl.store.frontier.partitions import without_foreign, without_foreign_links
from focuscrawl.store.frontier.refused_before import Unwanted
from focuscrawl.store.pages.content import forget_content
from focuscrawl.store.pages.fetch_log import log_fetch
from focuscrawl.store.pages.fingerprints import Find, KeysOf, forget_text, settle_original
from focuscrawl.store.pages.links import encode, forget_inlinks, new_links, note_refused, stored_links
from focuscrawl.store.pages.verdicts import store_verdicts
from focuscrawl.store.revisits import signals, soft404, sources, versions
from focuscrawl.store.revisits.change_log import JOINED, LEFT
from focuscrawl.store.revisits.decision import Decision, Findings, decide
from focuscrawl.store.revisits.duplicate_promotion import (
    has_open_copy,
    lock_texts_of,
    outgrow,
    promote_duplicate,
    recheck_duplicates,
)
from focuscrawl.store.revisits.known_url import KnownUrl, load_known
from focuscrawl.store.revisits.new_home import ask_home, ask_instead, ask_named, ask_otherwise
from focuscrawl.store.revisits.revisit import compare, write_profile_after, write_revisit
from focuscrawl.url.groups import domain_of
from focuscrawl.url.key import UrlId

COUNTED_IN = ("", "tunnel", "yield", "mirror")
"""Rules whose refused links still count as in-links, because their URLs are in scope and only not wanted now; "" stands for
links that no rule refused."""
NOT_ARCHIVED = WarcLocation()
"""The location of a response that does not exist."""
END_LEASE = "delete from lease where hid=? and uid=? and worker=? returning in_flight"
UPSERT_PAGE = f"{PAGES.upsert} returning page_id"
UPSERT_BODY = """insert into body(page_id, text, links) values(?, ?, ?)
    on conflict(page_id) do update set text=excluded.text, links=excluded.links"""
_PLANNER = Planner(RecrawlSettings())
FINISH_URL = f"""update url set state=?, status=?, error=?, tries=?, due_at=?
    where hid=? and uid=? and state={State.LEASED:d}"""


@dataclass(slots=True)
class Commit:
    """All that one finished fetch changes."""

    page: Page
    outcome: FetchOutcome
    now: float
    run: int
    worker: int
    discovered: list[DiscoveredUrl] = field(default_factory=list)
    """URLs of links that enter the frontier, unless the page turns out to be a duplicate: those that do afterwards."""
    inlinks: Sequence[UrlId] = ()
    """(hid, uid) of all links in scope, for in-degrees."""
    refused: Sequence[tuple[int, int, str]] = ()
    """(hid, uid, rule) of links that do not enter the frontier."""
    keys: Sequence[int] = ()
    """Band keys of the fingerprint."""
    lift: bool = True
    """Whether a better link raises the priority of a waiting URL."""
    rescored: Sequence[Rescored] = ()
    """Waiting URLs that this fetch gave another priority."""
    focused: bool = True
    """Whether the order strategy chooses by score, see `Duplicate.hides_links`."""
    found_before: Counter[int] | None = None
    """How many new pages of each host this run has found before, to which these are added; None: the priorities in `discovered`
    count as they are."""
    counted: Counter[int] = field(default_factory=Counter)
    """What this commit has added there."""
    grain: str = ""
    """By what URLs are divided among partitions; empty: to be looked up in the store."""
    only: Partition | None = None
    """If set, links that do not belong to this partition are refused (PARTITION_FOREIGN=drop)."""
    planner: Planner = _PLANNER
    """Decides when the page is revisited: by default as nobody has set it, in a crawl by its settings."""
    versions: int = 0
    """How many former versions of a page are kept."""
    keys_of: KeysOf = lambda fingerprint: ()
    """The band keys of any fingerprint, needed when an original is gone and one of its copies takes its place."""
    said_before: bool = False
    """Whether the page lies in a part of the web that says nothing new, so that it is due again late."""
    instead: str = ""
    """A URL to fetch instead of this one, which was given up; empty: none."""
    unwanted: Unwanted = lambda url, depth: ""
    """Why the user does not want a URL that the crawl has known for long, see `LinkRules.unwanted`."""

    def uncount(self) -> None:
        """Take off what a try has counted that is rolled back."""
        if self.found_before is not None:
            self.found_before.subtract(self.counted)
            self.counted.clear()

    def for_one_try(self) -> Commit:
        """A copy in which a try may note what it finds: nothing stays of a try that is rolled back and uncounted."""
        page = copy(self.page)
        page.outgrown = list(page.outgrown)
        return replace(self, page=page)


@dataclass(slots=True)
class Committed:
    """What a commit has written."""

    late: bool = False
    """The lease had been taken back, or an operator had removed the URL: nothing was written."""
    page_id: int = 0
    """Number of the page that was stored; 0: none was."""
    state: State = State.DONE
    outcome: FetchOutcome | None = None
    """The outcome by what the store knew of the URL, such as a soft 404 or a duplicate. None: nothing was written."""
    entered: list[DiscoveredUrl] = field(default_factory=list)
    """URLs of the page's links that the frontier knows now, or that belong to another worker's partition; empty if its links
    are not followed."""
    new_links: int = 0
    rescored: int = 0
    taken_out: list[UrlId] = field(default_factory=list)
    """URLs that were to get another priority and were put aside, by an operator or a rule, instead of fetched."""
    foreign: int = 0
    """Links that were refused because they belong to another worker's partition."""
    duplicate: Duplicate | None = None
    outgrown: list[Outgrown] = field(default_factory=list)
    """See `Page.outgrown`."""
    revisit_result: str = ""
    """What a revisit has shown, see `store.revisits.decision.Decision.result`; empty for a first fetch."""
    left: int = 0
    """Pages that are there, but left the collection: this one, or originals that it has outgrown."""
    joined: int = 0
    """Known pages that joined the collection: this one, or a copy that takes its place."""
    signals: int = 0
    """Pages that a sitemap or feed announced as changed."""


class UrlRow(NamedTuple):
    """What the frontier says of the URL itself."""

    state: int
    parent: int
    kind: int
    priority: float


@dataclass(slots=True)
class _Open:
    """A commit under way: what all its steps need."""

    db: Database
    change: Commit
    url: UrlRow
    known: KnownUrl
    hosts: HostChanges
    done: Committed

    def discover(self, found: Sequence[DiscoveredUrl], before: Counter[int] | None = None) -> int:
        """Let these URLs enter the frontier; returns how many are new. `before`: as for `store.frontier.discover.discover`."""
        change = self.change
        earlier = {item.key.hid: before[item.key.hid] for item in found} if before is not None else {}
        new = discover(self.db, found, change.now, lift=change.lift, hosts=self.hosts, grain=change.grain, before=before)
        if before is not None:
            change.counted.update({hid: before[hid] - count for hid, count in earlier.items()})
        return new

    def note_sources(self, urls: Sequence[str]) -> None:
        """Let these sitemaps or feeds be fetched and revisited from now on."""
        change = self.change
        sources.note_sources(self.db, change.page.lease, urls, change.now, hosts=self.hosts, grain=change.grain)


def commit(
    db: Database,
    change: Commit,
    archive: Callable[[Page], WarcLocation],
    find_duplicate: Find,
) -> Committed:
    """Apply a finished fetch.

    Args:
        db: In a transaction of the writer, which commits it or rolls it back afterwards.
        change: What the fetch changes. It stays as it is: an original that is found only now stands in the result.
        archive: Writes the WARC records of an answer and returns where they are. A rollback undoes them.
        find_duplicate: Looks once more for an original, now that no other worker can store one in between. If the page has one
            that has gone since, all pages are searched.
    """
    change = change.for_one_try()
    page, lease, now = change.page, change.page.lease, change.now
    hosts = HostChanges()
    url = _end_lease(db, change, hosts)
    if url is None:
        hosts.write(db, now)
        return Committed(late=True)
    known, outcome, distance = compare(db, load_known(db, lease), page, change.outcome, now)
    if outcome.event in (Event.STORED, Event.DUPLICATE) and known.is_page:
        settle_original(db, page, change.keys, find_duplicate)
        event = Event.DUPLICATE if page.duplicate else Event.STORED
        outcome = outcome if outcome.event is event else FetchOutcome(event)
    if known.page_id and (outcome.event is Event.GONE or page.redirect or page.noindex):
        # A copy may take its place: texts are locked before pages and other URLs (see the lock order above).
        lock_texts_of(db, known.page_id, change.keys_of)
    state = advance(State.LEASED, outcome.event)
    done = Committed(state=state, outcome=outcome, duplicate=page.duplicate, outgrown=page.outgrown)
    where = archive(page) if page.status else NOT_ARCHIVED
    opened = _Open(db, change, url, known, hosts, done)
    findings = _apply(opened, outcome, where, distance)
    decision = decide(known, page, outcome, replace(findings, said_before=change.said_before), change.planner, now)
    done.left += decision.crossing == LEFT
    done.joined += decision.crossing == JOINED
    write_revisit(db, known, decision, change.run, done.page_id, now)
    _replace_original(opened, decision, findings)
    _finish_url(db, change, outcome, state)
    if known.record is None:  # a first fetch; revisits are not counted again
        _count(change, outcome, state, hosts)
        log_fetch(db, page, change.worker, done.page_id)
    elif done.page_id:
        _count_again(known, page, hosts)
    done.rescored = rescore(db, change.rescored, now, hosts)
    if done.rescored < len(change.rescored):
        done.taken_out = taken_out(db, change.rescored)
    hosts.write(db, now)
    write_profile_after(db, known, decision, outcome)
    done.revisit_result = decision.result
    return done


def _end_lease(db: Database, change: Commit, hosts: HostChanges) -> UrlRow | None:
    """End the lease, and lock the URL until the end of the transaction.

    None when the lease was taken back, or when an operator has removed the URL while it was in flight
    (`store.frontier.operator_changes`)."""
    lease = change.page.lease
    ended = db.execute(END_LEASE, (lease.hid, lease.uid, change.worker)).fetchone()
    if ended is None:
        return None
    if ended[0]:  # no answer had come: the host still counts the request as in flight
        hosts.free(lease.hid, change.now)
    row = db.execute(
        f"select state, parent, kind, priority from url where hid=? and uid=?{db.dialect.for_share}", lease.url_id
    ).fetchone()
    return UrlRow(*row) if row is not None and row[0] == State.LEASED else None


def _apply(opened: _Open, outcome: FetchOutcome, where: WarcLocation, distance: int) -> Findings:
    """Store what the answer brought: a page, the announcements of a sitemap or feed, or the target of a redirect."""
    known, event = opened.known, outcome.event
    if known.lease.kind == SOFT404_PROBE:
        if event is not Event.RETRY:
            soft404.keep_probe_answer(opened.db, opened.change.page)
            soft404.wake_suspects(opened.db, known.lease.hid, opened.change.now)
        return Findings(home=soft404.home_signature(opened.db, known.lease))
    if event in (Event.STORED, Event.DUPLICATE):
        return _store_page(opened, where, distance) if known.is_page else _apply_source(opened)
    if event is Event.REDIRECTED:
        _follow_redirect(opened)
    elif event is Event.RETRY and outcome.reason == soft404.SOFT_404:
        soft404.probe_host(opened.db, known.lease, opened.change.now, opened.hosts)
    elif opened.change.instead:
        _fetch_instead(opened)
    return Findings(distance)


def _store_page(opened: _Open, where: WarcLocation, distance: int) -> Findings:
    """Store the page and its links. A former version of the page is kept as a version if its text was different."""
    db, change, known, page = opened.db, opened.change, opened.known, opened.change.page
    version = 0
    if known.page_id and known.record and changed(known.signature, page.signature):
        version = versions.keep_version(db, known.page_id, known.record, page, change.versions, change.now, distance)
    if known.page_id:
        forget_content(db, known.page_id)  # it is read whole again after the commit
        forget_text(db, known.page_id, change.keys_of, page.fingerprint)
    record = record_of(page, where, run=change.run, worker=change.worker, parent=opened.url.parent)
    page_id: int = db.execute(UPSERT_PAGE, PAGES.to_row(record)).fetchone()[0]
    opened.done.page_id = page_id
    # Of the version before, whose body the next statement replaces.
    former = {link.key.url_id for link in stored_links(db, page_id) if link.refused in COUNTED_IN} if known.page_id else set()
    db.execute(UPSERT_BODY, (page_id, packed_text(page.text), encode(page.links)))
    store_verdicts(db, page_id, page.verdicts)
    if page.duplicate is None:
        db.dialect.insert_bands(db, change.keys, page_id)
        if page.outgrown:
            opened.done.left += outgrow(db, page_id, page.outgrown, change.run, change.now, change.keys_of, opened.hosts)
    # Before the links are stored: then none of them is new any more.
    scores = sum(link.score for link in new_links(db, page.links)) if known.record else 0.0
    if gone := former - _store_links(opened, page_id):
        db.dialect.delete_inlinks(db, sorted(gone), page_id)
    _queue_named(opened, page_id)
    return Findings(distance, version, scores)


def _queue_named(opened: _Open, page_id: int) -> None:
    """Let what a page names be fetched: the URL that it calls its own, feeds, and the lists of a list."""
    page = opened.change.page
    if page.in_collection and not opened.known.page_id:
        for link in page.links:
            if CANONICAL in link.rel and not link.refused:
                ask_named(opened.db, link.key.url_id, opened.hosts)
    if page.duplicate is not None:
        return
    if page.feeds and (page.kind == "index" or page.relevant):
        opened.note_sources(page.feeds)
    if page.lists:
        _queue_lists(opened, page_id)


def _queue_lists(opened: _Open, page_id: int) -> None:
    """Let the lists that a list names be fetched as seeds, like it. Their distance is the number of lists above them."""
    lease, priority = opened.change.page.lease, opened.url.priority
    lists = [
        DiscoveredUrl(url, priority, lease.depth, lease.distance + 1, kind=SEED, parent=page_id)
        for url in opened.change.page.lists
    ]
    opened.done.new_links += opened.discover(without_foreign(opened.db, opened.change.only, lists))


def _store_links(opened: _Open, page_id: int) -> set[UrlId]:
    """Store the links of a page, unless it is a duplicate whose links are not followed; returns where they lead."""
    db, change, duplicate = opened.db, opened.change, opened.change.page.duplicate
    discovered, refused = change.discovered, change.refused
    if duplicate is not None and duplicate.hides_links(change.page.url, change.focused):
        return set()
    if duplicate is not None and duplicate.hides_most_links(change.focused):  # it may have been found only now
        followed = to_follow(change.page.url, duplicate, (item.url for item in discovered))
        refused = [*refused, *((*item.url_id, "duplicate") for item in discovered if item.url not in followed)]
        discovered = [item for item in discovered if item.url in followed]
    ours, all_refused = without_foreign_links(db, change.only, discovered, refused, change.page.links)
    for item in ours:
        item.parent = page_id
    opened.done.entered = discovered
    opened.done.new_links = opened.discover(ours, change.found_before)
    opened.done.foreign = len(all_refused) - len(refused)
    db.dialect.insert_inlinks(db, change.inlinks, page_id)
    note_refused(db, all_refused, page_id)
    return set(change.inlinks)


def _apply_source(opened: _Open) -> Findings:
    """Apply a sitemap or feed: new pages, changes that it announces, and the further sitemaps of an index."""
    db, change, page = opened.db, opened.change, opened.change.page
    discovered = without_foreign(db, change.only, change.discovered)
    new = new_links(db, page.links)
    opened.done.new_links = opened.discover(discovered, change.found_before)
    sources.explain_announced(db, new)
    if page.feeds:
        opened.note_sources(page.feeds)
    opened.done.signals = signals.apply_signals(db, change.planner, page.lease, page.entries, change.now)
    left = page.left or opened.done.signals >= signals.MOST
    return Findings(new_link_scores=sum(link.score for link in new), signals=opened.done.signals, left=left)


def _follow_redirect(opened: _Open) -> None:
    """Let the target enter the frontier in place of this URL. The target of a sitemap or feed is one, too."""
    known, url, page = opened.known, opened.url, opened.change.page
    lease, target = known.lease, page.redirect
    if lease.kind in SOURCES:
        opened.note_sources([target])
        return
    leaves = domain_of(target) != domain_of(lease.url)
    priority = priority_after_hop(url.priority) if leaves and url.kind == LINK else url.priority
    successor = DiscoveredUrl(target, priority, lease.depth, lease.distance, lease.hops + 1, url.kind, url.parent)
    opened.done.new_links = opened.discover([successor])
    if known.page_id and known.gone < Gone.GONE and known.moves_by(page.status):
        ask_home(opened.db, successor.url_id, opened.change.now, opened.hosts)
    if opened.done.new_links and not known.page_id:
        searches.pass_on(opened.db, lease.url_id, successor.url_id)


def _fetch_instead(opened: _Open) -> None:
    """Let a twin take the place of this URL in the frontier, even if the twin was put aside."""
    lease, url = opened.known.lease, opened.url
    twin = DiscoveredUrl(opened.change.instead, url.priority, lease.depth, lease.distance, parent=url.parent)
    opened.done.new_links = opened.discover([twin])
    ask_instead(opened.db, twin.url_id, opened.hosts)


def _replace_original(opened: _Open, decision: Decision, findings: Findings) -> None:
    """Let a copy take the place of a stored page that is lost, or may no longer be indexed. The copies of one that has changed
    are compared with it again."""
    db, change, known, page = opened.db, opened.change, opened.known, opened.change.page
    if decision.result in ("changed", "back") and findings.distance > MATERIAL:
        recheck_duplicates(db, known.page_id, change.now)
        return
    if decision.is_lost:
        forget_inlinks(db, known.page_id)
    elif not (known.page_id == opened.done.page_id and page.noindex and has_open_copy(db, known.page_id)):
        return
    promoted, joined = promote_duplicate(db, known.page_id, change.run, change.now, change.keys_of, opened.hosts)
    opened.done.joined += joined
    if decision.is_lost and known.in_collection and not promoted and not page.redirect:
        ask_otherwise(db, page.lease, change.now, opened.hosts, change.unwanted)


def _finish_url(db: Database, change: Commit, outcome: FetchOutcome, state: State) -> None:
    """Write the URL's new state."""
    page, lease = change.page, change.page.lease
    tries = lease.tries + int(outcome.event is Event.RETRY)
    due = change.now + outcome.retry_in if outcome.event is Event.RETRY else 0.0  # revisits fall due by their own table
    db.execute(FINISH_URL, (int(state), page.status, outcome.reason, tries, due, lease.hid, lease.uid))


def _count(change: Commit, outcome: FetchOutcome, state: State, hosts: HostChanges) -> None:
    """Count a first fetch for its host."""
    page = change.page
    stored = outcome.event in (Event.STORED, Event.DUPLICATE)
    failed = state in (State.FAILED, State.GONE)
    links = len(page.links) if stored else 0
    copy = stored and page.duplicate is not None
    hosts.count(page.lease.hid, HostCounts(int(stored), int(stored and page.relevant), int(copy), int(failed), links))


def _count_again(known: KnownUrl, page: Page, hosts: HostChanges) -> None:
    """Correct the counts of the host after a revisit: the page became relevant or irrelevant, a copy or an original, or is
    stored at last."""
    stored, difference = int(not known.page_id), int(page.relevant) - int(known.relevant)
    copies = int(page.duplicate is not None) - int(known.is_copy)
    if stored or difference or copies:
        hosts.count(known.lease.hid, HostCounts(pages=stored, relevant=difference, duplicates=copies))
