"""How often does a page change? Estimated from visits at irregular times, of which most say only yes or no.

Changes are taken for a Poisson process of unknown rate D. Its distribution is kept as Gamma(shape, exposure), whose mean is
shape / exposure changes per day:

- nothing changed over t days: exposure grows by t;
- something changed: t days passed with an unknown number of changes, at least one. The expected number at the present estimate,
  x / (1 - e^-x) with x = D t, is added to the shape: one step of expectation maximization. (A plain count of changed visits has
  no answer when none or all of them saw a change: Cho & Garcia-Molina, Estimating Frequency of Change, ACM TOIT 2003.)
- the time s of the last change is known: backwards from now the first change came after s days, an exponential time seen whole.
  Shape grows by 1, exposure by s.

What is old counts less at each visit, for rates change; the prior comes back in its place, so no page is ever taken for dead.
It comes back at the rate of the pool or of the page, whichever is higher: measured in days, the prior of a quiet host would
outweigh all that a page shows that is visited several times a day.
"""

from __future__ import annotations

import numpy as np

from focuscrawl.recrawl.columns import Flags, Numbers

SHAPE = 0.5
"""Of the prior: weak, one half of a change."""
MEMORY = 0.975
"""What a visit leaves of the knowledge before it."""
POOL_MEMORY = 0.9995
LEAST_RATE, MOST_RATE = 1e-5, 1e3
LEAST_AGE = 60 / 86_400
"""Days. A page modified less than a minute ago was rather made at our request: such a time says nothing."""
SHORTEST = 1 / 86_400
"""Days between two visits, as least."""


def pooled_rate(changes: Numbers, exposure: Numbers, prior: float) -> Numbers:
    """Changes per day to be expected of a page of a host with this pool; `prior` as long as the pool is empty."""
    rate: Numbers = np.minimum(np.maximum((changes + 1.0) / (exposure + 1.0 / prior), LEAST_RATE), MOST_RATE)
    return rate


def prior_of(pooled: Numbers) -> tuple[Numbers, Numbers]:
    """Shape and exposure of a page of which nothing is known."""
    return np.full_like(pooled, SHAPE), SHAPE / pooled


def evidence(rate: Numbers, elapsed: Numbers, changed: Flags, age: Numbers) -> tuple[Numbers, Numbers]:
    """Changes, and days over which they were seen, that a visit adds.

    :param elapsed: days since the last visit
    :param age: days since the last change, where known; else negative. Ages that contradict what was seen are not used.
    """
    elapsed = np.maximum(elapsed, SHORTEST)
    expected = rate * elapsed
    several = expected / -np.expm1(-expected)
    exact = changed & (age >= LEAST_AGE) & (age <= elapsed)
    changes: Numbers = np.where(changed, np.where(exact, 1.0, several), 0.0)
    days: Numbers = np.where(exact, age, elapsed)
    return changes, days


def updated(shape: Numbers, exposure: Numbers, found: tuple[Numbers, Numbers], pooled: Numbers) -> tuple[Numbers, Numbers]:
    """Shape and exposure after a visit; the mean stays within [LEAST_RATE, MOST_RATE]."""
    changes, days = found
    forgotten = (1.0 - MEMORY) * SHAPE
    expected = np.maximum(pooled, shape / exposure)
    shape = MEMORY * shape + forgotten + changes
    exposure = MEMORY * exposure + forgotten / expected + days
    bounded: Numbers = np.minimum(np.maximum(exposure, shape / MOST_RATE), shape / LEAST_RATE)
    return shape, bounded
