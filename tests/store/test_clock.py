from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from focuscrawl.recrawl.state import RevisitRecord
from focuscrawl.store.engines.database import Database, transaction
from focuscrawl.store.revisits.revisit_rows import write_revisits
from focuscrawl.store.workers.clock import FOLLOW_SECONDS, MOST_BACKWARD, store_clock
from focuscrawl.store.workers.lifecycle import leave, register
from focuscrawl.url.hosts import hid_of
from tests.factories import known
from tests.patience import PATIENCE
from tests.report import sample

DAY = 86_400.0
NOON = 1_000_000.0


def at(db: Database, wall: float, uptime: float) -> float:
    """The store's time as a process sees it that starts now."""
    return store_clock(db, lambda: wall, lambda: uptime)()


def test_workers_of_one_machine_share_the_time_even_when_its_clock_is_set(db: Database) -> None:
    if db.dialect.clock(db) is not None:
        return
    assert at(db, NOON, 100.0) == NOON
    worker = register(db, 1, NOON)
    assert at(db, NOON + DAY, 110.0) == NOON + 10
    assert at(db, NOON - DAY, 120.0) == NOON + 20
    leave(db, worker)
    assert at(db, NOON + DAY, 130.0) == NOON + DAY


def test_a_worker_whose_process_is_gone_does_not_keep_its_time(db: Database) -> None:
    if db.dialect.clock(db) is not None:
        return
    assert at(db, NOON, 100.0) == NOON
    register(db, 1, NOON)
    assert at(db, NOON + 5 * DAY, 110.0) == NOON + 10
    db.execute("update worker set process_started=process_started-1")
    assert at(db, NOON + 5 * DAY, 110.0) == NOON + 5 * DAY, "the machine was suspended meanwhile"


def test_a_clock_that_was_set_back_between_two_runs_freezes_no_host(db: Database) -> None:
    if db.dialect.clock(db) is not None:
        return
    at(db, NOON, 100.0)
    known(db, "http://a.test/", at=NOON)
    db.execute("update host set ready_at=?", (NOON + 30,))
    leave(db, register(db, 1, NOON))
    assert at(db, NOON - DAY, 200.0) == NOON - DAY
    assert db.execute("select ready_at from host").fetchone() == (NOON - DAY + 30,)


def test_the_time_of_a_server_counts(db: Database) -> None:
    server = db.dialect.clock(db)
    if server is None:
        return
    assert 0 <= at(db, 5.0, 100.0) - server < 5


def test_a_servers_clock_that_was_set_back_between_two_runs_freezes_no_host(
    db: Database, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(type(db.dialect), "clock", lambda self, db: NOON - DAY)
    known(db, "http://a.test/", at=NOON)
    db.execute("update host set ready_at=?", (NOON + 30,))
    worker = register(db, 1, NOON)
    assert at(db, 0.0, 100.0) == NOON - DAY
    assert db.execute("select ready_at from host").fetchone() == (NOON + 30,), "a worker is at work, by the time from before"
    leave(db, worker)
    at(db, 0.0, 100.0)
    assert db.execute("select ready_at from host").fetchone() == (NOON - DAY + 30,)
    assert "the clock of the PostgreSQL server was set back from 1970-01-12 13:46 UTC to 1970-01-11 13:46 UTC" in caplog.text


def test_a_clock_follows_its_server_forward_at_once_and_backward_slowly(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    server, uptime = [NOON], [100.0]
    monkeypatch.setattr(type(db.dialect), "clock", lambda self, db: server[0])
    clock = store_clock(db, lambda: 0.0, lambda: uptime[0])
    assert clock() == NOON
    uptime[0] += FOLLOW_SECONDS + 1
    server[0] += FOLLOW_SECONDS + 11
    clock.follow(db)
    assert clock() == server[0], "the machine was suspended for 10 s"
    server[0] -= DAY
    clock.follow(db)
    assert clock() == server[0] + DAY, "not looked at so soon"
    uptime[0] += FOLLOW_SECONDS
    before = clock()
    clock.follow(db)
    assert before - clock() == pytest.approx(MOST_BACKWARD)


def test_revisits_do_not_wait_for_the_difference_either(db: Database) -> None:
    if db.dialect.clock(db) is not None:
        return
    at(db, NOON, 100.0)
    known(db, "http://a.test/", at=NOON)
    write_revisits(db, [RevisitRecord(hid_of("http://a.test"), 1, due_at=NOON + 30, first_at=NOON, read_at=NOON)])
    leave(db, register(db, 1, NOON))
    at(db, NOON - DAY, 200.0)
    assert db.execute("select due_at, first_at, read_at, gone_at from revisit").fetchone() == (
        NOON - DAY + 30,
        *2 * [NOON - DAY],
        0,
    )


def test_of_two_processes_that_begin_at_once_one_moves_the_times(
    two: tuple[Database, Database], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = two
    monkeypatch.setattr(type(one.dialect), "clock", lambda self, db: NOON - DAY)
    known(one, "http://a.test/", at=NOON)
    one.execute("update host set ready_at=?", (NOON + 30,))
    leave(one, register(one, 1, NOON))

    def begin() -> None:
        with transaction(other):
            at(other, 0.0, 100.0)

    with ThreadPoolExecutor(1) as pool:
        with transaction(one):
            at(one, 0.0, 100.0)
            began = pool.submit(begin)
            time.sleep(0.3)
        began.result(timeout=PATIENCE)
    assert one.execute("select ready_at from host").fetchone() == (NOON - DAY + 30,)


def test_pages_that_were_looked_at_before_the_clock_went_wrong_keep_their_times(db: Database) -> None:
    if db.dialect.clock(db) is not None:
        return
    known(db, "http://a.test/", at=NOON)
    right = RevisitRecord(hid_of("http://a.test"), 1, due_at=NOON + 7 * DAY, first_at=NOON, checked_at=NOON)
    wrong = RevisitRecord(hid_of("http://a.test"), 2, due_at=NOON + 372 * DAY, first_at=NOON, checked_at=NOON + 365 * DAY)
    write_revisits(db, [right, wrong])
    leave(db, register(db, 1, NOON + 365 * DAY))
    at(db, NOON + DAY, 200.0)
    assert db.execute("select due_at, first_at, checked_at from revisit order by uid").fetchall() == [
        (NOON + 7 * DAY, NOON, NOON),
        (NOON + 8 * DAY, NOON, NOON + DAY),
    ]


def test_what_a_run_with_a_wrong_clock_has_seen_is_no_news_after_the_next_one(db: Database) -> None:
    if db.dialect.clock(db) is not None:
        return
    key = {"hid": 1, "uid": 1, "page_id": 1, "url": "http://a.test/", "kind": "new"}
    sample.insert(db, "run", id=1, started_at=NOON, ended_at=NOON + 5)
    sample.insert(db, "change", id=1, run=1, at=NOON + 3, **key)
    sample.insert(db, "run", id=2, started_at=NOON + 365 * DAY, ended_at=NOON + 365 * DAY + 5)
    sample.insert(db, "change", id=2, run=2, at=NOON + 365 * DAY + 3, **key)
    leave(db, register(db, 2, NOON + 365 * DAY))
    at(db, NOON + DAY, 200.0)
    assert db.execute("select started_at, ended_at from run").fetchall() == [(NOON, NOON + 5), (NOON + DAY, NOON + DAY)]
    assert db.execute("select at from change order by id").fetchall() == [(NOON + 3,), (NOON + DAY,)]
