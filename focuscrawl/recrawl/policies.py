"""A page is due when the value of a visit to it has reached the threshold: the default."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from focuscrawl.recrawl.columns import Numbers, PolicyInput
from focuscrawl.recrawl.marginal_value import crawl_value, interval
from focuscrawl.recrawl.settings import RecrawlSettings
from focuscrawl.recrawl.state import DAY

# What every policy of revisiting can say; there is one file for each.


EDGE = 1e-9
"""Ranks keep this far from 0 and 1."""


class Policy(Protocol):
    """Pure functions on columns."""

    def begin(self, outlook: PolicyInput) -> Numbers:
        """Period in days of pages fetched for the first time."""

    def period(self, outlook: PolicyInput) -> Numbers:
        """New period in days, after a visit."""

    def due_at(self, outlook: PolicyInput) -> Numbers:
        """When to look again (seconds), `outlook.period` being the new one."""

    def rank(self, outlook: PolicyInput, due_at: Numbers, now: float) -> Numbers:
        """Place among what is due, in (0, 1), the largest first. `outlook.at` is the last visit."""

    @property
    def heeds_signals(self) -> bool:
        """Whether a sitemap or feed that tells of a change brings the next visit forward."""


def overdue_rank(due_at: Numbers, now: float) -> Numbers:
    """Whoever waits longest comes first."""
    late: Numbers = np.maximum((now - due_at) / DAY, 0.0)
    return within(late / (1.0 + late))


def within(rank: Numbers) -> Numbers:
    """Kept inside (0, 1)."""
    kept: Numbers = np.minimum(np.maximum(rank, EDGE), 1.0 - EDGE)
    return kept


def clamped(period: Numbers, least: Numbers, most: float) -> Numbers:
    """Periods within [least, most]."""
    kept: Numbers = np.minimum(np.maximum(period, least), np.maximum(least, most))
    return kept


FORGOTTEN = 1e-3
"""Share of the ranks for pages that have waited for the longest period."""


class Optimal:
    """Estimated change rate, harmonic crawl value and one threshold (LambdaCrawl of Kolobov et al. 2019, with planned instead
    of random times). Pages that change faster than the bandwidth can follow do not eat it up, for their value grows with time
    alone; pages that never seem to change grow in value too, so that none starves."""

    heeds_signals = True

    def __init__(self, settings: RecrawlSettings) -> None:
        self._settings = settings

    def begin(self, outlook: PolicyInput) -> Numbers:
        return self.period(outlook)

    def period(self, outlook: PolicyInput) -> Numbers:
        days = interval(outlook.weight, outlook.rate, outlook.threshold)
        return clamped(days, outlook.least, self._settings.most_period)

    def due_at(self, outlook: PolicyInput) -> Numbers:
        """A signal brings the visit forward by the time in which as many changes are expected as it stands for."""
        days: Numbers = np.maximum(outlook.period - outlook.signal / outlook.rate, outlook.least)
        return outlook.at + days * DAY

    def rank(self, outlook: PolicyInput, due_at: Numbers, now: float) -> Numbers:
        """By the value of the visit; but what has waited for the longest period comes first, however little it weighs."""
        elapsed: Numbers = np.maximum((now - outlook.at) / DAY, 0.0)
        value = crawl_value(outlook.weight, outlook.rate, outlook.rate * elapsed + outlook.signal)
        rank = value / (value + outlook.threshold)
        forgotten = elapsed >= outlook.longest
        return within(np.where(forgotten, 1.0 - FORGOTTEN * (1.0 - rank), (1.0 - FORGOTTEN) * rank))


# Each page as often as any other: round robin.


class Uniform:
    """Every page has the period 1 / bandwidth. Nothing is learned, and nothing can go wrong."""

    heeds_signals = False

    def __init__(self, settings: RecrawlSettings) -> None:
        self._settings = settings

    def begin(self, outlook: PolicyInput) -> Numbers:
        same = np.full_like(outlook.rate, 1.0 / self._settings.bandwidth)
        return clamped(same, outlook.least, self._settings.most_period)

    def period(self, outlook: PolicyInput) -> Numbers:
        return self.begin(outlook)

    def due_at(self, outlook: PolicyInput) -> Numbers:
        return outlook.at + outlook.period * DAY

    def rank(self, outlook: PolicyInput, due_at: Numbers, now: float) -> Numbers:
        return overdue_rank(due_at, now)


# All pages at once, again and again: the periodic crawl of the textbooks.


class Batch(Uniform):
    """The same period for all, in rounds: at the beginning of each the whole collection is due, the weightiest pages first."""

    def due_at(self, outlook: PolicyInput) -> Numbers:
        """The beginning of the next round; rounds are counted from the epoch, so that all pages agree on them."""
        span = outlook.period * DAY
        begins: Numbers = (np.floor(outlook.at / span) + 1.0) * span
        return begins

    def rank(self, outlook: PolicyInput, due_at: Numbers, now: float) -> Numbers:
        """What an earlier round has left over comes before this one's."""
        rounds = np.maximum(np.floor((now - due_at) / (outlook.period * DAY)), 0.0)
        place = rounds + outlook.weight / (1.0 + outlook.weight)
        return within(place / (1.0 + place))


