from __future__ import annotations

import pytest

from focuscrawl.items import Lease
from focuscrawl.politeness.pace import PaceSettings, RequestOutcome
from focuscrawl.store.engines.database import Database
from focuscrawl.store.frontier.discover import DiscoveredUrl, discover
from focuscrawl.store.frontier.lease_ends import release, take_back
from focuscrawl.store.frontier.leasing import LeaseLimits, lease
from focuscrawl.store.frontier.pacing import report, set_crawl_delay
from tests.factories import NOW, POLITE, known


@pytest.fixture(autouse=True)
def _two_urls(db: Database) -> None:
    discover(db, [DiscoveredUrl("http://a.test/1", 0.9), DiscoveredUrl("http://a.test/2", 0.8)], NOW)


def ready_at(db: Database) -> float:
    return float(db.execute("select ready_at from host").fetchone()[0])


def answered(db: Database, status: int, retry_after: float | None = None) -> Lease:
    """A lease of worker 1 whose answer has come."""
    (one,) = lease(db, 1, 1, NOW, POLITE)
    report(db, 1, one, RequestOutcome(0.1, status, retry_after), NOW + 1, POLITE)
    return one


def test_a_host_keeps_its_delay_when_a_lease_is_given_back(db: Database) -> None:
    one = answered(db, 200)
    release(db, 1, [one], NOW + 1)
    assert ready_at(db) == NOW + 2


def test_leases_that_are_given_back_together_wait_again_and_their_hosts_are_free(db: Database) -> None:
    discover(db, [DiscoveredUrl(f"{scheme}://{name}.test/1", 1.0) for scheme in ("http", "https") for name in "bcd"], NOW)
    leases = lease(db, 1, 9, NOW, LeaseLimits(PaceSettings(0.0, 2), obey_robots=False))
    release(db, 1, [*leases, Lease(1, 1, "http://lost.test/")], NOW + 3)
    assert db.execute("select count(*) from lease").fetchone() == (0,)
    assert db.execute("select count(*) from url where state<>0").fetchone() == (0,)
    assert db.execute("select count(*), min(ready_at), max(ready_at) from host where name<>'a.test'").fetchone() == (
        6, NOW + 3, NOW + 3,
    )  # fmt: skip
    assert db.execute("select count(*) from host where best_priority is null").fetchone() == (0,)


def test_a_host_keeps_its_back_off_when_the_leases_of_a_dead_worker_are_taken_back(db: Database) -> None:
    answered(db, 503, retry_after=600.0)
    assert take_back(db, 1, NOW + 5) == (1, [])
    assert ready_at(db) == NOW + 601


def test_a_hold_ends_with_the_worker_that_caused_it(db: Database) -> None:
    lease(db, 1, 1, NOW, POLITE)
    assert ready_at(db) > NOW + 1e5
    take_back(db, 1, NOW + 5)
    assert ready_at(db) == NOW + 5


def test_a_new_origin_of_a_known_host_shares_its_pace(db: Database) -> None:
    answered(db, 503)
    known(db, "https://a.test/", at=NOW + 2)
    (old, new) = db.execute("select pace, ready_at from host order by origin").fetchall()
    assert old == new
    assert new[0]


def test_what_a_dead_worker_had_in_hand_may_have_been_sent_just_before(db: Database) -> None:
    lease(db, 1, 1, NOW, POLITE)
    take_back(db, 1, NOW + 5, delay=1.0)
    assert ready_at(db) == NOW + 6
    (one,) = lease(db, 1, 1, NOW + 6, POLITE)
    report(db, 1, one, RequestOutcome(0.1, 200), NOW + 7, POLITE)
    set_crawl_delay(db, one.hid, 30.0, POLITE.host, NOW + 7)
    lease(db, 1, 1, NOW + 40, POLITE)
    take_back(db, 1, NOW + 41, delay=1.0)
    assert ready_at(db) == NOW + 71
