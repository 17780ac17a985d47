"""What a PostgreSQL connection does when the server, or the way to it, breaks."""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest

from focuscrawl.store.crawl_store import CrawlStore
from focuscrawl.store.crawls import open_store
from focuscrawl.store.engines import postgres
from focuscrawl.store.engines.database import (
    Database,
    DatabaseError,
    OutcomeUnknownError,
    Rows,
    ValueRefusedError,
    transaction,
)
from focuscrawl.store.engines.meta import COMMIT_MARKS
from focuscrawl.store.engines.postgres import PostgresDatabase
from focuscrawl.store.engines.postgres_dialect import LOCK_WAITING, RESCORE_URLS
from focuscrawl.store.engines.writer import Operation, StorageError, Writer
from focuscrawl.store.frontier.discover import DiscoveredUrl, Rescored, rescore
from focuscrawl.store.frontier.operator_changes import change
from tests.factories import FREE, NOW, known, leased
from tests.patience import PATIENCE
from tests.postgres import Postgres, PostgresServer, Unavailable


@pytest.fixture
def db(postgres_url: str) -> Iterator[PostgresDatabase]:
    opened = postgres.connect(postgres_url, "crawl_test", create=True)
    yield opened
    opened.close()


def put(db: PostgresDatabase, key: str) -> None:
    db.execute("insert into meta(key, value) values(?, '')", (key,))


def putting(key: str) -> Operation[Rows]:
    return lambda db: db.execute("insert into meta(key, value) values(?, '')", (key,))


def keys(db: PostgresDatabase) -> set[str]:
    return {key for (key,) in db.execute("select key from meta") if not key.startswith(COMMIT_MARKS)} - {"version"}


def hang_up(db: PostgresDatabase, server: Postgres) -> None:
    """The server ends the connection."""
    server.admin(f"select pg_terminate_backend({db._backend})")


def test_a_lost_connection_is_told_and_made_again(db: PostgresDatabase, postgres: Postgres) -> None:
    db.dialect.begin(db)
    put(db, "lost")
    hang_up(db, postgres)
    with pytest.raises(DatabaseError) as caught:
        put(db, "never")
    assert caught.value.lost
    assert caught.value.passing
    db.dialect.rollback(db)
    db.dialect.begin(db)
    put(db, "kept")
    db.dialect.commit(db)
    assert keys(db) == {"kept"}


class Cut:
    """A connection that breaks around a commit: the server hears of it, or not."""

    def __init__(self, db: PostgresDatabase, server: Postgres, heard: bool) -> None:
        self._execute, self._db, self._server, self._heard, self._done = db.execute, db, server, heard, False

    def __call__(self, statement: str, values: tuple[object, ...] = (), /) -> Rows:
        if statement != "commit" or self._done:
            return self._execute(statement, values)
        self._done = True
        if self._heard:
            self._execute(statement, values)
        hang_up(self._db, self._server)
        self._execute("select 1")
        raise AssertionError


@pytest.mark.parametrize("heard", [True, False])
def test_a_commit_that_nobody_answered_is_asked_after(
    db: PostgresDatabase, postgres: Postgres, monkeypatch: pytest.MonkeyPatch, heard: bool
) -> None:
    db.dialect.begin(db)
    put(db, "asked")
    monkeypatch.setattr(db, "execute", Cut(db, postgres, heard))
    if heard:
        db.dialect.commit(db)
    else:
        with pytest.raises(DatabaseError):
            db.dialect.commit(db)
        db.dialect.rollback(db)
    assert keys(db) == ({"asked"} if heard else set())


@pytest.mark.parametrize("behind", [3600.0, 40 * 86_400.0])
def test_a_commit_is_not_forgotten_because_this_machine_is_behind(
    db: PostgresDatabase, postgres: Postgres, postgres_url: str, monkeypatch: pytest.MonkeyPatch, behind: float
) -> None:
    """A worker of a machine whose clock is right cleared away the mark by which the other would have known, and wrote again."""
    now = time.time()
    monkeypatch.setattr("time.time", lambda: now - behind)
    db.dialect.begin(db)
    put(db, "asked")
    cut = Cut(db, postgres, heard=True)

    def cut_and_cleared(statement: str, values: tuple[object, ...] = (), /) -> Rows:
        if statement.startswith("select pg_xact_status"):
            monkeypatch.setattr("time.time", lambda: now)
            with closing(PostgresDatabase(postgres_url, "crawl_test")) as other:
                other.begin()
                put(other, "other")
                other.commit()
        return cut(statement, values)

    monkeypatch.setattr(db, "execute", cut_and_cleared)
    db.dialect.commit(db)
    assert keys(db) == {"asked", "other"}


