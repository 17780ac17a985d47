"""Soft 404s in the commit of a fetch.

A soft 404 is an answer with status 200 that says that the page is not there. A page that looks like one waits, while its host
is asked for a URL that cannot exist (a probe). What the host answers to that is what it answers for missing pages: a page that
is like it, or has its apology, is gone. What makes a page look like one is decided by pure functions in
`focuscrawl.recrawl.gone`.
"""

from __future__ import annotations

from focuscrawl.frontier.lanes import lifted
from focuscrawl.frontier.outcome import FetchOutcome
from focuscrawl.frontier.states import Event, State
from focuscrawl.items import SOFT404_PROBE, Lease, Page, PageSignature, whole_text
from focuscrawl.recrawl import gone
from focuscrawl.recrawl.state import RevisitRecord
from focuscrawl.store.engines.database import Database
from focuscrawl.store.engines.meta import read_meta, set_meta
from focuscrawl.store.engines.records import unpacked_text
from focuscrawl.store.frontier.discover import DiscoveredUrl, discover
from focuscrawl.store.frontier.host_rows import HostChanges
from focuscrawl.store.revisits.known_url import KnownUrl
from focuscrawl.store.revisits.revisit_rows import load_revisit, write_revisits
from focuscrawl.url.key import url_key
from focuscrawl.url.normalize import join, split

SOFT_404 = "soft404"
PROBE_SAID = "soft404_said/"
"""Begins the names in `meta` of the words, as `gone.said` gives them, with which hosts answer soft-404 probes."""
SOFT_404_WAITS = (1.0, 4.0, 16.0, 64.0)
"""Seconds that a page which may be a soft 404 waits between tries, while its host is probed. If the probe has no answer after
the last one, the revisit is given up."""
STORED_TEXT_AT = "select p.title, b.text from page p join body b on b.page_id=p.page_id where p.hid=? and p.uid=?"
SOME_STORED_TEXTS = "select p.title, b.text from page p join body b on b.page_id=p.page_id where p.hid=? order by p.uid limit 4"
SUSPECTS = f"select uid from url where state={State.WAIT:d} and due_at between ? and ? and +hid=? and error=?"
"""By the index `url_due`: a host may have a million URLs. The bounds: no such page waits for longer than
SOFT_404_WAITS says."""
WAKE_SUSPECT = f"update url set due_at=? where hid=? and uid=? and state={State.WAIT:d}"


def judge_first_fetch(db: Database, known: KnownUrl, page: Page, outcome: FetchOutcome, now: float) -> FetchOutcome:
    """As `judge_suspicious`, for a page that is fetched for the first time. It is suspicious if its text excuses itself, or if
    it repeats another page of its host. A home page or an example never is. If the probe gets no answer, the page is stored."""
    origin, path = split(page.url)
    if path == "/" or known.lease.example or not page.signature.simhash:
        return outcome
    if gone.stale(known.profile, now):
        repeats = page.duplicate is not None and split(page.duplicate.url)[0] == origin
        if known.lease.tries >= len(SOFT_404_WAITS) or not (repeats or gone.excuses(page.title, page.text)):
            return outcome
    return judge_suspicious(db, known, page, outcome, now)


def judge_suspicious(db: Database, known: KnownUrl, page: Page, outcome: FetchOutcome, now: float) -> FetchOutcome:
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
    another page of the host does not. On some hosts all pages have such a sentence."""
    said = [sentence for sentence in apologies if gone.is_said(sentence, lease.url, answer)]
    for title, text in _others_of_host(db, lease) if said else ():
        there = gone.said(whole_text(title, unpacked_text(text)), lease.url)
        if not all(gone.is_said(sentence, lease.url, there) for sentence in said):
            return True
    return False


def _others_of_host(db: Database, lease: Lease) -> list[tuple[str, bytes]]:
    """Title and text of the page of the host that links to this URL; if that is of another host, of the home page; without
    both, of a few stored pages."""
    origin = split(lease.url)[0]
    for url in dict.fromkeys((lease.parent, join(origin, "/"))):
        key = url_key(url) if url and split(url)[0] == origin else None
        if key and (row := db.execute(STORED_TEXT_AT, key.url_id).fetchone()):
            return [(row[0], row[1])]
    return [(row[0], row[1]) for row in db.execute(SOME_STORED_TEXTS, (lease.hid,)).fetchall()]


def keep_probe_answer(db: Database, page: Page) -> None:
    """Keep what a host answers to a probe with status 200, until a later probe brings another such answer."""
    if page.status == 200:
        set_meta(db, f"{PROBE_SAID}{page.lease.hid}", " ".join(gone.said(page.whole, page.url)))


def home_signature(db: Database, lease: Lease) -> PageSignature | None:
    """Signature of the home page of a lease's host, as it was read last; None if it is not stored."""
    home = load_revisit(db, lease.hid, url_key(join(split(lease.url)[0], "/")).uid)
    return home.signature if home else None


def probe_host(db: Database, lease: Lease, now: float, hosts: HostChanges) -> None:
    """Let a probe of the host of this lease be fetched in this run. The page waits until the answer to it is known."""
    url = gone.soft404_probe_url(split(lease.url)[0], int(now // gone.KNOWN_FOR))
    found = DiscoveredUrl(url, lifted(1.0), kind=SOFT404_PROBE)
    write_revisits(db, [RevisitRecord(*found.url_id, SOFT404_PROBE, due_at=now)])
    discover(db, [found], now, hosts=hosts)


def wake_suspects(db: Database, hid: int, now: float) -> None:
    """Let the pages of this host that have waited for the answer to its probe be fetched now."""
    for (uid,) in sorted(db.execute(SUSPECTS, (now, now + max(SOFT_404_WAITS), hid, SOFT_404)).fetchall()):
        db.execute(WAKE_SUSPECT, (now, hid, uid))
