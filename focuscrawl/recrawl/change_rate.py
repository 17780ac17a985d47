"""How often does a page change? Estimated from revisits at irregular times, most of which say only yes or no.

Changes are taken for a Poisson process of unknown rate D. Its distribution is kept as Gamma(shape, exposure), whose mean is
shape / exposure changes per day:

- nothing changed over t days: exposure grows by t;
- something changed: t days passed with an unknown number of changes, at least one. The expected number at the present estimate,
  x / (1 - e^-x) with x = D t, is added to the shape: one step of expectation maximization. (A plain count of revisits that saw
  a change has no answer when none or all of them did: Cho & Garcia-Molina, Estimating Frequency of Change, ACM TOIT 2003.)
- the time s of the last change is known: backwards from now the first change came after s days, an exponential time observed
  whole. Shape grows by 1, exposure by s.

What is old counts less at each revisit, for rates change; the prior comes back in its place, so no page is ever taken for dead.
It comes back at the rate of the host or of the page, whichever is higher: measured in days, the prior of a quiet host would
outweigh all that a page shows that is revisited several times a day.

Sitemaps and feeds announce changes, and not all of them are true. A host's announcements have a precision, counted from those
that were tried; an announcement of precision p leaves e^-x (1 - p) of the chance that the page is as we know it (after
Busa-Fekete et al. 2025, on noisy change signals), so it adds -log(1 - p) to x.

Pure functions on columns; spans are days, rates changes per day.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from focuscrawl.items import FEED, SITEMAP
from focuscrawl.recrawl.columns import Flags, Numbers
from focuscrawl.recrawl.state import SiteProfile

SHAPE = 0.5
"""Of the prior: weak, one half of a change."""
RATE_MEMORY = 0.975
"""What a revisit leaves of the knowledge before it: some 40 revisits count."""
POOL_MEMORY = 0.9995
"""The same of a host, of which each of its pages tells something: some 2000 revisits count."""
LEAST_RATE, MOST_RATE = 1e-5, 1e3
"""Changes a day, between which estimates stay: one in 270 years, one in a minute and a half."""
LEAST_AGE = 60 / 86_400
"""A page modified less than a minute ago was rather made at our request: such a time says nothing."""
SHORTEST = 1 / 86_400
"""Between two revisits, at least: rates stay finite."""

RIGHT, WRONG = 4.0, 1.0
"""Announcements before any was tried: four in five are right, as in a sample of sitemaps on the web (lastmod: 79 % right)."""
MOST_PRECISION = 0.98
"""Share of right announcements that is believed at most: no record makes one a proof. It stands for 3.9 expected changes."""
MOST_ADDED = 6.0
"""Expected changes that announcements may add to a page's own: more makes no difference."""
PROVING = 1.0
"""A page of which this many changes were expected anyway proves nothing about the announcement."""


def pooled_rate(changes: Numbers, exposure: Numbers, prior: float) -> Numbers:
    """Changes per day to be expected of a page of a host with these sums; `prior` as long as they are empty."""
    rate: Numbers = np.minimum(np.maximum((changes + 1.0) / (exposure + 1.0 / prior), LEAST_RATE), MOST_RATE)
    return rate


def prior_of(pooled: Numbers) -> tuple[Numbers, Numbers]:
    """Shape and exposure of a page about which nothing is known."""
    return np.full_like(pooled, SHAPE), SHAPE / pooled


def evidence(rate: Numbers, elapsed: Numbers, changed: Flags, age: Numbers) -> tuple[Numbers, Numbers]:
    """What a revisit adds.

    Args:
        rate: The present estimate.
        elapsed: Days since the last revisit.
        changed: Whether it observed a change.
        age: Days since the last change, where known; else negative. Ages that contradict what was observed are not used.

    Returns:
        Changes, and the days over which they were observed.
    """
    elapsed = np.maximum(elapsed, SHORTEST)
    expected = rate * elapsed
    several = expected / -np.expm1(-expected)
    exact = changed & (age >= LEAST_AGE) & (age <= elapsed)
    changes: Numbers = np.where(changed, np.where(exact, 1.0, several), 0.0)
    days: Numbers = np.where(exact, age, elapsed)
    return changes, days


def updated(shape: Numbers, exposure: Numbers, found: tuple[Numbers, Numbers], pooled: Numbers) -> tuple[Numbers, Numbers]:
    """Shape and exposure after a revisit that found `evidence`; the mean stays within [LEAST_RATE, MOST_RATE]."""
    changes, days = found
    forgotten = (1.0 - RATE_MEMORY) * SHAPE
    expected = np.maximum(pooled, shape / exposure)
    shape = RATE_MEMORY * shape + forgotten + changes
    exposure = RATE_MEMORY * exposure + forgotten / expected + days
    bounded: Numbers = np.minimum(np.maximum(exposure, shape / MOST_RATE), shape / LEAST_RATE)
    return shape, bounded


# Announced changes


def precision(right: Numbers, wrong: Numbers) -> Numbers:
    """Share of announcements that prove right, in (0, 0.98]."""
    share: Numbers = np.minimum(MOST_PRECISION, (RIGHT + right) / (RIGHT + WRONG + right + wrong))
    return share


def with_signal(signal: Numbers, right: Numbers, wrong: Numbers) -> Numbers:
    """Expected changes that announcements stand for, after one more."""
    more: Numbers = np.minimum(signal - np.log1p(-precision(right, wrong)), MOST_ADDED)
    return np.maximum(more, signal)


def proves(expected: Numbers) -> Flags:
    """Whether a revisit tells if the announcement was right; `expected` changes were to be expected without it."""
    flags: Flags = expected < PROVING
    return flags


def counts(profile: SiteProfile, kind: int) -> tuple[int, int]:
    """Right and wrong announcements of a host so far, of SITEMAP or FEED."""
    return (profile.feed_right, profile.feed_wrong) if kind == FEED else (profile.sitemap_right, profile.sitemap_wrong)


def counted(profile: SiteProfile, kind: int, changed: bool) -> SiteProfile:
    """The profile after one more announcement was tried."""
    right, wrong = counts(profile, kind)
    right, wrong = right + changed, wrong + (not changed)
    if kind == FEED:
        return replace(profile, feed_right=right, feed_wrong=wrong)
    return replace(profile, sitemap_right=right, sitemap_wrong=wrong) if kind == SITEMAP else profile
