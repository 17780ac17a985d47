"""How many leases a process asks for, and how patiently: few until answers have come, and only what is worth waiting for, where
the strategy chooses by score."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

from focuscrawl.crawl.lease_buffer import LeaseBuffer
from focuscrawl.frontier.patience import HORIZON, Patience
from focuscrawl.frontier.slow_start import FIRST, most_in_flight
from focuscrawl.frontier.yields import YieldLimit
from focuscrawl.items import Lease
from tests import factories


class Store:
    """Hands out as many leases as are asked for; a `poor` one has nothing that is worth waiting for."""

    def __init__(self, poor: bool = False) -> None:
        self.leased = 0
        self.asked: list[Patience | None] = []
        self._poor = poor

    async def lease(self, count: int, kind: int, patience: Patience | None) -> tuple[list[Lease], float | None]:
        self.asked.append(patience)
        if patience and self._poor:
            return [], 0.0
        self.leased += count
        return [factories.lease(f"http://h{self.leased - number}.test/") for number in range(count)], None

    def clock(self) -> float:
        return 0.0


async def _turns() -> None:
    """Nothing here waits for more than a turn of the event loop."""
    for _ in range(50):
        await asyncio.sleep(0)


def buffer_of(
    store: Any, ordering: Any, recrawl: bool = False, kind_wanted: int = 0, patience: Patience | None = None,
    several: bool = False,
) -> LeaseBuffer:  # fmt: skip
    """16 requests are allowed."""
    options: Any = SimpleNamespace(concurrent_requests=16, frontier_patience=1.0, frontier_idle_stop=60.0)
    topic: Any = SimpleNamespace(held=0, kind_wanted=kind_wanted, waits_for_other=False, busy=False, several=several)
    stopping: Any = SimpleNamespace(reason="", room=lambda pages, robots: 1000, patience=lambda seconds: patience)
    silent: Any = SimpleNamespace(
        waits=False, on=recrawl, leased=lambda: None, inc=lambda *_: None, wake=lambda: None, load=lambda _: asyncio.sleep(0)
    )
    buffer = LeaseBuffer(options, topic, ordering, silent, silent, silent, stopping, silent, silent, YieldLimit())
    buffer.open(store, silent)
    return buffer


async def on_way(seen: int, focused: bool = True, recrawl: bool = False, kind_wanted: int = 0) -> tuple[int, int]:
    """Leases after as many answers as `seen`, and after one more."""
    store, ordering = Store(), SimpleNamespace(seen=seen, focused=focused)
    buffer = buffer_of(store, ordering, recrawl, kind_wanted)
    task = asyncio.ensure_future(buffer.refill())
    await _turns()
    before, lease = store.leased, buffer.next()
    assert lease is not None
    ordering.seen += 1
    buffer.done(lease)
    await _turns()
    task.cancel()
    return before, store.leased


def test_each_answer_lets_two_more_go() -> None:
    assert asyncio.run(on_way(seen=0)) == (FIRST, FIRST + 2)
    assert asyncio.run(on_way(seen=3)) == (most_in_flight(3), most_in_flight(3) + 2)


def test_after_the_start_half_a_round_lies_in_the_buffer() -> None:
    assert asyncio.run(on_way(seen=100)) == (8, 9)


def test_what_has_no_choice_to_make_does_not_wait() -> None:
    assert asyncio.run(on_way(seen=0, focused=False))[0] == 8
    assert asyncio.run(on_way(seen=0, recrawl=True))[0] == 8
    assert asyncio.run(on_way(seen=0, kind_wanted=2))[0] == 8


async def asked(poor: bool, horizon: float, focused: bool = True, **buffer: Any) -> set[Patience | None]:
    """With what patience the store was asked for leases until it gave some."""
    store, patience = Store(poor), Patience(16, horizon)
    ordering = SimpleNamespace(seen=100, focused=focused)
    task = asyncio.ensure_future(buffer_of(store, ordering, patience=patience, **buffer).refill())
    while not store.leased and not task.done():
        await asyncio.sleep(0)
    task.cancel()
    return set(store.asked)


def test_what_chooses_by_score_is_patient_and_nothing_else() -> None:
    assert asyncio.run(asked(poor=False, horizon=HORIZON)) == {Patience(16)}
    for other in ({"focused": False}, {"recrawl": True}, {"kind_wanted": 2}):
        assert asyncio.run(asked(poor=False, horizon=HORIZON, **other)) == {None}


def test_what_cannot_be_had_within_the_horizon_is_waited_for_no_longer() -> None:
    assert asyncio.run(asked(poor=True, horizon=0.0)) == {Patience(16, 0.0), None}
