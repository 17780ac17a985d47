"""A dashboard that runs as `scrapy dashboard`."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.patience import PATIENCE

LINE = re.compile(r"dashboard: (http://127\.0\.0\.1:(\d+))/\?token=(\w+)\n")


@contextmanager
def running(folder: Path, *arguments: str) -> Iterator[tuple[subprocess.Popen[str], re.Match[str]]]:
    """The process, and its line."""
    command = [sys.executable, "-m", "scrapy", "dashboard", "--port", "0", "-s", f"CRAWLS_DIR={folder}", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout
            told = LINE.fullmatch(process.stdout.readline())
            assert told
            yield process, told
        finally:
            process.kill()


def until(met: Callable[[], bool]) -> None:
    """Wait for it; the test fails after `PATIENCE`."""
    end = time.monotonic() + PATIENCE
    while not met():
        assert time.monotonic() < end
        time.sleep(0.3)
