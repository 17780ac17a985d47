from __future__ import annotations

import asyncio
import logging
from pathlib import Path

import pytest

from focuscrawl.crawl.operator_control import OperatorControl
from focuscrawl.items import Lease
from focuscrawl.store.crawl_store import CrawlStore
from focuscrawl.store.crawls import open_store
from focuscrawl.store.engines.database import Database
from focuscrawl.store.frontier.discover import DiscoveredUrl
from focuscrawl.store.frontier.operator_changes import add, hold, remove_urls
from focuscrawl.store.workers.control import WantedState, write_control
from tests.factories import FREE, NOW

URLS = ("http://a.test/1", "http://b.test/1", "http://b.test/2")


async def _heard(directory: Path, *orders: str) -> tuple[OperatorControl, list[Lease]]:
    """What a worker knows after a heartbeat that follows these orders, and what it had leased before them."""
    store = CrawlStore(directory, "crawl", FREE, "{}")
    control = OperatorControl("crawl")
    await store.add_seeds([DiscoveredUrl(url, 1.0 - n / 10) for n, url in enumerate(URLS)])
    leases, _ = await store.lease(9)
    await control.refresh(store)
    assert not any(map(control.refuses, leases))
    for order in orders:
        await store.call(_say, order=order)
    await control.refresh(store)
    await asyncio.to_thread(store.close, "test", "{}")
    return control, leases


def _say(db: Database, order: str) -> None:
    write_control(db, WantedState(order), NOW, "li@a")


def refused(directory: Path, *orders: str) -> tuple[OperatorControl, list[str]]:
    control, leases = asyncio.run(_heard(directory, *orders))
    return control, [lease.url for lease in leases if control.refuses(lease)]


async def test_a_worker_learns_once_that_an_operator_has_queued_urls(tmp_path: Path) -> None:
    store, control = CrawlStore(tmp_path / "crawl", "crawl", FREE, "{}"), OperatorControl("crawl")
    before = await control.refresh(store)
    beside = open_store(tmp_path / "crawl")
    add(beside, URLS[:1], 0.5, NOW)
    beside.close()
    after = [before, await control.refresh(store), await control.refresh(store)]
    await asyncio.to_thread(store.close, "test", "{}")
    assert after == [False, True, False]


def test_a_paused_worker_sends_nothing_and_says_why(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    control, urls = refused(tmp_path / "crawl", "pause")
    assert (control.waits, len(urls)) == (True, 3)
    assert control.notice.startswith("paused by an operator (li@a) since 1970-01-12 13:46:40 UTC: nothing is fetched until")
    assert control.notice in caplog.text


def test_a_stopped_worker_has_a_reason(tmp_path: Path) -> None:
    control, urls = refused(tmp_path / "crawl", "stop")
    assert (control.wanted, len(urls), control.notice) == (WantedState.STOP, 3, "")
    assert control.why.endswith("`scrapy resume crawl` resumes it")


def test_a_resumed_worker_goes_on(tmp_path: Path) -> None:
    control, urls = refused(tmp_path / "crawl", "pause", "run")
    assert (control.waits, urls, control.notice) == (False, [], "")


def test_held_hosts_and_removed_urls_are_not_sent_any_more(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    asyncio.run(_hold_and_remove(tmp_path / "crawl"))
    assert "an operator holds the host b.test" in caplog.text
    assert "an operator removed 1 URL that this process had in hand" in caplog.text
    assert "the host b.test is released" in caplog.text


async def _hold_and_remove(directory: Path) -> None:
    store, control = CrawlStore(directory, "crawl", FREE, "{}"), OperatorControl("crawl")
    await store.add_seeds([DiscoveredUrl(url, 1.0 - n / 10) for n, url in enumerate(URLS)])
    leases, _ = await store.lease(9)
    beside = open_store(directory)
    hold(beside, "b.test", True)
    remove_urls(beside, URLS[:1], NOW)
    await control.refresh(store)
    assert all(map(control.refuses, leases))
    assert control.refuses(Lease(7, 0, "http://b.test/robots.txt", robots=True))
    hold(beside, "b.test", False)
    await control.refresh(store)
    assert [lease.url for lease in leases if control.refuses(lease)] == [URLS[0]]
    await store.release(leases)
    assert [lease.url for lease in (await store.lease(9))[0]] == list(URLS[1:])
    beside.close()
    await asyncio.to_thread(store.close, "test", "{}")


def test_a_crawl_that_ends_says_what_is_left_on_held_hosts(tmp_path: Path) -> None:
    asyncio.run(_end_with_held_hosts(tmp_path / "crawl"))


async def _end_with_held_hosts(directory: Path) -> None:
    store, control = CrawlStore(directory, "crawl", FREE, "{}"), OperatorControl("crawl")
    await store.add_seeds([DiscoveredUrl(url, 1.0) for url in URLS])
    assert await control.held_back(store) == ""
    beside = open_store(directory)
    hold(beside, "b.test", True)
    beside.close()
    await control.refresh(store)
    assert await control.held_back(store) == "; 2 URLs more on hosts that an operator holds"
    await asyncio.to_thread(store.close, "test", "{}")
