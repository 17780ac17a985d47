"""A revisit in the store: what was known of the URL, what the answer means for that, and what is written.

The commit calls the parts in this order, each with the results of the ones before:

1. `load_known` reads what the store knew before this fetch.
2. `compare` compares it with the answer, which may turn out to be a soft 404, or incomplete.
3. `decide` decides what follows: the next revisit, what was learned of the host, what has changed. It reads and writes nothing.
4. `write_revisit` writes the record, the state of the page and the change. `write_profile_after` writes what was learned of the
   host, which is the last row that a commit writes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from focuscrawl.frontier.outcome import BUSY_STATUS, FetchOutcome
from focuscrawl.frontier.states import Event
from focuscrawl.items import EXAMPLE, SOFT404_PROBE, Lease, Page, PageSignature, broke_off, whole_text
from focuscrawl.politeness.pace import http_time
from focuscrawl.recrawl import gone, validators
from focuscrawl.recrawl.gone import Gone
from focuscrawl.recrawl.marginal_value import own_weight, weight_of
from focuscrawl.recrawl.page_signature import changed, distance
from focuscrawl.recrawl.planning import Planner
from focuscrawl.recrawl.state import MATERIAL, Observation, RevisitRecord, SiteProfile
from focuscrawl.store.engines.database import Database
from focuscrawl.store.engines.meta import read_meta, set_meta
from focuscrawl.store.engines.records import unpacked_text
from focuscrawl.store.revisits.change_log import JOINED, LEFT, NEVER_OUT, ChangeKind, ObservedChange, log_change
from focuscrawl.store.revisits.revisit_rows import PROFILES, REVISITS, drop_revisit, load_revisit, write_profile, write_revisits
from focuscrawl.url.key import url_key
from focuscrawl.url.normalize import join, split

PERMANENT = (301, 308)
"""Redirects by which a page has moved. After others its old URL is still the one to fetch."""
SOFT_404 = "soft404"
PROBE_SAID = "soft404_said/"
"""Begins the names in `meta` of the words, as `gone.said` gives them, with which hosts answer soft-404 probes."""
NO_TROUBLE = frozenset({SOFT_404, "parse", "document", "encrypted", "internal"})
"""Reasons of failed fetches that do not mean trouble with the host."""
SOFT_404_WAITS = (1.0, 4.0, 16.0, 64.0)
"""Seconds that a page which may be a soft 404 waits between tries, while its host is probed. If the probe has no answer after
the last one, the revisit is given up."""
SIGNAL_WORTH = 0.3
"""What announcing a change of a known page is worth, for a sitemap or feed, in new links of score 1."""
BEST_LINKS = 5
"""Links whose scores count for a page's hub value, so that a list of hundreds of poor links is not a hub."""
WHOLE = 64
"""Distance in bits if everything is new."""
KNOWN = f"""select p.page_id, p.etag, p.last_modified, p.relevant, p.relevance, p.gone,
    p.original is not null, p.relevant=1 and p.original is null and p.noindex=0,
    {REVISITS.selected("v")}, {PROFILES.selected("a")}
    from url u left join page p on p.hid=u.hid and p.uid=u.uid left join revisit v on v.hid=u.hid and v.uid=u.uid
    left join site_profile a on a.hid=u.hid where u.hid=? and u.uid=?"""
TEXT_OF_PAGE = "select p.title, b.text from page p join body b on b.page_id=p.page_id"
STORED_TEXT = f"{TEXT_OF_PAGE} where p.page_id=?"
STORED_TEXT_AT = f"{TEXT_OF_PAGE} where p.hid=? and p.uid=?"


@dataclass(slots=True, frozen=True)
class KnownUrl:
    """What the store knew of a URL before this fetch."""

    lease: Lease
    page_id: int
    """Number of the stored page; 0: none is stored."""
    etag: str
    last_modified: str
    relevant: bool
    relevance: float
    gone: Gone
    is_copy: bool
    """Whether the page has an original."""
    in_collection: bool
    """Whether the page is relevant, not a copy, and may be indexed."""
    record: RevisitRecord | None
    """None: the URL is fetched for the first time."""
    profile: SiteProfile

    @property
    def signature(self) -> PageSignature:
        """Signature of the stored version; an empty one if there is none."""
        return self.record.signature if self.record else PageSignature()

    @property
    def is_page(self) -> bool:
        """Whether the URL is that of a page, not of a sitemap, feed or probe."""
        return self.lease.kind <= EXAMPLE

    def moves_by(self, status: int) -> bool:
        """Whether a redirect with this status means that the page has moved. Not while most of the host's fetches fail: sites
        also redirect for maintenance."""
        return self.is_page and status in PERMANENT and self.profile.failure_share <= gone.OUTAGE

    def unwanted(self) -> KnownUrl:
        """The same of a page that is not worth more visits than a page that nobody wants."""
        return replace(self, relevance=0.0, record=replace(self.record, hub=0.0) if self.record else None)


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


