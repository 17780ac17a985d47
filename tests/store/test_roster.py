from __future__ import annotations

import json
import os

import pytest

from focuscrawl.store.engines.database import Database, transaction
from focuscrawl.store.frontier.discover import DiscoveredUrl, discover
from focuscrawl.store.frontier.lease_ends import take_back_from_dead
from focuscrawl.store.frontier.leasing import lease
from focuscrawl.store.workers.clock import store_clock
from focuscrawl.store.workers.lifecycle import DEAD_SECONDS, beat, leave, register
from focuscrawl.store.workers.status import SILENT_SECONDS, Health, orphan_leases, roster, store_now
from tests.factories import FREE, NOW, known


def healths(db: Database, now: float) -> list[str]:
    return [str(row.health) for row in roster(db, now)]


def test_a_worker_with_what_it_holds_and_tells(db: Database) -> None:
    worker = register(db, 1, NOW)
    discover(
        db,
        [DiscoveredUrl("http://a.test/1", 0.9), DiscoveredUrl("http://a.test/2", 0.9), DiscoveredUrl("http://b.test/1", 0.9)],
        NOW,
    )
    lease(db, worker, 9, NOW, FREE)
    beat(db, worker, NOW + 2, json.dumps({"pages": 12, "pages_per_minute": 6.5, "trouble": "disk full", "partition": "1/2"}))
    [row] = roster(db, NOW + 3)
    assert (row.health, row.process_id, row.leases, row.hosts, row.silence) == (Health.LIVE, os.getpid(), 3, 2, 1.0)
    assert (row.count("pages"), row.text("trouble"), row.count("nothing")) == (12, "disk full", 0)
    assert "/" not in row.machine


@pytest.mark.parametrize(
    ("silence", "health"),
    [(0, "live"), (-5, "live"), (SILENT_SECONDS + 1, "silent"), (DEAD_SECONDS + 1, "dead")],
)
def test_silence(db: Database, silence: float, health: str) -> None:
    register(db, 1, NOW)
    assert healths(db, NOW + silence) == [health]


def test_every_other_state(db: Database) -> None:
    paused, gone, dead, buried = (register(db, 1, NOW) for _ in range(4))
    beat(db, paused, NOW, '{"control": "pause"}')
    leave(db, gone)
    db.execute("update worker set process_started=process_started+1 where id=?", (dead,))
    take_back_from_dead(db, buried, NOW, 0)
    assert healths(db, NOW) == ["paused", "gone", "dead", "dead"]
    assert [row.taken_back for row in roster(db, NOW)] == [False, False, False, True]


def test_stats_that_are_no_object_are_empty(db: Database) -> None:
    worker = register(db, 1, NOW)
    for text in ("[1]", "{", "null"):
        db.execute("update worker set stats=? where id=?", (text, worker))
        assert roster(db, NOW)[0].stats == {}


def test_leases_of_nobody(db: Database) -> None:
    worker = register(db, 1, NOW)
    known(db, "http://a.test/1", priority=0.9)
    lease(db, worker, 1, NOW, FREE)
    assert orphan_leases(db) == 0
    leave(db, worker)
    assert orphan_leases(db) == 1


def test_who_looks_has_the_time_of_the_workers(db: Database) -> None:
    with transaction(db):
        clock = store_clock(db, wall=lambda: NOW)
        register(db, 1, clock())
    assert store_now(db) == pytest.approx(clock(), abs=5.0)
