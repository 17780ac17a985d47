"""A PostgreSQL server for whole crawls: each worker may reach it by a port of its own, through a proxy.

The port is not part of the URL, for all workers of a crawl must name the same store: PGPORT says it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from tests.postgres import Postgres, PostgresServer


class Served(Postgres):
    """The server of the test run."""

    def new_database(self) -> str:
        """Its URL, without port and password."""
        return _bare(super().new_database())


class OwnServer(PostgresServer, Served):
    """A server that its test may kill: every commit is on the disk."""

    def __init__(self, folder: Path | None = None, **settings: str) -> None:
        super().__init__(folder, durable=True, **settings)


@contextmanager
def serving(folder: Path | None = None, **settings: str) -> Iterator[OwnServer]:
    """A server of one's own, and the environment by which it is reached. Raises Unavailable."""
    with OwnServer(folder, **settings) as server, reaching(server):
        yield server


@contextmanager
def reaching(server: Postgres) -> Iterator[None]:
    """The environment by which this process and those that it starts reach a server."""
    before = {name: os.environ.get(name) for name in ("PGPORT", "PGPASSWORD")}
    os.environ.update(PGPORT=str(server.port), PGPASSWORD=server.password)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def _bare(url: str) -> str:
    parts = urlsplit(url)
    return f"postgresql://{parts.username}@{parts.hostname}{parts.path}"