# 1. What was known


def load_known(db: Database, lease: Lease) -> KnownUrl:
    """What the store knows of the URL of a lease, which must have a row in `url`."""
    row = db.execute(KNOWN, lease.url_id).fetchone()
    page_id, etag, modified, relevant, relevance, page_gone, is_copy, in_collection, *rest = row
    revisit, profile = rest[: len(REVISITS.columns)], rest[len(REVISITS.columns) :]
    return KnownUrl(
        lease=lease,
        page_id=page_id or 0,
        etag=etag or "",
        last_modified=modified or "",
        relevant=bool(relevant),
        relevance=relevance or 0.0,
        gone=Gone(page_gone or 0),
        is_copy=bool(is_copy),
        in_collection=bool(in_collection),
        record=None if revisit[0] is None else REVISITS.from_row(revisit),
        profile=SiteProfile(lease.hid) if profile[0] is None else PROFILES.from_row(profile),
    )


def home_signature(db: Database, lease: Lease) -> PageSignature | None:
    """Signature of the home page of a lease's host, as it was read last; None if it is not stored."""
    home = load_revisit(db, lease.hid, url_key(join(split(lease.url)[0], "/")).uid)
    return home.signature if home else None


# 2. The answer, compared with it


def compare(db: Database, known: KnownUrl, page: Page, outcome: FetchOutcome, now: float) -> tuple[KnownUrl, FetchOutcome, int]:
    """What was known, the outcome, and the distance of the two versions in bits, corrected by what the comparison shows.

    The outcome changes if the page looks like the answers of its host for missing pages: a soft 404 counts as gone. Until it is
    known how these look, the host is probed, and the page waits. A page that broke off never replaces a stored version. A page
    without any words and title counts as gone. A page whose text was purged after it was gone always counts as changed.
    """
    record = known.record
    answered = page.status and page.status not in BUSY_STATUS
    if known.lease.kind == SOFT404_PROBE and outcome.event is Event.RETRY and answered:
        return known, FetchOutcome(Event.GAVE_UP, outcome.reason), 0  # many answer a probe with 500
    if outcome.event not in (Event.STORED, Event.DUPLICATE):
        return known, outcome, 0
    if record is None and known.is_page:
        return known, _first_soft_404(db, known, page, outcome, now), 0
    if record is None or not known.page_id:
        return known, outcome, 0
    bits = distance(known.signature, page.signature)
    if not record.signature_digest:
        return known, _soft_404(db, known, page, outcome, now) if known.gone >= Gone.GONE else outcome, bits
    if broke_off(page.truncated):
        return known, FetchOutcome(Event.GAVE_UP, "truncated"), 0
    if not page.signature.digest:
        return known, FetchOutcome(Event.GONE, SOFT_404), 0
    if not changed(known.signature, page.signature):
        return known, outcome, 0
    title, text = _stored_text(db, known.page_id)
    if (title, text) == (page.title, page.text):  # only the words differ: another segmenter, or other words of the topic
        return replace(known, record=record.signed(page.signature)), outcome, 0
    if bits > MATERIAL and gone.suspicious(bits, len(text), len(page.text)):
        outcome = _soft_404(db, known, page, outcome, now)
    return known, outcome, bits


def _first_soft_404(db: Database, known: KnownUrl, page: Page, outcome: FetchOutcome, now: float) -> FetchOutcome:
    """As `_soft_404`, for a page that is fetched for the first time. It is suspicious if its text excuses itself, or if it
    repeats another page of its host. A home page or an example never is. If the probe gets no answer, the page is stored."""
    origin, path = split(page.url)
    if path == "/" or known.lease.example or not page.signature.simhash:
        return outcome
    if gone.stale(known.profile, now):
        repeats = page.duplicate is not None and split(page.duplicate.url)[0] == origin
        if known.lease.tries >= len(SOFT_404_WAITS) or not (repeats or gone.excuses(page.title, page.text)):
            return outcome
    return _soft_404(db, known, page, outcome, now)


