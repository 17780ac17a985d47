from __future__ import annotations

import random

import pytest

from focuscrawl.frontier.forecast import (
    HUNDRED,
    LEAST,
    LEFT,
    NEXT_HUNDRED,
    ORDERED,
    WINDOW,
    Forecast,
    Measured,
    estimate,
    forecast,
)


def made(outcomes: list[tuple[float, bool]], best: list[float]) -> Forecast:
    found = forecast(outcomes, best)
    assert found is not None
    return found


def test_nothing_is_foretold_of_the_first_pages() -> None:
    assert forecast([(0.5, True)] * (LEAST - 1), [0.5] * 100) is None
    assert forecast([(0.5, True)] * LEAST, [0.5] * 100) is not None


def test_a_rich_crawl_and_one_that_brings_nothing_more() -> None:
    rich = made([(0.8, True)] * 200, [0.8] * 500)
    assert rich.next_hundred.low > 80
    assert rich.left.middle > 150
    poor = made([(0.8, True)] * 100 + [(0.1, False)] * 200, [0.1] * 500)
    assert poor.next_hundred.middle < 2
    assert poor.next_hundred.high < 2
    assert poor.left.middle < rich.left.middle / 10


def test_what_waits_counts_beside_what_the_last_pages_brought() -> None:
    rng = random.Random(3)
    outcomes = [(priority, rng.random() < priority) for priority in (rng.random() for _ in range(WINDOW))]
    good, poor = made(outcomes, [0.9] * 100), made(outcomes, [0.1] * 100)
    assert good.next_hundred.middle > poor.next_hundred.middle + 20
    assert made(outcomes, []).next_hundred.middle < poor.next_hundred.middle


def test_explorations_say_nothing_of_priorities() -> None:
    outcomes = [(0.5, True)] * 100
    explored = [pair for pair in outcomes for pair in (pair, (ORDERED, True))]
    assert made(explored, [0.5] * 100) == made(outcomes, [ORDERED] * 9 + [0.5] * 100)


def test_only_the_last_fetches_count() -> None:
    last = [(0.5, False)] * WINDOW
    assert made([(0.5, True)] * 1000 + last, [0.5] * 9) == made(last, [0.5] * 9)


def test_no_less_is_left_than_the_next_hundred_bring() -> None:
    rng = random.Random(5)
    for _ in range(200):
        share = rng.random()
        outcomes = [(rng.random(), rng.random() < share) for _ in range(100)]
        found = made(outcomes, sorted((rng.random() for _ in range(rng.randrange(300))), reverse=True))
        for soon, left in zip(
            (found.next_hundred.low, found.next_hundred.middle, found.next_hundred.high),
            (found.left.low, found.left.middle, found.left.high),
            strict=True,
        ):
            assert 0 <= soon <= HUNDRED
            assert soon <= left


@pytest.mark.parametrize("measured", [NEXT_HUNDRED, LEFT])
def test_what_was_measured_rises(measured: Measured) -> None:
    columns = list(zip(*measured, strict=True))
    assert all(list(column) == sorted(column) for column in columns)
    assert columns[0][0] == 0
    assert all(low <= high for _, low, _, high in measured)
    middles = [estimate(step, measured).middle for step in range(int(measured[-1][0]) + 50)]
    assert middles == sorted(middles)
    assert middles[-1] == measured[-1][2]


def test_between_two_measured_points_it_is_linear() -> None:
    measured = ((0.0, 0.0, 0.0, 10.0), (10.0, 4.0, 8.0, 20.0))
    found = estimate(2.5, measured)
    assert (found.low, found.middle, found.high) == (1.0, 2.0, 12.5)
