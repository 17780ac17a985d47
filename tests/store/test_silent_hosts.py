"""How many hosts have stopped serving, of those that have given pages?"""

from __future__ import annotations

from focuscrawl.politeness.pace import Pace, PaceSettings
from focuscrawl.store.engines.database import Database
from focuscrawl.store.frontier.discover import DiscoveredUrl, discover
from focuscrawl.store.frontier.host_rows import dump_pace
from focuscrawl.store.frontier.pacing import silent_hosts
from tests.factories import NOW

OPEN = PaceSettings().breaker_fails


def test_hosts_that_fail_again_and_again_count_where_urls_wait_once_for_each_name(db: Database) -> None:
    assert silent_hosts(db) == (0, 0)
    origins = (
        "http://down.test",
        "https://down.test",
        "http://slow.test",
        "http://up.test",
        "http://new.test",
        "http://done.test",
    )
    discover(db, [DiscoveredUrl(f"{origin}/1", 0.5) for origin in origins], NOW)
    db.execute("update host set pages=3 where origin in ('http://down.test', 'http://slow.test', 'http://up.test')")
    db.execute("update host set pages=1, best_priority=null where name='done.test'")
    for name, fails in (("down", OPEN), ("slow", OPEN - 1), ("up", 0), ("new", OPEN), ("done", OPEN)):
        db.execute("update host set pace=? where name=?", (dump_pace(Pace(fails=fails)), f"{name}.test"))
    assert silent_hosts(db) == (1, 4)
