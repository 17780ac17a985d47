from __future__ import annotations

import contextlib
import os
import sqlite3
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from focuscrawl.errors import BadInput, Unreachable
from focuscrawl.store.crawls import (
    POINTER,
    SQLITE_FILE,
    all_crawls,
    has_store,
    open_if_there,
    open_store,
    schema_of,
    use_password_of,
)
from focuscrawl.store.engines import postgres as postgres_store
from focuscrawl.store.engines import sqlite as sqlite_store
from focuscrawl.store.engines.database import Database, DatabaseError
from focuscrawl.store.engines.meta import FORMER_INDEXES
from focuscrawl.store.engines.sqlite import LOG_ENDS, advice_to_write
from focuscrawl.store.engines.sqlite import connect as connect_sqlite
from tests.postgres import Postgres

SUM = "select count(*), sum(length(value)) from meta where key like 't%'"
WRITES = "import sqlite3, sys; sqlite3.connect(sys.argv[1], timeout=0).execute('begin immediate')"


def test_a_file_of_which_another_worker_is_just_making_a_store_is_none_yet(tmp_path: Path) -> None:
    (tmp_path / SQLITE_FILE).touch()
    assert open_if_there(tmp_path) is None
    with contextlib.closing(sqlite3.connect(tmp_path / SQLITE_FILE)) as db:
        db.execute("pragma journal_mode=wal")
        db.execute("begin immediate")
        db.execute("create table meta(key text, value text)")
        assert open_if_there(tmp_path) is None


AT_REST = {"store.sqlite": True, "store.sqlite-wal": False, "store.sqlite-shm": False}
"""By file of a store that nobody has open, whether there is something in it."""


def test_a_store_keeps_the_files_of_its_log_for_those_who_may_not_make_them(tmp_path: Path) -> None:
    path = tmp_path / SQLITE_FILE
    connect_sqlite(path).close()
    path.chmod(0o640)
    for end in LOG_ENDS:
        path.with_name(f"{SQLITE_FILE}{end}").unlink()
    connect_sqlite(path).close()
    assert {file.name: file.stat().st_size > 0 for file in tmp_path.iterdir()} == AT_REST
    assert {file.stat().st_mode & 0o777 for file in tmp_path.iterdir()} == {0o640}


