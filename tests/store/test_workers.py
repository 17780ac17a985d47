"""Processes that share a crawl: who is dead, and what the dead may still do."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from unittest.mock import patch

import pytest

from focuscrawl.frontier.outcome import FetchOutcome
from focuscrawl.frontier.states import Event
from focuscrawl.items import Duplicate, Outgrown, Page, Verdict
from focuscrawl.store.commit import Commit, Committed
from focuscrawl.store.crawl_store import CrawlStore
from focuscrawl.store.crawls import open_store
from focuscrawl.store.engines.database import Database
from focuscrawl.store.frontier.discover import DiscoveredUrl
from focuscrawl.store.workers.lifecycle import DEAD_SECONDS, GAP_SECONDS, Observer, WorkerLostError, register
from focuscrawl.store.workers.status import Health, roster
from tests.factories import limits

LIMITS = limits(8)
START = 1_000_000.0


class Clock:
    now = START

    def __call__(self) -> float:
        return self.now


def test_a_worker_without_heartbeat_loses_its_leases_and_cannot_commit_or_lease(tmp_path: Path, store_url: str) -> None:
    asyncio.run(_sleep_too_long(tmp_path / "crawl", store_url))


async def _sleep_too_long(directory: Path, url: str) -> None:
    clock = Clock()
    sleeper, other = (CrawlStore(directory, "crawl", LIMITS, "{}", clock=clock, url=url) for _ in range(2))
    other.observer = Observer(clock)
    await sleeper.add_seeds([DiscoveredUrl("http://a.test/", 1.0)])
    ((one,), _) = await sleeper.lease(1)

    for second in range(0, int(DEAD_SECONDS), 5):
        clock.now = START + second
        assert await other.beat() == (True, 0, [])
    clock.now = START + DEAD_SECONDS + 1
    assert await other.beat() == (True, 1, [])
    ((again,), _) = await other.lease(1)
    assert again.url == one.url

    page = Page(one, one.url, 200, clock(), body=b"x", text="x", verdict=Verdict(0.5, True, 0.1))
    change = Commit(page, FetchOutcome(Event.STORED), clock(), sleeper.run, sleeper.worker)
    assert (await sleeper.commit(change, lambda db, page, after=0: None)).late
    assert not list((directory / "warc").glob("*"))
    alive, _, _ = await sleeper.beat()
    assert not alive
    with pytest.raises(WorkerLostError):
        await sleeper.lease(1)
    for store in (sleeper, other):
        await asyncio.to_thread(store.close, "test", "{}")


def test_a_commit_that_is_tried_again_begins_as_before(tmp_path: Path, store_url: str) -> None:
    asyncio.run(_commit_again(tmp_path / "crawl", store_url))


async def _commit_again(directory: Path, url: str) -> None:
    store = CrawlStore(directory, "crawl", LIMITS, "{}", url=url)
    await store.add_seeds([DiscoveredUrl("http://a.test/", 1.0)])
    ((one,), _) = await store.lease(1)
    page = Page(one, one.url, 200, 1.0, body=b"x", text="x", verdict=Verdict(0.5, True, 0.1), searched_to=-1)
    change = Commit(page, FetchOutcome(Event.STORED), store.clock(), store.run, store.worker)
    change.discovered = [DiscoveredUrl("http://a.test/1", 0.5)]
    tries: list[tuple[Duplicate | None, int]] = []

    def find(db: Database, page: Page, after: int = 0) -> None:
        tries.append((page.duplicate, len(page.outgrown)))
        if len(tries) == 1:
            page.duplicate = Duplicate(7, "http://a.test/7", "exact", 1.0)
            page.outgrown.append(Outgrown(7, b"", 1.0))
            raise RuntimeError

    submit = store.writer.submit

    async def twice(operation: Callable[[Database], Committed], undone: Callable[[], None]) -> Committed:
        with suppress(RuntimeError):
            await submit(operation, undone)
        return await submit(operation, undone)

    with patch.object(store.writer, "submit", twice):
        assert (await store.commit(change, find)).new_links == 1
    assert tries == [(None, 0), (None, 0)]
    await asyncio.to_thread(store.close, "test", "{}")


def test_a_worker_that_ends_leaves_its_final_figures(tmp_path: Path, store_url: str) -> None:
    clock = Clock()
    store, other = (CrawlStore(tmp_path / "crawl", "crawl", LIMITS, "{}", clock=clock, url=store_url) for _ in range(2))
    asyncio.run(store.beat('{"pages": 3}'))
    clock.now += 5
    store.close("max_pages", "{}", "", '{"pages": 9}')
    db = open_store(tmp_path / "crawl", read_only=True)
    [ended, live] = roster(db, clock.now + 1)
    db.close()
    assert (ended.health, ended.count("pages"), ended.silence) == (Health.GONE, 9, 1.0)
    assert live.health is Health.LIVE
    other.close("test", "{}")


async def test_who_has_not_looked_for_a_while_takes_nobody_for_dead(tmp_path: Path, store_url: str) -> None:
    """All workers wait while the server is away: the first that is back must not bury the others."""
    clock = Clock()
    stores = [CrawlStore(tmp_path / "crawl", "crawl", LIMITS, "{}", clock=clock, url=store_url) for _ in range(2)]
    stores[0].observer = Observer(clock)
    await stores[0].beat()
    clock.now += max(DEAD_SECONDS, GAP_SECONDS) + 1
    assert (await stores[0].beat()) == (True, 0, [])
    for store in stores:
        store.close("test", "{}")


def test_a_process_of_another_pid_namespace_is_not_looked_for(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """Containers on their machine's network share its name and boot, and cannot see each other's processes."""
    monkeypatch.setattr("os.readlink", lambda path: "pid:[1]")
    one = register(db, 1, START)
    monkeypatch.setattr("os.readlink", lambda path: "pid:[2]")
    monkeypatch.setattr("focuscrawl.store.workers.lifecycle.process_started", lambda pid: 0.0)
    assert Observer().dead(db, 0) == []
    monkeypatch.setattr("os.readlink", lambda path: "pid:[1]")
    assert Observer().dead(db, 0) == [one]
