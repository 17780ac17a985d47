from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from focuscrawl.recrawl.columns import Numbers
from focuscrawl.recrawl.marginal_value import LEAST_THRESHOLD as LEAST
from focuscrawl.recrawl.marginal_value import MOST_THRESHOLD, blended, longest_payable, revisits_per_day, solve

LEAST_PERIOD, MOST_PERIOD = 1 / 24, 180.0


def made(count: int = 500, seed: int = 3) -> tuple[Numbers, Numbers, Numbers]:
    random = np.random.default_rng(seed)
    return random.uniform(0.02, 1.5, count), np.exp(1.8 * random.standard_normal(count)) / 30, np.full(count, LEAST_PERIOD)


@settings(max_examples=20, deadline=None)
@given(st.floats(0.01, 5.0))
def test_the_pages_use_the_bandwidth(bandwidth: float) -> None:
    weight, rate, least = made()
    price = solve(weight, rate, least, MOST_PERIOD, bandwidth * len(rate), np.zeros(len(rate)))
    spent = revisits_per_day(weight, rate, least, MOST_PERIOD, np.full(len(rate), price)).sum()
    assert spent == pytest.approx(bandwidth * len(rate), rel=1e-6)


@pytest.mark.parametrize("bandwidth", [1e-9, 1e9])
def test_a_bandwidth_out_of_reach_gives_a_price_that_is_still_a_number(bandwidth: float) -> None:
    weight, rate, least = made(50)
    assert LEAST <= solve(weight, rate, least, MOST_PERIOD, bandwidth, np.zeros(50)) <= MOST_THRESHOLD * 1.01


def test_what_dear_hosts_leave_is_used_by_the_others() -> None:
    weight, rate, least = made()
    free, floor = np.zeros(500), np.where(np.arange(500) < 250, 100.0, 0.0)
    alone, beside = (solve(weight, rate, least, MOST_PERIOD, 50.0, price) for price in (free, floor))
    assert beside < alone
    spent = revisits_per_day(weight, rate, least, MOST_PERIOD, np.maximum(floor, beside))
    assert spent.sum() == pytest.approx(50.0, rel=1e-6)


def test_a_new_solution_counts_by_three_tenths() -> None:
    assert blended(0.0, 5.0) == 5.0
    assert blended(1.0, 10.0) == pytest.approx(10**0.3)
    price = 1.0
    for _ in range(30):
        price = blended(price, 4.0)
    assert price == pytest.approx(4.0, rel=1e-3)


def test_pages_that_must_wait_leave_half_of_the_bandwidth_to_the_others() -> None:
    assert longest_payable(100, 10.0, 180.0) == 180.0
    assert longest_payable(1_000, 1.0, 180.0) == 2_000.0
