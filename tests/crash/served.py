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

REPLICATED = {"wal_level": "replica", "max_wal_senders": "5", "wal_keep_size": "512MB"}


class Served(Postgres):
    """The server of the test run."""

    def new_database(self) -> str:
        """Its URL, without port and password."""
        return _bare(super().new_database())


class OwnServer(PostgresServer, Served):
    """A server that its test may kill: every commit is on the disk."""

    def __init__(self, folder: Path | None = None, **settings: str) -> None:
        super().__init__(folder, durable=True, **settings)


class Pair(OwnServer):
    """A server and its standby, which has each commit before it is answered. URLs name both, as libpq takes them."""

    def __init__(self) -> None:
        super().__init__(None, **REPLICATED)
        self.standby = OwnServer(None, primary_conninfo=f"host={self.folder} port={self.port} user=postgres", **REPLICATED)

    def start(self) -> None:
        """Both, if they never ran; else the first."""
        super().start()
        if self.standby.runs:
            return
        self.stop()
        self.standby.copy(self)
        super().start()
        self.standby.start()
        self.admin("alter system set synchronous_standby_names='*'")
        self.admin("select pg_reload_conf()")

    def close(self) -> None:
        self.standby.close()
        super().close()

    def new_database(self) -> str:
        url = super().new_database()
        places = ",".join(f"127.0.0.1:{server.port}" for server in (self, self.standby))
        return f"{url.replace('127.0.0.1', places)}?target_session_attrs=read-write"

    def drop_database(self, url: str) -> None:
        """It goes with its servers."""

    def fail_over(self) -> None:
        """The server is killed, and its standby takes over. They may not be started again."""
        self.kill()
        self.standby.admin("select pg_promote()")


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
