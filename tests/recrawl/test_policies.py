"""The policies that do not look at what a visit is worth: uniform, batch, nutch, similarity."""

from __future__ import annotations

import pytest

from focuscrawl.recrawl.policies import Batch, Nutch, Similarity, Uniform
from focuscrawl.recrawl.settings import RecrawlSettings
from focuscrawl.recrawl.state import DAY
from tests.recrawl.planned import NOW, column, days, outlook


def test_uniform_gives_every_page_the_same_period() -> None:
    policy = Uniform(RecrawlSettings(bandwidth=0.25))
    for rate in (0.001, 5.0):
        page = outlook(rate=rate)
        page.period = policy.period(page)
        assert days(policy.due_at(page)) == pytest.approx(4.0)


def test_whoever_waits_longest_comes_first() -> None:
    ranks = Uniform(RecrawlSettings()).rank(outlook(), column(NOW - 5 * DAY, NOW - DAY, NOW), NOW)
    assert 1 > ranks[0] > ranks[1] > ranks[2] > 0


def test_batch_has_rounds_in_which_all_is_due_at_once() -> None:
    policy = Batch(RecrawlSettings(bandwidth=0.1))
    first, later = outlook(), outlook(at=NOW + DAY)
    begins = {float(policy.due_at(page)[0]) for page in (first, later)}
    assert len(begins) == 1
    assert (begins.pop() / DAY) % 10 == pytest.approx(0)


def test_batch_takes_the_weightiest_first_but_leftovers_before_them() -> None:
    policy = Batch(RecrawlSettings(bandwidth=0.1))
    heavy, light = (policy.rank(outlook(weight=weight), column(NOW), NOW)[0] for weight in (0.9, 0.1))
    left = policy.rank(outlook(weight=0.1), column(NOW - 10 * DAY), NOW)[0]
    assert 1 > left > heavy > light > 0


def test_nutch_shrinks_and_grows_by_a_fifth() -> None:
    policy = Nutch(RecrawlSettings())
    assert float(policy.period(outlook(distance=5, modified_at=NOW))[0]) == pytest.approx(8.0)
    assert float(policy.period(outlook(distance=1, modified_at=NOW))[0]) == pytest.approx(8.0)
    assert float(policy.period(outlook(distance=0, modified_at=NOW))[0]) == pytest.approx(12.0)


def test_nutch_falls_in_step_with_the_last_change() -> None:
    policy = Nutch(RecrawlSettings())
    page = outlook(distance=0, modified_at=NOW - 40 * DAY)
    page.period = policy.period(page)
    assert float(page.period[0]) == pytest.approx(40.0)
    assert days(policy.due_at(page)) == pytest.approx(32.0)


def test_nutch_is_never_due_at_once() -> None:
    """NUTCH-1564: a page that has not changed for longer than the longest period."""
    policy = Nutch(RecrawlSettings(most_period=30.0))
    page = outlook(distance=0, modified_at=NOW - 4000 * DAY)
    page.period = policy.period(page)
    assert days(policy.due_at(page)) >= 1 / 24


@pytest.mark.parametrize(("distance", "factor"), [(0, 1.4), (3, 1.0), (10, 1 - 0.5 * 7 / 29), (32, 0.5), (64, 0.5)])
def test_similarity_moves_the_period(distance: int, factor: float) -> None:
    assert float(Similarity(RecrawlSettings()).period(outlook(distance=distance))[0]) == pytest.approx(10 * factor)


def test_the_more_alike_the_versions_the_longer_the_period() -> None:
    policy = Similarity(RecrawlSettings())
    periods = [float(policy.period(outlook(distance=distance))[0]) for distance in range(65)]
    assert periods == sorted(periods, reverse=True)


@pytest.mark.parametrize("policy", [Nutch, Similarity])
def test_the_first_period_is_a_setting(policy: type[Nutch] | type[Similarity]) -> None:
    assert float(policy(RecrawlSettings(period=3.0)).begin(outlook())[0]) == 3.0
