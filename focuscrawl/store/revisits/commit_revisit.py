"""What a commit does for freshness: compare a page with its stored version, log what has changed, plan the next visit.

Each step is a pure function of `focuscrawl.recrawl`; here they meet the rows of the tables.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass, replace

from focuscrawl.frontier.lanes import lifted
from focuscrawl.frontier.outcome import FetchOutcome
from focuscrawl.frontier.states import Event
from focuscrawl.items import EXAMPLE, SOFT404_PROBE, Lease, Page, PageSignature
from focuscrawl.politeness.pace import http_time
from focuscrawl.recrawl import gone, validators
from focuscrawl.recrawl.gone import Gone
from focuscrawl.recrawl.marginal_value import own_weight, weight_of
from focuscrawl.recrawl.page_signature import MATERIAL, changed, distance
from focuscrawl.recrawl.planning import Planner
from focuscrawl.recrawl.state import Observation, RevisitRecord, SiteProfile
from focuscrawl.store.engines.database import Database
from focuscrawl.store.frontier.discover import DiscoveredUrl, discover
from focuscrawl.store.frontier.host_rows import HostChanges
from focuscrawl.store.revisits import versions
from focuscrawl.store.revisits.changes import JOINED, LEFT, NEVER_OUT, Happened, Kind, record
from focuscrawl.store.revisits.schedule import PROFILES, REVISITS, drop_revisit, load_revisit, write_profile, write_revisits
from focuscrawl.url.hosts import uid_of
from focuscrawl.url.normalize import join, split

PERMANENT = (301, 308)
BROKEN = ("disconnect", "gzip")
"""Why an answer is not whole; `length` is our own limit."""
SOFT_404 = "soft404"
NO_TROUBLE = frozenset({SOFT_404, "parse", "internal"})
SOFT_404_WAITS = (1.0, 4.0, 16.0, 64.0)
"""Seconds for which a page waits that may be a soft 404, while its host is asked what it says to an address that cannot be: so
often it is asked again; without an answer by then, the visit has said nothing."""
SIGNAL_WORTH = 0.3
"""Of a known page that a sitemap or feed says to have changed, in new links of full promise."""
BEST_LINKS = 5
WHOLE = 64
"""Bits: all is new."""
KNOWN = f"""select p.page_id, p.etag, p.last_modified, p.relevant, p.relevance, p.gone,
    p.relevant=1 and p.original is null and p.noindex=0,
    {REVISITS.selected("v")}, {PROFILES.selected("a")}
    from url u left join page p on p.hid=u.hid and p.uid=u.uid left join revisit v on v.hid=u.hid and v.uid=u.uid
    left join site_profile a on a.hid=u.hid where u.hid=? and u.uid=?"""


@dataclass(slots=True)
class Revisit:
    """One URL in one commit: what the store knew of it, and what becomes of that.

    Invariant: `visit` and `profile` are None until something is to be written."""

    lease: Lease
    page_id: int
    etag: str
    last_modified: str
    relevant: bool
    relevance: float
    page_gone: int
    kept: bool
    """It was in the collection: relevant, no copy, not forbidden to be indexed."""
    known: RevisitRecord | None
    known_profile: SiteProfile
    visit: RevisitRecord | None = None
    profile: SiteProfile | None = None
    happened: Happened | None = None
    seen: str = ""
    """In a word, for the stats: unmodified, same, minor, changed, new, outside (new, and not of the collection), suspect, gone,
    moved, absent (as before), back, failed; empty: nothing."""
    moved: int = 0
    """Bits between the SimHashes of this version and the one before."""
    version: int = 0

    @property
    def signature(self) -> PageSignature:
        """Of the version before."""
        return PageSignature(self.known.signature_digest, self.known.signature_simhash) if self.known else PageSignature()

    @property
    def is_lost(self) -> bool:
        """It is gone for good, or has moved, since just now."""
        return self.happened is not None and self.happened.kind in (Kind.GONE, Kind.MOVED)

    @property
    def is_page(self) -> bool:
        """No sitemap, feed or probe."""
        return self.lease.kind <= EXAMPLE


def look(db: Database, lease: Lease) -> Revisit:
    """What is known before this fetch."""
    row = db.execute(KNOWN, lease.url_id).fetchone()
    page_id, etag, modified, relevant, relevance, page_gone, kept, *rest = row
    visit, profile = rest[: len(REVISITS.columns)], rest[len(REVISITS.columns) :]
    return Revisit(
        lease, page_id or 0, etag or "", modified or "", bool(relevant), relevance or 0.0, page_gone or 0,
        bool(kept), None if visit[0] is None else REVISITS.from_row(visit),
        SiteProfile(lease.hid) if profile[0] is None else PROFILES.from_row(profile),
    )  # fmt: skip


def judged(db: Database, revisit: Revisit, page: Page, outcome: FetchOutcome, now: float) -> FetchOutcome:
    """The outcome, unless a stored page now looks as its host does where there is nothing: a soft 404 is gone. As long as it is
    not known how the host looks then, it is asked, and the page waits. What broke off never takes the place of a version.
    A page whose text was removed since it was gone is another one than before whatever it says, and one without any word and
    title is none."""
    known = revisit.known
    if revisit.lease.kind == SOFT404_PROBE and outcome.event is Event.RETRY and outcome.counts and page.status:
        return FetchOutcome(Event.GAVE_UP, outcome.reason)  # many hosts say 500 there: that is an answer
    if known is None or not revisit.page_id or outcome.event not in (Event.STORED, Event.DUPLICATE):
        return outcome
    if not known.signature_digest:
        revisit.moved = distance(revisit.signature, page.signature)
        return _soft_404(revisit, page, outcome, now) if revisit.page_gone >= Gone.GONE else outcome
    if page.truncated in BROKEN:
        return FetchOutcome(Event.GAVE_UP, "truncated")
    if not page.signature.digest:
        return FetchOutcome(Event.GONE, SOFT_404)
    if not changed(revisit.signature, page.signature):
        return outcome
    title, text = _stored_text(db, revisit.page_id)
    if (title, text) == (page.title, page.text):  # its words are cut by another segmenter now, or with other words of the topic
        revisit.known = replace(known, signature_digest=page.signature.digest, signature_simhash=page.signature.simhash)
        return outcome
    revisit.moved = distance(revisit.signature, page.signature)
    if revisit.moved <= MATERIAL or not gone.suspicious(revisit.moved, len(text), len(page.text)):
        return outcome
    return _soft_404(revisit, page, outcome, now)


def _soft_404(revisit: Revisit, page: Page, outcome: FetchOutcome, now: float) -> FetchOutcome:
    """The page is suspicious: does it look as its host does where there is nothing?"""
    if gone.stale(revisit.known_profile, now):
        tries = revisit.lease.tries
        if tries >= len(SOFT_404_WAITS):
            return FetchOutcome(Event.GAVE_UP, SOFT_404)
        return FetchOutcome(Event.RETRY, SOFT_404, SOFT_404_WAITS[tries])
    return FetchOutcome(Event.GONE, SOFT_404) if gone.is_soft404(page.signature, revisit.known_profile) else outcome


def probe(db: Database, lease: Lease, now: float, hosts: HostChanges) -> None:
    """Ask the host of a lease what it says to an address that cannot be, in this run."""
    origin = split(lease.url)[0]
    asked = DiscoveredUrl(gone.soft404_probe_url(origin, int(now // gone.KNOWN_FOR)), lifted(1.0), kind=SOFT404_PROBE)
    write_revisits(db, [RevisitRecord(*asked.url_id, SOFT404_PROBE, due_at=now)])
    discover(db, [asked], now, hosts=hosts)


def before_storing(db: Database, revisit: Revisit, page: Page, keep: int, now: float) -> None:
    """Keep the version that is about to be replaced, when this is another one."""
    if revisit.known and revisit.page_id and changed(revisit.signature, page.signature):
        revisit.version = versions.keep(db, revisit.page_id, revisit.known, page, keep, now, revisit.moved)


def stored(revisit: Revisit, page: Page, planner: Planner, promise: float, now: float) -> None:
    """A page was stored, for the first time or again. `promise`: of the links that nobody had seen before."""
    relevance, relevant = (page.verdict.relevance, page.verdict.relevant) if page.verdict else (0.0, False)
    weight, hub = weight_of(relevance, relevant, page.kind, best_promise(page))
    kept = relevant and page.duplicate is None and not page.noindex
    known, profile = revisit.known, revisit.known_profile
    if known is None or not known.read_at:
        visit = replace(known or RevisitRecord(revisit.lease.hid, revisit.lease.uid, revisit.lease.kind), hub=hub)
        revisit.visit = planner.first(visit, profile, weight, now)
        revisit.seen, revisit.happened = ("new", Happened(Kind.NEW)) if kept else ("outside", None)
    else:
        own = own_weight(relevance, relevant)
        _seen_again(
            revisit, page, planner, Observation(now, revisit.moved, _modified_at(revisit, page, now), promise, own), kept
        )
    assert revisit.visit is not None
    revisit.visit = replace(
        revisit.visit,
        signature_simhash=page.signature.simhash,
        signature_digest=page.signature.digest,
        length=validators.length_of(page.headers),
    )


def _seen_again(revisit: Revisit, page: Page, planner: Planner, seen: Observation, kept: bool) -> None:
    known, profile = revisit.known, revisit.known_profile
    assert known is not None
    if validators.agree(revisit.etag, revisit.last_modified, known.length, page.headers, seen.at):
        profile = validators.learn(profile, True, revisit.moved <= MATERIAL)
    revisit.visit, revisit.profile = planner.again(gone.found(known), profile, seen)
    if revisit.page_gone:
        revisit.seen, revisit.happened = "back", _back(revisit)
    elif changed(revisit.signature, page.signature):
        revisit.seen = "changed" if revisit.moved > MATERIAL else "minor"
        revisit.happened = Happened(Kind.CHANGED, revisit.moved, revisit.version, _crossing(revisit, kept))
    else:
        revisit.seen = "same"
        if kept != revisit.kept:
            revisit.happened = Happened(Kind.CHANGED, detail=_crossing(revisit, kept))


def _back(revisit: Revisit) -> Happened:
    was_out = revisit.page_gone >= Gone.GONE
    return Happened(Kind.BACK, revisit.moved, revisit.version, "" if was_out else NEVER_OUT)


def _crossing(revisit: Revisit, kept: bool) -> str:
    """Detail of a change: whether the page has left the collection by it, or joined it."""
    return "" if kept == revisit.kept else JOINED if kept else LEFT


def told(revisit: Revisit, page: Page, planner: Planner, signals: int, promise: float, now: float) -> None:
    """A sitemap or feed was read. It has changed when it told of something; only its own record learns of that."""
    known = revisit.known or RevisitRecord(revisit.lease.hid, revisit.lease.uid, revisit.lease.kind)
    seen = Observation(now, WHOLE if signals or promise else 0, new_link_scores=promise + SIGNAL_WORTH * signals)
    visit, _ = planner.again(gone.found(known), revisit.known_profile, seen)
    etag, modified = validators.stored_validators(page.headers)
    revisit.visit = replace(visit, etag=etag, modified=modified, length=validators.length_of(page.headers))


def unchanged(revisit: Revisit, planner: Planner, now: float) -> None:
    """The server, or its headers, say that nothing has changed: the page keeps all that it has, and its age begins anew."""
    if revisit.known is None:
        return
    seen = Observation(now, None, relevance=own_weight(revisit.relevance, revisit.relevant))
    revisit.visit, revisit.profile = planner.again(gone.found(revisit.known), revisit.known_profile, seen)
    revisit.seen = "unmodified" if revisit.is_page else ""
    if revisit.page_gone:
        revisit.seen, revisit.happened = "back", _back(revisit)


def missing(revisit: Revisit, status: int, now: float) -> None:
    """404, 410, or a soft 404. A sitemap that is not there may come."""
    if revisit.known is None or not revisit.is_page:
        failed(revisit, now)
        return
    profile = revisit.known_profile
    revisit.visit, state = gone.missing(revisit.known, status, profile.failure_share, now)
    if state <= revisit.page_gone:
        revisit.seen = "failed" if state is Gone.LIVE else "absent"
        return
    revisit.page_gone = int(state)
    kind = Kind.SUSPECT if state is Gone.SUSPECT else Kind.GONE
    revisit.seen, revisit.happened = kind.value, Happened(kind, detail="soft 404" if status == 200 else str(status))


def redirected(revisit: Revisit, page: Page, now: float) -> None:
    """The page has moved for good: its new home is followed in the same run. From a temporary redirect it comes back."""
    known = revisit.known
    if known is None:
        return
    if not revisit.is_page or page.status not in PERMANENT or revisit.known_profile.failure_share > gone.OUTAGE:
        # (Sites redirect for maintenance, too.)
        revisit.visit, revisit.seen = gone.failed(known, now), "failed"
        return
    revisit.visit = gone.moved(known, now)
    revisit.seen = "absent"
    if revisit.page_gone < Gone.GONE:
        revisit.page_gone = int(Gone.MOVED)
        revisit.seen, revisit.happened = "moved", Happened(Kind.MOVED, detail=page.redirect)


def failed(revisit: Revisit, now: float) -> None:
    """An answer, or none, that says nothing about the page."""
    known = revisit.known
    if known is None:
        return
    if not revisit.is_page and not known.first_at:  # asked for the first time: what is never there is asked for less and less
        known = replace(known, first_at=now)
    revisit.visit, revisit.seen = gone.failed(known, now), "failed" if revisit.is_page else ""


def probed(db: Database, revisit: Revisit, page: Page, now: float) -> None:
    """How the host looks where there is nothing."""
    origin = split(page.url)[0]
    home = load_revisit(db, revisit.lease.hid, uid_of(join(origin, "/")))
    signature = PageSignature(home.signature_digest, home.signature_simhash) if home else None
    revisit.profile = replace(
        revisit.known_profile, soft404_simhash=gone.soft404_of(page.status, page.signature, signature), soft404_probed_at=now
    )


def write(db: Database, revisit: Revisit, run: int, page_id: int, now: float) -> None:
    """The visit, the page's state and the log; the profile comes last of all in a commit, see `write_last`."""
    lease = revisit.lease
    if lease.kind == SOFT404_PROBE:
        drop_revisit(db, lease.hid, lease.uid)
        return
    if revisit.visit is not None:
        write_revisits(db, [revisit.visit])
    if revisit.page_id and revisit.happened:
        state = 0 if revisit.happened.kind in (Kind.BACK, Kind.NEW, Kind.CHANGED) else revisit.page_gone
        db.execute("update page set gone=? where page_id=?", (state, revisit.page_id))
    if revisit.happened:
        record(db, now, run, (lease.hid, lease.uid, page_id or revisit.page_id, lease.url), revisit.happened)


