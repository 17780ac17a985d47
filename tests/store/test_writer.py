from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections import Counter
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from focuscrawl.dedup.methods import method
from focuscrawl.frontier.lanes import lifted
from focuscrawl.frontier.outcome import FetchOutcome
from focuscrawl.frontier.states import Event, State
from focuscrawl.items import Page, Verdict
from focuscrawl.store.commit import Commit
from focuscrawl.store.crawl_store import CrawlStore
from focuscrawl.store.engines import writer as module
from focuscrawl.store.engines.database import Database
from focuscrawl.store.engines.sqlite import SqliteDatabase, connect
from focuscrawl.store.engines.writer import Writer
from focuscrawl.store.frontier.discover import DiscoveredUrl
from focuscrawl.store.pages.duplicates import DuplicateFinder
from tests.factories import limits
from tests.patience import PATIENCE


class Recorder:
    """A companion that notes what happened to it."""

    def __init__(self) -> None:
        self.calls: list[str] = []

    def begin(self) -> None:
        self.calls.append("begin")

    def mark(self) -> None:
        """Not looked at here."""

    def back(self) -> None:
        self.calls.append("back")

    def before_commit(self, db: Database) -> None:
        self.calls.append("commit")

    def undo(self) -> None:
        self.calls.append("undo")


def put(key: str) -> module.Operation[int]:
    return lambda db: db.execute("insert into meta(key, value) values(?, '')", (key,)).rowcount


def fail(db: Database) -> None:
    db.execute("insert into meta(key, value) values('half', '')")
    raise ValueError("broken operation")


def keys(path: Path) -> set[str]:
    db = connect(path, read_only=True)
    found = {row[0] for row in db.execute("select key from meta")} - {"version"}
    db.close()
    return found


