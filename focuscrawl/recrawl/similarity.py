"""The period of a page follows how similar its versions are: it swings around the page's own period of change."""

from __future__ import annotations

import numpy as np

from focuscrawl.recrawl.columns import Numbers, Outlook
from focuscrawl.recrawl.policy import clamped, overdue_rank
from focuscrawl.recrawl.settings import RecrawlSettings
from focuscrawl.recrawl.state import DAY

BITS = 64.0
SAME = 1.0 - 3.0 / BITS
"""At least so similar are versions that count as the same; this similarity leaves the period as it is."""
OTHER = 0.5
"""So similar are texts that have nothing in common: half of their bits agree by chance."""
GROW = 0.4
"""Of the period, when the versions are equal."""
SHRINK = 0.5
"""Of the period, when the versions have nothing in common."""


class Similarity:
    """Similarity is 1 - (Hamming distance of the SimHashes) / 64. Above SAME the period grows in proportion, up to 1 + GROW
    times; below it shrinks, down to 1 - SHRINK times. Changes of usual size then balance with visits that saw none when the
    period is about the time between two changes."""

    heeds_signals = False

    def __init__(self, settings: RecrawlSettings) -> None:
        self._settings = settings

    def begin(self, outlook: Outlook) -> Numbers:
        return clamped(np.full_like(outlook.rate, self._settings.period), outlook.least, self._settings.most_period)

    def period(self, outlook: Outlook) -> Numbers:
        similarity = 1.0 - outlook.distance / BITS
        longer = 1.0 + GROW * np.maximum(similarity - SAME, 0.0) / (1.0 - SAME)
        shorter = 1.0 - SHRINK * np.minimum(np.maximum(SAME - similarity, 0.0) / (SAME - OTHER), 1.0)
        return clamped(outlook.period * longer * shorter, outlook.least, self._settings.most_period)

    def due_at(self, outlook: Outlook) -> Numbers:
        return outlook.at + outlook.period * DAY

    def rank(self, outlook: Outlook, due_at: Numbers, now: float) -> Numbers:
        return overdue_rank(due_at, now)
