"""Revisit policies: when a page is due, and in which order due pages are revisited. Four simpler ones accompany the default.

    optimal     the default: one threshold for the marginal value of a revisit (Kolobov et al. 2019, LambdaCrawl)
    uniform     every page equally often: round robin
    batch       all pages at once, in rounds: the periodic crawl of the textbooks
    nutch       the period shrinks if a page has changed and grows if it has not (Apache Nutch, AdaptiveFetchSchedule)
    similarity  the period shrinks or grows by how similar the page's versions are

Pure functions on columns; periods are days, times seconds since the epoch.
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
    """A revisit policy: pure functions on columns."""

    def begin(self, given: PolicyInput) -> Numbers:
        """Period of pages fetched for the first time."""

    def period(self, given: PolicyInput) -> Numbers:
        """New period after a revisit."""

    def due_at(self, given: PolicyInput) -> Numbers:
        """When the page is due again. `given.period` is the new period."""

    def rank(self, given: PolicyInput, due_at: Numbers, now: float) -> Numbers:
        """Rank among the pages that are due, in (0, 1); the largest goes first. `given.at` is the last revisit."""

    @property
    def heeds_signals(self) -> bool:
        """Whether a sitemap or feed that announces a change brings the next revisit forward."""


def overdue_rank(due_at: Numbers, now: float) -> Numbers:
    """Rank by how long pages have been due: the longest goes first."""
    late: Numbers = np.maximum((now - due_at) / DAY, 0.0)
    return within(late / (1.0 + late))


def within(rank: Numbers) -> Numbers:
    """Ranks kept inside (0, 1)."""
    kept: Numbers = np.minimum(np.maximum(rank, EDGE), 1.0 - EDGE)
    return kept


def clamped(period: Numbers, least: Numbers, most: float) -> Numbers:
    """Periods within [least, most]."""
    kept: Numbers = np.minimum(np.maximum(period, least), np.maximum(least, most))
    return kept


class _ByPeriod:
    """What the policies share, unless they say otherwise: each page begins with the period of the settings, is due when its
    period is over, whatever is announced, and goes before those that are overdue by less."""

    heeds_signals = False

    def __init__(self, settings: RecrawlSettings) -> None:
        self._settings = settings

    def begin(self, given: PolicyInput) -> Numbers:
        return self._clamped(np.full_like(given.rate, self._settings.period), given)

    def due_at(self, given: PolicyInput) -> Numbers:
        return given.at + given.period * DAY

    def rank(self, given: PolicyInput, due_at: Numbers, now: float) -> Numbers:
        return overdue_rank(due_at, now)

    def _clamped(self, period: Numbers, given: PolicyInput) -> Numbers:
        return clamped(period, given.least, self._settings.most_period)


FORGOTTEN = 1e-3
"""Upper part of (0, 1) that is kept for pages that have waited for the longest period, so that they go before all others."""


class Optimal(_ByPeriod):
    """The default: a page is due once the marginal value of its revisit has reached the threshold.

    It uses the estimated change rate, a harmonic penalty and one threshold (LambdaCrawl of Kolobov et al. 2019, with planned
    instead of random times). Pages that change faster than the bandwidth can follow do not use it up, because their value then
    grows only with time. Pages that never seem to change grow in value, too, so that none starves."""

    heeds_signals = True

    def begin(self, given: PolicyInput) -> Numbers:
        return self.period(given)

    def period(self, given: PolicyInput) -> Numbers:
        days = interval(given.weight, given.rate, given.threshold)
        return self._clamped(days, given)

    def due_at(self, given: PolicyInput) -> Numbers:
        """The end of the period. Announcements bring it forward by the time in which as many changes are expected as they
        stand for."""
        days: Numbers = np.maximum(given.period - given.signal / given.rate, given.least)
        return given.at + days * DAY

    def rank(self, given: PolicyInput, due_at: Numbers, now: float) -> Numbers:
        """Rank by the value of the revisit, but pages that have waited for the longest period go first, whatever their
        weight."""
        elapsed: Numbers = np.maximum((now - given.at) / DAY, 0.0)
        value = marginal_value(given.weight, given.rate, given.rate * elapsed + given.signal)
        rank = value / (value + given.threshold)
        forgotten = elapsed >= given.longest
        return within(np.where(forgotten, 1.0 - FORGOTTEN * (1.0 - rank), (1.0 - FORGOTTEN) * rank))


class Uniform(_ByPeriod):
    """Every page has the period 1 / bandwidth. Nothing is learned, so nothing can be learned wrong."""

    def begin(self, given: PolicyInput) -> Numbers:
        same = np.full_like(given.rate, 1.0 / self._settings.bandwidth)
        return self._clamped(same, given)

    def period(self, given: PolicyInput) -> Numbers:
        return self.begin(given)


class Batch(Uniform):
    """The same period for all pages, in rounds: the whole collection is due when a round begins, the largest weights first."""

    def due_at(self, given: PolicyInput) -> Numbers:
        """When the next round begins. Rounds are counted from the epoch, so that all pages share them."""
        span = given.period * DAY
        begins: Numbers = (np.floor(given.at / span) + 1.0) * span
        return begins

    def rank(self, given: PolicyInput, due_at: Numbers, now: float) -> Numbers:
        """Rank by weight within a round. Pages left over from earlier rounds go first."""
        rounds = np.maximum(np.floor((now - due_at) / (given.period * DAY)), 0.0)
        place = rounds + given.weight / (1.0 + given.weight)
        return within(place / (1.0 + place))


NUTCH_SHRINK, NUTCH_GROW = 0.2, 0.2
"""The period shrinks by the first share of itself after a change, and grows by the second without one."""
PULL = 0.2
"""A revisit comes earlier by this share of the time since the last change, to fall in step with the changes."""


class Nutch(_ByPeriod):
    """AdaptiveFetchSchedule of Apache Nutch: the period T becomes T * 0.8 if the text differs at all, else T * 1.2, but at
    least d, the time since the last change. The next revisit is after T - 0.2 d. A page that never changed counts as changed
    when it was first seen."""

    def period(self, given: PolicyInput) -> Numbers:
        adapted = given.period * np.where(given.distance > 0, 1.0 - NUTCH_SHRINK, 1.0 + NUTCH_GROW)
        return self._clamped(np.maximum(adapted, _since_change(given)), given)

    def due_at(self, given: PolicyInput) -> Numbers:
        wait = given.period - PULL * _since_change(given)
        return given.at + self._clamped(wait, given) * DAY


def _since_change(given: PolicyInput) -> Numbers:
    """Days since the last change; 0 if none is known."""
    days: Numbers = np.where(given.modified_at > 0, np.maximum((given.at - given.modified_at) / DAY, 0.0), 0.0)
    return days


BITS = 64.0
"""Bits of a SimHash."""
SAME = 1.0 - 3.0 / BITS
"""Least similarity of versions that count as the same. At exactly this similarity the period stays as it is."""
OTHER = 0.5
"""Similarity of texts that have nothing in common: half of their bits agree by chance."""
SIMILARITY_GROW = 0.4
"""Share of the period by which it grows if the versions are equal."""
SIMILARITY_SHRINK = 0.5
"""Share of the period by which it shrinks if the versions have nothing in common."""


class Similarity(_ByPeriod):
    """The period grows or shrinks by how similar a page's versions are, and so settles near the time between its changes.

    Similarity is 1 - (Hamming distance of the SimHashes) / 64. Above SAME the period grows in proportion, up to
    1 + SIMILARITY_GROW times; below SAME it shrinks, down to 1 - SIMILARITY_SHRINK times. Shrinking by usual changes and
    growing without changes balance if the period is about the time between two changes."""

    def period(self, given: PolicyInput) -> Numbers:
        similarity = 1.0 - given.distance / BITS
        longer = 1.0 + SIMILARITY_GROW * np.maximum(similarity - SAME, 0.0) / (1.0 - SAME)
        shorter = 1.0 - SIMILARITY_SHRINK * np.minimum(np.maximum(SAME - similarity, 0.0) / (SAME - OTHER), 1.0)
        return self._clamped(given.period * longer * shorter, given)
