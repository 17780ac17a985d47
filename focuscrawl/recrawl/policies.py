"""When is a page due, and in which order? The default decides by marginal values; four simpler policies stand beside it.

    optimal     one threshold for the marginal value of a revisit (Kolobov et al. 2019, LambdaCrawl)
    uniform     every page as often as any other: round robin
    batch       all pages at once, again and again: the periodic crawl of the textbooks
    nutch       the period shrinks when a page has changed and grows when it has not (Apache Nutch, AdaptiveFetchSchedule)
    similarity  the same by how similar its versions are

Pure functions on columns; periods are days, points of time seconds since the epoch.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from focuscrawl.recrawl.columns import Numbers, PolicyInput
from focuscrawl.recrawl.marginal_value import interval, marginal_value
from focuscrawl.recrawl.settings import RecrawlSettings
from focuscrawl.recrawl.state import DAY

EDGE = 1e-9
"""Ranks keep this far from 0 and 1."""


class Policy(Protocol):
    """Pure functions on columns."""

    def begin(self, given: PolicyInput) -> Numbers:
        """Period of pages fetched for the first time."""

    def period(self, given: PolicyInput) -> Numbers:
        """New period, after a revisit."""

    def due_at(self, given: PolicyInput) -> Numbers:
        """When the page is due again, `given.period` being the new one."""

    def rank(self, given: PolicyInput, due_at: Numbers, now: float) -> Numbers:
        """Rank among what is due, in (0, 1), the largest first. `given.at` is the last revisit."""

    @property
    def heeds_signals(self) -> bool:
        """Whether a sitemap or feed that announces a change brings the next revisit forward."""


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
"""Share of the ranks that is kept for pages that have waited for the longest period: they come before all others."""


class Optimal:
    """A page is due when the marginal value of a revisit has reached the threshold: the default.

    Estimated change rate, harmonic penalty and one threshold (LambdaCrawl of Kolobov et al. 2019, with planned instead of
    random times). Pages that change faster than the bandwidth can follow do not eat it up, for their value grows with time
    alone; pages that never seem to change grow in value too, so that none starves."""

    heeds_signals = True

    def __init__(self, settings: RecrawlSettings) -> None:
        self._settings = settings

    def begin(self, given: PolicyInput) -> Numbers:
        return self.period(given)

    def period(self, given: PolicyInput) -> Numbers:
        days = interval(given.weight, given.rate, given.threshold)
        return clamped(days, given.least, self._settings.most_period)

    def due_at(self, given: PolicyInput) -> Numbers:
        """An announcement brings the revisit forward by the time in which as many changes are expected as it stands for."""
        days: Numbers = np.maximum(given.period - given.signal / given.rate, given.least)
        return given.at + days * DAY

    def rank(self, given: PolicyInput, due_at: Numbers, now: float) -> Numbers:
        """By the value of the revisit; but what has waited for the longest period comes first, however little it weighs."""
        elapsed: Numbers = np.maximum((now - given.at) / DAY, 0.0)
        value = marginal_value(given.weight, given.rate, given.rate * elapsed + given.signal)
        rank = value / (value + given.threshold)
        forgotten = elapsed >= given.longest
        return within(np.where(forgotten, 1.0 - FORGOTTEN * (1.0 - rank), (1.0 - FORGOTTEN) * rank))


class Uniform:
    """Every page has the period 1 / bandwidth. Nothing is learned, and nothing can go wrong."""

    heeds_signals = False

    def __init__(self, settings: RecrawlSettings) -> None:
        self._settings = settings

    def begin(self, given: PolicyInput) -> Numbers:
        same = np.full_like(given.rate, 1.0 / self._settings.bandwidth)
        return clamped(same, given.least, self._settings.most_period)

    def period(self, given: PolicyInput) -> Numbers:
        return self.begin(given)

    def due_at(self, given: PolicyInput) -> Numbers:
        return given.at + given.period * DAY

    def rank(self, given: PolicyInput, due_at: Numbers, now: float) -> Numbers:
        return overdue_rank(due_at, now)


class Batch(Uniform):
    """The same period for all, in rounds: at the beginning of each the whole collection is due, the weightiest pages first."""

    def due_at(self, given: PolicyInput) -> Numbers:
        """The beginning of the next round; rounds are counted from the epoch, so that all pages agree on them."""
        span = given.period * DAY
        begins: Numbers = (np.floor(given.at / span) + 1.0) * span
        return begins

    def rank(self, given: PolicyInput, due_at: Numbers, now: float) -> Numbers:
        """What an earlier round has left over comes before this one's."""
        rounds = np.maximum(np.floor((now - due_at) / (given.period * DAY)), 0.0)
        place = rounds + given.weight / (1.0 + given.weight)
        return within(place / (1.0 + place))


