from __future__ import annotations

import random

from focuscrawl.store.engines.database import Database
from focuscrawl.store.frontier.discover import DiscoveredUrl, discover
from focuscrawl.store.frontier.leasing import best_waiting


def test_the_best_over_all_hosts(db: Database) -> None:
    assert best_waiting(db, 5) == []
    rng = random.Random(2)
    scores = [rng.random() for _ in range(300)]
    discover(db, [DiscoveredUrl(f"http://h{rng.randrange(12)}.test/{n}", score) for n, score in enumerate(scores)], 0.0)
    for count in (1, 5, 40, 299, 1000):
        assert best_waiting(db, count) == sorted(scores, reverse=True)[:count]


def test_what_does_not_wait_does_not_count(db: Database) -> None:
    discover(db, [DiscoveredUrl("http://a.test/1", 0.9), DiscoveredUrl("http://a.test/2", 0.5)], 0.0)
    db.execute("update url set state=3 where priority=0.9")
    assert best_waiting(db, 5) == [0.5]
