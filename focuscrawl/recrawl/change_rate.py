"""What a visit changes in the records of pages, whatever the policy: rates, weights and hub values. Pure, on columns."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from focuscrawl.items import FEED, SITEMAP
from focuscrawl.recrawl.columns import Flags, Numbers, ObservationColumns, PolicyInput, ProfileColumns, RevisitColumns
from focuscrawl.recrawl.marginal_value import hub_after, whole_weight
from focuscrawl.recrawl.policies import Policy
from focuscrawl.recrawl.settings import RecrawlSettings
from focuscrawl.recrawl.state import DAY, SiteProfile

# How often does a page change? Estimated from visits at irregular times, of which most say only yes or no.
#
# Changes are taken for a Poisson process of unknown rate D. Its distribution is kept as Gamma(shape, exposure), whose mean is
# shape / exposure changes per day:
#
# - nothing changed over t days: exposure grows by t;
# - something changed: t days passed with an unknown number of changes, at least one. The expected number at the present
# estimate,
#   x / (1 - e^-x) with x = D t, is added to the shape: one step of expectation maximization. (A plain count of changed visits
# has
#   no answer when none or all of them saw a change: Cho & Garcia-Molina, Estimating Frequency of Change, ACM TOIT 2003.)
# - the time s of the last change is known: backwards from now the first change came after s days, an exponential time seen
# whole.
#   Shape grows by 1, exposure by s.
#
# What is old counts less at each visit, for rates change; the prior comes back in its place, so no page is ever taken for dead.
# It comes back at the rate of the pool or of the page, whichever is higher: measured in days, the prior of a quiet host would
# outweigh all that a page shows that is visited several times a day.


SHAPE = 0.5
"""Of the prior: weak, one half of a change."""
RATE_MEMORY = 0.975
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
    forgotten = (1.0 - RATE_MEMORY) * SHAPE
    expected = np.maximum(pooled, shape / exposure)
    shape = RATE_MEMORY * shape + forgotten + changes
    exposure = RATE_MEMORY * exposure + forgotten / expected + days
    bounded: Numbers = np.minimum(np.maximum(exposure, shape / MOST_RATE), shape / LEAST_RATE)
    return shape, bounded


# How far are a host's sitemaps and feeds to be believed when they say that a page has changed?


RIGHT, WRONG = 4.0, 1.0
"""Before any was tried: four in five are right, as a sample of sitemaps on the web had it (lastmod: 79 % right)."""
MOST = 0.98
MOST_ADDED = 6.0
"""Expected changes that signals may add to a page's own: more makes no difference."""
PROVING = 1.0
"""A page of which so many changes were expected anyway proves nothing of the signal."""


def precision(right: Numbers, wrong: Numbers) -> Numbers:
    """Share of signals behind which there is a change, in (0, 0.98]."""
    share: Numbers = np.minimum(MOST, (RIGHT + right) / (RIGHT + WRONG + right + wrong))
    return share


def with_signal(signal: Numbers, right: Numbers, wrong: Numbers) -> Numbers:
    """Expected changes that signals stand for, after one more: it leaves 1 - precision of the chance that nothing changed."""
    more: Numbers = np.minimum(signal - np.log1p(-precision(right, wrong)), MOST_ADDED)
    return np.maximum(more, signal)


def proves(expected: Numbers) -> Flags:
    """Whether a visit tells if the signal was right; `expected` changes were to be expected without it."""
    flags: Flags = expected < PROVING
    return flags


def counts(profile: SiteProfile, kind: int) -> tuple[int, int]:
    """Right and wrong signals of a host so far, of SITEMAP or FEED."""
    return (profile.feed_right, profile.feed_wrong) if kind == FEED else (profile.sitemap_right, profile.sitemap_wrong)


def counted(profile: SiteProfile, kind: int, changed: bool) -> SiteProfile:
    """One more signal was tried."""
    right, wrong = counts(profile, kind)
    right, wrong = right + changed, wrong + (not changed)
    if kind == FEED:
        return replace(profile, feed_right=right, feed_wrong=wrong)
    return replace(profile, sitemap_right=right, sitemap_wrong=wrong) if kind == SITEMAP else profile


MATERIAL = 3
"""Bits: versions further apart have changed."""
WHOLE = 32.0
"""Bits between texts that have nothing in common."""
SOURCE_PERIOD = 0.25
"""Days: sitemaps and feeds are read no more often."""
SOURCE_RATE = 0.5
"""Times a day that one of which nothing is known tells of something."""
RECORD_MEMORY = 0.7
"""Of the mean size of changes."""


