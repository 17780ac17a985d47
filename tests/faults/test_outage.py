"""A host that is down for hours, by a clock of the test: nothing is lost, and it is hardly asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from focuscrawl.dedup.methods import method
from focuscrawl.frontier.outcome import outcome_of
from focuscrawl.frontier.states import State
from focuscrawl.items import Lease
from focuscrawl.politeness.pace import RequestOutcome
from focuscrawl.store.commit import Commit, commit
from focuscrawl.store.engines.database import Database
from focuscrawl.store.engines.page_record import WarcLocation
from focuscrawl.store.engines.sqlite import connect
from focuscrawl.store.frontier.discover import DiscoveredUrl, discover
from focuscrawl.store.frontier.lease_ends import wake
from focuscrawl.store.frontier.leasing import lease
from focuscrawl.store.frontier.pacing import report
from focuscrawl.store.pages.duplicates import DuplicateFinder
from tests.factories import NOW, POLITE, page

DELAYS = (60.0, 300.0, 1800.0)
"""The default of FRONTIER_RETRY_DELAYS."""
HOUR = 3600.0
OUTAGE = 6 * HOUR
URLS = 200
STEP = 5.0


class Host:
    """One host, asked at steps of a clock for whatever may be asked of it; it answers again after the outage."""

    def __init__(self, db: Database) -> None:
        self.db = db
        self.now = NOW
        self.asked_while_down = 0
        discover(db, [DiscoveredUrl(f"http://down.test/{n}", 0.9 - n / 1000) for n in range(URLS)], NOW)

    def step(self) -> None:
        wake(self.db, self.now)
        for held in lease(self.db, 1, 16, self.now, POLITE):
            self.fetch(held)
        self.now += STEP

    def fetch(self, held: Lease) -> None:
        down = self.now < NOW + OUTAGE
        self.asked_while_down += down
        fetched = page(held, 0, error="connect") if down else page(held, 404)
        report(self.db, 1, held, RequestOutcome(None if down else 0.1, fetched.status, error=fetched.error), self.now, POLITE)
        change = Commit(fetched, outcome_of(fetched, DELAYS), self.now, 1, 1)
        commit(self.db, change, lambda _: WarcLocation("", 0, 0), DuplicateFinder(method("simhash")))


class OneIsRefused(Host):
    """A host that always answers its best URL with 503, and is well otherwise."""

    def fetch(self, held: Lease) -> None:
        refused = held.url.endswith("/0")
        fetched = page(held, 503 if refused else 404)
        fetched.retry_after = self.retry_after if refused else None
        report(self.db, 1, held, RequestOutcome(0.1, fetched.status, fetched.retry_after), self.now, POLITE)
        self.asked_while_down += refused
        change = Commit(fetched, outcome_of(fetched, DELAYS), self.now, 1, 1)
        commit(self.db, change, lambda _: WarcLocation("", 0, 0), DuplicateFinder(method("simhash")))

    retry_after: float | None = None


@pytest.mark.parametrize("retry_after", [None, 600.0])
def test_a_url_that_is_always_refused_does_not_hide_the_others_of_its_host(tmp_path: Path, retry_after: float | None) -> None:
    db = connect(tmp_path / "store.sqlite")
    host = OneIsRefused(db)
    host.retry_after = retry_after
    while host.now < NOW + HOUR:
        host.step()
    assert dict(db.execute("select state, count(*) from url group by state")) == {State.WAIT: 1, State.GONE: URLS - 1}
    assert host.asked_while_down < 5
    db.close()


def test_f61_f62_a_host_that_is_down_for_six_hours_loses_no_url(tmp_path: Path) -> None:
    db = connect(tmp_path / "store.sqlite")
    host = Host(db)
    while host.now < NOW + OUTAGE:
        host.step()
    assert 0 < host.asked_while_down <= 20
    states = "select state, count(*) from url group by state"
    assert {State(state) for state, _ in db.execute(states)} <= {State.QUEUED, State.WAIT}
    while host.now < NOW + OUTAGE + 4 * HOUR:
        host.step()
    assert dict(db.execute(states)) == {State.GONE: URLS}, "each was answered when the host was back"
    db.close()
