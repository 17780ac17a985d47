from __future__ import annotations

import pytest

from focuscrawl.recrawl.policies import Optimal
from focuscrawl.recrawl.settings import RecrawlSettings
from focuscrawl.recrawl.state import DAY
from tests.recrawl.planned import NOW, column, days, outlook

POLICY = Optimal(RecrawlSettings())


def period(**columns: float) -> float:
    return float(POLICY.period(outlook(**columns))[0])


def test_what_changes_or_weighs_more_is_visited_sooner() -> None:
    assert period(rate=1.0) < period(rate=0.1) < period(rate=0.01)
    assert period(weight=1.0) < period(weight=0.1)
    assert period(threshold=0.1) < period(threshold=10.0)


def test_a_page_that_nobody_can_keep_fresh_does_not_eat_the_bandwidth() -> None:
    assert period(rate=500.0) == pytest.approx(period(rate=50.0), rel=0.02)


def test_nothing_is_left_alone_for_ever() -> None:
    assert period(rate=1e-5, weight=0.02, threshold=1e6) == 180.0
    assert period(rate=1e3, weight=3.0, threshold=1e-9) == pytest.approx(1 / 24)


def test_a_signal_brings_the_visit_forward() -> None:
    quiet, told = outlook(period=20.0), outlook(period=20.0, signal=1.6)
    assert days(POLICY.due_at(quiet)) == pytest.approx(20.0)
    assert days(POLICY.due_at(told)) == pytest.approx(4.0)
    assert days(POLICY.due_at(outlook(period=20.0, signal=6.0))) == pytest.approx(1 / 24)


def test_the_rank_is_a_half_where_the_visit_just_pays() -> None:
    page = outlook()
    page.period = POLICY.period(page)
    due_at = POLICY.due_at(page)
    assert float(POLICY.rank(page, due_at, float(due_at[0]))[0]) == pytest.approx(0.5, abs=1e-3)
    later, told = POLICY.rank(page, due_at, NOW + 50 * DAY), POLICY.rank(outlook(signal=3.0), due_at, NOW + 50 * DAY)
    assert 0.5 < float(later[0]) < float(told[0]) < 1.0


def test_ranks_stay_inside_for_the_strangest_pages() -> None:
    strange = POLICY.rank(outlook(rate=1e3, weight=3.0, threshold=1e-9), column(0.0), NOW + 1e12)
    assert 0.0 < float(strange[0]) < 1.0
    assert 0.0 < float(POLICY.rank(outlook(), column(0.0), NOW - 1e9)[0]) < 1.0


def test_whoever_has_waited_for_the_longest_period_comes_first() -> None:
    now, due_at = NOW + 200 * DAY, column(NOW)
    heavy = POLICY.rank(outlook(at=NOW + 199 * DAY, weight=3.0, rate=50.0, signal=6.0, threshold=1e-3), due_at, now)
    light = POLICY.rank(outlook(weight=0.02, rate=1e-5, threshold=100.0), due_at, now)
    less = POLICY.rank(outlook(weight=0.02, rate=2e-5, threshold=100.0), due_at, now)
    assert 1 > float(less[0]) > float(light[0]) > float(heavy[0])
