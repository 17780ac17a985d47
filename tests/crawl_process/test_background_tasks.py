from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from focuscrawl.crawl.background_tasks import BackgroundTasks, every
from focuscrawl.store.engines.writer import StorageError


@pytest.mark.parametrize(
    ("error", "why"),
    [(StorageError("it is full"), "the store cannot be written"), (KeyError("bug"), "see the error above"), (None, "")],
)
def test_the_crawl_stops_when_a_task_fails(error: Exception | None, why: str, caplog: pytest.LogCaptureFixture) -> None:
    stops: list[str] = []
    stopping: Any = SimpleNamespace(stop=lambda reason, why: stops.append(f"{reason}: {why}"))

    async def fail() -> None:
        if error:
            raise error

    async def run() -> None:
        BackgroundTasks(stopping).start(fail())
        await asyncio.sleep(0.01)

    asyncio.run(run())
    assert stops == ([f"failure: {why}"] if why else [])
    assert bool(caplog.records) == bool(why)


def test_a_store_that_cannot_be_written_is_told_once(caplog: pytest.LogCaptureFixture) -> None:
    stops: list[str] = []
    stopping: Any = SimpleNamespace(stop=lambda reason, why: stops.append(reason))

    async def fail(error: Exception) -> None:
        raise error

    async def run() -> None:
        tasks = BackgroundTasks(stopping)
        for error in (StorageError("disk I/O error"), StorageError("it is full"), KeyError("bug"), KeyError("another")):
            tasks.start(fail(error))
        await asyncio.sleep(0.01)

    asyncio.run(run())
    assert [message.partition(":")[2] for message in caplog.messages] == [
        " disk I/O error", " KeyError('bug')", " KeyError('another')",
    ]  # fmt: skip
    assert stops == ["failure"] * 4


def test_tasks_that_are_cancelled_stop_nothing_and_have_ended() -> None:
    stops: list[str] = []
    stopping: Any = SimpleNamespace(stop=lambda reason, why: stops.append(reason))
    taken: list[int] = []

    async def step() -> None:
        taken.append(1)

    async def run() -> int:
        tasks = BackgroundTasks(stopping)
        tasks.start(every(0.001, step))
        while len(taken) < 2:
            await asyncio.sleep(0.01)
        await tasks.cancel()
        before = len(taken)
        await asyncio.sleep(0.01)
        return before

    assert asyncio.run(run()) == len(taken) > 1
    assert not stops
