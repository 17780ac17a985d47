"""At which crawl value does a visit pay? One threshold for all pages, such that they use the bandwidth: the price of a visit.

Where a host may not be asked as often as that would have it, the host has a threshold of its own, higher than the one for all
(Kolobov et al. 2019: one multiplier for the bandwidth, one for each host whose politeness binds).
"""

from __future__ import annotations

import math

import numpy as np

from focuscrawl.recrawl.columns import Numbers
from focuscrawl.recrawl.crawl_value import interval

BLEND = 0.3
"""Share of the new solution: a sample of pages is only a sample."""
LEAST, MOST = 1e-9, 1e9
HALVINGS = 40


def visits_per_day(weight: Numbers, rate: Numbers, least: Numbers, most: float, threshold: Numbers) -> Numbers:
    """Of each page; periods within [least, most] days."""
    period: Numbers = np.minimum(np.maximum(interval(weight, rate, threshold), least), np.maximum(least, most))
    return 1.0 / period


def solve(weight: Numbers, rate: Numbers, least: Numbers, most: float, bandwidth: float, floor: Numbers) -> float:
    """The threshold at which all these pages together get `bandwidth` visits a day, by halving the span of its logarithm.

    :param floor: thresholds of the pages' hosts, which hold where they are higher; 0: none
    """
    low, high = math.log(LEAST), math.log(MOST)
    for _ in range(HALVINGS):
        middle = (low + high) / 2.0
        price: Numbers = np.maximum(floor, math.exp(middle))
        if float(visits_per_day(weight, rate, least, most, price).sum()) > bandwidth:
            low = middle
        else:
            high = middle
    return math.exp(high)


def longest_payable(pages: int, bandwidth: float, most: float) -> float:
    """The longest period to reckon with, in days: `most`, but a longer one where to visit all pages so often would take more
    than half of the bandwidth. Otherwise nothing would be left for those that matter."""
    return max(most, 2.0 * pages / bandwidth)


def blended(former: float, solved: float) -> float:
    """Between the former threshold (0: there was none) and the new one, on the scale of their logarithms."""
    if former <= 0.0:
        return solved
    return math.exp((1.0 - BLEND) * math.log(former) + BLEND * math.log(solved))
