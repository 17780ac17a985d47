from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from focuscrawl.frontier.patience import FEWEST, HORIZON, MOST, Patience, patience, turns

SECONDS = st.floats(0.01, 200.0)


def test_without_a_limit_of_fetches_there_is_nothing_to_wait_for() -> None:
    assert patience(0, 1800.0) is None
    assert patience(1000, 0.0) is None


def test_few_fetches_wait_for_the_best_alone_and_many_for_as_many_as_the_time_allows() -> None:
    assert patience(300, 1800.0) == Patience(FEWEST)
    assert patience(36_000, 1800.0) == Patience(round(20 * HORIZON))


@given(st.integers(1, 1_000_000), st.floats(1.0, 1e5))
def test_a_crawl_that_waits_makes_all_its_fetches_in_time(fetches: int, seconds: float) -> None:
    """As many as are waited for can be had within the horizon, again and again."""
    found = patience(fetches, seconds)
    if found is None:
        assert HORIZON * fetches / seconds > MOST - 1
    else:
        assert fetches / found.count * found.horizon <= seconds * (1 + 1e-9)


@given(SECONDS, SECONDS, SECONDS)
def test_the_last_turn_is_within_the_horizon_and_the_next_is_not(wait: float, delay: float, horizon: float) -> None:
    times = turns(wait, delay, horizon)
    if times:
        assert wait + (times - 1) * delay <= horizon + 1e-6
    if times < MOST:
        assert wait + times * delay >= horizon - 1e-6


def test_a_host_without_delay_can_be_asked_at_will_and_one_that_is_late_not_at_all() -> None:
    assert turns(-5.0, 0.0, 10.0) == turns(3.0, 0.0, 10.0) == MOST
    assert turns(-5.0, 1.0, 10.0) == 11
    assert turns(10.5, 0.0, 10.0) == 0
