"""Waiting URLs in the order in which they would be fetched, held against the leases that the store gives."""

from __future__ import annotations

import json
from unittest.mock import Mock

import pytest

from focuscrawl.frontier.states import State
from focuscrawl.politeness.pace import Pace
from focuscrawl.store.engines.database import Database
from focuscrawl.store.frontier.discover import DiscoveredUrl, discover
from focuscrawl.store.frontier.host_rows import dump_pace
from focuscrawl.store.frontier.leasing import HOLD, lease
from focuscrawl.store.frontier.operator_changes import hold
from focuscrawl.store.frontier.waiting import UNFOCUSED, Kind, Stage, before_robots, waiting_urls
from focuscrawl.store.workers.runs import begin_run, keep_conditions
from models.order.strategies import STRATEGIES
from tests.factories import FREE, NOW, known, leased, limits
from tests.store.test_listing import fill


def read_robots(db: Database, delay: float = 0.0, *names: str) -> None:
    """The rules of these hosts (none named: of all) are known, and each is asked with this delay."""
    for (name,) in db.execute("select distinct name from host").fetchall():
        if not names or name in names:
            db.execute("update host set robots_until=?, pace=? where name=?", (NOW + 999, dump_pace(Pace(delay)), name))


def shown(db: Database, limit: int = 9) -> list[str]:
    return [one.url.removeprefix("http://") for one in waiting_urls(db, NOW, limit)]


def test_what_a_worker_has_in_hand_comes_first_then_the_best_whatever_its_host(db: Database) -> None:
    fill(db)
    read_robots(db)
    found = waiting_urls(db, NOW, 5)
    assert [one.url[7:] for one in found] == ["c.test/1", "a.test/5", "a.test/4", "a.test/3", "b.test/0"]
    assert (found[0].state, found[0].worker, found[0].leased_at) == (State.LEASED, 4, NOW)
    assert len(waiting_urls(db, NOW, 99)) == 12


def test_of_one_kind_or_one_host(db: Database) -> None:
    fill(db)
    assert [one.url for one in waiting_urls(db, NOW, 9, [Kind.RETRY])] == ["http://d.test/retry"]
    assert [one.url for one in waiting_urls(db, NOW, 9, [Kind.REMOVED])] == ["http://d.test/rm"]
    assert [one.url[-1] for one in waiting_urls(db, NOW, 2, [Kind.QUEUED], "b.test")] == ["0", "1"]
    assert len(waiting_urls(db, NOW, 9, host="d.test")) == 1
    assert waiting_urls(db, NOW, 9, host="e.test") == []


@pytest.mark.parametrize("delay", [0.0, 2.0])
def test_the_order_is_that_of_the_leases(db: Database, delay: float) -> None:
    discover(db, [DiscoveredUrl(f"http://{host}.test/{n}", 0.9 - n / 10 - at / 50) for n in range(4) for at, host in
                  enumerate("abc")], NOW)  # fmt: skip
    known(db, "https://b.test/tls", priority=0.55)
    read_robots(db, delay)
    db.execute("update host set ready_at=? where name='a.test'", (NOW + 3,))
    expected = shown(db, 99)
    taken: list[str] = []
    at = NOW
    while at < NOW + 60:
        batch = leased(db, 1, at=at, limits=limits(99, delay=delay))
        taken += [one.url.removeprefix("http://") for one in batch]
        at += 0.0 if batch else 0.5
    assert taken == expected


@pytest.mark.parametrize(
    ("arguments", "before"),
    [
        ({}, 1),
        ({"minutes": 5}, 1),
        ({"max_pages": 300}, 5),
        ({"max_pages": 3000, "minutes": 25}, 1),  # twenty at once would be worth waiting for, but the first is fetched now
        ({"max_pages": 300, "strategy": "breadth-first"}, 1),
        ({"budget": 300, "strategy": "breadth-first", "mode": "recrawl"}, 5),
    ],
)
def test_a_run_with_a_limit_lets_poor_urls_wait_for_better_ones(db: Database, arguments: object, before: int) -> None:
    """Of twenty good ones sixteen, as long as so many are left, come before any other."""
    discover(db, [DiscoveredUrl(f"http://good.test/{n}", 0.9 - n / 100) for n in range(20)], NOW)
    known(db, "http://poor.test/", priority=0.1)
    read_robots(db, 0.1)
    db.execute("insert into run(id, started_at, arguments) values(1, ?, ?)", (NOW, json.dumps(arguments)))
    assert shown(db).index("poor.test/") == before