@pytest.mark.system
def test_the_files_that_stay_take_no_lock_from_a_connection_that_opens_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process could write at the same time."""
    path, writers, close = tmp_path / SQLITE_FILE, list[Database](), os.close

    def open_before(number: int) -> None:
        if not writers and LOG_ENDS[1] in os.readlink(f"/proc/self/fd/{number}"):
            writers.append(connect_sqlite(path))
            writers[0].execute("begin immediate")
        close(number)

    monkeypatch.setattr("os.close", open_before)
    connect_sqlite(path).close()
    monkeypatch.undo()
    with contextlib.closing(writers[0]):
        other = subprocess.run([sys.executable, "-c", WRITES, path], capture_output=True, check=False)
        assert b"database is locked" in other.stderr
    assert {file.name: file.stat().st_size > 0 for file in tmp_path.iterdir()} == AT_REST


@pytest.mark.system
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_another_user_reads_at_one_moment_although_a_writer_begins(tmp_path: Path) -> None:
    """The writer copies its log into the file while it is read."""
    path = tmp_path / SQLITE_FILE
    with contextlib.closing(connect_sqlite(path)) as db:
        db.executemany("insert into meta values(?, ?)", [(f"t{number}", "x" * 200) for number in range(5000)])
    for folder in (tmp_path, *tmp_path.parents[:-1]):
        folder.chmod(folder.stat().st_mode | 0o111)
    lines: list[str] = []

    def note(line: str) -> None:
        os.write(said_to, f"{line}\n".encode())

    said, said_to = os.pipe()
    go_on, go_on_to = os.pipe()
    if not (child := os.fork()):
        try:
            os.setgid(65534)
            os.setuid(65534)
            reader = connect_sqlite(path, read_only=True, cache_kib=100)
            reader.execute("begin")
            note(str(reader.execute(SUM).fetchone()))
            os.read(go_on, 1)
            note(str(reader.execute(SUM).fetchone()))
        except BaseException as error:
            note(repr(error))
        finally:
            os._exit(0)
    with os.fdopen(said) as answers:
        os.close(said_to)
        lines.append(answers.readline())
        with contextlib.closing(connect_sqlite(path)) as db:
            db.execute("pragma wal_autocheckpoint=20")
            for _ in range(5):
                db.execute("delete from meta where key like 't%'")
                db.executemany("insert into meta values(?, ?)", [(f"t{number}", "y" * 300) for number in range(3000)])
        os.write(go_on_to, b"1")
        lines.append(answers.readline())
    os.waitpid(child, 0)
    assert lines == ["(5000, 1000000)\n"] * 2


def test_a_store_of_the_first_release_is_told_as_one_of_another_version(tmp_path: Path) -> None:
    with contextlib.closing(sqlite3.connect(tmp_path / "store.sqlite")) as db:
        db.executescript("create table meta(k text primary key, v text not null); insert into meta values('version', '1')")
    with pytest.raises(BadInput, match="has store version 1, this program needs"):
        connect_sqlite(tmp_path / "store.sqlite", read_only=True)


def test_a_store_on_a_full_disk_is_read_without_the_files_of_its_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / SQLITE_FILE
    connect_sqlite(path).close()
    monkeypatch.setattr("shutil.disk_usage", lambda path: SimpleNamespace(free=28_672))
    with contextlib.closing(connect_sqlite(path, read_only=True)) as db:
        assert db.execute("select count(*) from page").fetchone() == (0,)
        assert {file.name: file.stat().st_size > 0 for file in tmp_path.iterdir()} == AT_REST
    path.with_name("store.sqlite-wal").write_bytes(b"changes")
    with pytest.raises(BadInput, match=r"on a disk that is full, because its last changes are .* store.sqlite-wal; make room"):
        connect_sqlite(path, read_only=True)


def test_a_log_that_grew_while_somebody_read_is_cut_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite_store, "CHECKPOINT_PAGES", 50)
    monkeypatch.setattr(sqlite_store, "LOG_BYTES", 400_000)
    path = tmp_path / SQLITE_FILE
    log = path.with_name(f"{SQLITE_FILE}-wal")

    def write() -> int:
        for _ in range(40):
            db.execute("insert or replace into meta values('test', ?)", ("x" * 50_000,))
        return log.stat().st_size

    with contextlib.closing(connect_sqlite(path)) as db:
        with contextlib.closing(connect_sqlite(path, read_only=True)) as reader:
            reader.execute("begin")
            reader.execute("select count(*) from meta").fetchone()
            assert write() > 2_000_000
        assert write() <= 400_000


def test_what_lets_a_user_write_depends_on_what_forbids_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "chmod -R u+w" in advice_to_write(tmp_path)
    monkeypatch.setattr("os.geteuid", lambda: os.getuid() + 1)
    assert f"it belongs to {tmp_path.owner()}: " in advice_to_write(tmp_path)
    monkeypatch.setattr("os.statvfs", lambda path: SimpleNamespace(f_flag=os.ST_RDONLY))
    assert "mounted read-only" in advice_to_write(tmp_path)


def test_a_store_gets_the_indexes_that_were_new_since_it_was_made(tmp_path: Path, store_url: str) -> None:
    def opened() -> Database:
        return open_store(tmp_path, store_url, name="cats", create=True)

    with contextlib.closing(opened()) as db:
        db.execute("drop index fetch_redirect")
    opened().close()
    with contextlib.closing(opened()) as db:
        db.execute("drop index fetch_redirect")  # raises where there is none


def test_a_store_loses_the_indexes_of_earlier_programs_when_its_crawl_goes_on(tmp_path: Path, store_url: str) -> None:
    def opened() -> Database:
        return open_store(tmp_path, store_url, name="cats", create=True)

    def make(db: Database, *names: str) -> None:
        for name in names:
            db.execute(f"create index {name} on host (ready_at)")  # raises where there is one

    with contextlib.closing(opened()) as db:
        make(db, *FORMER_INDEXES, "of_an_operator")
    with contextlib.closing(opened()) as db:
        make(db, *FORMER_INDEXES)
        db.execute("drop index of_an_operator")


def test_a_store_with_all_indexes_is_opened_while_another_process_writes(tmp_path: Path) -> None:
    path = tmp_path / SQLITE_FILE
    with contextlib.closing(connect_sqlite(path)) as db:
        db.execute("begin immediate")
        connect_sqlite(path, patience=0).close()


def test_the_directory_remembers_its_store_without_the_password(tmp_path: Path, postgres_url: str) -> None:
    directory = tmp_path / "cats"
    assert open_if_there(directory, postgres_url, "cats") is None
    open_store(directory, postgres_url, name="cats", create=True).close()
    pointer = (directory / POINTER).read_text()
    assert "crawl_cats" in pointer
    assert postgres_url.split(":")[2].split("@")[0] not in pointer
    assert not (directory / "store.sqlite").exists()
    (crawl,) = all_crawls(tmp_path)
    db = crawl.open()
    assert db.execute("select value from meta where key='version'").fetchone() is not None
    db.close()


def test_a_second_directory_finds_the_crawl_of_its_name(tmp_path: Path, postgres_url: str) -> None:
    first = open_store(tmp_path / "here" / "cats", postgres_url, name="cats", create=True)
    first.execute("insert into meta(key, value) values('test', '1')")
    second = open_store(tmp_path / "there" / "cats", postgres_url, name="cats", create=True)
    assert second.execute("select value from meta where key='test'").fetchone() == ("1",)
    first.close()
    second.close()


def test_another_store_than_the_remembered_one_is_refused(tmp_path: Path, postgres_url: str) -> None:
    open_store(tmp_path, postgres_url, name="cats", create=True).close()
    with pytest.raises(BadInput, match=r"STORE_URL is postgresql://elsewhere/x; .*frontier copy"):
        open_store(tmp_path, "postgresql://somebody:secret@elsewhere/x".replace("somebody:secret@", ""))


def test_a_sqlite_crawl_does_not_move_by_itself(tmp_path: Path) -> None:
    open_store(tmp_path, create=True).close()
    assert has_store(tmp_path)
    with pytest.raises(BadInput, match=r"has its store there.*frontier copy") as caught:
        open_store(tmp_path, "postgresql://me:secret@127.0.0.1:1/x")
    assert "secret" not in str(caught.value)


def test_a_server_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"PostgreSQL server of postgresql://me@127.0.0.1:1/x cannot be used") as caught:
        open_store(tmp_path, "postgresql://me:secret@127.0.0.1:1/x", name="x", create=True)
    assert "secret" not in str(caught.value)
    assert not (tmp_path / POINTER).exists()


def test_a_schema_that_is_gone_is_one_sentence(tmp_path: Path, postgres_url: str) -> None:
    open_store(tmp_path, postgres_url, name="cats", create=True).close()
    (tmp_path / POINTER).write_text((tmp_path / POINTER).read_text().replace("crawl_cats", "crawl_dogs"))
    with pytest.raises(BadInput, match="holds no crawl in schema 'crawl_dogs'"):
        open_store(tmp_path)


def test_users_without_rights_are_told_which_they_lack(tmp_path: Path, postgres: Postgres, postgres_url: str) -> None:
    open_store(tmp_path / "cats", postgres_url, name="cats", create=True).close()
    postgres.admin(f"create role guest login password '{postgres.password}'")
    try:
        guest = postgres_url.replace("//crawler:", "//guest:")
        with pytest.raises(
            BadInput, match=r"user 'guest' may not create a schema in postgresql://guest@.*grant create on database"
        ):
            open_if_there(tmp_path / "dogs", guest, "dogs")
        with pytest.raises(BadInput, match=r"user 'guest' may not use schema 'crawl_cats'"):
            open_if_there(tmp_path / "elsewhere", guest, "cats")
        assert not (tmp_path / "dogs").exists()
    finally:
        postgres.admin("drop role guest")


def test_a_missing_password_says_where_to_give_it(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PGPASSWORD", raising=False)
    monkeypatch.setenv("PGPASSFILE", "/dev/null")
    with pytest.raises(BadInput, match=r"cannot be used: .*no password supplied\. Give the password by PGPASSWORD"):
        postgres_store.is_there(postgres_store.without_password(postgres_url), "crawl_cats")


def test_a_damaged_pointer_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / POINTER).write_text("{")
    with pytest.raises(BadInput, match=POINTER):
        open_store(tmp_path)


@pytest.mark.parametrize("url", ["postgresql://[::1/x", "postgresql://h/x?nonsense=1"])
def test_an_address_that_is_none(url: str) -> None:
    with pytest.raises(BadInput, match="STORE_URL"):
        postgres_store.without_password(url)


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("postgresql://me:pass@h:5433/db", "postgresql://me@h:5433/db"),
        ("postgres://h/db?sslmode=require&password=p", "postgresql://h/db?sslmode=require"),
        ("postgresql://me@[::1]:5/d", "postgresql://me@[::1]:5/d"),
        ("postgresql:///db?host=/run/pg", "postgresql:///db?host=%2Frun%2Fpg"),
        ("postgresql://me@:77/db?host=/run/pg", "postgresql://me@:77/db?host=%2Frun%2Fpg"),
        ("postgresql://me:pass@a:1,b:2/d", "postgresql://me@a:1,b:2/d"),
        (
            "postgresql://me:pass@a,[::1]:2/d?target_session_attrs=read-write",
            "postgresql://me@a,[::1]:2/d?target_session_attrs=read-write",
        ),
        ("host=a,b port=1 user=me password=p dbname=d", "postgresql://me@a:1,b:1/d"),
    ],
)
def test_an_address_without_its_password(given: str, kept: str) -> None:
    assert postgres_store.without_password(given) == kept
    assert postgres_store.without_password(kept) == kept


def test_of_several_servers_the_one_that_takes_changes_is_read_from(postgres_url: str) -> None:
    """A session that is read-only from its beginning is none to libpq."""
    both = f"{postgres_url.replace('@127.0.0.1', '@127.0.0.1:1,127.0.0.1')}?target_session_attrs=read-write"
    with contextlib.closing(postgres_store.connect(both, "crawl_cats", create=True)):
        pass
    with (
        contextlib.closing(postgres_store.connect(both, "crawl_cats", read_only=True)) as db,
        pytest.raises(DatabaseError, match="read-only"),
    ):
        db.execute("delete from meta")


def test_names_of_schemas_fit() -> None:
    assert schema_of("望远镜") == "crawl_望远镜"
    long = schema_of("镜" * 60)
    assert len(long.encode()) <= 63
    assert long != schema_of("镜" * 59)


def test_what_is_not_there_now_may_be_there_later(tmp_path: Path, postgres_url: str) -> None:
    with pytest.raises(Unreachable):
        open_store(tmp_path, "postgresql://me@127.0.0.1:1/x", name="x", create=True)
    wrong = postgres_url.replace(postgres_url.split(":")[2].split("@")[0], "wrong")
    with pytest.raises(BadInput, match="password authentication failed") as caught:
        open_store(tmp_path, wrong, name="x", create=True)
    assert not isinstance(caught.value, Unreachable)


def test_the_password_of_the_setting_serves_what_is_there(
    tmp_path: Path, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_store(tmp_path / "cats", postgres_url, name="cats", create=True).close()
    monkeypatch.delenv("PGPASSWORD")
    (crawl,) = all_crawls(tmp_path)
    with pytest.raises(BadInput, match="PGPASSWORD"):
        crawl.open()
    monkeypatch.setattr("focuscrawl.store.crawls._urls_with_password", {})
    use_password_of(postgres_url)
    crawl.open().close()


def test_a_store_in_a_folder_that_cannot_be_written_to_is_read_as_it_lies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the files of its log are not there, as beside a copy of it."""
    connect_sqlite(tmp_path / "store.sqlite").close()
    for end in LOG_ENDS:
        (tmp_path / f"store.sqlite{end}").unlink()
    monkeypatch.setattr("os.access", lambda path, mode: mode != os.W_OK)
    db = connect_sqlite(tmp_path / "store.sqlite", read_only=True)
    assert db.execute("select count(*) from page").fetchone() == (0,)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["store.sqlite"]  # without the files of a log
    db.close()


def test_changes_that_are_still_in_a_log_are_not_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    connect_sqlite(tmp_path / "store.sqlite").close()
    (tmp_path / "store.sqlite-wal").write_bytes(b"x")
    (tmp_path / "store.sqlite-shm").unlink()
    monkeypatch.setattr("os.access", lambda path, mode: mode != os.W_OK)
    with pytest.raises(BadInput, match=r"its last changes are still in store\.sqlite-wal; copy the crawl's folder"):
        connect_sqlite(tmp_path / "store.sqlite", read_only=True)
