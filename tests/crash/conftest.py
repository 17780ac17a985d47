from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from focuscrawl.synthweb.running import RunningWeb
from tests.crash.harness import CrashSite


@pytest.fixture(scope="package")
def web() -> Iterator[RunningWeb]:
    """Three hosts with 200 pages, no faults."""
    with RunningWeb("kill", pages=200) as running:
        yield running


@pytest.fixture(scope="package")
def slow_web() -> Iterator[RunningWeb]:
    """The same, but every answer takes 20 s: a web that hangs."""
    with RunningWeb("kill", pages=60, latency=20_000.0) as running:
        yield running


@pytest.fixture
def site(web: RunningWeb, tmp_path: Path) -> Iterator[CrashSite]:
    crawled = CrashSite(web, tmp_path)
    yield crawled
    crawled.close()