def write_last(db: Database, revisit: Revisit, outcome: FetchOutcome) -> None:
    """The profile of the host. Failures on the way to it count as trouble, not a page or a sitemap that cannot be read."""
    if revisit.known is None and revisit.profile is None:
        return
    trouble = outcome.event in (Event.RETRY, Event.GAVE_UP) and revisit.is_page and outcome.reason not in NO_TROUBLE
    profile = revisit.profile or revisit.known_profile
    write_profile(db, replace(profile, failure_share=gone.failure_share_after(profile.failure_share, trouble)))


def best_promise(page: Page) -> float:
    """Mean score of the page's best links."""
    scores = sorted((link.score for link in page.links if not link.refused), reverse=True)[:BEST_LINKS]
    return sum(scores) / len(scores) if scores else 0.0


def _modified_at(revisit: Revisit, page: Page, now: float) -> float:
    """When the page changed, if it has and headers that have proved right say so."""
    if revisit.known is None or revisit.moved <= MATERIAL or not validators.trusted(revisit.known_profile):
        return 0.0
    at = http_time(next((value for name, value in page.headers if name.lower() == "last-modified"), "")) or 0.0
    return at if revisit.known.read_at < at <= now else 0.0


def _stored_text(db: Database, page_id: int) -> tuple[str, str]:
    """Title and main text; nothing of a page that was buried."""
    row = db.execute(
        "select p.title, b.text from page p join body b on b.page_id=p.page_id where p.page_id=?", (page_id,)
    ).fetchone()
    return (row[0], zlib.decompress(row[1]).decode("utf-8", "replace")) if row else ("", "")
