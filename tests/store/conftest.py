"""The store's own tests run on both engines."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, LiteralString

import psycopg
import pytest
from psycopg import sql

from focuscrawl.store.crawls import open_store
from focuscrawl.store.engines.database import Database
from focuscrawl.store.engines.sqlite import connect
from tests.engines import ENGINES
from tests.postgres import Postgres
from tests.report import sample
from tests.report.changes_sample import news_crawl

SCHEMA = "crawl_test"
TABLES: LiteralString = f"select tablename from pg_tables where schemaname='{SCHEMA}'"
SHAPE: LiteralString = f"""select table_name, column_name, data_type from information_schema.columns
    where table_schema='{SCHEMA}'
    union all select tablename, indexname, indexdef from pg_indexes where schemaname='{SCHEMA}' order by 1, 2, 3"""


class ReusedSchema:
    """An empty store for one test after the other: to make its tables and drop them takes thirty times as long as that."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._shape: list[Any] = []
        self._meta: list[Any] = []

    def open(self) -> Database:
        from focuscrawl.store.engines import postgres

        opened = postgres.connect(self._url, SCHEMA, create=True)
        if not self._shape:
            with psycopg.connect(self._url, autocommit=True) as db:
                self._shape = db.execute(SHAPE).fetchall()
                self._meta = db.execute(f"select * from {SCHEMA}.meta").fetchall()
        return opened

    def clear(self) -> None:
        """As it was after its making, and no crawl beside it. A test that changed its tables has it made anew."""
        with psycopg.connect(self._url, autocommit=True) as db:
            for (schema,) in db.execute("select nspname from pg_namespace where nspname like 'crawl%'").fetchall():
                if schema != SCHEMA or db.execute(SHAPE).fetchall() != self._shape:
                    db.execute(sql.SQL("drop schema {} cascade").format(sql.Identifier(schema)))
                else:
                    self._empty(db)

    def _empty(self, db: psycopg.Connection[Any]) -> None:
        names = [sql.Identifier(SCHEMA, name) for (name,) in db.execute(TABLES).fetchall()]
        with db.transaction():
            db.execute(sql.SQL(";").join(sql.SQL("delete from {}").format(name) for name in names))
            for (sequence,) in db.execute("select sequencename from pg_sequences where schemaname=%s", [SCHEMA]).fetchall():
                db.execute(sql.SQL("alter sequence {} restart").format(sql.Identifier(SCHEMA, sequence)))
            for row in self._meta:
                values = sql.SQL(",").join(map(sql.Literal, row))
                db.execute(sql.SQL("insert into {} values ({})").format(sql.Identifier(SCHEMA, "meta"), values))


@pytest.fixture(scope="session")
def reused(postgres: Postgres) -> Iterator[tuple[str, ReusedSchema]]:
    """A database for all tests of this room, and the store in it."""
    url = postgres.new_database()
    yield url, ReusedSchema(url)
    postgres.drop_database(url)


@pytest.fixture(params=ENGINES)
def store_url(request: pytest.FixtureRequest) -> Iterator[str]:
    """The setting STORE_URL: nothing, or a PostgreSQL database without crawls."""
    if request.param == "sqlite":
        yield ""
        return
    url, schema = request.getfixturevalue("reused")
    yield url
    schema.clear()


@pytest.fixture
def db(request: pytest.FixtureRequest, tmp_path: Path, store_url: str) -> Iterator[Database]:
    """An empty store."""
    opened: Database = request.getfixturevalue("reused")[1].open() if store_url else connect(tmp_path / "store.sqlite")
    yield opened
    opened.close()


@pytest.fixture
def sampled(tmp_path: Path, store_url: str) -> Iterator[Database]:
    """The store of `tests.report.sample`."""
    sample.sample_crawl(tmp_path, url=store_url)
    opened = open_store(tmp_path)
    yield opened
    opened.close()


@pytest.fixture
def news(tmp_path: Path, store_url: str) -> Iterator[Database]:
    """The store of `tests.report.changes_sample`."""
    news_crawl(tmp_path, store_url)
    opened = open_store(tmp_path)
    yield opened
    opened.close()


@pytest.fixture
def two(reused: tuple[str, ReusedSchema]) -> Iterator[tuple[Database, Database]]:
    """Two connections to one store of PostgreSQL."""
    _, schema = reused
    one, other = schema.open(), schema.open()
    yield one, other
    one.close()
    other.close()
    schema.clear()
