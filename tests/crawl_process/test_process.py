"""How a process opens its part in a crawl."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from focuscrawl.crawl import process
from focuscrawl.crawl.process import CrawlProcess
from focuscrawl.items import EXAMPLE, SEED
from focuscrawl.store.frontier.discover import DiscoveredUrl
from focuscrawl.store.workers.control import WantedState

SEEDS = tuple(f"http://a.test/{number}" for number in range(5))


@pytest.mark.parametrize("stopped", ["", "SIGINT", "stop"])
def test_many_seeds_enter_the_frontier_in_parts_between_which_a_heartbeat_is_sent_and_a_stop_heeded(
    stopped: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(process, "SEEDS_AT_ONCE", 2)
    added: list[DiscoveredUrl] = []
    beats: list[int] = []

    async def add_seeds(found: Sequence[DiscoveredUrl]) -> int:
        added.extend(found)
        crawl.stopping.reason = stopped if stopped == "SIGINT" else ""
        return len(found)

    async def beat() -> None:
        beats.append(len(added))
        crawl.control.wanted = WantedState.STOP if stopped == "stop" else WantedState.RUN

    crawl: Any = SimpleNamespace(
        name="sky", directory="sky", stopping=SimpleNamespace(reason=""), recrawling=SimpleNamespace(on=False),
        job=SimpleNamespace(seeds=SEEDS, topic=SimpleNamespace(examples=("http://b.test/",))),
        ordering=SimpleNamespace(start_priority=lambda base, number: base), store=SimpleNamespace(add_seeds=add_seeds),
        cache=SimpleNamespace(put=lambda uid, priority: None), beat=beat, control=SimpleNamespace(wanted=WantedState.RUN),
    )  # fmt: skip
    with caplog.at_level(logging.INFO):
        asyncio.run(CrawlProcess._add_seeds(crawl))
    assert [(each.url, each.kind) for each in added][:2] == [("http://b.test/", EXAMPLE), (SEEDS[0], SEED)]
    assert len(added) == (2 if stopped else 6)
    assert beats == ([2] if stopped else [2, 4])
    last = (
        "2 of 6 seeds are in the frontier; the next run adds the others"
        if stopped
        else "crawl sky: seeds 5, new 6; directory sky"
    )
    assert caplog.messages[-1] == last
