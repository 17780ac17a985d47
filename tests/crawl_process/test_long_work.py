"""Pages that take long: one of a host at a time."""

from __future__ import annotations

import asyncio

import pytest

from focuscrawl.crawl import long_work
from focuscrawl.crawl.long_work import LongWork
from tests import factories


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


@pytest.mark.parametrize(("takes", "rests"), [(0.0, []), (0.2, [long_work.AT_ONCE, 0.6])])
async def test_a_host_rests_when_its_page_takes_long(monkeypatch: pytest.MonkeyPatch, takes: float, rests: list[float]) -> None:
    monkeypatch.setattr(long_work, "LONG_SECONDS", 0.1)
    rested: list[float] = []
    work = LongWork(16, lambda lease, seconds: rested.append(seconds), lambda: None, asyncio.Event())
    async with work.reading(factories.lease("http://a.test/")):
        await asyncio.sleep(takes)
    await asyncio.sleep(0.15)
    assert rested == pytest.approx(rests, abs=0.3)
