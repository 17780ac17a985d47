"""When a worker with a part of its own may end."""

from __future__ import annotations

import asyncio
from typing import Any

from focuscrawl.crawl.exhaustion import NOTHING, PartitionExit
from focuscrawl.frontier.partition import Partition
from focuscrawl.store.frontier.partitions import Elsewhere

OWN = Partition(1, 3)


class Store:
    """Says what there is elsewhere, and what waits there."""

    def __init__(self, runs: bool, rests: bool, waiting: dict[int, int] | None = None) -> None:
        self.look: Elsewhere | None = Elsewhere(runs, rests)
        self.now, self.waiting = 100.0, waiting or {}

    async def foreign_waiting(self, own: Partition) -> dict[int, int]:
        return self.waiting


def waits(allocation: PartitionExit, store: Any, later: float = 0.0) -> bool:
    store.now += later
    return allocation.waits(store.look, store.now)


def why(allocation: PartitionExit, store: Any) -> str:
    return asyncio.run(allocation.why_ending(store))


def test_without_a_part_of_its_own_a_worker_does_not_wait() -> None:
    allocation, store = PartitionExit(None, 60.0), Store(True, True, {2: 9})
    store.look = None
    assert not waits(allocation, store)
    assert why(allocation, store) == NOTHING
    assert allocation.foreign is None


def test_while_others_have_something_it_waits_without_end() -> None:
    allocation, store = PartitionExit(OWN, 60.0), Store(True, False)
    assert waits(allocation, store)
    assert waits(allocation, store, 10_000)


def test_parts_that_nobody_has_are_waited_for_as_long_as_for_anything() -> None:
    allocation, store = PartitionExit(OWN, 60.0), Store(False, True)
    assert waits(allocation, store)
    assert waits(allocation, store, 59)
    assert not waits(allocation, store, 2)


def test_whoever_comes_or_what_is_found_begins_the_time_anew() -> None:
    allocation, store = PartitionExit(OWN, 60.0), Store(False, True)
    assert waits(allocation, store)
    allocation.leased()
    assert waits(allocation, store, 59)
    store.look = Elsewhere(True, True)
    assert waits(allocation, store, 59)
    store.look = Elsewhere(False, True)
    assert waits(allocation, store, 59)
    assert not waits(allocation, store, 61)


def test_when_nothing_is_due_anywhere_it_ends_at_once() -> None:
    assert not waits(PartitionExit(OWN, 60.0), Store(False, False))


def test_the_reason_names_what_waits_and_for_whom() -> None:
    allocation = PartitionExit(OWN, 60.0)
    assert why(allocation, Store(False, True, {3: 1000, 2: 204})) == (
        "nothing of partition 1/3 falls due soon; 1,204 URLs of other partitions wait for workers with 2/3, 3/3"
    )
    assert allocation.foreign == 1204
    assert why(allocation, Store(False, False)) == NOTHING
    many = why(PartitionExit(Partition(1, 9), 60.0), Store(False, True, dict.fromkeys(range(2, 10), 1)))
    assert many.endswith("8 URLs of other partitions wait for workers with 2/9, 3/9, 4/9, 5/9, 6/9, …")
