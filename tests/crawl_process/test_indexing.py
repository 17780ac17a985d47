"""The search index is kept near the store by a process of its own, which a crawl neither waits for nor misses."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path

import pytest

from focuscrawl.crawl.beside import indexing, indexing_apart
from focuscrawl.crawl.beside.indexing import IndexingWorker
from focuscrawl.crawl.beside.indexing_apart import follow_apart
from focuscrawl.reading.worker import WorkerProcess
from focuscrawl.search.index import DIRECTORY, SearchIndex
from focuscrawl.search.terms import Analyzer
from focuscrawl.store.crawls import crawl_named
from tests.patience import PATIENCE
from tests.search.asking import in_parts
from tests.topics.crawled import add_sky_page, sky_crawl


async def until_indexed(directory: Path, pages: int) -> None:
    async with asyncio.timeout(PATIENCE):
        while (
            not (directory / DIRECTORY / "meta.json").exists() or SearchIndex(directory / DIRECTORY, Analyzer()).pages < pages
        ):
            await asyncio.sleep(0.05)


@pytest.mark.system
async def test_what_is_stored_is_indexed_meanwhile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(indexing, "PAUSE_SECONDS", 0.05)
    monkeypatch.setattr(indexing, "ASK_SECONDS", 0.05)
    sky_crawl(tmp_path)
    directory = tmp_path / "web"
    apart = WorkerProcess(idle_seconds=0)
    worker = IndexingWorker(apart, directory, "")
    await until_indexed(directory, 9)
    db = crawl_named(tmp_path, "web").open(write=True)
    add_sky_page(db, 11, "/sky/6.html", "Zodiac", "zodiac", "en")
    db.close()
    await until_indexed(directory, 10)
    await worker.close()
    await apart.close()


@pytest.mark.system
async def test_its_parts_are_merged_meanwhile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(indexing, "PAUSE_SECONDS", 0.05)
    monkeypatch.setattr(indexing, "ASK_SECONDS", 0.05)
    sky_crawl(tmp_path)
    in_parts(crawl_named(tmp_path, "web"), 9)
    apart = WorkerProcess(idle_seconds=0)
    worker = IndexingWorker(apart, tmp_path / "web", "")
    async with asyncio.timeout(PATIENCE):
        while SearchIndex(tmp_path / "web" / DIRECTORY, Analyzer()).parts > 1:
            await asyncio.sleep(0.05)
    await worker.close()
    await apart.close()


@pytest.mark.system
def test_an_index_that_cannot_be_kept_is_told_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(indexing, "PAUSE_SECONDS", 0.0)
    monkeypatch.setattr(indexing, "ASK_SECONDS", 0.05)
    sky_crawl(tmp_path)
    (tmp_path / "web" / DIRECTORY).write_text("a file stands here")

    async def crawl() -> None:
        apart = WorkerProcess(idle_seconds=0)
        worker = IndexingWorker(apart, tmp_path / "web", "")
        async with asyncio.timeout(PATIENCE):
            while worker.updates < 2:
                await asyncio.sleep(0.05)
        await worker.close()
        await apart.close()

    with caplog.at_level(logging.WARNING):
        asyncio.run(crawl())
    assert [record.getMessage() for record in caplog.records] == [
        "the search index is not kept up just now; scrapy search will do it"
    ]


async def test_a_run_that_is_short_starts_no_process(tmp_path: Path) -> None:
    worker = IndexingWorker(WorkerProcess(idle_seconds=0), tmp_path, "")
    await asyncio.sleep(0)
    await worker.close()
    assert worker.updates == 0


def test_a_look_takes_a_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.nice", lambda more: 0)
    monkeypatch.setattr("focuscrawl.search.following.BATCH", 2)
    monkeypatch.setattr(indexing_apart, "PAGES", 4)
    sky_crawl(tmp_path)
    looks = [follow_apart(str(tmp_path / "web"), "") for _ in range(4)]
    assert looks == [True, True, False, False]
