"""Kept pages are read whole beside the crawl, batch after batch."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from focuscrawl.crawl.beside import extraction
from focuscrawl.crawl.beside.extraction import BATCH, ExtractionWorker
from focuscrawl.reading.worker import JobResult
from focuscrawl.store.pages.content import ArchivedPage

TICKS = 200
"""Steps of the event loop, more than all that happens here takes."""


def page(number: int) -> ArchivedPage:
    return ArchivedPage(number, f"http://a.test/{number}", "text/html", "en", "a.warc.gz", 0)


class Store:
    """Answers each query for unread pages from a list; what is behind its end has nothing to read."""

    def __init__(self, *answers: list[ArchivedPage]) -> None:
        self.answers = list(answers)
        self.asked = 0
        self.kept: list[int] = []

    async def unread(self, count: int) -> list[ArchivedPage]:
        self.asked += 1
        return self.answers.pop(0) if self.answers else []

    async def call(self, operation: object) -> dict[str, Any]:
        return {}

    def keep_content(self, page: ArchivedPage, content: object) -> None:
        self.kept.append(page.page_id)


class Unreadable:
    async def read(self, job: object) -> JobResult:
        return JobResult(error="parse")


def asked_before_and_after_close(store: Store, monkeypatch: pytest.MonkeyPatch) -> tuple[int, int]:
    monkeypatch.setattr(extraction, "PAUSE_SECONDS", 3600.0)
    worker: Any = Unreadable()

    async def crawl() -> tuple[int, int]:
        reading = ExtractionWorker(store, Path(), "focuscrawl", worker)  # type: ignore[arg-type]
        for _ in range(TICKS):
            await asyncio.sleep(0)
        before = store.asked
        await reading.close()
        return before, store.asked

    return asyncio.run(crawl())


def test_pages_that_come_one_by_one_are_asked_for_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each query is a step of the store's writer, for which commits wait."""
    store = Store([page(1)], [page(2), page(3)])
    assert asked_before_and_after_close(store, monkeypatch) == (1, 3)
    assert store.kept == [1, 2, 3]


def test_while_many_are_left_it_reads_on(monkeypatch: pytest.MonkeyPatch) -> None:
    many = [page(number) for number in range(BATCH)]
    store = Store(many, many, [page(BATCH)])
    assert asked_before_and_after_close(store, monkeypatch) == (3, 4)
    assert len(store.kept) == 2 * BATCH + 1
