"""A page fetched again with its validators: 304 keeps what is stored."""

from __future__ import annotations

from focuscrawl.dedup.methods import method
from focuscrawl.frontier.outcome import outcome_of
from focuscrawl.frontier.states import State
from focuscrawl.items import Lease, Page, Verdict
from focuscrawl.store.commit import Commit, Committed, commit
from focuscrawl.store.engines.database import Database
from focuscrawl.store.engines.page_record import WarcLocation
from focuscrawl.store.frontier.leasing import lease
from focuscrawl.store.pages.duplicates import DuplicateFinder
from focuscrawl.store.revisits.known_url import with_stored_validators
from tests.factories import NOW, known, limits

URL = "http://a.test/page"
LIMITS = limits(9)
VALIDATORS = (("ETag", '"7"'), ("Last-Modified", "Tue, 01 Jul 2025 10:00:00 GMT"))


def fetch(db: Database, status: int, text: str = "") -> tuple[Lease, Committed]:
    """Lease the URL and commit this answer."""
    [held] = with_stored_validators(db, lease(db, 1, 1, NOW, LIMITS))
    page = Page(held, URL, status, NOW, 0.1, "127.0.0.1", VALIDATORS, text=text, words=text.split())
    page.unmodified = "304" if status == 304 else ""
    page.verdict = Verdict(0.6, True, 0.2) if status == 200 else None
    made = Commit(page, outcome_of(page, ()), NOW, 1, 1)
    return held, commit(db, made, lambda _: WarcLocation("a.warc.gz", 10, 20), DuplicateFinder(method("simhash")))


def test_not_modified_keeps_the_page(db: Database) -> None:
    known(db, URL)
    first, stored = fetch(db, 200, "some words of a page")
    assert (first.etag, stored.state) == ("", State.DONE)
    before = db.execute("select * from page").fetchall()
    db.execute("update url set state=0")
    db.execute("update host set best_priority=0.5, ready_at=0")
    again, unchanged = fetch(db, 304)
    assert (again.etag, again.last_modified, again.trusted, again.stored_at) == ('"7"', VALIDATORS[1][1], True, NOW)
    assert (unchanged.state, unchanged.page_id) == (State.NOTMOD, 0)
    assert db.execute("select * from page").fetchall() == before
    assert db.execute("select state, status, error from url").fetchone() == (State.NOTMOD, 304, "")
