from __future__ import annotations

import pytest

from focuscrawl.frontier.states import State
from focuscrawl.store.engines.database import Database
from focuscrawl.store.engines.meta import set_meta
from focuscrawl.store.frontier.discover import DiscoveredUrl, discover
from focuscrawl.store.frontier.leasing import lease
from focuscrawl.store.frontier.operator_changes import hold, remove_urls
from focuscrawl.store.workers.control import KEY, Control, Orders, WantedState, read_control, read_orders, write_control
from tests.factories import FREE, NOW


def test_a_crawl_runs_until_somebody_says_something_else(db: Database) -> None:
    assert read_control(db) == Control()
    assert write_control(db, WantedState.PAUSE, NOW, "li@a") == Control()
    assert read_control(db) == Control(WantedState.PAUSE, NOW, "li@a")


def test_who_said_it_first_is_kept_and_the_last_word_holds(db: Database) -> None:
    write_control(db, WantedState.PAUSE, NOW, "li@a")
    assert write_control(db, WantedState.PAUSE, NOW + 5, "wang@b").state is WantedState.PAUSE
    assert read_control(db) == Control(WantedState.PAUSE, NOW, "li@a")
    write_control(db, WantedState.STOP, NOW + 9, "wang@b")
    assert read_control(db) == Control(WantedState.STOP, NOW + 9, "wang@b")


@pytest.mark.parametrize("text", ["", "[]", '{"state": "dance", "at": 1, "by": "x"}', '{"state": "stop"}'])
def test_what_cannot_be_read_lets_the_crawl_run(db: Database, text: str) -> None:
    set_meta(db, KEY, text)
    assert read_control(db) == Control()


def test_a_worker_hears_of_held_hosts_and_of_what_it_has_in_hand(db: Database) -> None:
    discover(
        db,
        [DiscoveredUrl("http://a.test/1", 0.9), DiscoveredUrl("http://b.test/1", 0.5), DiscoveredUrl("https://b.test/2", 0.4)],
        NOW,
    )
    [one] = lease(db, 7, 1, NOW, FREE)
    assert read_orders(db, 7) == Orders()
    remove_urls(db, [one.url], NOW)
    hold(db, "b.test", True)
    origins = frozenset({"http://b.test", "https://b.test"})
    removed = frozenset({(one.hid, one.uid)})
    assert read_orders(db, 7) == Orders(held=frozenset({"b.test"}), held_origins=origins, removed=removed)
    assert not read_orders(db, 8).removed
    assert db.execute("select state from url where uid=?", (one.uid,)).fetchone() == (State.FILTERED,)