def test_nobody_knows_what_became_of_a_commit(
    db: PostgresDatabase, postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    db.dialect.begin(db)
    put(db, "asked")
    monkeypatch.setattr(db, "execute", Cut(db, postgres, False))
    db.wanted = lambda: False
    with pytest.raises(OutcomeUnknownError):
        db.dialect.commit(db)


def test_a_transaction_that_the_server_has_not_heard_of_was_not_committed(db: PostgresDatabase) -> None:
    (number,) = db.execute("select pg_current_xact_id()::text").fetchone()
    assert not db._was_committed("mark", str(int(number) + 1_000_000), db._backend)


@pytest.mark.system
@pytest.mark.slow
def test_the_number_of_a_lost_transaction_is_given_again() -> None:
    """A server that crashes forgets the numbers that were not on its disk: one who has come back first gets that of ours."""
    numbers = []
    try:
        with PostgresServer(durable=True, wal_writer_delay="10s") as server:
            url = server.new_database()
            ours = postgres.connect(url, "crawl_test", create=True)
            server.admin("checkpoint")

            def crash(statement: str, values: Sequence[object] = (), /) -> Rows:
                if statement != "commit":
                    return PostgresDatabase.execute(ours, statement, values)
                server.kill()
                server.start()
                other = postgres.connect(url, "crawl_test")
                other.begin()
                put(other, "other")
                numbers.append(other.execute("select pg_current_xact_id()").fetchone()[0])
                other.commit()
                other.close()
                del ours.execute
                return ours.execute("commit")

            ours.begin()
            put(ours, "ours")
            numbers.append(ours.execute("select pg_current_xact_id()").fetchone()[0])
            ours.execute = crash  # type: ignore[method-assign]
            with pytest.raises(DatabaseError):
                ours.commit()
            ours.rollback()
            assert keys(ours) == {"other"}
            ours.close()
    except Unavailable as why:
        pytest.skip(str(why))
    assert numbers[0] == numbers[1]


def test_marks_of_commits_are_few(db: PostgresDatabase, postgres_url: str) -> None:
    db.execute("insert into meta(key, value) values('commit/old', '1700000000 7')")
    for key in ("a", "b"):
        db.begin()
        put(db, key)
        db.commit()
        db.begin()
        assert keys(db)
        db.commit()  # nothing was written: no mark, no transaction
    other = postgres.connect(postgres_url, "crawl_test")
    other.begin()
    put(other, "c")
    other.commit()
    other.close()
    marks = db.execute("select value from meta where key like 'commit/%' order by value").fetchall()
    assert [value.partition(" ")[2] for (value,) in marks] in (["0", "1"], ["1", "0"])


async def test_nothing_is_written_behind_a_commit_with_an_unknown_outcome(
    db: PostgresDatabase, postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    writer = Writer(db)
    monkeypatch.setattr(db, "execute", Cut(db, postgres, True))
    monkeypatch.setattr(db, "wanted", lambda: False)
    for key in ("unknown", "later"):
        with pytest.raises(StorageError):
            await writer.submit(putting(key))
    assert writer.gone
    writer.close()
    monkeypatch.undo()
    assert keys(db) == {"unknown"}


async def test_a_value_that_does_not_fit_is_the_fault_of_its_operation_alone(db: PostgresDatabase) -> None:
    writer = Writer(db)
    with pytest.raises(ValueRefusedError, match="out of range"):
        await writer.submit(lambda each: each.execute("update url set status=? where hid=1", (99_999,)))
    await writer.submit(putting("next"))
    assert not writer.trouble
    writer.close()
    assert keys(db) == {"next"}


def test_a_deadlock_is_tried_again_at_once(db: PostgresDatabase, postgres_url: str) -> None:
    other = postgres.connect(postgres_url, "crawl_test")
    for key in ("a", "b"):
        put(db, key)
    statement = "update meta set value='x' where key=?"
    for mine, one in ((db, "a"), (other, "b")):
        mine.dialect.begin(mine)
        mine.execute(statement, (one,))
    thread = threading.Thread(target=lambda: _quietly(other, statement, "a"))
    thread.start()
    caught = _quietly(db, statement, "b")
    thread.join()
    for each in (db, other):
        each.dialect.rollback(each)
    other.close()
    assert caught is None or caught.again


def test_changes_of_operators_that_deadlock_are_made_again(db: PostgresDatabase, postgres_url: str) -> None:
    for key in ("a", "b"):
        put(db, key)
    both, tries = threading.Barrier(2, timeout=PATIENCE), Counter[str]()

    def operation(each: Database, first: str, second: str) -> str:
        tries[first] += 1
        for key in (first, second):
            each.execute("update meta set value=value || ? where key=?", (first, key))
            if tries[first] == 1 and key == first:
                both.wait()
        return first

    def reversed_order() -> None:
        with closing(postgres.connect(postgres_url, "crawl_test")) as other:
            change(other, operation, first="b", second="a")

    thread = threading.Thread(target=reversed_order)
    thread.start()
    assert change(db, operation, first="a", second="b") == "a"
    thread.join()
    assert sorted(tries.values()) == [1, 2]
    values = db.execute("select value from meta where key in ('a', 'b')").fetchall()
    assert {tuple(sorted(value[-2:])) for (value,) in values} == {("a", "b")}


CHANGE = "update {}meta set value='changed' where key=$1"


def test_a_transaction_that_froze_amid_a_statement_is_ended_by_who_waits_for_its_locks(
    db: PostgresDatabase, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker's network freezes when its statement has come and the message behind it has not: the server waits for that as
    for one that is under way, and none of the limits that servers below version 17 know ends it."""
    put(db, "wanted")

    def change(patience: float | None) -> DatabaseError | None:
        db.dialect.begin(db, patience=patience)
        error = _quietly(db, CHANGE.format(""), "wanted")
        if error:
            db.dialect.rollback(db)
        else:
            db.dialect.commit(db)
        return error

    with contextlib.closing(psycopg.connect(postgres_url, autocommit=True, application_name=postgres.PROGRAM)) as frozen:
        frozen.execute("set idle_in_transaction_session_timeout=200")
        frozen.execute("set statement_timeout=200")
        frozen.execute("begin")
        frozen.pgconn.enter_pipeline_mode()
        frozen.pgconn.send_query_params(CHANGE.format("crawl_test.").encode(), [b"wanted"])
        frozen.pgconn.send_flush_request()
        frozen.pgconn.flush()
        time.sleep(1)
        for _ in range(2):
            assert change(0.3), "nobody waits long for a worker that may be slow"
        monkeypatch.setattr(postgres, "IDLE_MS", 200)
        assert change(None) is None
    assert db.execute("select value from meta where key='wanted'").fetchone() == ("changed",)


def _quietly(db: PostgresDatabase, statement: str, value: str) -> DatabaseError | None:
    try:
        db.execute(statement, (value,))
    except DatabaseError as error:
        return error
    return None


def test_texts_without_their_nul(db: PostgresDatabase) -> None:
    put(db, "a\0b")
    db.execute("insert into meta(key, value) select key, '' from unnest(?::text[]) as key", (["c\0d"],))
    assert keys(db) == {"a�b", "c�d"}


def test_large_sums_are_numbers(db: PostgresDatabase) -> None:
    assert db.execute("select avg(x) from unnest(?::bigint[]) as x", ([1, 2],)).fetchone() == (1.5,)
    assert db.execute("select sum(x) from unnest(?::bigint[]) as x", ([1 << 62, 1 << 62],)).fetchone() == (1 << 63,)


async def test_a_writer_that_stops_does_not_wait_for_a_silent_server(
    db: PostgresDatabase, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("focuscrawl.store.engines.writer.PATIENCE_SECONDS", 0.3)
    writer = Writer(db)
    task = asyncio.ensure_future(writer.submit(lambda one: one.execute("select pg_sleep(60)").fetchone()))
    await asyncio.sleep(0.3)
    writer.give_up()
    await asyncio.to_thread(writer.close)
    begin = time.monotonic()
    assert isinstance((await asyncio.gather(task, return_exceptions=True))[0], StorageError)
    assert time.monotonic() - begin < 45


def test_a_transaction_may_see_all_as_of_one_moment(db: PostgresDatabase, postgres_url: str) -> None:
    with contextlib.closing(postgres.connect(postgres_url, "crawl_test", create=False)) as other:
        seen = []
        for one_moment in (False, True):
            db.dialect.begin(db)
            if one_moment:
                db.dialect.see_one_moment(db)
            before = keys(db)
            put(other, f"between {one_moment}")
            seen.append(keys(db) - before)
            db.dialect.commit(db)
    assert seen == [{"between False"}, set()]


def test_no_transaction_that_writes_lasts_for_ever(db: PostgresDatabase) -> None:
    if int(db.execute("show server_version_num").fetchone()[0]) < postgres.TRANSACTIONS_END:
        pytest.skip("whoever waits for its locks ends it there")
    shown = "select setting from pg_settings where name='transaction_timeout'"
    assert db.execute(shown).fetchone() == (str(postgres.STATEMENT_MS),)
    db.dialect.begin_reading(db)
    assert db.execute(shown).fetchone() == ("0",)
    db.dialect.rollback(db)
    assert db.execute(shown).fetchone() == (str(postgres.STATEMENT_MS),)


def test_new_priorities_lock_no_url_that_is_on_its_way(db: PostgresDatabase, postgres_url: str) -> None:
    """The commit of its page would wait."""
    known(db, "http://a.test/1", "http://a.test/2")
    (one,) = leased(db, 1)
    other = postgres.connect(postgres_url, "crawl_test")
    db.dialect.begin(db)
    assert rescore(db, [Rescored(DiscoveredUrl(f"http://a.test/{number}", 0.0).url_id, 0.9) for number in (1, 2)], NOW) == 1
    free = other.execute("select hid, uid from url for update skip locked").fetchall()
    db.dialect.rollback(db)
    other.close()
    assert free == [(one.hid, one.uid)]


@pytest.mark.parametrize(("statement", "values"), [(RESCORE_URLS, "'{}', '{}', '{}', '{}'"), (LOCK_WAITING, "'{}', '{}'")])
def test_new_priorities_are_not_compared_with_each_url_before_the_server_has_statistics(
    db: PostgresDatabase, statement: str, values: str
) -> None:
    db.execute("set plan_cache_mode=force_generic_plan")  # made while the table is empty, it is kept until there are statistics
    db.execute(f"prepare rescoring as {postgres._native(statement).decode()}")
    (plan,) = db.execute(f"explain (format json) execute rescoring({values})").fetchone()
    assert not list(compared_one_by_one(plan[0]["Plan"]))


def compared_one_by_one(plan: dict[str, Any]) -> Iterator[str]:
    """The steps of a plan that compare each row of one side with each of the other."""
    if plan["Node Type"] == "Nested Loop" and "Join Filter" in plan:
        yield plan["Join Filter"]
    for each in plan.get("Plans", ()):
        yield from compared_one_by_one(each)


def test_a_heartbeat_gives_the_server_statistics_of_tables_that_grow(postgres_url: str, tmp_path: Path) -> None:
    store = CrawlStore(tmp_path, "test", FREE, "{}", url=postgres_url)
    db = open_store(tmp_path, postgres_url)
    db.execute("alter table url set (autovacuum_enabled=false)")

    async def grow(numbers: range) -> int:
        """How many rows the server expects after a heartbeat."""
        await store.add_seeds([DiscoveredUrl(f"http://a.test/{number}", 0.5) for number in numbers])
        await store.beat()
        (rows,) = db.execute("select reltuples::int from pg_class where oid='url'::regclass").fetchone()
        assert isinstance(rows, int)
        return rows

    assert asyncio.run(grow(range(1000))) == 1000
    assert asyncio.run(grow(range(1000, 1200))) == 1000  # not twice as large
    assert asyncio.run(grow(range(1200, 2400))) == 2400
    db.close()
    store.close("test", "{}")


def test_statistics_wait_for_no_vacuum(db: PostgresDatabase, postgres_url: str) -> None:
    db.execute("alter table url set (autovacuum_enabled=false)")
    db.execute("insert into url(hid, uid, priority, path) values(1, 1, 0.5, '/')")
    rows = "select reltuples::int from pg_class where oid='url'::regclass"
    with psycopg.connect(postgres_url) as other:
        other.execute("lock table crawl_test.url in share update exclusive mode")
        with transaction(db, 0.2):
            db.dialect.refresh_statistics(db)
        assert db.execute(rows).fetchone() == (-1,)
    with transaction(db):
        db.dialect.refresh_statistics(db)
    assert db.execute(rows).fetchone() == (1,)
