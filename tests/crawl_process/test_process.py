"""How a process opens its part in a crawl."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest

from focuscrawl.crawl import process
from focuscrawl.crawl.background_tasks import BackgroundTasks
from focuscrawl.crawl.process import CrawlProcess
from focuscrawl.items import EXAMPLE, SEED
from focuscrawl.store.frontier.discover import DiscoveredUrl
from focuscrawl.store.workers.control import WantedState

SEEDS = tuple(f"http://a.test/{number}" for number in range(5))


@pytest.mark.parametrize("stopped", ["", "SIGINT", "stop"])
def test_many_seeds_enter_the_frontier_in_parts_between_which_a_stop_is_heeded(
    stopped: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(process, "SEEDS_AT_ONCE", 2)
    added: list[DiscoveredUrl] = []

    async def add_seeds(found: Sequence[DiscoveredUrl]) -> int:
        added.extend(found)
        crawl.stopping.reason = stopped if stopped == "SIGINT" else ""
        crawl.control.wanted = WantedState.STOP if stopped == "stop" else WantedState.RUN
        return len(found)

    crawl: Any = SimpleNamespace(
        name="sky", directory="sky", stopping=SimpleNamespace(reason=""), recrawling=SimpleNamespace(on=False),
        job=SimpleNamespace(seeds=SEEDS, topic=SimpleNamespace(examples=("http://b.test/",))),
        ordering=SimpleNamespace(start_priority=lambda base, number: base), store=SimpleNamespace(add_seeds=add_seeds),
        cache=SimpleNamespace(put=lambda uid, priority: None), control=SimpleNamespace(wanted=WantedState.RUN),
    )  # fmt: skip
    crawl._is_ending = partial(CrawlProcess._is_ending, crawl)
    with caplog.at_level(logging.INFO):
        asyncio.run(CrawlProcess._add_seeds(crawl))
    assert [(each.url, each.kind) for each in added][:2] == [("http://b.test/", EXAMPLE), (SEEDS[0], SEED)]
    assert len(added) == (2 if stopped else 6)
    last = (
        "2 of 6 seeds are in the frontier; the next run adds the others"
        if stopped
        else "crawl sky: seeds 5, new 6; directory sky"
    )
    assert caplog.messages[-1] == last


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
        _open_store=partial(step, "open"), beat=beat, store=SimpleNamespace(call=lambda operation: step("hidden"), limits=None),
        _note_run=partial(step, "note"), _take_up_frontier=partial(step, "frontier"), topic_process=None,
        topic=SimpleNamespace(prepare=lambda store, made_in: step("topic")),
        recrawling=SimpleNamespace(open=lambda store: step("recrawl")),
        _start_work_apart=lambda: None, _start_tasks=lambda: during.append("tasks"), tasks=BackgroundTasks(unused),
    )  # fmt: skip
    monkeypatch.setattr(process, "gc", SimpleNamespace(freeze=lambda: None, set_threshold=lambda count: None))

    async def go() -> None:
        await CrawlProcess.open(crawl)
        await asyncio.sleep(0.05)

    asyncio.run(go())
    assert not crawl.tasks._tasks
    assert set(beats) == {"open", "hidden", "note", "frontier", "topic", "recrawl"}  # from then on the tasks send them
