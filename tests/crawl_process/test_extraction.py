"""Kept pages are read whole beside the crawl, batch after batch."""

from __future__ import annotations

import asyncio
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from focuscrawl.command_line.steering import writable
from focuscrawl.crawl.beside import extraction
from focuscrawl.crawl.beside.extraction import BATCH, ExtractionWorker, extract_again
from focuscrawl.reading.worker import JobResult, WorkerProcess
from focuscrawl.store.crawl_store import CrawlStore
from focuscrawl.store.crawls import Crawl
from focuscrawl.store.engines.database import Database
from focuscrawl.store.pages.content import ArchivedPage, read_before
from focuscrawl.store.pages.stored import stored_pages
from tests.factories import limits
from tests.store.warc.archived import archived_crawl

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

    async def call(self, operation: object, **given: object) -> dict[str, Any]:
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


NOTICE = "A notice that this site has beside the text of each of its many pages, whatever they may be about at all."


def chapter(number: int) -> str:
    own = f"Chapter {number} tells of the {number} things that nobody has told before, one after the other and at length. "
    return f"<title>Chapter {number}</title><div><h1>Chapter {number}</h1><p>{own * 3}</p><p>{NOTICE}</p></div>"


def stored(directory: Path, numbers: range) -> Crawl:
    pages = {f"http://a.example/{number}": number for number in numbers}
    bodies = {url: chapter(number) for url, number in pages.items()}
    return archived_crawl(directory, dict.fromkeys(pages, True), bodies, numbers.start)


def with_notice(crawl: Crawl) -> int:
    with closing(crawl.open()) as db:
        return sum(NOTICE in page.text for page in stored_pages(db))


def read_again(crawl: Crawl) -> None:
    with writable(crawl) as db:
        asyncio.run(extract_again(db, crawl.directory, "focuscrawl"))


def read_unread(directory: Path) -> None:
    """What a crawl reads beside it, in a process that knows of no page yet."""

    async def run() -> None:
        store = CrawlStore(directory, directory.name, limits(8), "{}")
        await store.beat()
        process = WorkerProcess(idle_seconds=0)
        worker = ExtractionWorker(store, directory, "focuscrawl", process)
        await worker.close()
        await process.close()
        store.close("finished", "{}")

    asyncio.run(run())


@pytest.mark.system
def test_a_later_run_knows_what_the_pages_of_a_site_share(tmp_path: Path) -> None:
    crawl = stored(tmp_path / "c", range(12))
    read_unread(tmp_path / "c")
    assert with_notice(crawl) == 10
    stored(tmp_path / "c", range(12, 14))
    read_unread(tmp_path / "c")
    assert with_notice(crawl) == 10
    read_again(crawl)
    assert with_notice(crawl) == 0


@pytest.mark.system
def test_of_a_new_site_nothing_is_recalled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def recorded(db: Database, page_id: int, where: str, count: int) -> list[ArchivedPage]:
        asked.append(page_id)
        return read_before(db, page_id, where, count)

    monkeypatch.setattr(extraction, "read_before", recorded)
    crawl = stored(tmp_path / "c", range(4))
    read_unread(tmp_path / "c")
    assert (len(asked), with_notice(crawl)) == (1, 4)
