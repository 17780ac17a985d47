"""What is a visit worth? The weight of the page times the expected age of the oldest change that we have missed.

With changes as a Poisson process of rate D and x = D t expected changes since the last visit, the n changes missed cost
1 + 1/2 + ... + 1/n (harmonic penalty: Kolobov et al., Staying up to Date with Online Content Changes Using Reinforcement
Learning for Scheduling, NeurIPS 2019). For visits at planned times, not random ones, this comes to

    V = weight / D (x - 1 + e^-x).

It has no bound: every page is visited some day, however fast it changes. The value that maximizes freshness alone, weight / D
(1 - e^-x (1 + x)) (Cho & Garcia-Molina 2003; Azar et al., Tractable near-optimal policies for crawling, PNAS 2018), ends at
weight / D: pages that change fast are given up. What signals tell is added to x: one of precision p leaves e^-x (1 - p) of the
chance that the page is still as we know it (after Busa-Fekete et al. 2025, on noisy change signals).
"""

from __future__ import annotations

import numpy as np

from focuscrawl.recrawl.columns import Numbers

STEPS = 5
SMALL = 1e-9
"""Below it the series is as exact as floats can say."""


def crawl_value(weight: Numbers, rate: Numbers, expected: Numbers) -> Numbers:
    """Weight times days. `expected`: changes expected since the last visit."""
    missed: Numbers = np.maximum(expected + np.expm1(-expected), 0.0)
    return weight / rate * missed


def expected_at(value: Numbers) -> Numbers:
    """The x >= 0 at which x - 1 + e^-x is `value` (>= 0).

    Newton from `value` + 1, which is above the answer and near it when it is large, or from the series when it is small; the
    function is convex, so that from the second step on it comes down on the answer and never below.
    """
    root = np.sqrt(2.0 * value)
    series = root * (1.0 + root / 6.0 * (1.0 + root / 6.0))
    place: Numbers = np.maximum(np.minimum(value + 1.0, series), SMALL)
    for _ in range(STEPS):
        place = place - (place + np.expm1(-place) - value) / -np.expm1(-place)
    found: Numbers = np.where(value < SMALL, series, place)
    return found


def interval(weight: Numbers, rate: Numbers, threshold: Numbers) -> Numbers:
    """Days until the value of a visit reaches `threshold`, from a visit on and without signals."""
    return expected_at(threshold * rate / weight) / rate
