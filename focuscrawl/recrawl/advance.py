"""What a visit changes in the records of pages, whatever the policy: rates, weights and hub values. Pure, on columns."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from focuscrawl.recrawl.columns import Flags, Numbers, Outlook, Pool, Record, Sight
from focuscrawl.recrawl.policy import Policy
from focuscrawl.recrawl.rate import SHORTEST, evidence, pooled_rate, prior_of, updated
from focuscrawl.recrawl.settings import RecrawlSettings
from focuscrawl.recrawl.state import DAY
from focuscrawl.recrawl.weight import hub_after, whole_weight

MATERIAL = 3
"""Bits: versions further apart have changed."""
WHOLE = 32.0
"""Bits between texts that have nothing in common."""
SOURCE_PERIOD = 0.25
"""Days: sitemaps and feeds are read no more often."""
SOURCE_RATE = 0.5
"""Times a day that one of which nothing is known tells of something."""
MEMORY = 0.7
"""Of the mean size of changes."""


def begun(record: Record, pool: Pool, at: Numbers, policy: Policy, settings: RecrawlSettings) -> Record:
    """Pages fetched for the first time, `record.weight` being set."""
    shape, exposure = prior_of(_pooled(record, pool, settings))
    none = np.zeros_like(at)
    fresh = replace(record, first_at=at, checked_at=at, changed_at=none, shape=shape, exposure=exposure, signal=none)
    outlook = outlook_of(fresh, pool, settings)
    fresh.period = outlook.period = policy.begin(outlook)
    fresh.due_at = policy.due_at(outlook)
    return fresh


def changed_of(record: Record, sight: Sight) -> Flags:
    """More than MATERIAL bits; a sitemap or feed has changed when it told of something new."""
    flags: Flags = (sight.distance > MATERIAL) | (record.source & (sight.promise > 0))
    return flags


def visited(
    record: Record, pool: Pool, sight: Sight, policy: Policy, settings: RecrawlSettings
) -> tuple[Record, tuple[Numbers, Numbers]]:
    """Records after visits that succeeded; and what they add to the pools of the hosts (changes, days), one item a page."""
    changed = changed_of(record, sight)
    elapsed: Numbers = np.maximum((sight.at - record.checked_at) / DAY, SHORTEST)
    age: Numbers = np.where(sight.modified_at > 0, (sight.at - sight.modified_at) / DAY, -1.0)
    found = evidence(record.rate, elapsed, changed, age)
    shape, exposure = updated(record.shape, record.exposure, found, _pooled(record, pool, settings))
    size = np.minimum(sight.distance / WHOLE, 1.0)
    hub = hub_after(record.hub, sight.promise)
    after = replace(
        record,
        checked_at=sight.at,
        changed_at=np.where(changed, sight.at, record.changed_at),
        shape=shape,
        exposure=exposure,
        weight=whole_weight(sight.relevance, hub),
        hub=hub,
        magnitude=np.where(changed & (record.magnitude > 0), MEMORY * record.magnitude + (1 - MEMORY) * size, record.magnitude),
        signal=np.zeros_like(record.signal),
    )
    after.magnitude = np.where(changed & (record.magnitude <= 0), size, after.magnitude)
    outlook = outlook_of(after, pool, settings, sight)
    after.period = outlook.period = policy.period(outlook)
    after.due_at = policy.due_at(outlook)
    return after, (np.where(record.source, 0.0, found[0]), np.where(record.source, 0.0, found[1]))


def signalled(record: Record, pool: Pool, signal: Numbers, now: float, policy: Policy, settings: RecrawlSettings) -> Record:
    """Pages of which something says that they have changed; their next visit never moves back.

    :param signal: what all signals since the last visit add to the expected changes, the new one too
    """
    told = replace(record, signal=signal)
    if policy.heeds_signals:
        sooner = np.maximum(policy.due_at(outlook_of(told, pool, settings)), now)
        told.due_at = np.minimum(record.due_at, sooner)
    return told


def outlook_of(record: Record, pool: Pool, settings: RecrawlSettings, sight: Sight | None = None) -> Outlook:
    """What the policy plans from. `pool.threshold` is the one that holds for the page."""
    known = np.where(record.changed_at > 0, record.changed_at, record.first_at)
    return Outlook(
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


def _pooled(record: Record, pool: Pool, settings: RecrawlSettings) -> Numbers:
    """Changes per day to be expected of a page of the host; sitemaps and feeds have a life of their own."""
    rate: Numbers = np.where(record.source, SOURCE_RATE, pooled_rate(pool.changes, pool.exposure, settings.prior))
    return rate
