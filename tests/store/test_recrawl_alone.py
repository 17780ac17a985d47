"""Who is in a recrawl's way, and whose way is it in? Live workers only, on this machine and on others."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
from pathlib import Path

import pytest

from focuscrawl.store.crawl_store import CrawlStore
from focuscrawl.store.crawls import open_store
from focuscrawl.store.engines.database import Database
from focuscrawl.store.workers.lifecycle import BEAT_SECONDS, DEAD_SECONDS, beat, leave, register
from focuscrawl.store.workers.runs import begin_run
from focuscrawl.store.workers.status import OccupiedError, check_alone
from tests.factories import limits
from tests.patience import PATIENCE

NOW = 1_790_000_000.0
LIMITS = limits(99)


def add(db: Database, mode: str = "crawl", *, elsewhere: bool = False, at: float = NOW) -> int:
    """A worker; `elsewhere`: of another machine, where its process cannot be seen."""
    worker = register(db, begin_run(db, json.dumps({"mode": mode}), at), at)
    if elsewhere:
        db.execute("update worker set machine='other/boot/pid', process_id=4711, process_started=1.5 where id=?", (worker,))
    return worker


@pytest.mark.parametrize("elsewhere", [False, True])
def test_a_recrawl_waits_for_all_and_all_wait_for_a_recrawl(db: Database, elsewhere: bool) -> None:
    check_alone(db, True, NOW)
    worker = add(db, elsewhere=elsewhere)
    check_alone(db, False, NOW)
    with pytest.raises(OccupiedError) as caught:
        check_alone(db, True, NOW)
    found = caught.value.worker
    assert (found.process_id, found.since, found.recrawl) == (4711 if elsewhere else os.getpid(), NOW, False)
    check_alone(db, True, NOW, worker)
    leave(db, worker)
    check_alone(db, True, NOW)
    add(db, "recrawl", elsewhere=elsewhere)
    for alone in (True, False):
        with pytest.raises(OccupiedError) as caught:
            check_alone(db, alone, NOW)
        assert caught.value.worker.recrawl


def test_the_dead_block_nobody_for_long(db: Database) -> None:
    worker = add(db, "recrawl", elsewhere=True)
    beat(db, worker, NOW + BEAT_SECONDS)
    with pytest.raises(OccupiedError):
        check_alone(db, False, NOW + BEAT_SECONDS + DEAD_SECONDS - 1)
    check_alone(db, True, NOW + BEAT_SECONDS + DEAD_SECONDS + 1)
    here = add(db, "recrawl")
    db.execute("update worker set process_id=?, process_started=5 where id=?", (2**22 + 1, here))  # no process has such a pid
    check_alone(db, True, NOW + DEAD_SECONDS + BEAT_SECONDS + 1)


def test_a_run_that_cannot_be_read_counts_as_a_crawl(db: Database) -> None:
    for arguments in ("", "[]", "{", '{"mode": 5}'):
        register(db, begin_run(db, arguments, NOW), NOW)
    register(db, 999, NOW)
    check_alone(db, False, NOW)
    with pytest.raises(OccupiedError):
        check_alone(db, True, NOW)


def test_a_worker_that_is_refused_leaves_nothing(tmp_path: Path, store_url: str) -> None:
    one = CrawlStore(tmp_path / "a", "sky", LIMITS, '{"mode": "crawl"}', url=store_url)
    try:
        with pytest.raises(OccupiedError):
            CrawlStore(tmp_path / "a", "sky", LIMITS, '{"mode": "recrawl"}', url=store_url, alone=True)
        db = open_store(tmp_path / "a", store_url, name="sky", read_only=True)
        assert [db.execute(f"select count(*) from {table}").fetchone()[0] for table in ("worker", "run")] == [1, 1]
        db.close()
    finally:
        one.close("finished", "{}")


def _recrawl(folder: Path, url: str, start: multiprocessing.synchronize.Event, told: multiprocessing.Queue[str]) -> None:
    start.wait()
    try:
        CrawlStore(folder, "sky", LIMITS, '{"mode": "recrawl"}', url=url, alone=True)
    except OccupiedError:
        told.put("occupied")
    else:
        told.put("alone")
    signal.pause()


def test_of_several_that_begin_at_the_same_moment_one_does(tmp_path: Path, store_url: str) -> None:
    """As from several machines: without the lock of the directory."""
    CrawlStore(tmp_path / "a", "sky", LIMITS, "{}", url=store_url).close("finished", "{}")
    spawn = multiprocessing.get_context("spawn")
    start, told = spawn.Event(), spawn.Queue()
    processes = [spawn.Process(target=_recrawl, args=(tmp_path / "a", store_url, start, told)) for _ in range(4)]
    try:
        for process in processes:
            process.start()
        start.set()
        assert sorted(told.get(timeout=PATIENCE) for _ in processes) == ["alone", "occupied", "occupied", "occupied"]
    finally:
        for process in processes:
            process.kill()
            process.join()
