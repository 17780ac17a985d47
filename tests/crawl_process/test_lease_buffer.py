"""How many leases a process asks for, and how patiently: few until answers have come, and only what is worth waiting for, where
the strategy chooses by score."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from focuscrawl.crawl.exhaustion import Exhaustion, PartitionExit
from focuscrawl.crawl.lease_buffer import LeaseBuffer
from focuscrawl.crawl.long_work import SLOW_SECONDS
from focuscrawl.errors import BadInput
from focuscrawl.frontier.in_flight import FIRST, START, STEP, most_in_flight
from focuscrawl.frontier.patience import HORIZON, Patience, patience
from focuscrawl.frontier.yields import YieldLimit
from focuscrawl.items import EXAMPLE, Lease
from tests import factories


class Store:
    """Hands out as many leases as are asked for; a `poor` one has nothing that is worth waiting for."""

    def __init__(self, poor: bool = False) -> None:
        self.leased = 0
        self.robots: list[object] = []
        self.now = 1000.0
        self.asked: list[object] = []
        self._poor = poor

    async def lease(self, count: int, kind: int, patience: object, robots: object) -> tuple[list[Lease], float | None]:
        self.asked.append(patience)
        self.robots.append(robots)
        if patience and self._poor:
            return [], 0.0
        self.leased += count
        return [factories.lease(f"http://h{self.leased - number}.test/", at=self.now) for number in range(count)], None

    def clock(self) -> float:
        return self.now


async def _turns() -> None:
    """Nothing here waits for more than a turn of the event loop."""
    for _ in range(50):
        await asyncio.sleep(0)


def buffer_of(
    store: Any, ordering: Any, recrawl: bool = False, kind_wanted: int = 0, patience: Patience | None = None,
    several: bool = False, requests: int = 1000,
) -> LeaseBuffer:  # fmt: skip
    """16 requests are allowed at once, `requests` in all."""
    options: Any = SimpleNamespace(concurrent_requests=16, frontier_patience=1.0, frontier_idle_stop=60.0)
    topic: Any = SimpleNamespace(held=0, kind_wanted=kind_wanted, waits_for_other=False, busy=False, several=several)
    stopping: Any = SimpleNamespace(
        reason="", room=lambda pages, robots: requests - pages - robots, requests_left=lambda held: requests - held,
        patience=lambda seconds: patience,
    )  # fmt: skip
    silent: Any = SimpleNamespace(
        waits=False, on=recrawl, leased=lambda: None, inc=lambda *_: None, wake=lambda: None, load=lambda _: asyncio.sleep(0)
    )
    buffer = LeaseBuffer(
        options=options, topic=topic, ordering=ordering, control=silent, partition_exit=silent, recrawling=silent,
        stopping=stopping, counting=silent, runner=silent, yields=YieldLimit(),
    )  # fmt: skip
    exhaustion = Exhaustion(
        store=store, idle_stop=60.0, partition_exit=PartitionExit(None, 1.0), control=silent, recrawling=silent,
        read_back=silent, site_sources=None, counting=silent, stopping=stopping,
    )  # fmt: skip
    buffer.open(store, silent, exhaustion)
    return buffer


async def in_flight(seen: int, focused: bool = True, ends: int = 1, **buffer_options: Any) -> tuple[int, int]:
    """Leases after as many answers as `seen`, and when `ends` of them have ended."""
    store, ordering = Store(), SimpleNamespace(seen=seen, focused=focused)
    buffer = buffer_of(store, ordering, **buffer_options)
    task = asyncio.ensure_future(buffer.refill())
    await _turns()
    before = store.leased
    for _ in range(ends):
        lease = buffer.next()
        assert lease is not None
        buffer.done(lease)
    await _turns()
    task.cancel()
    return before, store.leased


def test_at_the_start_each_answer_lets_one_more_go() -> None:
    assert asyncio.run(in_flight(seen=0)) == (FIRST, FIRST + 1)
    assert asyncio.run(in_flight(seen=START)) == (FIRST, FIRST + 1)


def test_then_the_next_are_chosen_when_half_of_them_have_ended() -> None:
    seen = START + 4 * STEP
    assert most_in_flight(seen, None) == 6
    assert asyncio.run(in_flight(seen, ends=2)) == (6, 6)
    assert asyncio.run(in_flight(seen, ends=3)) == (6, 9)


def test_without_a_limit_of_fetches_half_a_round_lies_in_the_buffer() -> None:
    assert asyncio.run(in_flight(seen=1000)) == (8, 9)


def test_a_crawl_that_is_short_of_fetches_keeps_few_on_the_way() -> None:
    assert asyncio.run(in_flight(seen=0, patience=Patience(16))) == (FIRST, FIRST + 1)
    assert asyncio.run(in_flight(seen=1000, patience=Patience(16), ends=3)) == (8, 8)
    assert asyncio.run(in_flight(seen=1000, patience=Patience(16), ends=4)) == (8, 12)


@pytest.mark.parametrize(("requests", "robots"), [(1, None), (2, None), (3, 1)])
async def test_the_last_request_may_be_for_a_robots_txt(requests: int, robots: int | None) -> None:
    """None: it is among those that are leased. With no room for it, a host whose robots.txt is not known waited for ever."""
    store = Store()
    task = asyncio.ensure_future(buffer_of(store, SimpleNamespace(seen=0, focused=True), requests=requests).refill())
    await _turns()
    task.cancel()
    assert store.robots[0] == robots


def test_a_recrawl_within_a_budget_keeps_few_on_the_way_and_another_does_not() -> None:
    assert asyncio.run(in_flight(seen=1000, patience=Patience(16), ends=3, recrawl=True)) == (8, 8)
    assert asyncio.run(in_flight(seen=0, recrawl=True)) == (8, 9)


async def test_what_takes_long_is_not_waited_for() -> None:
    store, leased = Store(), []
    buffer = buffer_of(store, SimpleNamespace(seen=0, focused=True))
    task = asyncio.ensure_future(buffer.refill())
    for seconds in (0.0, SLOW_SECONDS / 2, SLOW_SECONDS / 2):
        store.now += seconds
        while buffer.next():
            pass
        buffer.retry_now()
        await _turns()
        leased.append(store.leased)
    task.cancel()
    assert leased == [FIRST, FIRST, 2 * FIRST]


async def test_what_is_cancelled_just_when_something_changes_ends() -> None:
    buffer = buffer_of(Store(), SimpleNamespace(seen=0, focused=True))
    task = asyncio.ensure_future(buffer.refill())
    await _turns()
    buffer.retry_now()
    task.cancel()
    await _turns()
    task.cancel()
    assert task.cancelled()


@pytest.mark.parametrize(("pages", "most"), [(1_000, 8), (2_880, 8), (10_000, 28), (100_000, 278)])
def test_a_large_crawl_has_more_on_the_way(pages: int, most: int) -> None:
    waits = patience(pages, 1800)
    assert waits is not None
    assert most_in_flight(10_000, waits) == most


def test_what_has_no_choice_to_make_does_not_wait() -> None:
    assert asyncio.run(in_flight(seen=0, focused=False))[0] == 8
    assert asyncio.run(in_flight(seen=0, recrawl=True))[0] == 8
    assert asyncio.run(in_flight(seen=0, kind_wanted=2))[0] == 8


async def asked(poor: bool, horizon: float, focused: bool = True, **buffer: Any) -> set[object]:
    """With what patience the store was asked for leases until it gave some."""
    store, patience = Store(poor), Patience(16, horizon)
    ordering = SimpleNamespace(seen=100, focused=focused)
    task = asyncio.ensure_future(buffer_of(store, ordering, patience=patience, **buffer).refill())
    while not store.leased and not task.done():
        await asyncio.sleep(0)
    task.cancel()
    return set(store.asked)


def test_what_chooses_by_score_is_patient_and_nothing_else() -> None:
    """A recrawl chooses by the values of revisits, whatever the strategy."""
    for choosing in ({"focused": True}, {"recrawl": True}, {"recrawl": True, "focused": False}):
        assert asyncio.run(asked(poor=False, horizon=HORIZON, **choosing)) == {Patience(16)}
    for other in ({"focused": False}, {"kind_wanted": 2}):
        assert asyncio.run(asked(poor=False, horizon=HORIZON, **other)) == {None}


def test_what_cannot_be_had_within_the_horizon_is_waited_for_no_longer() -> None:
    assert asyncio.run(asked(poor=True, horizon=0.0)) == {Patience(16, 0.0), None}


@pytest.mark.parametrize(
    ("due", "paced", "made"),
    [
        (10.0, True, False),  # the host has a long delay
        (10.0, False, True),  # it is tried again later
        (None, False, True),
    ],
)
async def test_the_start_waits_for_a_slow_host_and_not_for_another_try(due: float | None, paced: bool, made: bool) -> None:
    class Waiting(Store):
        async def lease(self, count: int, kind: int, patience: object, robots: object) -> tuple[list[Lease], float | None]:
            return [], None if due is None else self.now + due

        async def call(self, operation: object, **given: object) -> bool:
            return paced

    buffer, begun = buffer_of(Waiting(), SimpleNamespace(seen=0, focused=True), kind_wanted=EXAMPLE), []
    topic: Any = buffer.topic

    def finish_start() -> None:
        begun.append(1)
        topic.waits_for_other = True

    topic.finish_start = finish_start
    task = asyncio.ensure_future(buffer.refill())
    await _turns()
    task.cancel()
    assert bool(begun) == made


@pytest.mark.parametrize("paced", [True, False])
async def test_what_waits_for_the_delay_of_its_host_alone_keeps_the_crawl_going(paced: bool) -> None:
    class Waiting(Store):
        async def lease(self, count: int, kind: int, patience: object, robots: object) -> tuple[list[Lease], float | None]:
            return [], self.now + 100  # longer than FRONTIER_IDLE_STOP

        async def others(self, seconds: float, own: object) -> Any:
            return SimpleNamespace(hold=False, due=self.now + 100, paced=paced, elsewhere=None)

    buffer, ended = buffer_of(Waiting(), SimpleNamespace(seen=0, focused=True)), []
    parts: Any = buffer

    async def end() -> None:
        ended.append(1)
        parts.stopping.reason = "empty"

    parts._find_more_or_end = end
    task = asyncio.ensure_future(buffer.refill())
    await _turns()
    task.cancel()
    assert bool(ended) != paced


async def test_a_topic_that_cannot_be_made_ends_the_crawl() -> None:
    class Unmakeable:
        held = kind_wanted = 0

        @property
        def waits_for_other(self) -> bool:
            raise BadInput("The topic has no words.")

    buffer, reasons = buffer_of(Store(), SimpleNamespace(seen=0, focused=True)), []
    buffer.topic = Unmakeable()  # type: ignore[assignment]
    stopping: Any = buffer.stopping
    stopping.stop = lambda *reason: reasons.append(reason)
    await buffer.refill()
    assert reasons == [("no_topic", "The topic has no words.")]
