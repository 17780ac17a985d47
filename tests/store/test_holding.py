from __future__ import annotations

import pytest

from focuscrawl.errors import BadInput
from focuscrawl.store.engines.database import Database
from focuscrawl.store.frontier.discover import DiscoveredUrl, discover
from focuscrawl.store.frontier.leasing import lease
from focuscrawl.store.frontier.operator_changes import HeldHost, held_hosts, hold
from focuscrawl.store.frontier.partitions import first_due
from tests.factories import FREE, NOW, known


def test_nothing_of_a_held_host_is_leased_until_it_is_released(db: Database) -> None:
    discover(
        db,
        [DiscoveredUrl("http://a.test/1", 0.9), DiscoveredUrl("https://a.test/2", 0.8), DiscoveredUrl("http://b.test/1", 0.1)],
        NOW,
    )
    assert hold(db, "a.test", True) == 2
    assert [one.url for one in lease(db, 1, 9, NOW, FREE)] == ["http://b.test/1"]
    assert hold(db, "a.test", True) == 0
    assert held_hosts(db) == [HeldHost("a.test", "http://a.test", 2)]
    assert hold(db, "a.test", False) == 2
    assert sorted(one.url for one in lease(db, 1, 9, NOW, FREE)) == ["http://a.test/1", "https://a.test/2"]
    assert held_hosts(db) == []


def test_a_held_host_is_not_waited_for(db: Database) -> None:
    known(db, "http://a.test/1")
    known(db, "http://b.test/1")
    db.execute("update host set ready_at=? where name='b.test'", (NOW + 9,))
    assert first_due(db) != NOW + 9
    hold(db, "a.test", True)
    assert first_due(db) == NOW + 9


def test_an_origin_that_is_found_later_is_held_with_its_name(db: Database) -> None:
    known(db, "http://a.test/1", priority=0.9)
    hold(db, "a.test", True)
    known(db, "http://a.test:8080/1", priority=0.9)
    assert lease(db, 1, 9, NOW, FREE) == []


def test_an_unknown_host_is_refused_with_the_nearest(db: Database) -> None:
    known(db, "http://example.test/1", priority=0.9)
    with pytest.raises(BadInput, match=r"'exmple.test'; did you mean 'example.test'"):
        hold(db, "exmple.test", True)
