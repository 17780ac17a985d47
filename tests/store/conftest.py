"""The store's own tests run on both engines."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from psycopg import sql

from focuscrawl.store.engines.database import Database
from focuscrawl.store.engines.sqlite import connect
from tests.postgres import PostgresServer

ENGINES = ("sqlite", "postgresql")


@pytest.fixture(scope="session")
def shared_url(postgres: PostgresServer) -> Iterator[str]:
    """A database for all tests of this room: one takes half a second to make."""
    url = postgres.new_database()
    yield url
    postgres.drop_database(url)


@pytest.fixture(params=ENGINES)
def store_url(request: pytest.FixtureRequest) -> Iterator[str]:
    """The setting STORE_URL: nothing, or a PostgreSQL database without crawls."""
    if request.param == "sqlite":
        yield ""
        return
    url = str(request.getfixturevalue("shared_url"))
    yield url
    with psycopg.connect(url, autocommit=True) as db:
        for (schema,) in db.execute("select nspname from pg_namespace where nspname like 'crawl%'").fetchall():
            db.execute(sql.SQL("drop schema {} cascade").format(sql.Identifier(schema)))


@pytest.fixture
def db(tmp_path: Path, store_url: str) -> Iterator[Database]:
    """An empty store."""
    if not store_url:
        opened: Database = connect(tmp_path / "store.sqlite")
    else:
        from focuscrawl.store.engines import postgres

        opened = postgres.connect(store_url, "crawl_test", create=True)
    yield opened
    opened.close()