def test_an_operation_that_raises_is_undone_alone(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"

    async def main() -> list[object]:
        writer = Writer(connect(path))
        results = await together(writer.submit, *map(writer.submit, (put("a"), fail, put("b"))))
        assert writer.groups == 2, "what was queued together is committed together"
        await asyncio.to_thread(writer.close)
        return results

    results = asyncio.run(main())
    assert results[0] == results[2] == 1
    assert isinstance(results[1], ValueError)
    assert keys(path) == {"a", "b"}


Submit = Callable[[module.Operation[Any]], Coroutine[Any, Any, Any]]


async def together(submit: Submit, *rest: Coroutine[Any, Any, Any]) -> list[Any]:
    """The results, or errors, of `rest`, whose operations are committed in one group. `submit`: to the same writer."""
    begun, gate = threading.Event(), threading.Event()

    def hold(db: Database) -> None:
        begun.set()
        gate.wait()

    first = asyncio.ensure_future(submit(hold))
    await asyncio.to_thread(begun.wait)
    group = [asyncio.ensure_future(each) for each in rest]
    for _ in range(5):  # each has its turn to submit its operation
        await asyncio.sleep(0)
    gate.set()
    await first
    return await asyncio.gather(*group, return_exceptions=True)


async def test_savepoints_are_set_only_where_an_operation_raises(tmp_path: Path) -> None:
    said: list[str] = []
    db = connect(tmp_path / "store.sqlite")
    db.set_trace_callback(said.append)
    writer = Writer(db)
    await together(writer.submit, writer.submit(put("a")), writer.submit(put("b")))
    assert "savepoint operation" not in said
    await together(writer.submit, writer.submit(put("c")), writer.submit(fail))
    assert "savepoint operation" in said
    await asyncio.to_thread(writer.close)


async def test_what_an_undone_try_has_found_is_forgotten(tmp_path: Path) -> None:
    """The second page finds the first as its original, and a third operation undoes both: then it is looked for again."""
    store = CrawlStore(tmp_path / "crawl", "crawl", limits(9), "{}")
    await store.add_seeds([DiscoveredUrl("http://a.test/1", 1.0), DiscoveredUrl("http://b.test/1", 1.0)])
    leases, _ = await store.lease(2)
    finder = DuplicateFinder(method("simhash"))
    commits = []
    for one in leases:
        page = Page(one, one.url, 200, store.clock(), body=b"x", text="one text", verdict=Verdict(0.5, True, 0.1))
        page.fingerprint = method("simhash").fingerprint(page.text, page.text.split())
        commits.append(Commit(page, FetchOutcome(Event.STORED), store.clock(), store.run, store.worker))
    done = await together(store.call, *(store.commit(each, finder) for each in commits), store.call(fail))
    await asyncio.to_thread(store.close, "finished", "{}")
    assert [each.state for each in done[:2]] == [State.DONE, State.DUP]


async def test_what_an_undone_try_has_noted_in_memory_is_taken_back(tmp_path: Path) -> None:
    noted: list[str] = []
    writer = Writer(connect(tmp_path / "store.sqlite"))

    async def noting(key: str, operation: module.Operation[Any]) -> None:
        def noted_first(db: Database) -> None:
            noted.append(key)
            operation(db)

        def undone() -> None:
            noted[:] = [each for each in noted if each != key]

        await writer.submit(noted_first, undone)

    await together(writer.submit, noting("a", put("a")), noting("b", fail), noting("c", put("c")))
    await asyncio.to_thread(writer.close)
    assert noted == ["a", "c"]


async def test_new_pages_have_the_places_that_they_had_without_an_undone_try(tmp_path: Path) -> None:
    """Each page that a recrawl finds on a host counts the less, the more it has found there before; what was undone was not
    found."""

    async def found(name: str, *others: module.Operation[Any]) -> tuple[list[tuple[str, float]], Counter[int]]:
        store, found_before = CrawlStore(tmp_path / name, name, limits(9), "{}"), Counter[int]()
        await store.add_seeds([DiscoveredUrl("http://a.test/1", 1.0), DiscoveredUrl("http://b.test/1", 1.0)])
        leases, _ = await store.lease(2)
        commits = []
        for one in sorted(leases, key=lambda lease: lease.url):
            page = Page(one, one.url, 200, store.clock(), body=b"x", text=one.url, verdict=Verdict(0.5, True, 0.1))
            change = Commit(page, FetchOutcome(Event.STORED), store.clock(), store.run, store.worker, found_before=found_before)
            change.discovered = [
                DiscoveredUrl(f"http://new.test/{one.url[7:]}/{number}", lifted(0.5), 1) for number in range(3)
            ]
            commits.append(store.commit(change, lambda db, page, after=0: None))
        await together(store.call, *commits, *map(store.call, others))
        urls = await store.call(lambda db: db.execute("select path, priority from url where depth=1 order by path").fetchall())
        await asyncio.to_thread(store.close, "finished", "{}")
        return urls, found_before

    urls, found_before = await found("once")
    assert len({priority for _, priority in urls}) == len(urls) == 6
    assert await found("again", fail) == (urls, found_before)


async def test_a_lone_failure_is_undone_with_its_companion(tmp_path: Path) -> None:
    path, recorder = tmp_path / "store.sqlite", Recorder()
    writer = Writer(connect(path), recorder)
    with pytest.raises(ValueError, match="broken"):
        await writer.submit(fail)
    await writer.submit(put("a"))
    await asyncio.to_thread(writer.close)
    assert recorder.calls == ["begin", "undo", "begin", "commit"]
    assert keys(path) == {"a"}


def rivals(path: Path) -> tuple[SqliteDatabase, SqliteDatabase]:
    """Two connections, the second of which waits hardly for a lock of the first."""
    other, mine = connect(path), connect(path)
    mine.execute("pragma busy_timeout=20")
    return other, mine


def test_a_locked_database_makes_callers_wait(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(module, "PAUSE_SECONDS", 0.05)
    path = tmp_path / "store.sqlite"
    other, mine = rivals(path)

    async def main() -> None:
        writer = Writer(mine)
        other.execute("begin immediate")
        task = asyncio.ensure_future(writer.submit(put("a")))
        while not writer.trouble:
            await asyncio.sleep(0.01)
        assert not task.done()
        other.execute("rollback")
        assert await task == 1
        await asyncio.to_thread(writer.close)

    with caplog.at_level(logging.WARNING):
        asyncio.run(main())
    assert [record.message.split(" (")[0] for record in caplog.records] == ["store: writing waits", "store: writing goes on"]
    assert keys(path) == {"a"}


def test_closing_finishes_what_is_queued(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    writer = Writer(connect(path))
    writer.post(lambda db: time.sleep(0.05))
    for n in range(100):
        writer.post(put(f"k{n}"))
    writer.close()
    assert len(keys(path)) == 100


async def test_closing_waits_for_a_database_that_is_busy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PAUSE_SECONDS", 0.05)
    path = tmp_path / "store.sqlite"
    other, mine = rivals(path)
    writer = Writer(mine)
    other.execute("begin immediate")
    closing = asyncio.ensure_future(asyncio.to_thread(writer.close, put("last")))
    while not writer.trouble:
        await asyncio.sleep(0.01)
    other.execute("rollback")
    assert await closing
    assert keys(path) == {"last"}


@pytest.mark.parametrize("given_up", [True, False])
def test_closing_tells_that_the_last_operation_was_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given_up: bool
) -> None:
    monkeypatch.setattr(module, "ENDING_SECONDS", 3600 if given_up else 0.1)
    path = tmp_path / "store.sqlite"
    other, mine = rivals(path)
    writer = Writer(mine)
    other.execute("begin immediate")
    if given_up:
        writer.give_up()
    assert not writer.close(put("last"))
    other.execute("rollback")
    assert keys(path) == set()


def test_a_companion_that_cannot_be_undone_does_not_end_the_writer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Stuck(Recorder):
        def before_commit(self, db: Database) -> None:
            super().before_commit(db)
            if self.calls.count("commit") == 1:
                raise OSError("read-only file system")

        def undo(self) -> None:
            raise OSError("read-only file system")

    async def work(writer: Writer) -> int:
        async with asyncio.timeout(PATIENCE):
            return await writer.submit(put("a"))

    monkeypatch.setattr(module, "PAUSE_SECONDS", 0.01)
    writer = Writer(connect(tmp_path / "store.sqlite"), Stuck())
    assert asyncio.run(work(writer)) == 1
    writer.close()
