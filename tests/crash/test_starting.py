"""Processes that start at the same moment on a crawl that is not there yet: one makes the store, all use it."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

from tests.crash.harness import ROOT
from tests.crash.served import Served

PROCESSES = 4
PROGRAM = """if True:
    import sys, time
    from pathlib import Path
    from focuscrawl.store.crawl_store import CrawlStore
    from tests.crash.edges import LIMITS

    while time.time() < float(sys.argv[3]):
        pass
    for number in range(3):
        store = CrawlStore(Path(sys.argv[1]) / str(number), f"new{number}", LIMITS, "{}", url=sys.argv[2])
        print(store.worker)
        store.close("empty", "{}")
"""


def test_processes_that_make_a_store_at_once_do_not_get_in_each_others_way(tmp_path: Path, store: Served | None) -> None:
    url, begin = store.new_database() if store else "", time.time() + 1.5
    command = [sys.executable, "-c", PROGRAM, str(tmp_path), url, str(begin)]
    processes = [subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) for _ in range(PROCESSES)]
    numbers = [process.communicate()[0].split() for process in processes]
    assert [process.returncode for process in processes] == [0] * PROCESSES
    for workers in zip(*numbers, strict=True):
        assert sorted(workers) == ["1", "2", "3", "4"]
