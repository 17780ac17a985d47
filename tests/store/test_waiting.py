from __future__ import annotations

import random
from pathlib import Path

from focuscrawl.store.engines.database import Database
from focuscrawl.store.engines.sqlite import connect
from focuscrawl.store.frontier.discover import DiscoveredUrl, discover
from focuscrawl.store.frontier.look_ahead import best_waiting
from focuscrawl.store.frontier.partitions import first_due


def test_the_best_over_all_hosts(db: Database) -> None:
    assert best_waiting(db, 5) == []
    rng = random.Random(2)
    scores = [rng.random() for _ in range(300)]
    discover(db, [DiscoveredUrl(f"http://h{rng.randrange(12)}.test/{n}", score) for n, score in enumerate(scores)], 0.0)
    for count in (1, 5, 40, 299, 1000):
        assert best_waiting(db, count) == sorted(scores, reverse=True)[:count]


def test_no_row_of_a_host_is_read_to_find_when_the_first_falls_due(tmp_path: Path) -> None:
    db = connect(tmp_path / "store.sqlite")
    asked: list[str] = []
    db.set_trace_callback(asked.append)
    first_due(db)
    db.set_trace_callback(None)
    [of_hosts] = [statement for statement in asked if "from host" in statement and "ready_at" in statement]
    assert "COVERING INDEX host_best" in db.execute(f"explain query plan {of_hosts}").fetchall()[0][3]
    db.close()


def test_what_does_not_wait_does_not_count(db: Database) -> None:
    discover(db, [DiscoveredUrl("http://a.test/1", 0.9), DiscoveredUrl("http://a.test/2", 0.5)], 0.0)
    db.execute("update url set state=3 where priority=0.9")
    assert best_waiting(db, 5) == [0.5]
