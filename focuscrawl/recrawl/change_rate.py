"""How often a page changes, estimated from revisits at irregular times, most of which show only whether it has changed.

Changes are taken for a Poisson process of unknown rate D. What is known of D is kept as Gamma(shape, exposure), whose mean is
shape / exposure changes per day. A revisit after t days updates it:

- Nothing changed: exposure grows by t.
- Something changed: there were an unknown number of changes in t days, at least one. The number expected at the present
  estimate, x / (1 - e^-x) with x = D t, is added to the shape, and t to the exposure: one step of expectation maximization.
  (Counting the revisits that saw a change gives no estimate if none or all of them did: Cho & Garcia-Molina, Estimating
  Frequency of Change, ACM TOIT 2003.)
- Something changed, and the time s since the last change is known: looking back from now, the first change came after s days,
  which is one complete observation of an exponential time. Shape grows by 1, exposure by s.

Older evidence counts less at each revisit, because rates change. The prior takes its place, so that no page is ever taken for
dead. It returns at the rate of the host or of the page, whichever is higher: measured in days, the prior of a quiet host would
otherwise outweigh all that is observed of a page that is revisited several times a day.

Sitemaps and feeds announce changes, but not all announcements are true. The precision of a host's announcements is counted from
those that a revisit tested. After an announcement of precision p, the chance that the page is still as we know it is
e^-x (1 - p) instead of e^-x (after Busa-Fekete et al. 2025, on noisy change signals), so it adds -log(1 - p) to x.

Pure functions on columns; spans are days, rates changes per day.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from focuscrawl.items import FEED, SITEMAP
from focuscrawl.recrawl.columns import Flags, Numbers
from focuscrawl.recrawl.state import SiteProfile

SHAPE = 0.5
"""Shape of the prior: weak, it counts as half a change."""
RATE_MEMORY = 0.975
"""A revisit multiplies the evidence before it by this, so that some 40 revisits count."""
POOL_MEMORY = 0.9995
"""The same for the evidence of a host, to which all its pages contribute: some 2000 revisits count."""
LEAST_RATE, MOST_RATE = 1e-5, 1e3
"""Bounds of an estimate, in changes per day: one in 270 years, and one in a minute and a half."""
LEAST_AGE = 60 / 86_400
"""Days. A page modified less than a minute ago was probably made for our request, so such a time is not used."""
SHORTEST = 1 / 86_400
"""Days. Revisits count as at least this far apart, so that rates stay finite."""

RIGHT, WRONG = 4.0, 1.0
"""The prior of announcements: four in five are right, as in a sample of sitemaps on the web (lastmod: 79 % right)."""
MOST_PRECISION = 0.98
"""Upper bound of precision, because no record makes an announcement a proof. It stands for 3.9 expected changes."""
MOST_ADDED = 6.0
"""Most expected changes that announcements may add to a page's own: more would make no difference."""
PROVING = 1.0
"""If at least this many changes were expected anyway, finding one says nothing about the announcement."""


def pooled_rate(changes: Numbers, exposure: Numbers, prior: float) -> Numbers:
    """Changes per day to expect of a page on a host with these sums of changes and days; `prior` while both are 0."""
    rate: Numbers = np.minimum(np.maximum((changes + 1.0) / (exposure + 1.0 / prior), LEAST_RATE), MOST_RATE)
    return rate


def prior_of(pooled: Numbers) -> tuple[Numbers, Numbers]:
    """Shape and exposure of a page of which nothing is known, on a host with this pooled rate."""
    return np.full_like(pooled, SHAPE), SHAPE / pooled


def evidence(rate: Numbers, elapsed: Numbers, changed: Flags, age: Numbers) -> tuple[Numbers, Numbers]:
    """What a revisit adds to shape and exposure.

    Args:
        rate: The present estimate.
        elapsed: Days since the last revisit.
        changed: Whether it observed a change.
        age: Days since the last change; negative if not known. An age that contradicts the observation is not used.

    Returns:
        The number of changes, and the days over which they were observed.
    """
    elapsed = np.maximum(elapsed, SHORTEST)
    expected = rate * elapsed
    several = expected / -np.expm1(-expected)
    exact = changed & (age >= LEAST_AGE) & (age <= elapsed)
    changes: Numbers = np.where(changed, np.where(exact, 1.0, several), 0.0)
    days: Numbers = np.where(exact, age, elapsed)
    return changes, days


def updated(shape: Numbers, exposure: Numbers, found: tuple[Numbers, Numbers], pooled: Numbers) -> tuple[Numbers, Numbers]:
    """Shape and exposure after a revisit, of which `evidence` returned `found`. The mean stays in [LEAST_RATE, MOST_RATE]."""
    changes, days = found
    forgotten = (1.0 - RATE_MEMORY) * SHAPE
    expected = np.maximum(pooled, shape / exposure)
    shape = RATE_MEMORY * shape + forgotten + changes
    exposure = RATE_MEMORY * exposure + forgotten / expected + days
    bounded: Numbers = np.minimum(np.maximum(exposure, shape / MOST_RATE), shape / LEAST_RATE)
    return shape, bounded


# Announced changes


def precision(right: Numbers, wrong: Numbers) -> Numbers:
    """Expected share of right announcements, in (0, 0.98], after this many proved right and wrong."""
    share: Numbers = np.minimum(MOST_PRECISION, (RIGHT + right) / (RIGHT + WRONG + right + wrong))
    return share


def with_signal(signal: Numbers, right: Numbers, wrong: Numbers) -> Numbers:
    """Expected changes that a page's announcements stand for, after one more by a host with this record."""
    more: Numbers = np.minimum(signal - np.log1p(-precision(right, wrong)), MOST_ADDED)
    return np.maximum(more, signal)


def proves(expected: Numbers) -> Flags:
    """Whether a revisit shows if the announcement was right. `expected`: changes to be expected without the announcement."""
    flags: Flags = expected < PROVING
    return flags


def counts(profile: SiteProfile, kind: int) -> tuple[int, int]:
    """How many announcements of a host by SITEMAP or FEED (`kind`) were right, and how many wrong."""
    return (profile.feed_right, profile.feed_wrong) if kind == FEED else (profile.sitemap_right, profile.sitemap_wrong)


def counted(profile: SiteProfile, kind: int, changed: bool) -> SiteProfile:
    """The profile after a revisit tested one more announcement: it is right if the page has `changed`."""
    right, wrong = counts(profile, kind)
    right, wrong = right + changed, wrong + (not changed)
    if kind == FEED:
        return replace(profile, feed_right=right, feed_wrong=wrong)
    return replace(profile, sitemap_right=right, sitemap_wrong=wrong) if kind == SITEMAP else profile
