from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from focuscrawl.recrawl.diff import MOST_EDITS, same_runs
from tests.linear_time import linear

LETTERS = st.lists(st.integers(0, 3), max_size=12)


def longest_common(a: list[int], b: list[int]) -> int:
    """The reference: dynamic programming."""
    row = [0] * (len(b) + 1)
    for one in a:
        before = 0
        for place, other in enumerate(b, 1):
            before, row[place] = row[place], before + 1 if one == other else max(row[place], row[place - 1])
    return row[-1]


@pytest.mark.slow
@settings(max_examples=300)
@given(LETTERS, LETTERS)
def test_runs_are_the_longest_common_subsequence(a: list[int], b: list[int]) -> None:
    at_a = at_b = 0
    for i, j, size in same_runs(a, b):
        assert i >= at_a
        assert j >= at_b
        assert a[i : i + size] == b[j : j + size] != []
        at_a, at_b = i + size, j + size
    assert sum(size for _, _, size in same_runs(a, b)) == longest_common(a, b)


def test_beyond_the_bound_only_start_and_end_are_the_same() -> None:
    a, b = list(range(3 * MOST_EDITS)), list(range(10_000, 10_000 + 3 * MOST_EDITS))
    assert same_runs([-1, *a, -2], [-1, *b, -2]) == [(0, 0, 1), (len(a) + 1, len(b) + 1, 1)]


@pytest.mark.parametrize("letters", [2, 7, 50, 10**6])
def test_the_work_is_bounded(letters: int) -> None:
    draw = random.Random(letters)
    a, b = ([draw.randrange(letters) for _ in range(50_000)] for _ in range(2))
    with linear():
        same_runs(a, b)
