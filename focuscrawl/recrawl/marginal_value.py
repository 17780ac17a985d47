"""What is a revisit worth, and at which value does it pay? Weight times the expected age of the changes that were missed.

With changes as a Poisson process of rate D and x = D t expected changes since the last revisit, the n changes missed cost
1 + 1/2 + ... + 1/n (harmonic penalty: Kolobov et al., Staying up to Date with Online Content Changes Using Reinforcement
Learning for Scheduling, NeurIPS 2019). For revisits at planned times, not random ones, the marginal value comes to

    V = weight / D (x - 1 + e^-x).

It has no bound: every page is revisited some day, however fast it changes. The value that maximizes freshness alone,
weight / D (1 - e^-x (1 + x)) (Cho & Garcia-Molina 2003; Azar et al., Tractable near-optimal policies for crawling, PNAS 2018),
ends at weight / D: pages that change fast are given up. What is announced is added to x, see `recrawl.change_rate`.

The weight of a page is its relevance and the new links that revisits to it bring. The revisit threshold is one for all pages,
such that they use the bandwidth (the shadow price of a request). Where a host may not be asked as often as that would have it,
the host has a threshold of its own, higher than the one for all (Kolobov et al. 2019: one multiplier for the bandwidth, one for
each host whose politeness binds).

Pure functions; spans are days, rates changes per day, values weight times days.
"""

from __future__ import annotations

import math

import numpy as np

from focuscrawl.recrawl.columns import Numbers

LEAST_WEIGHT = 0.02
"""What is not wanted at all weighs this little: it is still revisited, some day."""
IRRELEVANT = 0.2
"""Factor for the relevance of a page below the threshold."""
HUB_MOST = 2.0
"""A page that brings new links weighs at most as much as this many relevant pages more."""
HUB_LEAST = 0.01
"""Of an index page none of whose links promises anything."""
HUB_MEMORY = 0.7
"""What a revisit leaves of the hub value before it."""

STEPS = 5
"""Of Newton's method: the equation then holds to one part in a million, over all values that occur."""
SMALL = 1e-9
"""Below it the series is as exact as floats can say."""
BLEND = 0.3
"""Share of the new solution: a sample of pages is only a sample."""
LEAST_THRESHOLD, MOST_THRESHOLD = 1e-9, 1e9
"""Between which the threshold is looked for."""
HALVINGS = 40
"""Of the span between both, on the scale of logarithms: to within 1e-10 of the solution."""


# The weight of a page


def own_weight(relevance: float, relevant: bool) -> float:
    """Of the page without its links; `relevance` in [0, 1]. This is what `state.Observation.relevance` takes."""
    relevance = min(max(relevance, 0.0), 1.0)
    return max(LEAST_WEIGHT, relevance if relevant else IRRELEVANT * relevance)


def weight_of(relevance: float, relevant: bool, kind: str, best_link_score: float) -> tuple[float, float]:
    """Weight and hub value after a first fetch.

    Args:
        relevance: The page model's score, in [0, 1].
        relevant: Its verdict.
        kind: `index` or `content`; only an index page is given a hub value before it has shown any.
        best_link_score: Mean score of its best links: as if each revisit brought one link as good.
    """
    hub = max(HUB_LEAST, min(max(best_link_score, 0.0), HUB_MOST)) if kind == "index" else 0.0
    return own_weight(relevance, relevant) + hub, hub


def hub_after(hub: Numbers, new_link_scores: Numbers) -> Numbers:
    """Scores of new links that a revisit is expected to bring, summed, after one that brought `new_link_scores`."""
    brought: Numbers = np.minimum(np.maximum(new_link_scores, 0.0), HUB_MOST)
    return HUB_MEMORY * hub + (1.0 - HUB_MEMORY) * brought


def whole_weight(own: Numbers, hub: Numbers) -> Numbers:
    """Of the page with its links."""
    weight: Numbers = np.maximum(own, LEAST_WEIGHT) + np.minimum(np.maximum(hub, 0.0), HUB_MOST)
    return weight


# The value of a revisit


def marginal_value(weight: Numbers, rate: Numbers, expected: Numbers) -> Numbers:
    """Of a revisit now. `expected`: changes expected since the last one."""
    missed: Numbers = np.maximum(expected + np.expm1(-expected), 0.0)
    return weight / rate * missed


def interval(weight: Numbers, rate: Numbers, threshold: Numbers) -> Numbers:
    """Days until the value of a revisit reaches `threshold`, from a revisit on and without signals."""
    return expected_at(threshold * rate / weight) / rate


def expected_at(value: Numbers) -> Numbers:
    """The x >= 0 at which x - 1 + e^-x is `value` (>= 0).

    Newton from `value` + 1, which is above the answer and near it when it is large, or from the series when it is small; the
    function is convex, so that from the second step on it comes down on the answer and never below.
    """
    root = np.sqrt(2.0 * value)
    series = root * (1.0 + root / 6.0 * (1.0 + root / 6.0))
    x: Numbers = np.maximum(np.minimum(value + 1.0, series), SMALL)
    for _ in range(STEPS):
        x = x - (x + np.expm1(-x) - value) / -np.expm1(-x)
    solution: Numbers = np.where(value < SMALL, series, x)
    return solution


# The revisit threshold


def revisits_per_day(weight: Numbers, rate: Numbers, least: Numbers, most: float, threshold: Numbers) -> Numbers:
    """Of each page; periods within [least, most] days."""
    period: Numbers = np.minimum(np.maximum(interval(weight, rate, threshold), least), np.maximum(least, most))
    return 1.0 / period


def solve(weight: Numbers, rate: Numbers, least: Numbers, most: float, bandwidth: float, floor: Numbers) -> float:
    """The threshold at which all these pages together get `bandwidth` revisits a day, by halving the span of its logarithm.

    `floor`: thresholds of the pages' hosts, which hold where they are higher; 0: none.
    """
    low, high = math.log(LEAST_THRESHOLD), math.log(MOST_THRESHOLD)
    for _ in range(HALVINGS):
        middle = (low + high) / 2.0
        threshold: Numbers = np.maximum(floor, math.exp(middle))
        if float(revisits_per_day(weight, rate, least, most, threshold).sum()) > bandwidth:
            low = middle
        else:
            high = middle
    return math.exp(high)


def longest_payable(pages: int, bandwidth: float, most: float) -> float:
    """The longest period to reckon with, in days: `most`, but a longer one where to revisit all pages so often would take more
    than half of the bandwidth. Otherwise nothing would be left for those that matter."""
    return max(most, 2.0 * pages / bandwidth)


def blended(former: float, solved: float) -> float:
    """Between the former threshold (0: there was none) and the new one, on the scale of their logarithms."""
    if former <= 0.0:
        return solved
    return math.exp((1.0 - BLEND) * math.log(former) + BLEND * math.log(solved))
