from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from focuscrawl.url.key import UrlId
from models.order import bounded
from models.order.bounded import THROWN_OUT, BoundedQueues, Sizes

SIZES = Sizes(main=6, auxiliary=3, sample=2, head=3)


class Reference:
    """The definition, word for word, with lists; and the table as the order tells it."""

    def __init__(self) -> None:
        self.main: list[tuple[UrlId, float]] = []
        self.auxiliary: list[tuple[UrlId, float]] = []
        self.sample: list[tuple[UrlId, float]] = []
        self.overflow = 0
        self.rng = random.Random(3)

    def enter(self, key: UrlId, score: float) -> bool:
        if len(self.main) < SIZES.main:
            self.main.append((key, score))
        elif len(self.auxiliary) < SIZES.auxiliary:
            self.auxiliary.append((key, score))
        else:
            self.overflow += 1
            if len(self.sample) < SIZES.sample:
                self.sample.append((key, score))
            elif (place := self.rng.randrange(self.overflow)) < SIZES.sample:
                self.sample[place] = (key, score)
            else:
                return False
        return True

    def next(self) -> UrlId | None:
        if not self.main:
            return None
        best = max(self.main[: SIZES.head], key=lambda entry: entry[1])
        self.main.remove(best)
        if not self.main:
            self.main, self.auxiliary = self.auxiliary, []
        if not self.main:
            self.main, self.sample, self.overflow = self.sample, [], 0
        return best[0]


@settings(max_examples=80, deadline=None)
@given(st.lists(st.integers(0, 8), max_size=30), st.integers(0, 10**6))
def test_a_table_by_priority_chooses_as_the_definition(found: list[int], seed: int) -> None:
    """After each fetch some new links are found (`found`); at the end everything is fetched."""
    queues, reference, table = BoundedQueues(SIZES, random.Random(3)), Reference(), dict[UrlId, float]()
    rng = random.Random(seed)
    for turn, number in enumerate([3, *found, *[0] * 60]):
        offered = [(turn, place) for place in range(number)]
        for key in offered:
            score = rng.random()
            if queues.offer(key, score):
                table[key] = 0.0
            assert (key in table) is reference.enter(key, score)
        table.update({key: queues.priority(key) for key in offered if key in table})
        table.update({key: priority for key, priority in queues.changes() if key in table})
        expected = reference.next()
        if expected is None:
            assert all(priority == THROWN_OUT for priority in table.values())
            continue
        chosen = max(table, key=lambda key: table[key])
        assert chosen == expected
        del table[chosen]
        queues.fetched(chosen)
        table.update({key: priority for key, priority in queues.changes() if key in table})
        assert len(queues) <= SIZES.main + SIZES.auxiliary + SIZES.sample


def test_a_better_link_lifts_in_the_head_and_is_kept_behind_it() -> None:
    queues = BoundedQueues(Sizes(main=3, auxiliary=1, sample=1, head=1), random.Random(1))
    for place in range(5):
        assert queues.offer((0, place), 0.5)
    before = [queues.priority((0, place)) for place in range(5)]
    assert before == sorted(before, reverse=True)
    queues.changes()
    for place in range(5):
        assert queues.offer((0, place), 0.9)
        queues.offer((0, place), 0.1)
    assert [key for key, _ in queues.changes()] == [(0, 0)]
    assert [queues.priority((0, place)) for place in range(1, 5)] == before[1:]
    queues.fetched((0, 0))
    assert queues.priority((0, 1)) == pytest.approx(0.95)


def test_each_without_room_has_the_same_chance() -> None:
    kept = [0] * 40
    for seed in range(600):
        queues = BoundedQueues(Sizes(main=1, auxiliary=0, sample=4, head=1), random.Random(seed))
        queues.offer((9, 9), 0.5)
        for place in range(40):
            queues.offer((0, place), 0.5)
        for place in range(40):
            kept[place] += queues.priority((0, place)) > THROWN_OUT
    assert sum(kept) == 600 * 4
    assert all(35 <= count <= 90 for count in kept)  # 60 expected


def test_what_leaves_the_sample_goes_to_the_end_of_the_table() -> None:
    queues = BoundedQueues(Sizes(main=1, auxiliary=0, sample=1, head=1), random.Random(0))
    keys = [(0, place) for place in range(40)]
    taken = [key for key in keys if queues.offer(key, 0.5)]
    changes = dict(queues.changes())
    assert [key for key in taken[1:-1] if changes[key] != THROWN_OUT] == []
    assert queues.priority(taken[-1]) > THROWN_OUT


def test_a_url_that_never_comes_leaves_the_head(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounded, "PASSED", 5)
    queues = BoundedQueues(SIZES, random.Random(0))
    queues.offer((0, 0), 1.0)
    for place in range(1, 8):
        queues.offer((0, place), 0.5)
        queues.fetched((0, place))
    assert queues.priority((0, 0)) == THROWN_OUT
    assert len(queues) == 0
