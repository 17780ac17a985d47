from __future__ import annotations

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from models.order import fetched_keys
from models.order import pool as module
from models.order.pool import FIRST, WIDTH, Pool
from tests.models.order.pages import added

keys = st.tuples(st.integers(0, 3), st.integers(0, 5))


class PoolMachine(RuleBasedStateMachine):
    """A key is waiting, fetched, or unknown."""

    def __init__(self) -> None:
        super().__init__()
        self.pool, self.waiting, self.fetched = Pool(), set[tuple[int, int]](), set[tuple[int, int]]()

    @rule(key=keys)
    def met(self, key: tuple[int, int]) -> None:
        _, new = self.pool.enter([key])
        assert bool(new) == (key not in self.waiting | self.fetched)
        self.waiting |= {key} - self.fetched

    @rule(key=keys)
    def close(self, key: tuple[int, int]) -> None:
        self.pool.close(key)
        self.waiting.discard(key)
        self.fetched.add(key)

    @invariant()
    def agrees(self) -> None:
        assert set(self.pool.keys(self.pool.waiting().tolist())) == self.waiting
        assert len(self.pool) == len(self.waiting)
        assert self.pool.enter(sorted(self.fetched)) == ([None] * len(self.fetched), [])


TestPool = PoolMachine.TestCase
TestPool.settings = settings(max_examples=20, stateful_step_count=20, deadline=None)


def test_it_grows_and_keeps_what_it_knows() -> None:
    pool = Pool()
    for number in range(2 * FIRST):
        slot = added(pool, (0, number))
        pool.score[slot] = number
    for number in range(2 * FIRST):
        assert pool.score[pool.slot((0, number))] == number
    assert len(pool) == 2 * FIRST


def test_the_lowest_are_forgotten_when_it_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST", 100)
    pool = Pool()
    for number in range(101):
        slot = added(pool, (0, number))
        pool.published_priority[slot] = number
    assert len(pool) == 91
    assert [pool.slot((0, number)) is None for number in range(12)] == [True] * 10 + [False] * 2


def test_groups_beyond_the_width_are_left_out() -> None:
    pool = Pool()
    slot = added(pool, (1, 1))
    pool.describe(slot, range(1, WIDTH + 20))
    pool.describe(slot, [3, 7])
    assert pool.groups[slot].tolist() == list(range(1, WIDTH + 1))


def test_fetched_keys_are_forgotten_at_last(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetched_keys, "KEPT", 10)
    pool = Pool()
    for number in range(25):
        pool.close((0, number))
    slots, _ = pool.enter([(0, 0), (0, 12)])
    assert [slot is None for slot in slots] == [False, True]


def test_room_for_a_page_is_made_before_its_links_come(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST", 100)
    pool = Pool()
    for number in range(95):
        pool.published_priority[added(pool, (0, number))] = number
    new, _ = pool.enter([(1, number) for number in range(10)])
    assert [pool.slot((1, number)) for number in range(10)] == new
    assert pool.slot((0, 0)) is None


def test_rows_of_groups_are_as_wide_as_the_fullest() -> None:
    pool = Pool()
    slots = [added(pool, (1, number)) for number in range(2)]
    pool.describe(slots[0], [5, 6, 7])
    pool.describe(slots[1], [8])
    assert pool.groups_of(slots).tolist() == [[5, 6, 7], [8, 0, 0]]
    assert pool.groups_of([]).shape == (0, 0)


def test_nothing_of_a_url_that_has_gone_is_left_to_the_next_one() -> None:
    pool = Pool()
    slot = added(pool, (1, 1))
    pool.describe(slot, [5, 6, 7])
    pool.score[slot] = pool.published_priority[slot] = 0.5
    pool.links[slot], pool.explored[slot], pool.way_on[slot], pool.behind[slot] = 3, 9, True, True
    pool.close((1, 1))
    assert added(pool, (1, 2)) == slot
    assert not pool.groups[slot].any()
    left = (pool.used, pool.links, pool.score, pool.published_priority, pool.explored, pool.way_on, pool.behind)
    assert [bool(column[slot]) for column in left] == [False] * 7
    assert pool.waits[slot]
