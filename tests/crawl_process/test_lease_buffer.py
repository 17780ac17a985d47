"""How many leases a process asks for: few until answers have come, where the strategy chooses by score."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

from focuscrawl.crawl.lease_buffer import LeaseBuffer
from focuscrawl.frontier.slow_start import FIRST, most_on_way
from focuscrawl.items import Lease
from tests import factories


class Store:
    """Hands out as many leases as are asked for."""

    def __init__(self) -> None:
        self.leased = 0

    async def lease(self, count: int, kind: int) -> tuple[list[Lease], None]:
        self.leased += count
        return [factories.lease(f"http://h{self.leased - number}.test/") for number in range(count)], None


async def _turns() -> None:
    """Nothing here waits for more than a turn of the event loop."""
    for _ in range(50):
        await asyncio.sleep(0)


async def on_way(seen: int, focused: bool = True, recrawl: bool = False, kind_wanted: int = 0) -> tuple[int, int]:
    """Leases after as many answers as `seen`, and after one more, where 16 requests are allowed."""
    options: Any = SimpleNamespace(concurrent_requests=16)
    topic: Any = SimpleNamespace(held=0, kind_wanted=kind_wanted, waits_for_other=False, busy=False)
    ordering: Any = SimpleNamespace(seen=seen, focused=focused)
    stopping: Any = SimpleNamespace(reason="", room=lambda pages, robots: 1000)
    silent: Any = SimpleNamespace(
        waits=False, on=recrawl, leased=lambda: None, inc=lambda *_: None, wake=lambda: None, load=lambda _: asyncio.sleep(0)
    )
    buffer = LeaseBuffer(options, topic, ordering, silent, silent, silent, stopping, silent, silent)
    store: Any = Store()
    buffer.open(store, silent)
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
    assert asyncio.run(on_way(seen=3)) == (most_on_way(3), most_on_way(3) + 2)


def test_after_the_start_half_a_round_lies_in_the_buffer() -> None:
    assert asyncio.run(on_way(seen=100)) == (8, 9)


def test_what_has_no_choice_to_make_does_not_wait() -> None:
    assert asyncio.run(on_way(seen=0, focused=False))[0] == 8
    assert asyncio.run(on_way(seen=0, recrawl=True))[0] == 8
    assert asyncio.run(on_way(seen=0, kind_wanted=2))[0] == 8