def _soft_404(db: Database, known: KnownUrl, page: Page, outcome: FetchOutcome, now: float) -> FetchOutcome:
    """The outcome of a suspicious page: GONE if it is the answer of its host to a probe, RETRY if there is none yet."""
    if gone.stale(known.profile, now):
        tries = known.lease.tries
        if tries >= len(SOFT_404_WAITS):
            return FetchOutcome(Event.GAVE_UP, SOFT_404)
        return FetchOutcome(Event.RETRY, SOFT_404, SOFT_404_WAITS[tries])
    apologies = gone.apologies(page.title, page.text) if known.profile.soft404_simhash else []
    near = gone.is_soft404(page.signature, known.profile)
    if not near and not apologies:
        return outcome
    answer = read_meta(db, f"{PROBE_SAID}{known.lease.hid}")  # None: it was probed before answers were kept
    if near and (answer is None or gone.says_the_same(gone.said(page.whole, page.url), answer.split())):
        return FetchOutcome(Event.GONE, SOFT_404)
    if apologies and answer and _apologizes(db, known.lease, apologies, answer.split()):
        return FetchOutcome(Event.GONE, SOFT_404)
    return outcome


def _apologizes(db: Database, lease: Lease, apologies: list[str], answer: list[str]) -> bool:
    """Whether one of these sentences of a page is an apology of its host for missing pages: its answer to a probe has it, and
    the page that links here does not; if that is of another host, the home page. On some hosts all pages have such a
    sentence."""
    origin = split(lease.url)[0]
    for url in dict.fromkeys((lease.parent, join(origin, "/"))):
        key = url_key(url) if url and split(url)[0] == origin else None
        if key and (row := db.execute(STORED_TEXT_AT, key.url_id).fetchone()):
            there = gone.said(whole_text(row[0], unpacked_text(row[1])), lease.url)
            return any(gone.is_said(each, lease.url, answer) and not gone.is_said(each, lease.url, there) for each in apologies)
    return False


def keep_answer(db: Database, page: Page) -> None:
    """Keep what a host answers to a probe with status 200, until a later probe brings another such answer."""
    if page.status == 200:
        set_meta(db, f"{PROBE_SAID}{page.lease.hid}", " ".join(gone.said(page.whole, page.url)))


def _stored_text(db: Database, page_id: int) -> tuple[str, str]:
    """Title and main text of a stored page; both empty if they were purged."""
    row = db.execute(STORED_TEXT, (page_id,)).fetchone()
    return (row[0], unpacked_text(row[1])) if row else ("", "")


# 3. What follows


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
    scores = sorted((link.score for link in page.links if not link.refused), reverse=True)[:BEST_LINKS]
    return sum(scores) / len(scores) if scores else 0.0


def _modified_at(known: KnownUrl, page: Page, bits: int, now: float) -> float:
    """When a changed page was changed by its Last-Modified, if the host's headers can be trusted; 0: not known."""
    if known.record is None or bits <= MATERIAL or not validators.trusted(known.profile):
        return 0.0
    at = http_time(next((value for name, value in page.headers if name.lower() == "last-modified"), "")) or 0.0
    return at if known.record.read_at < at <= now else 0.0


# 4. What is written


def write_revisit(db: Database, known: KnownUrl, decision: Decision, run: int, page_id: int, now: float) -> None:
    """Write the record, the page's state and the change. `page_id`: of the page that this commit has stored; 0: none."""
    lease = known.lease
    if lease.kind == SOFT404_PROBE:  # probed only once; the answer is in the profile
        drop_revisit(db, lease.hid, lease.uid)
        return
    if decision.record is not None:
        write_revisits(db, [decision.record])
    if decision.gone is not None and known.page_id:
        db.execute("update page set gone=? where page_id=?", (int(decision.gone), known.page_id))
    if decision.change:
        log_change(db, now, run, (lease.hid, lease.uid, page_id or known.page_id, lease.url), decision.change)


def write_profile_after(db: Database, known: KnownUrl, decision: Decision, outcome: FetchOutcome) -> None:
    """Write the profile of the host. Only failures of the host count as trouble, not a page or a sitemap that cannot be
    read."""
    if known.record is None and decision.profile is None:
        return
    trouble = outcome.event in (Event.RETRY, Event.GAVE_UP) and known.is_page and outcome.reason not in NO_TROUBLE
    profile = decision.profile or known.profile
    write_profile(db, replace(profile, failure_share=gone.failure_share_after(profile.failure_share, trouble)))
