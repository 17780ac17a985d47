from __future__ import annotations

import pytest

from focuscrawl.items import FEED, LINK, SITEMAP
from focuscrawl.recrawl.change_rate import MOST_ADDED, MOST_PRECISION, counted, counts, precision, proves, with_signal
from focuscrawl.recrawl.state import SiteProfile
from tests.recrawl.planned import column


def test_four_in_five_are_believed_at_first() -> None:
    assert float(precision(column(0), column(0))[0]) == pytest.approx(0.8)


def test_what_was_tried_counts() -> None:
    assert float(precision(column(1000), column(0))[0]) == MOST_PRECISION
    assert float(precision(column(0), column(1000))[0]) < 0.01


def test_a_signal_leaves_the_share_of_wrong_ones() -> None:
    once = with_signal(column(0), column(0), column(0))
    assert float(once[0]) == pytest.approx(1.609, abs=1e-3)
    twice = with_signal(once, column(0), column(0))
    assert float(twice[0]) == pytest.approx(2 * 1.609, abs=1e-3)
    for _ in range(9):
        twice = with_signal(twice, column(1000), column(0))
    assert float(twice[0]) == MOST_ADDED


@pytest.mark.parametrize("kind", [SITEMAP, FEED])
def test_right_and_wrong_are_counted_by_kind(kind: int) -> None:
    profile = counted(counted(counted(SiteProfile(1), kind, True), kind, True), kind, False)
    assert counts(profile, kind) == (2, 1)
    assert counts(profile, SITEMAP + FEED - kind) == (0, 0)


def test_other_kinds_tell_nothing() -> None:
    assert counted(SiteProfile(1), LINK, True) == SiteProfile(1)


def test_a_change_that_was_to_be_expected_proves_nothing() -> None:
    assert proves(column(0.2, 3.0)).tolist() == [True, False]
