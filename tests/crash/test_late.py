"""A process that sleeps (SIGSTOP) longer than the others wait is dead for them: awake again, it can commit nothing."""

from __future__ import annotations

import signal
import sqlite3
import time
from contextlib import closing

import pytest

from synthweb.running import RunningWeb
from tests.crash.harness import FAULTY, IN_FLIGHT, CrashSite, MakeSite, Process
from tests.crash.manners import assert_whole

pytestmark = pytest.mark.slow
DEAD = {"DEAD_SECONDS": 4}


def test_a_process_that_slept_too_long_cannot_commit_and_says_so(site: CrashSite) -> None:
    sleeper = site.start(FAULTY, environment=DEAD)
    assert site.wait_requests(sleeper, 60)
    send_to_sleep(site, sleeper)
    other = site.start(FAULTY, environment=DEAD)
    assert site.end_of(other) == 0, site.log_end()
    finished = assert_whole(site, 2 * IN_FLIGHT)
    assert site.rows("select state from worker order by id") == [("dead",), ("gone",)]
    sleeper.send_signal(signal.SIGCONT)
    assert site.end_of(sleeper) == 1
    assert "took this one for dead" in site.log_text()
    assert site.rows("select reason from run order by id") == [("lost",), ("empty",)]
    assert assert_whole(site, 2 * IN_FLIGHT).pages == finished.pages


def test_a_short_sleep_costs_nothing(make_site: MakeSite, late_web: RunningWeb) -> None:
    site = make_site(late_web)
    sleeper, other = [site.start(settings={"CONCURRENT_REQUESTS": 4}) for _ in range(2)]
    assert site.wait_until(lambda: len(site.rows("select distinct worker from lease")) == 2, other), site.log_end()
    send_to_sleep(site, sleeper)
    time.sleep(3)
    sleeper.send_signal(signal.SIGCONT)
    assert [site.end_of(process) for process in (sleeper, other)] == [0, 0], site.log_end()
    assert_whole(site)


def send_to_sleep(site: CrashSite, process: Process) -> None:
    """SIGSTOP; with SQLite at a moment when the process does not hold the lock of the store, or nobody could write.

    PostgreSQL ends the transaction of who sleeps inside one."""
    if site.served:
        process.send_signal(signal.SIGSTOP)
        return
    with closing(sqlite3.connect(site.directory / "store.sqlite", timeout=0.2, isolation_level=None)) as db:
        for _ in range(50):
            process.send_signal(signal.SIGSTOP)
            try:
                db.execute("begin immediate")
                db.execute("rollback")
            except sqlite3.OperationalError:
                process.send_signal(signal.SIGCONT)
                time.sleep(0.01)
            else:
                return
    raise AssertionError("the process always holds the lock")
