from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from hypothesis import HealthCheck, settings

from tests.crash.served import Served, serving
from tests.postgres import PostgresServer, Unavailable

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


def pytest_report_header() -> str:
    if IN_CI:
        return "examples: the same in every run, for CI is set; unset CI to vary them, --hypothesis-seed=N chooses some"
    return "examples: new in every run; --hypothesis-seed=N chooses some, CI=true those of continuous integration"


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """A PostgreSQL server. It does not wait for the disk: whoever kills it takes `served`."""
    try:
        server = PostgresServer()
    except Unavailable as why:
        pytest.skip(str(why))
    with server, pytest.MonkeyPatch.context() as environment:
        environment.setenv("PGPASSWORD", server.password)
        yield server


@pytest.fixture
def postgres_url(postgres: PostgresServer) -> Iterator[str]:
    """An empty database for one test."""
    url = postgres.new_database()
    yield url
    postgres.drop_database(url)


@pytest.fixture(scope="session")
def served() -> Iterator[Served]:
    """A PostgreSQL server for whole crawls, which may be killed: it must run again when the test ends."""
    with ExitStack() as stack:
        try:
            server = stack.enter_context(serving())
        except Unavailable as why:
            pytest.skip(str(why))
        yield server


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request: pytest.FixtureRequest) -> Served | None:
    """Where a crawl keeps its store: a PostgreSQL server, or None for SQLite in its directory. The test runs with both."""
    if request.param == "sqlite":
        return None
    server: Served = request.getfixturevalue("served")
    return server
