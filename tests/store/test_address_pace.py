"""The address under several hosts and origins: robots requests count, unknown addresses do no harm."""

from __future__ import annotations

from dataclasses import replace

import pytest

from focuscrawl.items import Lease
from focuscrawl.politeness.pace import PaceSettings
from focuscrawl.store.engines.database import Database
from focuscrawl.store.frontier.discover import DiscoveredUrl, discover
from focuscrawl.store.frontier.leasing import HOLD, lease
from focuscrawl.store.frontier.pacing import claim_ip_address, is_late, reserve
from focuscrawl.url.hosts import hid_of
from tests.factories import NOW, known, limits

LIMITS = limits(1, delay=1.0, ip_address_at_once=4, ip_address_delay=0.5, obey_robots=True)


def test_a_robots_request_takes_the_turn_of_its_address(db: Database) -> None:
    discover(db, [DiscoveredUrl("http://a.test/1", 0.9), DiscoveredUrl("http://b.test/1", 0.8)], NOW)
    db.execute("update host set ip_address='127.0.0.9'")
    assert [one.url for one in lease(db, 1, 10, NOW, LIMITS)] == ["http://a.test/robots.txt"]
    assert lease(db, 1, 10, NOW + 0.4, LIMITS) == []
    assert [one.url for one in lease(db, 1, 10, NOW + 1.0, LIMITS)] == ["http://b.test/robots.txt"]


def test_two_origins_of_a_name_of_which_one_has_an_address(db: Database) -> None:
    discover(db, [DiscoveredUrl("https://a.test/1", 0.9), DiscoveredUrl("http://a.test/2", 0.8)], NOW)
    db.execute("update host set ip_address='127.0.0.9' where origin='http://a.test'")
    free = replace(LIMITS, host=PaceSettings(0.0, 8), obey_robots=False)
    assert len(lease(db, 1, 10, NOW, free)) == 2


def test_reserve_takes_turns_of_a_host(db: Database) -> None:
    known(db, "http://a.test/1", priority=0.9)
    assert reserve(db, "http://a.test", NOW, LIMITS) == 0.0
    assert reserve(db, "http://a.test", NOW + 0.25, LIMITS) == pytest.approx(0.75)
    db.execute("update host set ready_at=?", (NOW + HOLD,))
    assert reserve(db, "http://a.test", NOW + 2, LIMITS) == 1.0
    assert [reserve(db, "http://unknown.test", NOW + n / 2, LIMITS) for n in range(3)] == [0.0, 0.5, 0.0]


def test_a_request_without_a_lease_row_keeps_the_delay_of_the_address(db: Database) -> None:
    step = Lease(hid_of("http://b.test"), 0, "http://b.test/robots.txt", robots=True)
    assert claim_ip_address(db, 1, step, "127.0.0.9", NOW, LIMITS) == 0.0
    assert claim_ip_address(db, 1, step, "127.0.0.9", NOW + 0.2, LIMITS) == pytest.approx(0.3)


def test_a_lease_that_is_sent_late_takes_another_turn_if_others_had_theirs(db: Database) -> None:
    """A busy process must not send what it leased long ago right before the next worker's request."""
    polite = replace(LIMITS, host=PaceSettings(0.0, 8), obey_robots=False)
    discover(db, [DiscoveredUrl("http://a.test/1", 0.9), DiscoveredUrl("http://b.test/1", 0.8)], NOW)
    db.execute("update host set ip_address='127.0.0.9'")
    [first] = lease(db, 1, 10, NOW, polite)
    assert not is_late(first, NOW + 0.04, polite)
    assert is_late(first, NOW + 0.4, polite)
    assert claim_ip_address(db, 1, first, "127.0.0.9", NOW + 0.4, polite) == 0.0
    assert lease(db, 2, 10, NOW + 0.6, polite) == [], "the delay counts from when the first was sent"
    [second] = lease(db, 2, 10, NOW + 1.0, polite)
    assert claim_ip_address(db, 1, first, "127.0.0.9", NOW + 1.1, polite) == pytest.approx(0.4), "the second has had its turn"
    assert is_late(second, NOW + 1.2, polite)
