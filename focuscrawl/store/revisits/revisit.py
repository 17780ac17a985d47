"""A revisit in the commit of a fetch: the answer compared with what was known, and what is written of it.

The commit calls these in this order, each with the results of the ones before:

1. `known_url.load_known` reads what the store knew before this fetch.
2. `compare` compares it with the answer, which may turn out to be a soft 404, or incomplete.
3. `decision.decide` decides what follows.
4. `write_revisit` writes the record, the state of the page and the change. `write_profile_after` writes what was learned of the
   host, which is the last row that a commit writes.
"""

from __future__ import annotations

from dataclasses import replace

from focuscrawl.frontier.outcome import BUSY_STATUS, FetchOutcome
from focuscrawl.frontier.states import Event
from focuscrawl.items import SOFT404_PROBE, Page, broke_off
from focuscrawl.recrawl import gone
from focuscrawl.recrawl.gone import Gone
from focuscrawl.recrawl.page_signature import changed, distance
from focuscrawl.recrawl.state import MATERIAL
from focuscrawl.store.engines.database import Database
from focuscrawl.store.engines.records import unpacked_text
from focuscrawl.store.revisits.change_log import log_change
from focuscrawl.store.revisits.decision import Decision
from focuscrawl.store.revisits.known_url import KnownUrl
from focuscrawl.store.revisits.revisit_rows import drop_revisit, write_profile, write_revisits
from focuscrawl.store.revisits.soft404 import SOFT_404, judge_first_fetch, judge_suspicious

STORED_TEXT = "select p.title, b.text from page p join body b on b.page_id=p.page_id where p.page_id=?"
NO_TROUBLE = frozenset({SOFT_404, "parse", "document", "encrypted", "internal", "dropped"})
"""Reasons of failed fetches that do not mean trouble with the host."""


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
        return known, judge_first_fetch(db, known, page, outcome, now), 0
    if record is None or not known.page_id:
        return known, outcome, 0
    bits = distance(known.signature, page.signature)
    if not record.signature_digest:
        return known, judge_suspicious(db, known, page, outcome, now) if known.gone >= Gone.GONE else outcome, bits
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
        outcome = judge_suspicious(db, known, page, outcome, now)
    return known, outcome, bits


def _stored_text(db: Database, page_id: int) -> tuple[str, str]:
    """Title and main text of a stored page; both empty if they were purged."""
    row = db.execute(STORED_TEXT, (page_id,)).fetchone()
    return (row[0], unpacked_text(row[1])) if row else ("", "")


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
