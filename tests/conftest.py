from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from tests.crash.served import Served, serving
from tests.postgres import PostgresServer, Unavailable


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
