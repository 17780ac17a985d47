"""A store goes to another engine and back: all rows, checked, and nothing is switched before."""

from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path

import pytest

from focuscrawl.errors import BadInput
from focuscrawl.store.copying.move import PART, PostgresTarget, SqliteTarget, move
from focuscrawl.store.copying.rows import UNFINISHED, CopyError, Proof, check, copy_tables
from focuscrawl.store.crawls import Crawl, open_store, remembered
from focuscrawl.store.engines.database import Database
from focuscrawl.store.engines.meta import set_meta
from focuscrawl.store.engines.schema import tables
from focuscrawl.store.frontier.partitions import GRAIN
from focuscrawl.store.workers.lifecycle import machine, process_started
from tests.store.rows import fill

LIVE = """insert into worker(run, machine, process_id, process_started, beat_at, state)
    values(1, ?, ?, ?, 0, 'live')"""


def quiet(step: str, table: str, rows: int) -> None:
    pass


@pytest.fixture
def crawl(tmp_path: Path) -> Crawl:
    """A SQLite store with rows in every table."""
    directory = tmp_path / "a crawl"
    directory.mkdir()
    db = open_store(directory, name="a crawl", create=True)
    fill(db)
    set_meta(db, "owner", "worker 例")
    set_meta(db, "clock", "abc 1.0")
    db.close()
    return Crawl("a crawl", directory)


def content(db: Database) -> dict[str, list[object]]:
    """All rows of all tables, less what belongs to the store itself."""
    found: dict[str, list[object]] = {}
    for table in tables.sorted_tables:
        names = [column.name for column in table.columns if column.name != "tx"]
        where = " where key<>'clock' and key not like 'commit/%'" if table.name == "meta" else ""
        rows = db.execute(f"select {', '.join(names)} from {table.name}{where}").fetchall()
        found[table.name] = sorted((tuple(row) for row in rows), key=repr)
    return found


def content_of(crawl: Crawl) -> dict[str, list[object]]:
    with closing(crawl.open()) as db:
        return content(db)


def test_there_and_back_again(crawl: Crawl, postgres_url: str) -> None:
    before = content_of(crawl)
    there = move(crawl, PostgresTarget(crawl.directory, postgres_url, crawl.name, "20261121"), quiet)
    place = remembered(crawl.directory)
    assert place is not None
    assert place.schema == "crawl_a crawl"
    assert "crawler@" in place.url
    assert there.source == str(crawl.directory / "store.sqlite")
    assert there.tables["url"] == 450
    assert content_of(crawl) == before
    assert (crawl.directory / "store.sqlite").exists(), "the old store stays"

    back = move(crawl, SqliteTarget(crawl.directory, "20261122"), quiet)
    assert remembered(crawl.directory) is None
    assert back.source == f"schema {place.schema} of {place.url}"
    assert content_of(crawl) == before
    assert (crawl.directory / "store-20261122.sqlite").exists(), "that of before is kept"
    assert not list(crawl.directory.glob("*.copy*"))


def test_numbers_go_on_behind_those_that_are_there(crawl: Crawl, postgres_url: str) -> None:
    move(crawl, PostgresTarget(crawl.directory, postgres_url, crawl.name, "1"), quiet)
    db = crawl.open(write=True)
    assert db.execute("insert into run(started_at) values(1.0) returning id").fetchone()[0] == 451
    db.close()
    move(crawl, SqliteTarget(crawl.directory, "2"), quiet)
    db = crawl.open(write=True)
    assert db.execute("insert into run(started_at) values(1.0) returning id").fetchone()[0] == 452
    db.close()


@pytest.mark.slow
def test_fetches_have_no_number_of_a_transaction_of_another_server(crawl: Crawl, tmp_path: Path) -> None:
    """Those would be read before or never: see `Dialect.settled_fetches`."""
    new = tmp_path / "new"
    new.mkdir()
    move(crawl, SqliteTarget(new, "1"), quiet)
    db = Crawl("new", new).open()
    assert db.execute("select count(*), min(tx), max(tx) from fetches").fetchone() == (450, 0, 0)
    assert db.execute("select count(*) from meta where key in ('clock', 'copying')").fetchone() == (0,)
    db.close()


