"""The server that other tests use: what was committed outlives kill -9, and nothing is left behind."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import psycopg
import pytest

from tests.patience import PATIENCE
from tests.postgres import Postgres, PostgresServer, Unavailable
from tests.processes import children

ROOT = Path(__file__).resolve().parents[1]


def test_a_database_is_empty_and_belongs_to_a_user_without_rights(postgres: Postgres, postgres_url: str) -> None:
    with psycopg.connect(postgres_url) as db:
        db.execute("create table t(x int)")
        user = db.execute("select rolname, rolsuper from pg_roles where rolname=current_user").fetchone()
        assert user == ("crawler", False)
    other = postgres.new_database()
    with psycopg.connect(other.replace(f":{postgres.password}@", "@")) as db:  # PGPASSWORD
        assert db.execute("select to_regclass('t')").fetchone() == (None,)
    postgres.drop_database(other)


def test_a_wrong_password_is_refused(postgres: Postgres, postgres_url: str) -> None:
    with pytest.raises(psycopg.OperationalError, match="password"):
        psycopg.connect(postgres_url.replace(postgres.password, "guess"))


@pytest.mark.system
def test_commits_outlive_a_kill_of_the_server_and_no_process_stays() -> None:
    try:
        server = PostgresServer(durable=True)
    except Unavailable as why:
        pytest.skip(str(why))
    before = set(children(os.getpid()))
    with server:
        url = server.new_database()
        with psycopg.connect(url) as db:
            db.execute("create table t(x int)")
        lasting = psycopg.connect(url)
        server.kill()
        with pytest.raises(psycopg.OperationalError):
            lasting.execute("select 1")
        lasting.close()
        assert set(children(os.getpid())) == before
        server.start()
        with psycopg.connect(url) as db:
            assert db.execute("select count(*) from t").fetchone() == (0,)
    assert not server.folder.exists()
    assert set(children(os.getpid())) == before


@pytest.mark.system
def test_the_server_ends_with_the_process_that_started_it() -> None:
    code = """if True:
        import os, signal
        from tests.postgres import PostgresServer
        server = PostgresServer()
        server.start()
        print(server.folder, flush=True)
        os.kill(os.getpid(), signal.SIGKILL)
    """
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    if "Unavailable" in done.stderr:
        pytest.skip(done.stderr.splitlines()[-1])
    folder = Path(done.stdout.strip())
    end = time.monotonic() + PATIENCE
    while (folder / "data" / "postmaster.pid").exists():
        assert time.monotonic() < end, "the server still runs"
        time.sleep(0.05)
    subprocess.run(["rm", "-rf", str(folder)], check=True)
