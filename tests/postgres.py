"""A real PostgreSQL server for tests: made, started, killed and started again by the test run itself.

    with PostgresServer() as server:        # a folder of its own; `durable=True`: every commit is on the disk, as in production
        url = server.new_database()         # postgresql://crawler:PASSWORD@127.0.0.1:PORT/DATABASE, empty, owned by that user
        server.kill()                       # kill -9 of the server and all its processes; connections break
        server.start()                      # again, on the same data, address and port
        server.admin("select 1")            # rows of a statement, as superuser, over the unix socket
        server.drop_database(url)

Fixtures (tests/conftest.py): `postgres` is the one server of the whole test run, `postgres_url` a fresh database for one test.
Both set PGPASSWORD, so that a URL without the password works too. `Unavailable` says why there can be no server; the fixtures
skip then. The server listens on 127.0.0.1 with a password; it ends with the process that started it, however that ends.
"""

from __future__ import annotations

import fcntl
import itertools
import json
import os
import secrets
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self
from urllib.parse import urlsplit

import psycopg

from tests.patience import PATIENCE
from tests.ports import free_port
from tests.postgres_programs import Programs, Unavailable, programs
from tests.processes import adopted, children, die_with_parent, reap

__all__ = ["Postgres", "PostgresServer", "Unavailable", "shared_server"]

USER, PASSWORD = "crawler", secrets.token_hex(8)
"""Owner of the databases, no superuser; the same for all servers of a process."""
ENVIRONMENT = {"PATH": os.environ.get("PATH", ""), "LC_ALL": "C", "TZ": "UTC"}
SETTINGS = {"shared_buffers": "64MB", "max_connections": "100", "wal_level": "minimal", "max_wal_senders": "0"}
HASTY = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}

_numbers = itertools.count(1)


class Postgres:
    """A server that runs, as its users see it. `folder`: where its socket is."""

    def __init__(self, folder: Path, port: int, password: str) -> None:
        self.folder, self.port, self.password = folder, port, password

    def new_database(self) -> str:
        """The URL of an empty database."""
        name = f"test_{os.getpid()}_{next(_numbers)}"
        self.admin(f"create database {name} owner {USER} strategy file_copy")  # half the time of the default without fsync
        return f"postgresql://{USER}:{self.password}@127.0.0.1:{self.port}/{name}"

    def drop_database(self, url: str) -> None:
        """Whoever is connected to it loses the connection."""
        self.admin(f"drop database if exists {urlsplit(url).path[1:]} with (force)")

    def admin(self, statement: str) -> list[tuple[Any, ...]]:
        """Rows of a statement that the superuser runs."""
        with self.connect("postgres") as db:
            done = db.execute(statement.encode())
            return done.fetchall() if done.description else []

    def connect(self, database: str) -> psycopg.Connection[tuple[Any, ...]]:
        """As the superuser."""
        return psycopg.connect(
            host=str(self.folder), port=self.port, user="postgres", dbname=database, autocommit=True, connect_timeout=5
        )