def test_a_copy_that_was_cut_short_is_begun_anew(crawl: Crawl, postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    target = PostgresTarget(crawl.directory, postgres_url, crawl.name, "1")

    def cut_short(step: str, table: str, rows: int) -> None:
        if table == "host":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        move(crawl, target, cut_short)
    assert remembered(crawl.directory) is None, "nothing was switched"
    move(crawl, target, quiet)
    assert remembered(crawl.directory) is not None
    db = crawl.open()
    assert db.execute("select count(*) from meta where key=?", (UNFINISHED,)).fetchone() == (0,)
    db.close()


@pytest.mark.slow
def test_a_sqlite_copy_that_was_cut_short_is_begun_anew(crawl: Crawl, tmp_path: Path) -> None:
    new = tmp_path / "new"
    new.mkdir()
    (new / PART).write_bytes(b"half a file")
    before = content_of(crawl)
    move(crawl, SqliteTarget(new, "1"), quiet)
    assert content_of(Crawl("new", new)) == before


def test_another_crawl_is_never_overwritten(crawl: Crawl, postgres_url: str) -> None:
    db = open_store(crawl.directory.parent / "other", postgres_url, name="a crawl", create=True)
    db.execute("insert into run(started_at) values(1.0)")
    db.close()
    with pytest.raises(BadInput, match="already holds a crawl; copy to another name with --name NEW"):
        move(crawl, PostgresTarget(crawl.directory, postgres_url, crawl.name, "1"), quiet)
    assert remembered(crawl.directory) is None


@pytest.mark.slow
def test_a_running_crawl_is_not_copied(crawl: Crawl) -> None:
    db = crawl.open(write=True)
    values = (machine(), os.getpid(), process_started(os.getpid()))
    db.execute(
        "insert into worker(run, machine, process_id, process_started, beat_at, state) values(1, ?, ?, ?, 0, 'live')", values
    )
    with pytest.raises(BadInput, match=rf"crawl a crawl is running \(process {os.getpid()} of .*scrapy stop 'a crawl'"):
        move(crawl, SqliteTarget(crawl.directory, "1"), quiet)
    db.execute("update worker set process_started=1 where state='live'")  # another process than this one: it has died
    db.close()
    move(crawl, SqliteTarget(crawl.directory, "1"), quiet)


@pytest.mark.slow
def test_a_crawl_that_is_started_meanwhile_keeps_its_store(crawl: Crawl, tmp_path: Path) -> None:
    new = tmp_path / "new"
    new.mkdir()

    def start(step: str, table: str, rows: int) -> None:
        if step == "check" and table == "page":
            db = crawl.open(write=True)
            db.execute(
                "insert into worker(run, machine, process_id, process_started, beat_at, state) values(1, 'm', 1, 0, 0, 'gone')"
            )
            db.close()

    with pytest.raises(BadInput, match="was changed while it was copied"):
        move(crawl, SqliteTarget(new, "1"), start)
    assert not (new / "store.sqlite").exists()


def test_two_copies_at_once_are_refused(crawl: Crawl) -> None:
    def again(step: str, table: str, rows: int) -> None:
        move(crawl, SqliteTarget(crawl.directory, "2"), quiet)

    with pytest.raises(BadInput, match="is being copied by another process"):
        move(crawl, SqliteTarget(crawl.directory, "1"), again)


@pytest.mark.slow
def test_what_did_not_arrive_as_it_was_is_noticed(crawl: Crawl, tmp_path: Path) -> None:
    (tmp_path / "new").mkdir()
    target, source = open_store(tmp_path / "new", create=True), crawl.open()
    sent = copy_tables(source, target, quiet)
    source.close()
    check(target, sent, quiet)
    target.execute("update url set path=path||'x' where uid=(select min(uid) from url)")
    with pytest.raises(CopyError, match="table url has 450 rows, as many as were sent, and not the same ones"):
        check(target, sent, quiet)
    target.execute("delete from url where uid=(select min(uid) from url)")
    with pytest.raises(CopyError, match="table url has 449 rows where 450 were sent"):
        check(target, sent, quiet)
    target.close()


def test_a_proof_does_not_depend_on_the_order() -> None:
    rows: list[tuple[object, ...]] = [(1, "a", 0.5, b"x"), (2, None, -0.0, b"")]
    assert Proof().with_rows(rows) == Proof().with_rows(rows[1:]).with_rows(rows[:1])
    assert Proof().with_rows(rows) != Proof().with_rows([(1, "a", 0.5, b"x"), (2, None, 0.0, b"")])


@pytest.mark.slow
def test_the_index_of_a_grain_goes_with_it(crawl: Crawl, tmp_path: Path) -> None:
    db = crawl.open(write=True)
    set_meta(db, GRAIN, "path")
    db.close()
    new = tmp_path / "new"
    new.mkdir()
    move(crawl, SqliteTarget(new, "1"), quiet)
    db = Crawl("new", new).open()
    assert db.execute("select 1 from sqlite_master where name='url_bucket'").fetchone()
    db.close()


def test_texts_lose_their_nul_on_postgresql(crawl: Crawl, postgres_url: str) -> None:
    db = crawl.open(write=True)
    db.execute("update page set title=? where page_id=7", ("a\0b",))
    db.close()
    move(crawl, PostgresTarget(crawl.directory, postgres_url, crawl.name, "1"), quiet)
    db = crawl.open()
    assert db.execute("select title from page where page_id=7").fetchone()[0] == "a\ufffdb"
    db.close()