def begun(
    record: RevisitColumns, pool: ProfileColumns, at: Numbers, policy: Policy, settings: RecrawlSettings
) -> RevisitColumns:
    """Pages fetched for the first time, `record.weight` being set."""
    shape, exposure = prior_of(_pooled(record, pool, settings))
    none = np.zeros_like(at)
    fresh = replace(record, first_at=at, checked_at=at, changed_at=none, shape=shape, exposure=exposure, signal=none)
    outlook = outlook_of(fresh, pool, settings)
    fresh.period = outlook.period = policy.begin(outlook)
    fresh.due_at = policy.due_at(outlook)
    return fresh


def changed_of(record: RevisitColumns, sight: ObservationColumns) -> Flags:
    """More than MATERIAL bits; a sitemap or feed has changed when it told of something new."""
    flags: Flags = (sight.distance > MATERIAL) | (record.source & (sight.new_link_scores > 0))
    return flags


def visited(
    record: RevisitColumns, pool: ProfileColumns, sight: ObservationColumns, policy: Policy, settings: RecrawlSettings
) -> tuple[RevisitColumns, tuple[Numbers, Numbers]]:
    """Records after visits that succeeded; and what they add to the pools of the hosts (changes, days), one item a page."""
    changed = changed_of(record, sight)
    elapsed: Numbers = np.maximum((sight.at - record.checked_at) / DAY, SHORTEST)
    age: Numbers = np.where(sight.modified_at > 0, (sight.at - sight.modified_at) / DAY, -1.0)
    found = evidence(record.rate, elapsed, changed, age)
    shape, exposure = updated(record.shape, record.exposure, found, _pooled(record, pool, settings))
    size = np.minimum(sight.distance / WHOLE, 1.0)
    hub = hub_after(record.hub, sight.new_link_scores)
    after = replace(
        record,
        checked_at=sight.at,
        changed_at=np.where(changed, sight.at, record.changed_at),
        shape=shape,
        exposure=exposure,
        weight=whole_weight(sight.relevance, hub),
        hub=hub,
        magnitude=np.where(
            changed & (record.magnitude > 0), RECORD_MEMORY * record.magnitude + (1 - RECORD_MEMORY) * size, record.magnitude
        ),
        signal=np.zeros_like(record.signal),
    )
    after.magnitude = np.where(changed & (record.magnitude <= 0), size, after.magnitude)
    outlook = outlook_of(after, pool, settings, sight)
    after.period = outlook.period = policy.period(outlook)
    after.due_at = policy.due_at(outlook)
    return after, (np.where(record.source, 0.0, found[0]), np.where(record.source, 0.0, found[1]))


def signalled(
    record: RevisitColumns, pool: ProfileColumns, signal: Numbers, now: float, policy: Policy, settings: RecrawlSettings
) -> RevisitColumns:
    """Pages of which something says that they have changed; their next visit never moves back.

    :param signal: what all signals since the last visit add to the expected changes, the new one too
    """
    told = replace(record, signal=signal)
    if policy.heeds_signals:
        sooner = np.maximum(policy.due_at(outlook_of(told, pool, settings)), now)
        told.due_at = np.minimum(record.due_at, sooner)
    return told


def outlook_of(
    record: RevisitColumns, pool: ProfileColumns, settings: RecrawlSettings, sight: ObservationColumns | None = None
) -> PolicyInput:
    """What the policy plans from. `pool.threshold` is the one that holds for the page."""
    known = np.where(record.changed_at > 0, record.changed_at, record.first_at)
    return PolicyInput(
        at=record.checked_at,
        distance=np.zeros_like(record.shape) if sight is None else sight.distance,
        modified_at=known if sight is None else np.where(sight.modified_at > 0, sight.modified_at, known),
        rate=record.rate,
        weight=record.weight,
        signal=record.signal,
        period=record.period,
        least=least_period(record.source, settings),
        longest=np.full_like(record.shape, settings.most_period),
        threshold=pool.threshold,
    )


def least_period(source: Flags, settings: RecrawlSettings) -> Numbers:
    """Days."""
    least: Numbers = np.where(source, max(SOURCE_PERIOD, settings.least_period), settings.least_period)
    return least


def _pooled(record: RevisitColumns, pool: ProfileColumns, settings: RecrawlSettings) -> Numbers:
    """Changes per day to be expected of a page of the host; sitemaps and feeds have a life of their own."""
    rate: Numbers = np.where(record.source, SOURCE_RATE, pooled_rate(pool.changes, pool.exposure, settings.prior))
    return rate
