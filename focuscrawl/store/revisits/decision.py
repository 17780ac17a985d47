"""What follows from a fetch for the revisits of its URL: the next one, what was learned of the host, what has changed.

Pure: `decide` takes what was known and what the answer brought as values, and reads and writes nothing. Each kind of answer has
a function of its own, named after it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from focuscrawl.frontier.outcome import FetchOutcome
from focuscrawl.frontier.states import Event
from focuscrawl.items import SOFT404_PROBE, Page, PageSignature
from focuscrawl.politeness.pace import http_time
from focuscrawl.recrawl import gone, validators
from focuscrawl.recrawl.gone import Gone
from focuscrawl.recrawl.marginal_value import own_weight, weight_of
from focuscrawl.recrawl.page_signature import changed
from focuscrawl.recrawl.planning import Planner
from focuscrawl.recrawl.state import MATERIAL, Observation, RevisitRecord, SiteProfile
from focuscrawl.store.revisits.change_log import JOINED, LEFT, NEVER_OUT, ChangeKind, ObservedChange
from focuscrawl.store.revisits.known_url import KnownUrl

SIGNAL_WORTH = 0.3
"""What announcing a change of a known page is worth, for a sitemap or feed, in new links of score 1."""
BEST_LINKS = 5
"""Links whose scores count for a page's hub value, so that a list of hundreds of poor links is not a hub."""
WHOLE = 64
"""Distance in bits if everything is new."""


@dataclass(slots=True, frozen=True)
class Findings:
    """What the commit has found out about the answer, for `decide`. A field that does not apply keeps its default."""

    distance: int = 0
    """Bits between this version and the one before."""
    version: int = 0
    """Number under which the version before is kept; 0: it is not kept."""
    new_link_scores: float = 0.0
    """Sum of the scores of links that the frontier did not know."""
    signals: int = 0
    """Known pages that a sitemap or feed announced as changed."""
    left: bool = False
    """Whether some of what a sitemap or feed lists was left for later visits."""
    said_before: bool = False
    """Whether the page lies in a part of the web that says nothing new."""
    home: PageSignature | None = None
    """Signature of the host's home page, to compare the answer to a probe with; None: it is not stored."""


@dataclass(slots=True)
class Decision:
    """What follows from a fetch. A field that is None changes nothing."""

    result: str = ""
    """What has become of the page, in one word for the stats: unmodified, same, minor, changed, new, outside (new, but not in
    the collection), suspect, gone, moved, absent (still gone), back, failed. Empty: nothing, or it is not a page."""
    record: RevisitRecord | None = None
    profile: SiteProfile | None = None
    change: ObservedChange | None = None
    gone: Gone | None = None
    """New state of a page that was not stored again. A page that was stored is live."""

    @property
    def crossing(self) -> str:
        """LEFT or JOINED if the page left the collection or joined it though it was there all the time; else empty."""
        return self.change.detail if self.change is not None and self.change.kind is ChangeKind.CHANGED else ""

    @property
    def is_lost(self) -> bool:
        """Whether this fetch confirmed that the page is gone, or has moved."""
        return self.change is not None and self.change.kind in (ChangeKind.GONE, ChangeKind.MOVED)


def decide(known: KnownUrl, page: Page, outcome: FetchOutcome, findings: Findings, planner: Planner, now: float) -> Decision:
    """What follows from a fetch for the revisits of its URL.

    Args:
        known: Before this fetch, as `compare` left it.
        page: With its verdict, signature and duplicate.
        outcome: As `compare` left it, or DUPLICATE.
        findings: What the commit has found out about the answer.
        planner: Decides when the URL is due again.
        now: Seconds since the epoch.
    """
    event = outcome.event
    if findings.said_before and known.is_page:
        known, findings = known.unwanted(), replace(findings, new_link_scores=0.0)
    if known.lease.kind == SOFT404_PROBE:
        return Decision() if event is Event.RETRY else _probed(known, page, findings, now)
    if event in (Event.STORED, Event.DUPLICATE):
        return (_stored if known.is_page else _source_read)(known, page, findings, planner, now)
    if event is Event.REDIRECTED or (event is Event.FILTERED and page.redirect):
        return _redirected(known, page, now)  # even if a rule forbids to follow it: the page has moved
    if event is Event.UNCHANGED:
        return _unchanged(known, planner, now)
    if event is Event.GONE:
        return _missing(known, page.status, now)
    return Decision() if event is Event.RETRY else _failed(known, now)


def _stored(known: KnownUrl, page: Page, findings: Findings, planner: Planner, now: float) -> Decision:
    """The decision after a page was stored, for the first time or again."""
    relevance = page.verdict.relevance if page.verdict and not findings.said_before else 0.0
    if known.record is None or not known.record.read_at:
        best = 0.0 if findings.said_before else best_link_score(page)
        decision = _first_stored(known, page, relevance, best, planner, now)
    else:
        modified_at = _modified_at(known, page, findings.distance, now)
        own = own_weight(relevance, page.relevant)
        seen = Observation(now, findings.distance, modified_at, findings.new_link_scores, own)
        decision = _stored_again(known, page, findings, seen, planner)
    assert decision.record is not None
    decision.record = decision.record.signed(page.signature, validators.length_of(page.headers))
    return decision


def _first_stored(known: KnownUrl, page: Page, relevance: float, best_link: float, planner: Planner, now: float) -> Decision:
    weight, hub = weight_of(relevance, page.relevant, page.kind, best_link)
    record = replace(known.record or RevisitRecord(known.lease.hid, known.lease.uid, known.lease.kind), hub=hub)
    planned = planner.first(record, known.profile, weight, now)
    if page.in_collection:
        return Decision("new", planned, change=ObservedChange(ChangeKind.NEW))
    return Decision("outside", planned)


