from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from focuscrawl.recrawl.change_rate import LEAST_RATE, MOST_RATE, SHAPE, evidence, pooled_rate, prior_of, updated
from tests.recrawl.planned import column

NONE = -1.0


def learn(visits: list[tuple[float, bool, float]], prior: float = 1 / 30) -> float:
    """Estimated rate after visits (days since the last, changed, age of the change)."""
    pooled = column(prior)
    shape, exposure = prior_of(pooled)
    for elapsed, changed, age in visits:
        found = evidence(shape / exposure, column(elapsed), np.asarray([changed]), column(age))
        shape, exposure = updated(shape, exposure, found, pooled)
    return float((shape / exposure)[0])


def test_a_pool_without_pages_says_the_prior() -> None:
    assert float(pooled_rate(column(0), column(0), 1 / 30)[0]) == pytest.approx(1 / 30)


def test_a_large_pool_says_its_own_rate() -> None:
    assert float(pooled_rate(column(5_000), column(1_000), 1 / 30)[0]) == pytest.approx(5.0, rel=0.05)


def test_the_prior_has_the_rate_of_the_pool_and_the_weight_of_half_a_change() -> None:
    shape, exposure = prior_of(column(0.2))
    assert float(shape[0]) == SHAPE
    assert float((shape / exposure)[0]) == pytest.approx(0.2)


def test_nothing_seen_adds_days_only() -> None:
    changes, days = evidence(column(0.1), column(7), np.asarray([False]), column(NONE))
    assert (float(changes[0]), float(days[0])) == (0.0, 7.0)


def test_a_change_over_a_long_time_was_probably_several() -> None:
    changes, days = evidence(column(1.0), column(7), np.asarray([True]), column(NONE))
    assert float(changes[0]) == pytest.approx(7 / (1 - np.exp(-7)))
    assert float(days[0]) == 7.0


def test_a_change_over_a_short_time_was_probably_one() -> None:
    changes, _ = evidence(column(0.001), column(1), np.asarray([True]), column(NONE))
    assert float(changes[0]) == pytest.approx(1.0, rel=1e-3)


def test_a_known_time_of_the_change_is_exact() -> None:
    changes, days = evidence(column(1.0), column(7), np.asarray([True]), column(2.0))
    assert (float(changes[0]), float(days[0])) == (1.0, 2.0)


@pytest.mark.parametrize("age", [8.0, 0.0, 1e-5, -3.0])
def test_times_that_contradict_the_visit_are_not_used(age: float) -> None:
    """Before the last visit; at our own request; to come."""
    _, days = evidence(column(1.0), column(7), np.asarray([True]), column(age))
    assert float(days[0]) == 7.0


@pytest.mark.parametrize("true", [0.02, 0.2, 1.0, 4.0])
@pytest.mark.parametrize("exact", [False, True])
def test_the_true_rate_is_found(true: float, exact: bool) -> None:
    random = np.random.default_rng(5)
    visits = []
    for _ in range(400):
        elapsed = float(random.uniform(0.2, 1.5)) / true
        back = float(random.exponential(1 / true))
        visits.append((elapsed, back < elapsed, back if exact else NONE))
    assert learn(visits) == pytest.approx(true, rel=0.4)


def test_rates_that_jump_are_followed() -> None:
    quiet = [(1.0, False, NONE)] * 200
    busy = [(1.0, True, NONE)] * 20
    assert learn(quiet) < 0.02
    assert learn(quiet + busy) > 0.2


def test_no_page_is_ever_taken_for_dead() -> None:
    assert learn([(180.0, False, NONE)] * 300) >= 1e-5


observed = st.lists(
    st.tuples(st.floats(0, 400), st.booleans(), st.floats(-10, 400)),
    max_size=30,
)


@settings(max_examples=80, deadline=None)
@given(observed, st.floats(1e-5, 1e3))
def test_the_estimate_is_finite_and_bounded(visits: list[tuple[float, bool, float]], prior: float) -> None:
    rate = learn(visits, prior)
    assert LEAST_RATE * 0.999 <= rate <= MOST_RATE * 1.001


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.floats(0.01, 100), st.booleans()), min_size=1, max_size=12), st.data())
def test_one_more_change_seen_never_lowers_the_rate(visits: list[tuple[float, bool]], data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(visits) - 1))
    more = [(elapsed, changed or number == place, NONE) for number, (elapsed, changed) in enumerate(visits)]
    assert learn(more) >= learn([(elapsed, changed, NONE) for elapsed, changed in visits]) * (1 - 1e-9)