def test_unfocused_strategies_are_known_by_name() -> None:
    assert {name for name, strategy in STRATEGIES.items() if not strategy.focused} == UNFOCUSED


def test_what_waits_for_robots_or_an_operator_comes_after_what_may_be_fetched(db: Database) -> None:
    known(db, "http://new.test/", priority=0.9)
    known(db, "http://held.test/", priority=0.8)
    known(db, "http://known.test/1", "http://known.test/2", priority=0.2)
    read_robots(db, 1.0, "known.test", "held.test")
    hold(db, "held.test", True)
    assert shown(db) == ["known.test/1", "known.test/2", "new.test/", "held.test/"]
    assert before_robots(db, NOW) == (1, 1)
    assert before_robots(db, NOW + 1000) == (3, 2)
    db.execute("update host set best_priority=null where name='known.test'")  # it may give no more pages
    assert before_robots(db, NOW + 1000) == (1, 1)


@pytest.mark.parametrize("given", ["False", "0", "false"])
def test_a_crawl_that_does_not_obey_robots_waits_for_none(db: Database, given: str) -> None:
    known(db, "http://new.test/", priority=0.9)
    known(db, "http://known.test/", priority=0.2)
    read_robots(db, 1.0, "known.test")
    keep_conditions(db, begin_run(db, "{}", NOW), {"settings": {"ROBOTSTXT_OBEY": given}})
    assert [(one.host, one.stage(NOW)) for one in waiting_urls(db, NOW, 9)] == [
        ("new.test", Stage.TURN),
        ("known.test", Stage.TURN),
    ]
    assert before_robots(db, NOW) == (0, 0)


def test_a_host_that_answers_another_request_and_a_retry_come_when_they_may(db: Database) -> None:
    known(db, "http://busy.test/", priority=0.4)
    known(db, "http://slow.test/", priority=0.6)
    known(db, "http://again.test/", priority=0.9)
    read_robots(db, 1.0)
    db.execute("update host set ready_at=? where name='busy.test'", (NOW + HOLD,))
    db.execute("update host set ready_at=? where name='slow.test'", (NOW + 5,))
    db.execute("update url set state=?, due_at=? where priority>0.8", (int(State.WAIT), NOW + 3))
    db.execute("update host set best_priority=null where name='again.test'")
    assert shown(db) == ["busy.test/", "again.test/", "slow.test/"]


def test_equal_ones_come_in_the_order_of_their_leases(db: Database) -> None:
    discover(db, [DiscoveredUrl(f"http://a.test/{n}", 0.5) for n in range(5)], NOW)
    read_robots(db)
    expected, first = shown(db), shown(db, 2)
    if db.dialect.name == "postgresql":  # it gives equal rows in any order, and in another one if it is asked for fewer
        assert set(first) < set(expected)
        return
    assert first == expected[:2]
    assert [leased(db, 1, limits=limits(9, delay=0.0))[0].url.removeprefix("http://") for _ in expected] == expected


def test_few_hosts_of_many_are_read(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    discover(db, [DiscoveredUrl(f"http://h{n}.test/", n / 1000) for n in range(200)], NOW)
    asked = Mock(wraps=db.execute)
    monkeypatch.setattr(db, "execute", asked)
    assert shown(db, 3) == ["h199.test/", "h198.test/", "h197.test/"]
    assert asked.call_count < 10


def test_a_worker_takes_the_first_of_the_list(db: Database) -> None:
    fill(db)
    read_robots(db)
    first = next(one for one in waiting_urls(db, NOW, 9) if one.state is State.QUEUED)
    assert [one.url for one in lease(db, 5, 1, NOW, FREE)] == [first.url]
