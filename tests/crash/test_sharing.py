"""Several processes on one crawl directory: no URL twice, one pace for all, and a dead one's work is taken over."""

from __future__ import annotations

import signal
import sqlite3
import time
from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from focuscrawl.errors import BadInput
from focuscrawl.store.sqlite import connect
from focuscrawl.synthweb.running import RunningWeb
from tests.crash.harness import IN_FLIGHT, CrashSite, kill
from tests.crash.invariants import check

pytestmark = pytest.mark.slow


@pytest.fixture
def small_web() -> Iterator[RunningWeb]:
    with RunningWeb("kill", pages=60) as running:
        yield running


def ask(site: CrashSite, query: str) -> list[tuple[object, ...]]:
    path = site.directory / "store.sqlite"
    if not path.exists():
        return []
    try:
        db = connect(path, read_only=True)
    except BadInput:  # a process is just making the tables
        return []
    try:
        return db.execute(query).fetchall()
    finally:
        db.close()


@pytest.fixture
def late_web() -> Iterator[RunningWeb]:
    """Slow enough that one process cannot fetch all of it before the others have started."""
    with RunningWeb("kill", pages=60, latency=500.0) as running:
        yield running


def test_three_processes_share_a_crawl_and_make_one_topic_of_its_seeds(late_web: RunningWeb, tmp_path: Path) -> None:
    site = CrashSite(late_web, tmp_path, keywords="")
    processes = [site.start(POLITENESS_CONCURRENCY="3", CONCURRENT_REQUESTS="2") for _ in range(3)]
    try:
        assert [site.end_of(process) for process in processes] == [0, 0, 0], site.log_end()
    finally:
        site.close()
    found = check(site.directory, site.asked())
    assert (found.problems, found.lost, found.stored_twice) == ([], [], 0)
    assert len(found.pages) == late_web.plan.pages
    assert found.refetched == 0
    assert site.log_text().count("topic of ") == 1
    assert max(access.in_flight for access in late_web.accesses()) <= 3
    shares = ask(site, "select worker, count(*), count(distinct warc) from page group by worker")
    assert len(shares) == 3
    assert found.warc_files == 3


def test_the_delay_of_a_host_holds_over_all_processes_and_over_the_death_of_one(small_web: RunningWeb, tmp_path: Path) -> None:
    delay = 0.3
    site = CrashSite(small_web, tmp_path)
    paced = {"POLITENESS_DELAY": str(delay), "POLITENESS_CONCURRENCY": "1", "POLITENESS_LATENCY_FACTOR": "0"}
    doomed, *others = [site.start(**paced) for _ in range(3)]
    try:
        assert site.wait_requests(doomed, 12)
        assert kill(doomed)
        assert [site.end_of(process) for process in others] == [0, 0], site.log_end()
    finally:
        site.close()
    found = check(site.directory, site.asked())
    assert (found.problems, found.lost, found.stored_twice) == ([], [], 0)
    assert len(found.pages) == small_web.plan.pages
    times = defaultdict(list)
    for access in small_web.accesses():
        times[access.host].append(access.t)
        assert access.in_flight == 1
    gaps = [after - before for host in times.values() for before, after in pairwise(host)]
    assert min(gaps) >= delay - 0.02


def test_what_a_killed_process_held_is_taken_over_at_once(site: CrashSite, web: RunningWeb) -> None:
    doomed = site.start()
    other = site.start()
    assert site.wait_until(lambda: len(ask(site, "select distinct worker from lease")) == 2, other), site.log_end()
    assert kill(doomed)
    begin = time.monotonic()
    assert site.wait_until(lambda: ask(site, "select count(*) from worker where state='dead'") == [(1,)], other)
    assert time.monotonic() - begin < 5
    assert site.end_of(other) == 0, site.log_end()
    found = check(site.directory, site.asked())
    assert (found.problems, found.lost, found.stored_twice) == ([], [], 0)
    assert len(found.pages) == web.plan.pages
    assert found.refetched <= IN_FLIGHT


def test_a_process_that_slept_too_long_cannot_commit_and_says_so(site: CrashSite, web: RunningWeb) -> None:
    sleeper = site.start()
    assert site.wait_requests(sleeper, 60)
    db = _stop_outside_of_transactions(site, sleeper)
    db.execute("update worker set beat_at=beat_at-1000")
    db.close()
    assert site.run() == 0, site.log_end()
    finished = check(site.directory, site.asked())
    sleeper.send_signal(signal.SIGCONT)
    assert site.end_of(sleeper) == 1
    assert "took this one for dead" in site.log_text()
    found = check(site.directory, site.asked())
    assert (found.problems, found.lost, found.stored_twice) == ([], [], 0)
    assert found.pages == finished.pages
    assert len(found.pages) == web.plan.pages
    assert found.refetched <= 2 * IN_FLIGHT


def _stop_outside_of_transactions(site: CrashSite, process: object) -> sqlite3.Connection:
    """SIGSTOP at a moment when the process does not hold the lock of the store (or nobody could write)."""
    assert hasattr(process, "send_signal")
    db = sqlite3.connect(site.directory / "store.sqlite", timeout=0.2, isolation_level=None)
    for _ in range(50):
        process.send_signal(signal.SIGSTOP)
        try:
            db.execute("begin immediate")
            db.execute("rollback")
        except sqlite3.OperationalError:
            process.send_signal(signal.SIGCONT)
            time.sleep(0.01)
        else:
            return db
    raise AssertionError("the process always holds the lock")
