from __future__ import annotations

import asyncio
import logging
import threading
import time
from pathlib import Path

import pytest

from focuscrawl.store.engines import writer as module
from focuscrawl.store.engines.database import Database
from focuscrawl.store.engines.sqlite import connect
from focuscrawl.store.engines.writer import Writer


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

    async def main() -> list[int | BaseException | bool | None]:
        writer = Writer(connect(path))
        gate = threading.Event()
        first = asyncio.ensure_future(writer.submit(lambda db: gate.wait()))
        await asyncio.sleep(0.05)
        rest = [asyncio.ensure_future(writer.submit(op)) for op in (put("a"), fail, put("b"))]
        await asyncio.sleep(0.05)
        gate.set()
        results = await asyncio.gather(first, *rest, return_exceptions=True)
        assert writer.groups == 2, "what was queued together is committed together"
        await asyncio.to_thread(writer.close)
        return results

    results = asyncio.run(main())
    assert results[1] == results[3] == 1
    assert isinstance(results[2], ValueError)
    assert keys(path) == {"a", "b"}


def test_a_lone_failure_is_undone_with_its_companion(tmp_path: Path) -> None:
    path, recorder = tmp_path / "store.sqlite", Recorder()

    async def main() -> None:
        writer = Writer(connect(path), recorder)
        with pytest.raises(ValueError, match="broken"):
            await writer.submit(fail)
        await writer.submit(put("a"))
        await asyncio.to_thread(writer.close)

    asyncio.run(main())
    assert recorder.calls == ["begin", "undo", "begin", "commit"]
    assert keys(path) == {"a"}


def test_a_locked_database_makes_callers_wait(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(module, "PAUSE_SECONDS", 0.05)
    path = tmp_path / "store.sqlite"
    other, mine = connect(path), connect(path)
    mine.execute("pragma busy_timeout=20")

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


def test_a_companion_that_cannot_be_undone_does_not_end_the_writer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Stuck(Recorder):
        def before_commit(self, db: Database) -> None:
            super().before_commit(db)
            if self.calls.count("commit") == 1:
                raise OSError("read-only file system")

        def undo(self) -> None:
            raise OSError("read-only file system")

    async def work(writer: Writer) -> int:
        async with asyncio.timeout(10):
            return await writer.submit(put("a"))

    monkeypatch.setattr(module, "PAUSE_SECONDS", 0.01)
    writer = Writer(connect(tmp_path / "store.sqlite"), Stuck())
    assert asyncio.run(work(writer)) == 1
    writer.close()