NUTCH_SHRINK, NUTCH_GROW = 0.2, 0.2
"""Shares of the period by which it shrinks after a change, and grows without one."""
PULL = 0.2
"""Share of the time since the last change by which a revisit comes earlier, to fall in step with the changes."""


class Nutch:
    """AdaptiveFetchSchedule of Apache Nutch: T * 0.8 when the text differs at all, T * 1.2 when not, at least the time d since
    the last change; the next revisit after T - 0.2 d. A page that never changed is taken to have changed when first seen."""

    heeds_signals = False

    def __init__(self, settings: RecrawlSettings) -> None:
        self._settings = settings

    def begin(self, given: PolicyInput) -> Numbers:
        return clamped(np.full_like(given.rate, self._settings.period), given.least, self._settings.most_period)

    def period(self, given: PolicyInput) -> Numbers:
        adapted = given.period * np.where(given.distance > 0, 1.0 - NUTCH_SHRINK, 1.0 + NUTCH_GROW)
        return clamped(np.maximum(adapted, _since_change(given)), given.least, self._settings.most_period)

    def due_at(self, given: PolicyInput) -> Numbers:
        wait = given.period - PULL * _since_change(given)
        return given.at + clamped(wait, given.least, self._settings.most_period) * DAY

    def rank(self, given: PolicyInput, due_at: Numbers, now: float) -> Numbers:
        return overdue_rank(due_at, now)


def _since_change(given: PolicyInput) -> Numbers:
    """Days."""
    days: Numbers = np.where(given.modified_at > 0, np.maximum((given.at - given.modified_at) / DAY, 0.0), 0.0)
    return days


BITS = 64.0
"""Of a SimHash."""
SAME = 1.0 - 3.0 / BITS
"""At least so similar are versions that count as the same; this similarity leaves the period as it is."""
OTHER = 0.5
"""So similar are texts that have nothing in common: half of their bits agree by chance."""
SIMILARITY_GROW = 0.4
"""Of the period, when the versions are equal."""
SIMILARITY_SHRINK = 0.5
"""Of the period, when the versions have nothing in common."""


class Similarity:
    """The period follows how similar a page's versions are: it swings around the page's own period of change.

    Similarity is 1 - (Hamming distance of the SimHashes) / 64. Above SAME the period grows in proportion, up to
    1 + SIMILARITY_GROW times; below it shrinks, down to 1 - SIMILARITY_SHRINK times. Changes of usual size then balance with
    revisits that observed none when the period is about the time between two changes."""

    heeds_signals = False

    def __init__(self, settings: RecrawlSettings) -> None:
        self._settings = settings

    def begin(self, given: PolicyInput) -> Numbers:
        return clamped(np.full_like(given.rate, self._settings.period), given.least, self._settings.most_period)

    def period(self, given: PolicyInput) -> Numbers:
        similarity = 1.0 - given.distance / BITS
        longer = 1.0 + SIMILARITY_GROW * np.maximum(similarity - SAME, 0.0) / (1.0 - SAME)
        shorter = 1.0 - SIMILARITY_SHRINK * np.minimum(np.maximum(SAME - similarity, 0.0) / (SAME - OTHER), 1.0)
        return clamped(given.period * longer * shorter, given.least, self._settings.most_period)

    def due_at(self, given: PolicyInput) -> Numbers:
        return given.at + given.period * DAY

    def rank(self, given: PolicyInput, due_at: Numbers, now: float) -> Numbers:
        return overdue_rank(due_at, now)
