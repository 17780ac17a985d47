from __future__ import annotations

import threading

import pytest

from focuscrawl.store.engines.database import Database, transaction
from focuscrawl.store.workers.lifecycle import claim, register

KEY = "topic_owner"


def test_the_first_has_it_until_it_is_gone(db: Database) -> None:
    first, second = (register(db, 1, 0.0) for _ in range(2))
    assert [claim(db, KEY, worker) for worker in (first, second, first)] == [True, False, True]
    assert claim(db, "other", second)
    db.execute("update worker set state='dead' where id=?", (first,))
    assert [claim(db, KEY, worker) for worker in (second, second)] == [True, True]


@pytest.mark.parametrize("before", ["nobody", "one that is gone"])
def test_of_two_that_ask_at_once_one_has_it(postgres_url: str, before: str) -> None:
    from focuscrawl.store.engines import postgres

    one, two = (postgres.connect(postgres_url, "crawl_test", create=True) for _ in range(2))
    gone, first, second = (register(one, 1, 0.0) for _ in range(3))
    if before != "nobody":
        assert claim(one, KEY, gone)
        one.execute("update worker set state='dead' where id=?", (gone,))
    told: list[bool] = []

    def ask() -> None:
        with transaction(two):
            told.append(claim(two, KEY, second))

    thread = threading.Thread(target=ask)
    with transaction(one):
        assert claim(one, KEY, first)
        thread.start()
        thread.join(0.3)
        assert told == []  # it waits for what the first makes of it
    thread.join(10)
    one.close()
    two.close()
    assert told == [False]
