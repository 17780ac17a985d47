from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from focuscrawl.store.engines.database import Database
from focuscrawl.store.engines.sqlite import connect
from focuscrawl.store.workers import models, shared_logs
from focuscrawl.store.workers.shared_logs import KEPT_SECONDS, NewRows, ReadPosition

LOG, NOW = "background/0f", 1000.0


def append(db: Database, worker: int, number: int, now: float = NOW) -> None:
    shared_logs.append(db, LOG, worker, number, body(worker, number), now)


def body(worker: int, number: int) -> bytes:
    return models.pack([[worker, number]])


def read(db: Database, worker: int, position: ReadPosition | None, now: float = NOW) -> NewRows:
    return shared_logs.read(db, LOG, worker, position, now)


def told(news: NewRows) -> list[tuple[int, int]]:
    return [tuple(next(models.unpack(row))) for row in news.rows]


def whole(db: Database, numbers: Mapping[int, int], based_on: int, now: float = NOW, worker: int = 1) -> bool:
    packed = shared_logs.pack_whole(numbers, [{"sum": 1}])
    return shared_logs.write_whole(db, LOG, packed, numbers, based_on, worker, now)


def test_each_worker_hears_what_the_others_appended_once(db: Database) -> None:
    assert read(db, 1, None) == NewRows(None, [], ReadPosition({}, 0), 0)
    for worker, number in ((1, 1), (2, 1), (2, 2), (3, 1)):
        append(db, worker, number)
    first = read(db, 2, ReadPosition())
    assert told(first) == [(1, 1), (3, 1)]
    assert told(read(db, 2, first.position)) == []
    append(db, 3, 2)
    assert told(read(db, 2, first.position)) == [(3, 2)]
    assert told(read(db, 4, None)) == [(1, 1), (2, 1), (2, 2), (3, 1), (3, 2)]


def test_the_same_number_counts_once_also_when_it_is_in_the_whole(db: Database) -> None:
    append(db, 1, 1)
    append(db, 1, 1)
    assert told(read(db, 2, ReadPosition())) == [(1, 1)]
    assert whole(db, {1: 1}, 0, NOW + 2 * KEPT_SECONDS)
    append(db, 1, 1)
    assert told(read(db, 2, None)) == []


def test_old_rows_go_into_the_whole_and_who_missed_them_begins_with_it(db: Database) -> None:
    late = read(db, 2, None).position
    for number in (1, 2):
        append(db, 1, number)
    quick = read(db, 3, None).position
    later = NOW + KEPT_SECONDS + 1
    append(db, 1, 3, later)
    assert read(db, 3, quick, later).old == 2
    assert whole(db, {1: 2}, 0, later)
    news = read(db, 3, quick, later)
    assert (told(news), news.whole, news.old) == ([(1, 3)], None, 0)
    missed = read(db, 2, late, later)
    assert missed.whole is not None
    numbers, parts = shared_logs.unpack_whole(missed.whole.body)
    assert (numbers, list(parts)) == ({1: 2}, [{"sum": 1}])
    assert told(missed) == [(1, 3)]
    assert missed.position == news.position == ReadPosition({1: 3}, 1)


def test_rows_that_are_still_there_spare_the_whole(db: Database) -> None:
    position = read(db, 2, None).position
    append(db, 1, 1)
    assert whole(db, {1: 1}, 0)
    news = read(db, 2, position)
    assert (told(news), news.whole) == ([(1, 1)], None)
    assert read(db, 2, news.position).rows == []


def test_one_who_begins_anew_reads_his_own_rows_too(db: Database) -> None:
    position = ReadPosition()
    append(db, 1, 1)
    assert whole(db, {1: 1}, 0, NOW + KEPT_SECONDS + 1)
    append(db, 2, 1)
    news = read(db, 2, position)
    assert news.whole is not None
    assert told(news) == [(2, 1)]


def test_only_one_of_two_writes_the_whole(db: Database) -> None:
    append(db, 1, 1)
    assert whole(db, {1: 1}, 0)
    assert not whole(db, {}, 0, worker=2)
    assert whole(db, {1: 1}, 1, worker=2)
    stored = models.load(db, LOG)
    assert stored is not None
    assert (stored.version, stored.worker) == (2, 2)


def test_a_deleted_log_leaves_others_alone(db: Database) -> None:
    append(db, 1, 1)
    whole(db, {1: 1}, 0)
    shared_logs.append(db, LOG + "0", 1, 1, b"", NOW)
    shared_logs.delete(db, LOG)
    assert [name for (name,) in db.execute("select name from model")] == [f"{LOG}0/1/1"]


@pytest.mark.parametrize("body", [b"", models.pack([]), models.pack([[1]]), models.pack([{"x": 1}])])
def test_a_damaged_whole_is_refused(body: bytes) -> None:
    with pytest.raises(ValueError, match=r".+"):
        shared_logs.unpack_whole(body)


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(["append", "read", "whole"]), st.integers(1, 3)), max_size=40))
def test_whatever_the_order_everyone_hears_everything_once(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, int]]
) -> None:
    db: Database = connect(tmp_path_factory.mktemp("log") / "store.sqlite")
    position: dict[int, ReadPosition] = dict.fromkeys((1, 2, 3), ReadPosition())
    known: dict[int, set[tuple[int, int]]] = {1: set(), 2: set(), 3: set()}
    written: dict[int, int] = {1: 0, 2: 0, 3: 0}
    content: set[tuple[int, int]] = set()
    now = NOW
    for step, worker in [*steps, ("read", 1), ("read", 2), ("read", 3)]:
        now += KEPT_SECONDS / 2
        if step == "append":
            written[worker] += 1
            known[worker].add((worker, written[worker]))
            append(db, worker, written[worker], now)
        elif step == "read":
            news = read(db, worker, position[worker], now)
            if news.whole:
                known[worker] = set(content)
            rows = told(news)
            assert not known[worker] & set(rows)
            known[worker] |= set(rows)
            position[worker] = news.position
        elif whole(db, numbers := {**position[worker].numbers, worker: written[worker]}, position[worker].version, now, worker):
            content = {(other, number) for other, last in numbers.items() for number in range(1, last + 1)}
            assert known[worker] == content
    db.close()
    everything = {(worker, number) for worker, last in written.items() for number in range(1, last + 1)}
    assert known == dict.fromkeys((1, 2, 3), everything)
