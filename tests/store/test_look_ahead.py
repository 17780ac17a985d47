"""What is worth waiting for, and that nothing poorer is leased before it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

import pytest

from focuscrawl.frontier.lanes import lifted
from focuscrawl.frontier.partition import Partition, bucket_of, owner
from focuscrawl.frontier.patience import Patience
from focuscrawl.politeness.pace import RequestOutcome
from focuscrawl.store.engines.database import Database
from focuscrawl.store.frontier.discover import DiscoveredUrl, discover
from focuscrawl.store.frontier.leasing import HOLD, LeaseLimits, giving_way
from focuscrawl.store.frontier.look_ahead import Ahead, look_ahead
from focuscrawl.store.frontier.pacing import report
from tests.factories import NOW, POLITE, known, leased

BEST_FEW = Patience(4)


def waiting(db: Database, hosts: Mapping[str, tuple[float, int]]) -> None:
    """By host the priority of its best URL, and how many it has; each is a hundredth worse than the one before."""
    found = [
        DiscoveredUrl(f"http://{host}.test/{n}", best - 0.01 * n) for host, (best, count) in hosts.items() for n in range(count)
    ]
    discover(db, found, NOW)


def ready(db: Database, host: str, at: float) -> None:
    db.execute("update host set ready_at=? where name=?", (at, f"{host}.test"))


def ahead(db: Database, patience: Patience = BEST_FEW, limits: LeaseLimits = POLITE, at: float = NOW) -> Ahead:
    return look_ahead(db, at, limits, patience)


def taken(db: Database, at: float = NOW, limits: LeaseLimits = POLITE, worker: int = 1) -> list[str]:
    """What is leased by a patient worker."""
    least = ahead(db, limits=limits, at=at).least
    return [one.url.removeprefix("http://") for one in leased(db, worker=worker, at=at, limits=replace(limits, least=least))]


def test_what_can_be_had_soon_and_is_better_is_waited_for(db: Database) -> None:
    waiting(db, {"good": (0.9, 9), "poor": (0.2, 9)})
    ready(db, "good", NOW + 0.4)
    found = ahead(db)
    assert found.least == pytest.approx(0.87)
    assert found.due == NOW + 0.4
    assert found.waits
    assert taken(db) == []
    assert taken(db, NOW + 0.4) == ["good.test/0"]


def test_a_recrawl_waits_for_its_own_urls_alone(db: Database) -> None:
    waiting(db, {"due": (lifted(0.9), 3), "plain": (0.9, 9)})
    ready(db, "due", NOW + 0.4)
    assert ahead(db).waits
    recrawl = replace(POLITE, recrawl=True)
    assert not ahead(db, limits=recrawl).waits
    waiting(db, {"other": (lifted(0.5), 2)})
    assert ahead(db, limits=recrawl).least == pytest.approx(lifted(0.5))
    assert taken(db, limits=recrawl) == ["other.test/0"]


def test_with_fewer_than_that_nothing_is_waited_for(db: Database) -> None:
    waiting(db, {"good": (0.9, 3)})
    ready(db, "good", NOW + 0.4)
    assert not ahead(db).waits
    waiting(db, {"poor": (0.2, 2)})
    assert taken(db) == ["poor.test/0"]


def test_a_host_counts_for_what_it_can_give_within_the_horizon(db: Database) -> None:
    waiting(db, {"good": (0.9, 9), "fair": (0.5, 9), "poor": (0.2, 9)})
    ready(db, "good", NOW + 0.5)
    ready(db, "fair", NOW + 0.5)
    assert ahead(db, Patience(4, horizon=2.0)).least == pytest.approx(0.49)  # two of each
    slow = '{"delay":60.0}'
    db.execute("update host set pace=? where name='good.test'", (slow,))
    assert ahead(db, Patience(4)).least == pytest.approx(0.48)  # one of the slow host


def test_hosts_that_are_away_for_long_are_not_waited_for(db: Database) -> None:
    waiting(db, {"good": (0.9, 9), "poor": (0.2, 9)})
    ready(db, "good", NOW + 300.0)
    assert taken(db) == ["poor.test/0"]


def test_an_answer_is_waited_for_but_not_for_ever(db: Database) -> None:
    waiting(db, {"good": (0.9, 9), "poor": (0.2, 9)})
    [first] = leased(db, 1, limits=POLITE)
    assert first.url == "http://good.test/0"
    assert db.execute("select ready_at from host where name='good.test'").fetchone()[0] == NOW + HOLD
    assert ahead(db).due == math.inf
    assert taken(db, NOW + 9.0) == []
    assert taken(db, NOW + 11.0) == ["poor.test/0"]
    report(db, 1, first, RequestOutcome(latency=0.1, status=200), NOW + 12.0, POLITE)
    assert taken(db, NOW + 13.5) == ["good.test/1"]


def test_workers_wait_for_the_same_and_never_get_it_twice(db: Database) -> None:
    waiting(db, {"good": (0.9, 9), "fine": (0.88, 9), "poor": (0.2, 9)})
    first, second = taken(db, worker=1), taken(db, worker=2)
    assert (sorted(first), second) == (["fine.test/0", "good.test/0"], [])


def test_a_worker_waits_for_its_own_part_and_takes_over_nothing_meanwhile(db: Database) -> None:
    by_part = {owner(bucket_of(f"host{n}.test"), 2): f"host{n}" for n in range(40)}
    waiting(db, {by_part[1]: (0.5, 9), by_part[2]: (0.9, 9)})
    ready(db, by_part[1], NOW + 0.4)
    own = replace(POLITE, partition=Partition(1, 2, foreign="fetch"))
    assert ahead(db, limits=own).least == pytest.approx(0.47)
    assert taken(db, limits=own) == []
    assert [one.url for one in leased(db, limits=own)] == [f"http://{by_part[2]}.test/0"]
    assert taken(db, NOW + 0.4, own) == [f"{by_part[1]}.test/0"]


def test_a_host_above_its_share_counts_for_less(db: Database) -> None:
    waiting(db, {"good": (0.9, 9), "fair": (0.8, 9)})
    [first] = leased(db, 1, limits=POLITE)  # all that was fetched so far is of this host
    assert first.url == "http://good.test/0"
    assert ahead(db, limits=replace(POLITE, host_share=0.5)).least == pytest.approx(0.77)
    assert giving_way(0.89) < 0.77


def test_held_hosts_are_not_waited_for(db: Database) -> None:
    waiting(db, {"good": (0.9, 9), "poor": (0.2, 9)})
    db.execute("update host set held=1 where name='good.test'")
    assert taken(db) == ["poor.test/0"]


def test_robots_txt_of_a_poor_host_waits_too(db: Database) -> None:
    waiting(db, {"good": (0.9, 9), "poor": (0.2, 9)})
    assert taken(db, limits=replace(POLITE, obey_robots=True)) == ["good.test/robots.txt"]


def test_nothing_that_is_known_is_nothing_to_wait_for(db: Database) -> None:
    assert ahead(db) == Ahead()
    assert known(db, "http://a.test/") == 1
    assert not ahead(db).waits
