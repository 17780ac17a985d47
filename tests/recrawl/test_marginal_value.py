from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from focuscrawl.recrawl.marginal_value import expected_at, interval, marginal_value
from tests.recrawl.planned import column

positive = st.floats(1e-12, 1e12)
rates = st.floats(1e-5, 1e3)
weights = st.floats(0.02, 3.0)


@settings(max_examples=200, deadline=None)
@given(positive)
def test_newton_satisfies_the_equation(value: float) -> None:
    found = float(expected_at(column(value))[0])
    assert found > 0
    assert found + math.expm1(-found) == pytest.approx(value, rel=1e-6)


def test_no_value_is_no_time() -> None:
    assert float(expected_at(column(0.0))[0]) == 0.0


@settings(max_examples=100, deadline=None)
@given(weights, rates, st.floats(1e-6, 1e3))
def test_the_value_reaches_the_threshold_after_the_interval(weight: float, rate: float, threshold: float) -> None:
    days = interval(column(weight), column(rate), column(threshold))
    assert float(marginal_value(column(weight), column(rate), column(rate) * days)[0]) == pytest.approx(threshold, rel=1e-5)


@settings(max_examples=100, deadline=None)
@given(weights, rates, st.floats(1e-6, 1e3), st.floats(1.0, 10.0))
def test_pages_that_change_more_or_weigh_more_are_never_visited_later(
    weight: float, rate: float, threshold: float, more: float
) -> None:
    usual = float(interval(column(weight), column(rate), column(threshold))[0])
    faster = float(interval(column(weight), column(rate * more), column(threshold))[0])
    heavier = float(interval(column(weight * more), column(rate), column(threshold))[0])
    dearer = float(interval(column(weight), column(rate), column(threshold * more))[0])
    assert faster <= usual * (1 + 1e-6)
    assert heavier <= usual * (1 + 1e-6)
    assert dearer >= usual * (1 - 1e-6)


def test_the_value_is_the_weight_times_the_expected_age_of_the_oldest_missed_change() -> None:
    rate, days, random = 0.3, 5.0, np.random.default_rng(1)
    first = random.exponential(1 / rate, 200_000)
    simulated = np.maximum(days - first, 0.0).mean()
    assert float(marginal_value(column(2.0), column(rate), column(rate * days))[0]) == pytest.approx(2 * simulated, rel=0.01)


def test_the_value_has_no_bound_and_never_falls_below_zero() -> None:
    values = marginal_value(column(1, 1, 1), column(5, 5, 5), column(0.0, 1e-9, 1e6))
    assert float(values[0]) == 0.0
    assert float(values[1]) >= 0.0
    assert float(values[2]) > 1e5
