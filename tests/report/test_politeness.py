"""Gaps between the answers of a host, on a strip."""

from __future__ import annotations

import pytest

from focuscrawl.report.politeness import Gap, Politeness


def test_strips_have_one_logarithmic_scale() -> None:
    found = Politeness(9, 2, [Gap("a", 5, 2.0, 1.0, 0.0, 1.5, 2.5, 40.0), Gap("b", 4, 0.2, 0.0, 0.15, 0.2, 0.3, 3.0)])
    assert found.scale == (0.1, 100.0)
    assert [found.place(seconds) for seconds in (0.0, 0.1, 1.0, 10.0, 1000.0)] == pytest.approx([0, 0, 1 / 3, 2 / 3, 1])


def test_gaps_of_nothing_have_a_scale_too() -> None:
    found = Politeness(2, 1, [Gap("a", 2, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)])
    assert found.scale == (1.0, 10.0)
    assert found.place(0.0) == 0
