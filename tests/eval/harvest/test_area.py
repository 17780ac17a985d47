"""Our measure is that of the reference evaluation."""

from __future__ import annotations

import random

import pytest

from focuscrawl.report.charts.curve import area, found_curve
from tools.eval.harvest.recorded import missing, reference_module


@pytest.mark.skipif(bool(missing()), reason=missing() or "there")
def test_the_area_is_that_of_the_references() -> None:
    strategies, rng = reference_module("strategies"), random.Random(4)
    for _ in range(30):
        budget, length, chance = rng.randint(100, 900), rng.randint(1, 1200), rng.random()
        relevant = [rng.random() < chance for _ in range(length)]
        whole = sum(relevant) + rng.randint(0, 50)
        found = strategies.curve(relevant, set(), range(length), budget)
        wanted = strategies.summary(found, whole, budget)["area"]
        assert area(found_curve(relevant), whole, budget) == pytest.approx(wanted, abs=1e-4)
