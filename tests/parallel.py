"""The test run on several processes (`pytest -n 2`): which tests go together, what comes first, and where their files lie."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from xdist.remote import Producer
    from xdist.scheduler import LoadScopeScheduling

ONE_BY_ONE = ("tests/crash/",)
"""Rooms whose tests take long and share nothing that is expensive to make. Others go together by module."""
TOGETHER = ("tests/eval/harvest/", "tests/eval/pages/")
"""Rooms that share what is expensive to make: the harvest exam."""
FIRST = ("tests/recrawl/test_cron.py", *TOGETHER, "tests/scrapyd/", "tests/crash/", "tests/eval/", "tests/crawl/")
"""What takes longest begins first, so that no process waits for another at the end."""


def scheduler(config: pytest.Config, log: Producer) -> LoadScopeScheduling:
    from xdist.scheduler import LoadScopeScheduling

    class ByModule(LoadScopeScheduling):  # type: ignore[misc]
        def _split_scope(self, nodeid: str) -> str:
            if nodeid.startswith(TOGETHER):
                return TOGETHER[0]
            return nodeid if nodeid.startswith(ONE_BY_ONE) else nodeid.partition("::")[0]

    config.option.loadscopereorder = False
    return ByModule(config, log)


def sort(items: list[pytest.Item]) -> None:
    def place(item: pytest.Item) -> int:
        return next((number for number, prefix in enumerate(FIRST) if item.nodeid.startswith(prefix)), len(FIRST))

    items.sort(key=place)


def common_folder(factory: pytest.TempPathFactory) -> Path:
    """A folder of this run that its processes have in common."""
    own = factory.getbasetemp()
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own


MEMORY = Path("/dev/shm")
"""A folder in memory: a store that is made there waits for no disk, and most tests make one."""
MOST_WRITTEN = 4 << 30
"""Bytes that must be free there: a run writes a fraction of it, but whoever kills runs leaves files behind."""


def folder_in_memory(config: pytest.Config) -> None:
    """Where nobody has chosen a folder for files (`--basetemp`), it lies in memory and goes with the run."""
    if config.option.basetemp or not os.access(MEMORY, os.W_OK) or shutil.disk_usage(MEMORY).free < MOST_WRITTEN:
        return
    folder = tempfile.mkdtemp(prefix="focuscrawl-tests-", dir=MEMORY)
    config.option.basetemp = folder
    config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))
