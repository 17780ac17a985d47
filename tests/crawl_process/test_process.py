"""How a process opens its part in a crawl."""

from __future__ import annotations

import asyncio
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest

from focuscrawl.crawl import process
from focuscrawl.crawl.background_tasks import BackgroundTasks
from focuscrawl.crawl.process import CrawlProcess


def test_heartbeats_are_sent_while_the_frontier_is_taken_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """As long as it takes: after 45 s without one, other workers take what this one has leased."""
    monkeypatch.setattr(process, "BEAT_SECONDS", 0.01)
    beats: list[str] = []

    async def beat() -> None:
        beats.append(during[-1])

    async def step(name: str) -> None:
        during.append(name)
        await asyncio.sleep(0.1)

    during = ["open"]
    unused: Any = None
    crawl: Any = SimpleNamespace(
        _open_store=partial(step, "open"), beat=beat,
        store=SimpleNamespace(call=lambda operation, limits: step("hidden"), limits=None),
        job=None, settings={}, options=SimpleNamespace(dedup_method=""), topic_process=None,
        _take_up_frontier=partial(step, "frontier"),
        topic=SimpleNamespace(prepare=lambda store, made_in: step("topic")),
        recrawling=SimpleNamespace(open=lambda store: step("recrawl")),
        _start_work_apart=lambda: None, _start_tasks=lambda: during.append("tasks"), tasks=BackgroundTasks(unused),
    )  # fmt: skip
    monkeypatch.setattr(process, "note_run", lambda *given: step("note"))
    monkeypatch.setattr(process, "gc", SimpleNamespace(freeze=lambda: None, set_threshold=lambda count: None))

    async def go() -> None:
        await CrawlProcess.open(crawl)
        await asyncio.sleep(0.05)

    asyncio.run(go())
    assert not crawl.tasks._tasks
    assert set(beats) == {"open", "hidden", "note", "frontier", "topic", "recrawl"}  # from then on the tasks send them
