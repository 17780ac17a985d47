from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from synthweb.running import RunningWeb
from tests.crash.harness import CrashSite, MakeSite
from tests.crash.served import Served


@pytest.fixture(scope="package")
def web() -> Iterator[RunningWeb]:
    """Three hosts with 200 pages, no faults."""
    with RunningWeb("kill", pages=200) as running:
        yield running


@pytest.fixture(scope="package")
def small_web() -> Iterator[RunningWeb]:
    with RunningWeb("kill", pages=60) as running:
        yield running


@pytest.fixture(scope="package")
def slow_web() -> Iterator[RunningWeb]:
    """The same, but every answer takes minutes: a web that hangs."""
    with RunningWeb("kill", pages=60, latency=200_000.0) as running:
        yield running


@pytest.fixture(scope="package")
def late_web() -> Iterator[RunningWeb]:
    """Slow enough that one process cannot fetch all of it before the others have started."""
    with RunningWeb("kill", pages=60, latency=500.0) as running:
        yield running


@pytest.fixture
def make_site(tmp_path: Path, store: Served | None) -> Iterator[MakeSite]:
    """Makes a crawl of a web, the processes of which end with the test. It runs with both stores."""
    made: list[CrashSite] = []

    def make(web: RunningWeb, **options: Any) -> CrashSite:
        made.append(CrashSite(web, tmp_path, served=store, **options))
        return made[-1]

    yield make
    for site in made:
        site.close()


@pytest.fixture
def site(make_site: MakeSite, web: RunningWeb) -> CrashSite:
    return make_site(web)
