"""Things that a process needs and does not get: file descriptors, somebody who reads its log, a store that is whole."""

from __future__ import annotations

import os
import resource
from pathlib import Path

import pytest

from tests.crash.harness import CrashSite
from tests.crash.manners import assert_whole
from tests.crash.stores import sqlite_only

pytestmark = [pytest.mark.slow, sqlite_only]
PAGE = 4096


def test_256_file_descriptors_are_enough(site: CrashSite) -> None:
    process = site.start(
        settings={"CONCURRENT_REQUESTS": 64, "POLITENESS_CONCURRENCY": 64, "POLITENESS_ADDRESS_CONCURRENCY": 64}
    )
    resource.prlimit(process.pid, resource.RLIMIT_NOFILE, (256, 256))
    assert site.end_of(process) == 0, site.log_end()
    assert_whole(site)


def test_a_log_that_nobody_reads_any_more_stops_nothing(site: CrashSite) -> None:
    read, write = os.pipe()
    site.log = Path(f"/dev/fd/{write}")
    process = site.start()
    site.log = site.folder / "crawl.log"
    os.close(write)
    assert site.wait_requests(process, 30)
    os.close(read)
    assert site.end_of(process) == 0
    assert_whole(site)


def test_a_damaged_database_is_refused_in_one_sentence(site: CrashSite) -> None:
    assert site.run() == 0
    path = site.directory / "store.sqlite"
    root = site.rows("select rootpage from sqlite_master where name='meta'")[0][0]
    with path.open("r+b") as file:
        file.seek((root - 1) * PAGE)
        file.write(os.urandom(PAGE))
    assert site.run() == 2
    last = site.log_text().splitlines()[-1]
    assert "store.sqlite" in last
    assert "Traceback" not in site.log_text()
