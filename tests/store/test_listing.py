from __future__ import annotations

from focuscrawl.frontier.states import State
from focuscrawl.items import SITEMAP
from focuscrawl.store.engines.database import Database
from focuscrawl.store.frontier.discover import DiscoveredUrl, discover
from focuscrawl.store.frontier.leasing import lease
from focuscrawl.store.frontier.listing import frontier_stats
from focuscrawl.store.frontier.operator_changes import hold, remove_urls
from tests.factories import FREE, NOW, known


def fill(db: Database) -> None:
    """Ten queued, one leased, one waiting for a retry, one removed, one gone."""
    discover(db, [DiscoveredUrl(f"http://a.test/{n}", 0.5 + n / 100) for n in range(6)], NOW)
    discover(db, [DiscoveredUrl(f"http://b.test/{n}", 0.53 - n / 1000) for n in range(4)], NOW)
    known(db, "http://c.test/1", priority=0.99)
    lease(db, 4, 1, NOW, FREE)
    discover(
        db,
        [
            DiscoveredUrl("http://d.test/retry", 0.52),
            DiscoveredUrl("http://d.test/gone", 0.1),
            DiscoveredUrl("http://d.test/rm", 0.9),
        ],
        NOW,
    )
    remove_urls(db, ["http://d.test/rm"], NOW)
    db.execute("update url set state=2, due_at=?, error='timeout', tries=1 where path='/retry'", (NOW + 60,))
    db.execute("update url set state=10 where path='/gone'")
    db.execute("update host set best_priority=null where name='d.test'")


def test_the_stats_count_each_url_once(db: Database) -> None:
    fill(db)
    known(db, "https://a.test/tls", priority=0.9)
    hold(db, "b.test", True)
    stats = frontier_stats(db, 2)
    assert stats.states == {State.QUEUED: 11, State.LEASED: 1, State.WAIT: 1, State.GONE: 1, State.FILTERED: 1}
    assert (stats.removed, stats.hosts_waiting) == (1, 3)
    assert [(host.name, host.queued, host.held) for host in stats.hosts] == [("a.test", 7, False), ("b.test", 4, True)]
    assert stats.hosts[0].best == 0.9
    assert [(host.name, host.waiting) for host in stats.held] == [("b.test", 4)]
    assert (stats.next_host, stats.next_retry) == (0.0, NOW + 60)


def test_sitemaps_that_were_never_visited_are_no_stored_pages(db: Database) -> None:
    discover(db, [DiscoveredUrl(f"http://a.test/{n}", 0.5) for n in range(5)], NOW)
    db.execute("update url set state=?", (int(State.DONE),))
    db.execute("update url set kind=? where path like '/%' and path<'/3'", (SITEMAP,))
    stats = frontier_stats(db, 2)
    assert (stats.states, stats.sources) == ({State.DONE: 2}, 3)
    db.execute("update url set state=? where path='/0'", (int(State.GONE),))  # most hosts have none
    db.execute("update url set state=? where path='/1'", (int(State.QUEUED),))
    stats = frontier_stats(db, 2)
    assert (stats.states, stats.sources) == ({State.DONE: 2, State.QUEUED: 1}, 2)
