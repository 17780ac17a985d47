"""The marginal value of a revisit, and the threshold at which it pays: a page's weight times the expected cost of its changes.

Changes are a Poisson process of rate D, so x = D t changes are expected after t days without a revisit. If n changes were
missed, they cost 1 + 1/2 + ... + 1/n (harmonic penalty: Kolobov et al., Staying up to Date with Online Content Changes Using
Reinforcement Learning for Scheduling, NeurIPS 2019). For revisits at planned instead of random times, the marginal value is

    V = weight / D (x - 1 + e^-x).

It has no upper bound, so every page is revisited some day, however fast it changes. The value that maximizes freshness alone,
weight / D (1 - e^-x (1 + x)) (Cho & Garcia-Molina 2003; Azar et al., Tractable near-optimal policies for crawling, PNAS 2018),
stays below weight / D, so that pages that change fast are given up. Announced changes are added to x: see
`recrawl.change_rate`.

The weight of a page is its relevance plus the worth of the new links that its revisits bring. All pages share one revisit
threshold, chosen such that they use the bandwidth (the shadow price of a request). A host that may not be asked as often as
this threshold demands has a higher one of its own (Kolobov et al. 2019: one multiplier for the bandwidth, and one for each host
whose politeness binds).

Pure functions; spans are days, rates changes per day, values weight times days.
"""

from __future__ import annotations

import math

import numpy as np

from focuscrawl.recrawl.columns import Numbers

LEAST_WEIGHT = 0.02
"""Weight of a page that is not wanted at all; above 0, so that it is still revisited some day."""
IRRELEVANT = 0.2
"""Factor for the relevance of an irrelevant page."""
HUB_MOST = 2.0
"""New links add at most as much weight to a page as this many relevant pages have."""
HUB_LEAST = 0.01
"""Hub value of an index page whose links all score 0."""
HUB_MEMORY = 0.7
"""A revisit multiplies the hub value before it by this."""

STEPS = 5
"""Steps of Newton's method, after which the equation holds to one part in a million over all values that occur."""
SMALL = 1e-9
"""Below this value the series is as exact as floats can be."""
BLEND = 0.3
"""Weight of a new solution in the threshold, because a sample of pages is only a sample."""
LEAST_THRESHOLD, MOST_THRESHOLD = 1e-9, 1e9
"""The bounds between which the threshold is searched."""
HALVINGS = 40
"""How often the logarithm of that range is halved, which gives the solution to within 1e-10."""


# The weight of a page


def own_weight(relevance: float, relevant: bool) -> float:
    """Weight of the page without its links, for `state.Observation.relevance`. `relevance`: in [0, 1]."""
    relevance = min(max(relevance, 0.0), 1.0)
    return max(LEAST_WEIGHT, relevance if relevant else IRRELEVANT * relevance)


def weight_of(relevance: float, relevant: bool, kind: str, best_link_score: float) -> tuple[float, float]:
    """Weight and hub value after a first fetch.

    Args:
        relevance: The page model's score, in [0, 1].
        relevant: Its verdict.
        kind: `index` or `content`; only an index page is given a hub value before it has shown any.
        best_link_score: Mean score of its best links. Each revisit is taken to bring one link with this score.
    """
    hub = max(HUB_LEAST, min(max(best_link_score, 0.0), HUB_MOST)) if kind == "index" else 0.0
    return own_weight(relevance, relevant) + hub, hub


def hub_after(hub: Numbers, new_link_scores: Numbers) -> Numbers:
    """Hub value after a revisit: the sum of the scores of new links that the next one is expected to bring. This one brought
    `new_link_scores`, summed."""
    brought: Numbers = np.minimum(np.maximum(new_link_scores, 0.0), HUB_MOST)
    return HUB_MEMORY * hub + (1.0 - HUB_MEMORY) * brought


def whole_weight(own: Numbers, hub: Numbers) -> Numbers:
    """Weight of the page with its links."""
    weight: Numbers = np.maximum(own, LEAST_WEIGHT) + np.minimum(np.maximum(hub, 0.0), HUB_MOST)
    return weight


# The value of a revisit


def marginal_value(weight: Numbers, rate: Numbers, expected: Numbers) -> Numbers:
    """Value of a revisit now. `expected`: changes expected since the last one."""
    missed: Numbers = np.maximum(expected + np.expm1(-expected), 0.0)
    return weight / rate * missed


def interval(weight: Numbers, rate: Numbers, threshold: Numbers) -> Numbers:
    """Days from a revisit until the value of the next one reaches `threshold`, if nothing is announced."""
    return expected_at(threshold * rate / weight) / rate


def expected_at(value: Numbers) -> Numbers:
    """The x >= 0 at which x - 1 + e^-x is `value` (>= 0).

    Newton's method starts from `value` + 1, which is above the solution and near it if the solution is large, or from the
    series if it is small. The function is convex, so from the second step on the method approaches the solution from above.
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
    """Revisits per day of each page at this threshold, with periods within [least, most] days."""
    period: Numbers = np.minimum(np.maximum(interval(weight, rate, threshold), least), np.maximum(least, most))
    return 1.0 / period


def solve(weight: Numbers, rate: Numbers, least: Numbers, most: float, bandwidth: float, floor: Numbers) -> float:
    """The threshold at which all these pages together get `bandwidth` revisits a day, by bisection of its logarithm.

    `floor`: thresholds of the pages' hosts, which hold if they are higher; 0: none.
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
    """The longest period for `solve`, in days: `most`, or longer if revisiting all pages so often would take more than half of
    the bandwidth. Otherwise nothing would be left for the pages that matter."""
    return max(most, 2.0 * pages / bandwidth)


def blended(former: float, solved: float) -> float:
    """The threshold after a new solution: between the former one (0: none) and the solved one, by their logarithms."""
    if former <= 0.0:
        return solved
    return math.exp((1.0 - BLEND) * math.log(former) + BLEND * math.log(solved))
