"""A full disk and a locked database: the crawl waits, says why, and loses nothing."""

from __future__ import annotations

import resource
import signal
import sqlite3
import subprocess
import time

import pytest

from focuscrawl.synthweb.running import RunningWeb
from tests.crash.harness import IN_FLIGHT, CrashSite
from tests.crash.invariants import check

pytestmark = pytest.mark.slow


def whole(site: CrashSite, web: RunningWeb) -> None:
    found = check(site.directory, site.asked())
    assert (found.problems, found.lost, found.stored_twice) == ([], [], 0)
    assert len(found.pages) == web.plan.pages
    assert found.refetched == 0


def fill_disk(site: CrashSite, process: subprocess.Popen[bytes]) -> tuple[int, int]:
    """A limit on the size of files stands for the full disk: writes that make a file longer fail in the same way.

    Returns the limits as they were."""
    length = min(path.stat().st_size for path in (site.directory / "warc").iterdir())
    before = resource.prlimit(process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (length, before[1]))
    return before


def test_a_full_disk_makes_the_crawl_wait_until_there_is_room(site: CrashSite, web: RunningWeb) -> None:
    process = site.start()
    assert site.wait_requests(process, 60)
    unlimited = fill_disk(site, process)
    time.sleep(2.5)
    while_full = site.requests()
    time.sleep(1.0)
    assert site.requests() == while_full, "it goes on fetching what it cannot keep"
    assert process.poll() is None, site.log_end()
    resource.prlimit(process.pid, resource.RLIMIT_FSIZE, unlimited)
    assert site.end_of(process) == 0, site.log_end()
    assert "writing goes on" in site.log_text()
    whole(site, web)


def test_a_database_that_others_lock_is_waited_for(site: CrashSite, web: RunningWeb) -> None:
    process = site.start()
    assert site.wait_requests(process, 60)
    db = sqlite3.connect(site.directory / "store.sqlite", timeout=10, isolation_level=None)
    db.execute("begin immediate")
    time.sleep(5)
    assert process.poll() is None
    db.execute("rollback")
    db.close()
    assert site.end_of(process) == 0, site.log_end()
    whole(site, web)


@pytest.mark.parametrize("trouble", ["full", "locked"])
def test_sigterm_does_not_wait_for_storage(site: CrashSite, web: RunningWeb, trouble: str) -> None:
    process = site.start()
    assert site.wait_requests(process, 60)
    db = sqlite3.connect(site.directory / "store.sqlite", timeout=10, isolation_level=None)
    if trouble == "locked":
        db.execute("begin immediate")
    else:
        fill_disk(site, process)
    time.sleep(0.5)
    process.send_signal(signal.SIGTERM)
    begin = time.monotonic()
    assert site.end_of(process) == 143, site.log_end()
    assert time.monotonic() - begin < 10
    db.close()
    assert site.run() == 0, site.log_end()
    found = check(site.directory, site.asked())
    assert (found.problems, found.lost, found.stored_twice) == ([], [], 0)
    assert len(found.pages) == web.plan.pages
    assert found.refetched <= IN_FLIGHT