# The adaptive schedule of Apache Nutch: a page's period shrinks when it has changed and grows when it has not.


NUTCH_SHRINK, NUTCH_GROW = 0.2, 0.2
PULL = 0.2
"""Share of the time since the last change by which a visit comes earlier, to fall in step with the changes."""


class Nutch:
    """AdaptiveFetchSchedule of Apache Nutch: T * 0.8 when the text differs at all, T * 1.2 when not, at least the time d since
    the last change; the next visit after T - 0.2 d. A page that never changed is taken to have changed when first seen."""

    heeds_signals = False

    def __init__(self, settings: RecrawlSettings) -> None:
        self._settings = settings

    def begin(self, outlook: PolicyInput) -> Numbers:
        return clamped(np.full_like(outlook.rate, self._settings.period), outlook.least, self._settings.most_period)

    def period(self, outlook: PolicyInput) -> Numbers:
        adapted = outlook.period * np.where(outlook.distance > 0, 1.0 - NUTCH_SHRINK, 1.0 + NUTCH_GROW)
        return clamped(np.maximum(adapted, _since_change(outlook)), outlook.least, self._settings.most_period)

    def due_at(self, outlook: PolicyInput) -> Numbers:
        wait = outlook.period - PULL * _since_change(outlook)
        return outlook.at + clamped(wait, outlook.least, self._settings.most_period) * DAY

    def rank(self, outlook: PolicyInput, due_at: Numbers, now: float) -> Numbers:
        return overdue_rank(due_at, now)


def _since_change(outlook: PolicyInput) -> Numbers:
    """Days."""
    days: Numbers = np.where(outlook.modified_at > 0, np.maximum((outlook.at - outlook.modified_at) / DAY, 0.0), 0.0)
    return days


# The period of a page follows how similar its versions are: it swings around the page's own period of change.


BITS = 64.0
SAME = 1.0 - 3.0 / BITS
"""At least so similar are versions that count as the same; this similarity leaves the period as it is."""
OTHER = 0.5
"""So similar are texts that have nothing in common: half of their bits agree by chance."""
SIMILARITY_GROW = 0.4
"""Of the period, when the versions are equal."""
SIMILARITY_SHRINK = 0.5
"""Of the period, when the versions have nothing in common."""


class Similarity:
    """Similarity is 1 - (Hamming distance of the SimHashes) / 64. Above SAME the period grows in proportion, up to 1 +
    SIMILARITY_GROW
    times; below it shrinks, down to 1 - SIMILARITY_SHRINK times. Changes of usual size then balance with visits that saw none
    when the
    period is about the time between two changes."""

    heeds_signals = False

    def __init__(self, settings: RecrawlSettings) -> None:
        self._settings = settings

    def begin(self, outlook: PolicyInput) -> Numbers:
        return clamped(np.full_like(outlook.rate, self._settings.period), outlook.least, self._settings.most_period)

    def period(self, outlook: PolicyInput) -> Numbers:
        similarity = 1.0 - outlook.distance / BITS
        longer = 1.0 + SIMILARITY_GROW * np.maximum(similarity - SAME, 0.0) / (1.0 - SAME)
        shorter = 1.0 - SIMILARITY_SHRINK * np.minimum(np.maximum(SAME - similarity, 0.0) / (SAME - OTHER), 1.0)
        return clamped(outlook.period * longer * shorter, outlook.least, self._settings.most_period)

    def due_at(self, outlook: PolicyInput) -> Numbers:
        return outlook.at + outlook.period * DAY

    def rank(self, outlook: PolicyInput, due_at: Numbers, now: float) -> Numbers:
        return overdue_rank(due_at, now)
