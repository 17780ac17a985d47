"""A full or read-only disk and a locked database: the crawl waits, says why, and loses nothing."""

from __future__ import annotations

import os
import resource
import signal
import sqlite3
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import psycopg
import pytest

from synthweb.running import RunningWeb
from tests.crash.harness import FAULTY, GOES_ON, IN_FLIGHT, SOON, WAITS, CrashSite, Process, assert_stands_still
from tests.crash.manners import assert_whole
from tests.crash.served import serving
from tests.crash.stores import sqlite_only
from tests.patience import PATIENCE
from tests.postgres import Unavailable

pytestmark = pytest.mark.slow


def fill_disk(site: CrashSite, process: Process) -> tuple[int, int]:
    """A limit on the size of files stands for the full disk: writes that make a file longer fail in the same way.

    Returns the limits as they were."""
    length = min(path.stat().st_size for path in (site.directory / "warc").iterdir())
    before = resource.prlimit(process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (length, before[1]))
    return before


@sqlite_only
def test_a_full_disk_makes_the_crawl_wait_until_there_is_room(site: CrashSite) -> None:
    process = site.start()
    assert site.wait_requests(process, 60)
    unlimited = fill_disk(site, process)
    assert site.says(WAITS, process)
    assert_stands_still(site, process)
    resource.prlimit(process.pid, resource.RLIMIT_FSIZE, unlimited)
    assert site.end_of(process) == 0, site.log_end()
    assert GOES_ON in site.log_text()
    assert_whole(site)


@sqlite_only
def test_a_database_that_others_lock_is_waited_for(site: CrashSite) -> None:
    process = site.start()
    assert site.wait_requests(process, 60)
    db = sqlite3.connect(site.directory / "store.sqlite", timeout=PATIENCE, isolation_level=None)
    db.execute("begin immediate")
    assert site.says(WAITS, process)
    assert process.poll() is None
    db.execute("rollback")
    db.close()
    assert site.end_of(process) == 0, site.log_end()
    assert_whole(site)


@sqlite_only
@pytest.mark.parametrize("trouble", ["full", "locked"])
def test_sigterm_does_not_wait_for_storage(site: CrashSite, trouble: str) -> None:
    process = site.start(FAULTY, environment={"ENDING_SECONDS": 300})
    assert site.wait_requests(process, 60)
    db = sqlite3.connect(site.directory / "store.sqlite", timeout=PATIENCE, isolation_level=None)
    if trouble == "locked":
        db.execute("begin immediate")
    else:
        fill_disk(site, process)
    time.sleep(0.5)
    process.send_signal(signal.SIGTERM)
    begin = time.monotonic()
    assert site.end_of(process) == 143, site.log_end()
    assert time.monotonic() - begin < SOON
    db.close()
    assert site.run() == 0, site.log_end()
    assert_whole(site, IN_FLIGHT)


@contextmanager
def locked(site: CrashSite) -> Iterator[None]:
    """Another process holds the lock that a start needs."""
    if site.url:
        with psycopg.connect(site.url) as server:
            server.execute(f"lock table crawl_{site.directory.name}.run in exclusive mode".encode())
            yield
    else:
        with closing(sqlite3.connect(site.directory / "store.sqlite", timeout=PATIENCE, isolation_level=None)) as db:
            db.execute("begin immediate")
            yield


@pytest.mark.parametrize(
    ("store", "number", "code"),
    [("sqlite", signal.SIGTERM, 143), ("sqlite", signal.SIGINT, 130), ("postgresql", signal.SIGTERM, 143)],
    indirect=["store"],
)
def test_a_signal_ends_the_wait_for_a_store_that_is_locked_at_the_start(
    site: CrashSite, number: signal.Signals, code: int
) -> None:
    assert site.end_of(site.start(arguments={"max_pages": "5"})) == 0, site.log_end()
    with locked(site):
        process = site.start()
        assert site.says("it is waited for", process)
        process.send_signal(number)
        begin = time.monotonic()
        assert site.end_of(process) == code, site.log_end()
        assert time.monotonic() - begin < SOON
        waits = site.start()
        assert site.wait_until(lambda: site.log_text().count("it is waited for") == 2, waits)
    assert "stopped before it had begun: the store of crawl site cannot be used now" in site.log_text()
    assert "Traceback" not in site.log_text()
    assert site.end_of(waits) == 0, site.log_end()
    assert_whole(site)


@pytest.fixture
def little_disk() -> Iterator[Path]:
    """A disk of 160 MB, which the server's user may enter."""
    folder = Path(tempfile.mkdtemp(prefix="disk-", dir="/tmp"))
    command = ["mount", "-t", "tmpfs", "-o", "size=160m,mode=755", "tmpfs", str(folder)]
    try:
        if os.geteuid() or subprocess.run(command, capture_output=True, check=False).returncode:
            pytest.skip("a small disk can be mounted by root alone")
        yield folder
        subprocess.run(["umount", folder], check=True)
    finally:
        folder.rmdir()


def test_a_database_server_whose_disk_is_full_is_waited_for(web: RunningWeb, tmp_path: Path, little_disk: Path) -> None:
    filler = little_disk / "filler"
    try:
        with serving(little_disk / "pg", max_wal_size="48MB", min_wal_size="32MB") as server:
            site = CrashSite(web, tmp_path, served=server)
            try:
                process = site.start()
                assert site.wait_requests(process, 60)
                _fill(filler)
                assert site.says(WAITS, process)
                assert process.poll() is None, site.log_end()
                filler.unlink()
                if not server.runs:  # it could not even write its log of changes
                    server.start()
                assert site.end_of(process) == 0, site.log_end()
                assert_whole(site)
            finally:
                site.close()
    except Unavailable as why:
        pytest.skip(str(why))


def _fill(path: Path) -> None:
    with path.open("wb") as file:
        try:
            while True:
                file.write(bytes(1 << 16))
                file.flush()
        except OSError:
            return
