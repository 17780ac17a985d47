"""Processes that tests start: they end with the test run, and none stays as a zombie. Linux only; elsewhere nothing is done."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
_prctl = ctypes.CDLL(None).prctl if sys.platform == "linux" else None


def can_adopt() -> bool:
    """Does `adopted` work here?"""
    return _prctl is not None


def die_with_parent() -> None:
    """In a new process, before its program starts: when the one that started it is gone, it stops at once."""
    if _prctl:
        _prctl(PR_SET_PDEATHSIG, signal.SIGQUIT)


@contextlib.contextmanager
def adopted() -> Iterator[None]:
    """Orphans of processes that die inside come to this process, which can wait for them (`reap`); not every machine has a
    first process that does."""
    if _prctl:
        _prctl(PR_SET_CHILD_SUBREAPER, 1)
    try:
        yield
    finally:
        if _prctl:
            _prctl(PR_SET_CHILD_SUBREAPER, 0)


def reap(pids: Sequence[int]) -> None:
    """Wait for the end of killed processes; those that are not ours end elsewhere."""
    for pid in pids:
        with contextlib.suppress(ChildProcessError):
            os.waitpid(pid, 0)


def children(parent: int) -> list[int]:
    """Pids of the processes that this one has started."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            fields = stat.read_text().rpartition(")")[2].split()
            if int(fields[1]) == parent:
                found.append(int(stat.parent.name))
    return found
