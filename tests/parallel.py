"""The test run on several processes (`pytest -n 2`): which tests go together, what comes first, and what runs alone."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

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


class Turnstile:
    """A test that is to run alone waits until the others are done, and they wait for it; the others run side by side."""

    def __init__(self, folder: Path) -> None:
        self._gate, self._room = folder / "gate.lock", folder / "room.lock"

    @contextmanager
    def passed(self, *, alone: bool) -> Iterator[None]:
        with self._gate.open("w") as gate, self._room.open("w") as room:
            fcntl.flock(gate, fcntl.LOCK_EX)  # who waits for the room lets nobody past, or there would always be somebody in it
            fcntl.flock(room, fcntl.LOCK_EX if alone else fcntl.LOCK_SH)
            fcntl.flock(gate, fcntl.LOCK_UN)
            yield


def turnstile(config: pytest.Config) -> Turnstile | None:
    """None where there is one process."""
    if "PYTEST_XDIST_WORKER" not in os.environ:
        return None
    factory: Any = config._tmp_path_factory  # type: ignore[attr-defined]
    return Turnstile(common_folder(factory))
