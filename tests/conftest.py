from __future__ import annotations

import asyncio
import inspect
import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from tests import guard, parallel
from tests.crash.served import Served, reaching
from tests.engines import ENGINES
from tests.postgres import Postgres, Unavailable, shared_server

IN_CI = os.environ.get("CI", "").lower() not in ("", "0", "false")
"""Continuous integration decides whether work lands: chance has no part in it. Elsewhere every run looks somewhere else."""

settings.register_profile("varied", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("deterministic", settings.get_profile("varied"), derandomize=True, database=None, print_blob=True)
settings.load_profile("deterministic" if IN_CI else "varied")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """In CI, tests run in the order in which they stand, with one seed. `--randomly-seed` and `--hypothesis-seed` vary both."""
    if IN_CI and config.getoption("randomly_seed", None) == "default":
        config.option.randomly_seed = 1
        config.option.randomly_reorganize = False
    if worker := os.environ.get("PYTEST_XDIST_WORKER"):  # a shorter name: messages cut long paths
        config.option.basetemp = str(Path(config.option.basetemp).with_name(worker.removeprefix("gw")))
    else:
        parallel.folder_in_memory(config)


ROOMS_OF_CRAWLS = ("tests/crash/", "tests/crawl/", "tests/scrapyd/")
"""Every test in them is of a process or a server."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.nodeid.startswith(ROOMS_OF_CRAWLS) or "postgres" in getattr(item, "fixturenames", ()):
            item.add_marker("system")
    parallel.sort(items)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    return parallel.scheduler(config, log)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Setup and teardown are guarded too."""
    with ExitStack() as stack:
        if not item.get_closest_marker("system"):
            stack.enter_context(guard.guarded())
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Iterator[None]:
    yield
    guard.check()


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """A test that is a coroutine has an event loop of its own."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    asyncio.run(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in inspect.signature(pyfuncitem.obj).parameters}))
    return True


def pytest_report_header() -> str:
    if IN_CI:
        return "examples: the same in every run, for CI is set; unset CI to vary them, --hypothesis-seed=N chooses some"
    return "examples: new in every run; --hypothesis-seed=N chooses some, CI=true those of continuous integration"


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Postgres]:
    """The PostgreSQL server of the test run. It does not wait for the disk: who kills one takes an `OwnServer`."""
    with ExitStack() as stack:
        try:
            server = stack.enter_context(shared_server(parallel.common_folder(tmp_path_factory)))
        except Unavailable as why:
            pytest.skip(str(why))
        stack.enter_context(pytest.MonkeyPatch.context()).setenv("PGPASSWORD", server.password)
        yield server


@pytest.fixture
def postgres_url(postgres: Postgres) -> Iterator[str]:
    """An empty database for one test."""
    url = postgres.new_database()
    yield url
    postgres.drop_database(url)


@pytest.fixture(scope="session")
def served(postgres: Postgres) -> Iterator[Served]:
    """The same for whole crawls, which reach it by their environment."""
    with reaching(postgres):
        yield Served(postgres.folder, postgres.port, postgres.password)


@pytest.fixture(params=ENGINES)
def store(request: pytest.FixtureRequest) -> Served | None:
    """Where a crawl keeps its store: a PostgreSQL server, or None for SQLite in its directory. The test runs with both."""
    if request.param == "sqlite":
        return None
    server: Served = request.getfixturevalue("served")
    return server
