"""A PostgreSQL server that crawls of tests share: each worker may reach it by a port of its own, through a proxy.

The port is not part of the URL, for all workers of a crawl must name the same store: PGPORT says it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from tests.postgres import PostgresServer


class Served(PostgresServer):
    """Every commit is on the disk."""

    def __init__(self, folder: Path | None = None, **settings: str) -> None:
        super().__init__(folder, durable=True, **settings)

    def new_database(self) -> str:
        """Its URL, without port and password."""
        parts = urlsplit(super().new_database())
        return f"postgresql://{parts.username}@{parts.hostname}{parts.path}"


@contextmanager
def serving(folder: Path | None = None, **settings: str) -> Iterator[Served]:
    """A server, and the environment by which this process and those that it starts reach it. Raises Unavailable."""
    server = Served(folder, **settings)
    before = {name: os.environ.get(name) for name in ("PGPORT", "PGPASSWORD")}
    os.environ.update(PGPORT=str(server.port), PGPASSWORD=server.password)
    try:
        with server:
            yield server
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