class PostgresServer(Postgres):
    """See above. `folder`: where data, socket and log live (short, for the path of a socket has 107 bytes at most); its owner
    becomes the server's user. `settings`: of postgresql.conf. Raises Unavailable."""

    def __init__(self, folder: Path | None = None, *, durable: bool = False, **settings: str) -> None:
        self._programs: Programs = programs()
        super().__init__(folder or Path(tempfile.mkdtemp(prefix="pg-", dir="/tmp")), free_port(), PASSWORD)
        self._settings = {**SETTINGS, **({} if durable else HASTY), **settings}
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        try:
            self.start()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    @property
    def log(self) -> str:
        path = self.folder / "server.log"
        return path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""

    @property
    def runs(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def start(self) -> None:
        """Start the server, on the data that is there if it ran before, and wait until it answers."""
        new = not (self.folder / "data").exists()
        self.folder.mkdir(exist_ok=True)
        if new:
            self._make()
        self._launch()
        if new:
            self.admin(f"create role {USER} login password '{self.password}'")

    def stop(self) -> None:
        """A clean stop; connections are closed."""
        if self._process is None or not self.runs:
            return
        self._process.send_signal(signal.SIGINT)
        try:
            self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.kill()

    def kill(self) -> None:
        """kill -9 of all processes of the server at once: nothing is flushed, nothing is said to clients."""
        assert self._process is not None
        with adopted():
            self._process.send_signal(signal.SIGSTOP)  # it must not start others in the meantime
            others = children(self._process.pid)
            for pid in (*others, self._process.pid):
                os.kill(pid, signal.SIGKILL)
            self._process.wait()
            reap(others)

    def close(self) -> None:
        """Stop the server and remove what it left."""
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def copy(self, other: PostgresServer) -> None:
        """Begin with the data of another server, which must not run, as its standby if `primary_conninfo` is set."""
        self.folder.mkdir(exist_ok=True)
        self._own_folder()
        subprocess.run(["cp", "-a", other.folder / "data", self.folder / "data"], check=True)
        if "primary_conninfo" in self._settings:
            (self.folder / "data" / "standby.signal").touch()

    def _own_folder(self) -> None:
        self.folder.chmod(0o700)
        if self._programs.owner:
            shutil.chown(self.folder, self._programs.owner.uid, self._programs.owner.gid)

    def _make(self) -> None:
        self._own_folder()
        command: list[str | Path] = [
            self._programs.initdb,
            "-D",
            self.folder / "data",
            "--no-sync",
            "--locale=C",
            "--encoding=UTF8",
        ]
        command += ["-U", "postgres", "--auth-local=trust", "--auth-host=scram-sha-256"]
        done = subprocess.run(
            command, cwd=self.folder, env=ENVIRONMENT, capture_output=True, text=True, check=False, **self._programs.as_owner()
        )
        if done.returncode:
            raise Unavailable(f"PostgreSQL's initdb failed: {' '.join(done.stderr.split())[-300:]}")

    def _launch(self) -> None:
        settings = {"listen_addresses": "127.0.0.1", "unix_socket_directories": str(self.folder), **self._settings}
        command: list[str | Path] = [self._programs.postgres, "-D", self.folder / "data", "-p", str(self.port)]
        for name, value in settings.items():
            command += ["-c", f"{name}={value}"]
        with (self.folder / "server.log").open("ab") as log:
            self._process = subprocess.Popen(
                command, cwd=self.folder, env=ENVIRONMENT, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                start_new_session=True, preexec_fn=die_with_parent, **self._programs.as_owner(),
            )  # fmt: skip
        end = time.monotonic() + PATIENCE
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > end:
                raise Unavailable(f"PostgreSQL did not start: {' '.join(self.log.split())[-300:]}")
            time.sleep(0.02)

    def _answers(self) -> bool:
        try:
            self.connect("postgres").close()
        except psycopg.OperationalError:
            return False
        return True


@contextmanager
def shared_server(folder: Path) -> Iterator[Postgres]:
    """The server of all processes of a test run, which have `folder` in common. The first that asks starts it, and stops it
    when the others have left. Raises Unavailable."""
    said = folder / "postgres.json"
    with ExitStack() as stack:
        users = stack.enter_context((folder / "postgres.users").open("w"))
        with _locked(folder / "postgres.lock"):
            if said.exists():
                where = json.loads(said.read_text())
                running = Postgres(Path(where["folder"]), where["port"], where["password"])
            else:
                running = stack.enter_context(PostgresServer())
                said.write_text(json.dumps({"folder": str(running.folder), "port": running.port, "password": running.password}))
                stack.callback(_leave, users, said)
            fcntl.flock(users, fcntl.LOCK_SH)
        yield running


def _leave(users: IO[str], said: Path) -> None:
    """Wait until nobody uses the server, and let nobody in who comes later."""
    with _locked(said.with_suffix(".lock")):
        fcntl.flock(users, fcntl.LOCK_EX)
        said.unlink()


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
