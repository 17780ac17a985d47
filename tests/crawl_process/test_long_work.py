"""Pages that take long: one of a host at a time."""

from __future__ import annotations

import asyncio

import pytest

from focuscrawl.crawl import long_work
from focuscrawl.crawl.long_work import LongWork
from tests import factories


async def turns() -> None:
    """The event loop does what is due."""
    for _ in range(5):
        await asyncio.sleep(0)


async def test_of_each_host_one_heavy_page_is_read_at_a_time() -> None:
    work, at_once, most = LongWork(16, lambda lease, seconds: None, lambda: None, asyncio.Event()), 0, 0

    async def read(number: int) -> None:
        nonlocal at_once, most
        async with work.reading(factories.lease(f"http://a.test/{number}")):
            at_once += 1
            most = max(most, at_once)
            await asyncio.sleep(0.02)
            at_once -= 1

    first = asyncio.ensure_future(read(0))
    await asyncio.sleep(0)
    second = asyncio.ensure_future(read(1))
    await first  # the second has been woken, and does not have its turn yet
    await asyncio.gather(second, read(2))
    assert (most, len(work._hosts)) == (1, 0)


@pytest.mark.parametrize(("takes", "rests"), [(0.9, []), (2.0, [long_work.FIRST_REST, 6.0])])
async def test_a_host_rests_when_its_page_takes_long(monkeypatch: pytest.MonkeyPatch, takes: float, rests: list[float]) -> None:
    now = 1_000.0
    monkeypatch.setattr(long_work, "monotonic", lambda: now)
    monkeypatch.setattr(asyncio.get_running_loop(), "time", lambda: now)
    rested: list[float] = []
    work = LongWork(16, lambda lease, seconds: rested.append(seconds), lambda: None, asyncio.Event())
    async with work.reading(factories.lease("http://a.test/")):
        now += takes
        await turns()
    now += 60.0
    await turns()
    assert rested == rests
