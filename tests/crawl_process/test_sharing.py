"""What one worker learns, the others know after an exchange; no file passes between them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from focuscrawl.crawl import sharing
from focuscrawl.crawl.sharing import Sharing, take_over
from focuscrawl.errors import BadInput
from focuscrawl.shared_counts import Learned
from focuscrawl.store.crawl_store import CrawlStore
from focuscrawl.store.engines.writer import StorageError
from focuscrawl.store.workers import models, shared_logs
from models.page.crawl_record import CrawlRecord
from models.topic.background import Background
from tests.crawl_process.workers import sqlite_only, store_at

LOG = "background/0f"


class Worker:
    """A background, shared by a store of its own."""

    def __init__(self, store: CrawlStore) -> None:
        self.store, self.background, self.sharing = store, Background(), Sharing(store)

    async def join(self) -> Worker:
        await self.sharing.join(LOG, self.background)
        return self

    async def see(self, *words: str, told: bool = True) -> None:
        self.background.observe(words)
        if told:
            await self.sharing.exchange()

    def knows(self) -> dict[str, int]:
        counts: dict[str, int] = {}
        for part in self.background.whole():
            counts |= part["counts"]
        return counts


@pytest.fixture
def soon_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """The whole is written after two rows, and rows that are in it go at once."""
    monkeypatch.setattr(sharing, "WHOLE_AFTER", 2)
    monkeypatch.setattr(shared_logs, "KEPT_SECONDS", -1.0)


async def test_two_workers_learn_from_each_other(one: CrawlStore, two: CrawlStore) -> None:
    first, second = await Worker(one).join(), await Worker(two).join()
    await first.see("comet", "moon")
    await second.see("comet", "cake")
    await first.sharing.exchange()
    assert first.knows() == second.knows() == {"comet": 2, "moon": 1, "cake": 1}
    await first.sharing.exchange()
    assert first.knows()["comet"] == 2  # what it has told does not come back
    third = await Worker(two).join()
    assert third.knows() == first.knows()
    only_reads = Background()
    await one.call(lambda db: take_over(db, LOG, only_reads, one.clock()))
    assert only_reads.pages == 2


@pytest.mark.usefixtures("soon_whole")
async def test_the_eldest_writes_the_whole_and_who_was_silent_begins_anew_with_it(one: CrawlStore, two: CrawlStore) -> None:
    first, silent = await Worker(one).join(), await Worker(two).join()
    await silent.see("own")
    await silent.see("untold", told=False)
    for _ in range(6):
        await first.see("comet")
    assert await one.call(lambda db: models.version_of(db, LOG)) >= 1
    assert await one.call(lambda db: shared_logs.read(db, LOG, 0, None, one.clock()).old) <= 3
    assert await silent.sharing.exchange() is True
    assert silent.knows() == {"comet": 6, "own": 1, "untold": 1}
    assert await first.sharing.exchange() is False
    assert first.knows() == silent.knows()
    for _ in range(6):
        await silent.see("cake")  # not the eldest: its rows wait for the other
    await first.sharing.exchange()
    await first.sharing.exchange()
    late = await Worker(two).join()
    assert late.knows() == {"comet": 6, "own": 1, "untold": 1, "cake": 6}


@pytest.mark.usefixtures("soon_whole")
def test_an_exchange_between_two_others_never_writes_the_whole(tmp_path: Path) -> None:
    async def crawl(store: CrawlStore) -> tuple[int, int]:
        worker = await Worker(store).join()
        for _ in range(6):
            await worker.see("comet", told=False)
            await worker.sharing.exchange(soon=True)
        before = await store.call(lambda db: models.version_of(db, LOG))
        await worker.sharing.exchange()
        return before, await store.call(lambda db: models.version_of(db, LOG))

    with store_at(tmp_path, "") as store:
        assert asyncio.run(crawl(store)) == (0, 1)


@pytest.mark.usefixtures("soon_whole")
def test_runs_with_a_single_exchange_write_the_whole_too(tmp_path: Path) -> None:
    async def crawl(store: CrawlStore, before: int) -> int:
        worker = await Worker(store).join()
        assert worker.knows().get("comet", 0) == before
        await worker.see("comet")
        return await store.call(lambda db: int(db.execute("select count(*) from model").fetchone()[0]))

    rows = []
    for run in range(8):
        with store_at(tmp_path, "") as store:
            rows.append(asyncio.run(crawl(store, run)))
    assert max(rows) <= 4, rows


def failing(store: CrawlStore, after: bool) -> Callable[..., Any]:
    """`CrawlStore.call` that fails once, before or after it has written."""
    whole = store.call

    async def call(operation: Any, **given: Any) -> Any:
        store.call = whole  # type: ignore[method-assign]
        if after:
            await whole(operation, **given)
        raise StorageError("full")

    return call


@pytest.mark.parametrize("after", [False, True])
@sqlite_only
async def test_what_could_not_be_written_is_written_once_the_next_time(one: CrawlStore, two: CrawlStore, after: bool) -> None:
    first, second = await Worker(one).join(), await Worker(two).join()
    one.call = failing(one, after)  # type: ignore[method-assign]
    with pytest.raises(StorageError):
        await first.see("comet")
    await first.see("moon")
    await second.sharing.exchange()
    assert second.knows() == first.knows() == {"comet": 1, "moon": 1}


@pytest.mark.usefixtures("soon_whole")
@sqlite_only
async def test_one_that_was_broken_off_while_it_read_tells_but_is_not_trusted_with_the_whole(
    one: CrawlStore, two: CrawlStore
) -> None:
    first, second = await Worker(one).join(), await Worker(two).join()
    await second.see("cake")
    adding, first.background.add = first.background.add, _cancelled  # type: ignore[method-assign]
    with pytest.raises(asyncio.CancelledError):
        await first.sharing.exchange()
    first.background.add = adding  # type: ignore[method-assign]
    for _ in range(4):
        await first.see("comet")
    assert await one.call(lambda db: models.version_of(db, LOG)) == 0
    await second.sharing.exchange()
    assert second.knows() == {"cake": 1, "comet": 4}


def _cancelled(part: object) -> None:
    raise asyncio.CancelledError


def test_what_cannot_be_used_is_told_about_and_left(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def crawl(store: CrawlStore) -> None:
        worker = await Worker(store).join()
        rows = [models.pack([{"relevant": 7}, {"relevant": 0, "pages": 1, "counts": {"comet": 1}}]), b"damaged"]
        for number, row in enumerate(rows, 1):
            await store.call(shared_logs.append, log=LOG, worker=99, number=number, body=row, now=0.0)
        await worker.sharing.exchange()
        assert worker.knows() == {"comet": 1}
        await store.call(lambda db: models.save(db, LOG, b"damaged", 0, 99, 0.0))
        with pytest.raises(BadInput, match=f"Row {LOG} of table model in the store cannot be read"):
            await Worker(store).join()

    with store_at(tmp_path, "") as store:
        asyncio.run(crawl(store))
    assert "another version wrote it, or it is damaged (KeyError('pages'))" in caplog.text
    assert "cannot be read: no model's body" in caplog.text


@sqlite_only
async def test_several_logs_go_together_and_nothing_new_writes_nothing(one: CrawlStore, two: CrawlStore) -> None:
    learners: list[list[Learned]] = [[Background(), CrawlRecord()] for _ in range(2)]
    sharings = [Sharing(one), Sharing(two)]
    for worker, share in zip(learners, sharings, strict=True):
        await share.join("background/a", worker[0])
        await share.join("calibrated/a", worker[1])
    record, other = learners[0][1], learners[1][1]
    assert isinstance(record, CrawlRecord)
    assert isinstance(other, CrawlRecord)
    for _ in range(3):
        record.learn(["comet"], 0.9, 0.9)
    for share in (*sharings, *sharings):
        await share.exchange()
    assert other.url_words.log_odds(["comet"]).keys() == {"comet"}
    names = await one.call(lambda db: [name for (name,) in db.execute("select name from model")])
    assert names == [f"calibrated/a/{one.worker}/1"]
