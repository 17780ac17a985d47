"""Processes that share a crawl: who is dead, and what the dead may still do."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from focuscrawl.frontier.outcome import Outcome
from focuscrawl.frontier.states import Event
from focuscrawl.items import Page, Verdict
from focuscrawl.politeness.pace import PaceSettings
from focuscrawl.store.committing import Commit
from focuscrawl.store.crawl import CrawlStore
from focuscrawl.store.discover import Found
from focuscrawl.store.leasing import Limits
from focuscrawl.store.workers import DEAD_SECONDS, WorkerLostError

LIMITS = Limits(PaceSettings(0.0, 8), PaceSettings(0.0, 8, statuses=False), obey_robots=False)
START = 1_000_000.0


class Clock:
    now = START

    def __call__(self) -> float:
        return self.now


def test_a_worker_without_heartbeat_loses_its_leases_and_cannot_commit_or_lease(tmp_path: Path) -> None:
    asyncio.run(_sleep_too_long(tmp_path / "crawl"))


async def _sleep_too_long(directory: Path) -> None:
    clock = Clock()
    sleeper, other = (CrawlStore(directory, "crawl", LIMITS, "{}", clock=clock) for _ in range(2))
    await sleeper.add_seeds([Found("http://a.test/", 1.0)])
    ((one,), _) = await sleeper.lease(1)

    clock.now = START + DEAD_SECONDS - 1
    assert await other.beat() == (True, 0, [])
    clock.now = START + DEAD_SECONDS + 1
    assert await other.beat() == (True, 1, [])
    ((again,), _) = await other.lease(1)
    assert again.url == one.url

    page = Page(one, one.url, 200, clock(), body=b"x", text="x", verdict=Verdict(0.5, True, 0.1))
    change = Commit(page, Outcome(Event.STORED), clock(), sleeper.run, sleeper.worker)
    assert (await sleeper.commit(change, lambda db, page, after=0: None, 0)).late
    assert not list((directory / "warc").glob("*"))
    alive, _, _ = await sleeper.beat()
    assert not alive
    with pytest.raises(WorkerLostError):
        await sleeper.lease(1)
    for store in (sleeper, other):
        await asyncio.to_thread(store.close, "test", "{}")