def _stored_again(known: KnownUrl, page: Page, findings: Findings, seen: Observation, planner: Planner) -> Decision:
    record, profile = known.record, known.profile
    assert record is not None
    if validators.agree(known.etag, known.last_modified, record.length, page.headers, seen.at):
        profile = validators.learn(profile, True, findings.distance <= MATERIAL)
    decision = Decision("same", *planner.plan_next(gone.found(record), profile, seen))
    crossing = "" if page.in_collection == known.in_collection else JOINED if page.in_collection else LEFT
    if known.gone:
        decision.result, decision.change = "back", _back(known, findings)
    elif changed(known.signature, page.signature):
        decision.result = "changed" if findings.distance > MATERIAL else "minor"
        decision.change = ObservedChange(ChangeKind.CHANGED, findings.distance, findings.version, crossing)
    elif crossing:
        decision.change = ObservedChange(ChangeKind.CHANGED, detail=crossing)
    return decision


def _back(known: KnownUrl, findings: Findings) -> ObservedChange:
    was_out = known.gone >= Gone.GONE
    return ObservedChange(ChangeKind.BACK, findings.distance, findings.version, "" if was_out else NEVER_OUT)


def _source_read(known: KnownUrl, page: Page, findings: Findings, planner: Planner, now: float) -> Decision:
    """The decision after a sitemap or feed was read. It counts as changed if it announced something; the profile of the host
    does not learn from it. Where something was left for later visits, no validators are kept, so that the next visit reads
    it, too, even if it is the same."""
    record = known.record or RevisitRecord(known.lease.hid, known.lease.uid, known.lease.kind)
    worth = findings.new_link_scores + SIGNAL_WORTH * findings.signals
    seen = Observation(now, WHOLE if worth else 0, new_link_scores=worth)
    planned, _ = planner.plan_next(gone.found(record), known.profile, seen)
    etag, modified = ("", "") if findings.left else validators.stored_validators(page.headers)
    length = validators.length_of(page.headers)
    return Decision(record=replace(planned, etag=etag, modified=modified, length=length))


def _unchanged(known: KnownUrl, planner: Planner, now: float) -> Decision:
    """The decision after a 304, or headers that agree with the stored version: the page stays as it is, and is fresh again."""
    if known.record is None:
        return Decision()
    seen = Observation(now, None, relevance=own_weight(known.relevance, known.relevant))
    planned = planner.plan_next(gone.found(known.record), known.profile, seen)
    decision = Decision("unmodified" if known.is_page else "", *planned)
    if known.gone:
        decision.result, decision.change, decision.gone = "back", _back(known, Findings()), Gone.LIVE
    return decision


def _missing(known: KnownUrl, status: int, now: float) -> Decision:
    """The decision after 404, 410 or a soft 404. For a sitemap it counts as a failure: the sitemap may come later."""
    if known.record is None or not known.is_page:
        return _failed(known, now)
    record, state = gone.missing(known.record, status, known.profile.failure_share, now)
    if state <= known.gone:
        return Decision("failed" if state is Gone.LIVE else "absent", record)
    kind = ChangeKind.SUSPECT if state is Gone.SUSPECT else ChangeKind.GONE
    detail = "soft 404" if status == 200 else str(status)
    return Decision(kind.value, record, change=ObservedChange(kind, detail=detail), gone=state)


def _redirected(known: KnownUrl, page: Page, now: float) -> Decision:
    """The decision after a redirect. After a permanent one the page has moved; after a temporary one it will be back."""
    if known.record is None:
        return Decision()
    if not known.moves_by(page.status):
        return Decision("failed", gone.failed(known.record, now))
    record = gone.moved(known.record, now)
    if known.gone >= Gone.GONE:
        return Decision("absent", record)
    return Decision("moved", record, change=ObservedChange(ChangeKind.MOVED, detail=page.redirect), gone=Gone.MOVED)


def _failed(known: KnownUrl, now: float) -> Decision:
    """The decision after an answer, or none, that says nothing about the page."""
    record = known.record
    if record is None:
        return Decision()
    if not known.is_page and not record.first_at:  # asked for the first time; one that never exists is asked for less and less
        record = replace(record, first_at=now)
    return Decision("failed" if known.is_page else "", gone.failed(record, now))


def _probed(known: KnownUrl, page: Page, findings: Findings, now: float) -> Decision:
    """The decision after a probe: the profile notes how the host answers for missing pages."""
    simhash = gone.soft404_of(page.status, page.signature, findings.home)
    return Decision(profile=replace(known.profile, soft404_simhash=simhash, soft404_probed_at=now))


def best_link_score(page: Page) -> float:
    """Mean score of the page's best links."""
    scores = sorted([link.score for link in page.links if not link.refused], reverse=True)[:BEST_LINKS]
    return sum(scores) / len(scores) if scores else 0.0


def _modified_at(known: KnownUrl, page: Page, bits: int, now: float) -> float:
    """When a changed page was changed by its Last-Modified, if the host's headers can be trusted; 0: not known."""
    if known.record is None or bits <= MATERIAL or not validators.trusted(known.profile):
        return 0.0
    at = http_time(next((value for name, value in page.headers if name.lower() == "last-modified"), "")) or 0.0
    return at if known.record.read_at < at <= now else 0.0
