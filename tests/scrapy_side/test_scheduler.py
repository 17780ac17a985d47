from __future__ import annotations

import asyncio
import contextlib
import threading
from types import SimpleNamespace
from typing import Any

import pytest
from scrapy import signals
from scrapy.http import Request
from scrapy.signalmanager import SignalManager

from focuscrawl.crawl.background_tasks import BackgroundTasks
from focuscrawl.crawl.process import CrawlProcess
from focuscrawl.crawl.stopping import Stopping
from focuscrawl.errors import AlreadyRunning, BadInput
from focuscrawl.items import Lease, Page
from focuscrawl.scrapy_side.scheduler import FrontierScheduler
from focuscrawl.store.engines.writer import StorageError
from tests.factories import lease

LEASE = lease("http://a.test/")


class Crawl(CrawlProcess):
    """Notes which pages are set aside; with `trouble` that cannot be written either."""

    def __init__(self, trouble: str = "") -> None:
        self.set: list[Page] = []
        self.stopped = ""
        self.ended: list[Lease] = []
        parts: Any = self
        parts.store = SimpleNamespace(clock=lambda: 5.0)
        parts.committer = SimpleNamespace(fail=self._fail)
        parts.leases = SimpleNamespace(done=self.ended.append, holds=lambda lease: lease not in self.ended)
        parts.stopping = SimpleNamespace(stop=self._stop)
        self.tasks = BackgroundTasks(parts.stopping)
        self._trouble = trouble

    async def _fail(self, page: Page, error: str) -> None:
        await asyncio.sleep(0)
        if self._trouble:
            raise ValueError(self._trouble)
        self.set.append(page)

    def _stop(self, reason: str, why: str = "") -> None:
        self.stopped = reason


def scheduler_of(crawl: Crawl) -> tuple[Any, SignalManager]:
    crawler: Any = SimpleNamespace(signals=SignalManager(), focuscrawl=crawl)
    return FrontierScheduler.from_crawler(crawler), crawler.signals


async def raise_in_spider(sent: SignalManager) -> None:
    """As Scrapy's scraper tells it: nobody awaits the handlers."""
    response = SimpleNamespace(request=Request(LEASE.url, meta={"lease": LEASE}))
    sent.send_catch_log(signals.spider_error, failure=SimpleNamespace(value=KeyError("bug")), response=response, spider=None)
    for _ in range(20):
        await asyncio.sleep(0)


@pytest.mark.parametrize(
    ("error", "signal", "reason"),
    [
        (BadInput("it is locked"), 0, "failure"),
        (StorageError("it is locked"), 0, "failure"),
        (AlreadyRunning("it is locked"), 0, "running"),
        (BadInput("it is locked"), 15, "SIGTERM"),
    ],
)
def test_a_crawl_that_cannot_be_opened_says_so_in_one_sentence_and_ends_once_the_engine_runs(
    error: Exception, signal: int, reason: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Scrapy logged four tracebacks instead."""
    closed: list[str] = []

    async def fail() -> None:
        raise error

    async def open_then_run() -> None:
        await scheduler._open()
        await asyncio.sleep(0)
        assert not closed, "Scrapy cannot close what does not run"
        runs.set()
        await asyncio.sleep(0.01)

    parts: Any = Crawl()
    parts.open, parts.runner, parts.stopping = fail, SimpleNamespace(close=closed.append), Stopping.__new__(Stopping)
    parts.stopping.signal, parts.stopping.reason = signal, reason if signal else ""
    scheduler, _ = scheduler_of(parts)
    runs = threading.Event()
    monkeypatch.setattr("focuscrawl.scrapy_side.scheduler.is_running", lambda crawler: runs.is_set())
    monkeypatch.setattr("focuscrawl.scrapy_side.scheduler.CLOSE_SECONDS", 0.001)
    asyncio.run(open_then_run())
    assert caplog.messages == ["stopped before it had begun: it is locked"]
    assert (closed, parts.stopping.reason, parts.stopping.why) == ([reason], reason, "it is locked")
    assert scheduler.next_request() is None


@pytest.mark.parametrize(("opened", "reason"), [(False, "failure"), (True, "shutdown")])
def test_a_crawl_that_is_closed_because_a_component_did_not_open_has_failed(opened: bool, reason: str) -> None:
    closed: list[str] = []

    async def close(reason: str) -> None:
        closed.append(reason)

    crawl: Any = Crawl()
    crawl.close = close
    scheduler, sent = scheduler_of(crawl)
    if opened:
        sent.send_catch_log(signals.spider_opened, spider=None)

    async def shut_down() -> None:
        await scheduler.close("shutdown").asFuture(asyncio.get_running_loop())

    asyncio.run(shut_down())
    assert closed == [reason]


def test_a_page_on_which_the_spider_raised_is_set_aside() -> None:
    crawl = Crawl()
    _, sent = scheduler_of(crawl)
    asyncio.run(raise_in_spider(sent))
    assert [page.url for page in crawl.set] == [LEASE.url]
    assert crawl.ended == [LEASE]


def test_an_error_that_cannot_be_stored_ends_the_crawl() -> None:
    crawl = Crawl("this cannot be stored either")
    _, sent = scheduler_of(crawl)
    asyncio.run(raise_in_spider(sent))
    assert crawl.stopped == "failure"
    assert crawl.ended == [LEASE]


@pytest.mark.parametrize("trouble", ["", "this cannot be stored either"])
def test_no_lease_is_held_for_ever_after_an_error_in_a_pipeline(trouble: str) -> None:
    crawl = Crawl(trouble)
    scheduler, _ = scheduler_of(crawl)
    with contextlib.suppress(ValueError):
        asyncio.run(scheduler._item_error(Page(LEASE, LEASE.url), SimpleNamespace(value=KeyError("bug"))))
    assert crawl.ended == [LEASE]
