from __future__ import annotations

import asyncio
import contextlib
from types import SimpleNamespace
from typing import Any

import pytest
from scrapy import signals
from scrapy.http import Request
from scrapy.signalmanager import SignalManager

from focuscrawl.items import Lease, Page
from focuscrawl.scrapy_side.scheduler import FrontierScheduler

LEASE = Lease(1, 2, "http://a.test/")


class Session:
    """Notes which pages are set aside; with `trouble` that cannot be written either."""

    def __init__(self, trouble: str = "") -> None:
        self.store = SimpleNamespace(clock=lambda: 5.0)
        self.failed: list[Page] = []
        self.stopped = ""
        self._trouble = trouble

    async def fail(self, page: Page, error: str) -> None:
        await asyncio.sleep(0)
        if self._trouble:
            raise ValueError(self._trouble)
        self.failed.append(page)

    def stop(self, reason: str, why: str = "") -> None:
        self.stopped = reason


def scheduler_of(session: Session) -> tuple[Any, SignalManager]:
    crawler: Any = SimpleNamespace(signals=SignalManager(), focuscrawl=session)
    scheduler: Any = FrontierScheduler.from_crawler(crawler)
    scheduler._held[1, 2] = LEASE
    return scheduler, crawler.signals


async def raise_in_spider(sent: SignalManager) -> None:
    """As Scrapy's scraper tells it: nobody awaits the handlers."""
    response = SimpleNamespace(request=Request(LEASE.url, meta={"lease": LEASE}))
    sent.send_catch_log(signals.spider_error, failure=SimpleNamespace(value=KeyError("bug")), response=response, spider=None)
    await asyncio.sleep(0.05)


def test_a_page_on_which_the_spider_raised_is_set_aside() -> None:
    session = Session()
    scheduler, sent = scheduler_of(session)
    asyncio.run(raise_in_spider(sent))
    assert [page.url for page in session.failed] == [LEASE.url]
    assert not scheduler._held


def test_an_error_that_cannot_be_stored_ends_the_crawl() -> None:
    session = Session("this cannot be stored either")
    scheduler, sent = scheduler_of(session)
    asyncio.run(raise_in_spider(sent))
    assert session.stopped == "failure"
    assert not scheduler._held


@pytest.mark.parametrize("trouble", ["", "this cannot be stored either"])
def test_no_lease_is_held_for_ever_after_an_error_in_a_pipeline(trouble: str) -> None:
    scheduler, _ = scheduler_of(Session(trouble))
    with contextlib.suppress(ValueError):
        asyncio.run(scheduler._item_error(Page(LEASE, LEASE.url), SimpleNamespace(value=KeyError("bug"))))
    assert not scheduler._held
