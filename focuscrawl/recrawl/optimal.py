"""A page is due when the value of a visit to it has reached the threshold: the default."""

from __future__ import annotations

import numpy as np

from focuscrawl.recrawl.columns import Numbers, Outlook
from focuscrawl.recrawl.crawl_value import crawl_value, interval
from focuscrawl.recrawl.policy import clamped, within
from focuscrawl.recrawl.settings import RecrawlSettings
from focuscrawl.recrawl.state import DAY

FORGOTTEN = 1e-3
"""Share of the ranks for pages that have waited for the longest period."""


class Optimal:
    """Estimated change rate, harmonic crawl value and one threshold (LambdaCrawl of Kolobov et al. 2019, with planned instead
    of random times). Pages that change faster than the bandwidth can follow do not eat it up, for their value grows with time
    alone; pages that never seem to change grow in value too, so that none starves."""

    heeds_signals = True

    def __init__(self, settings: RecrawlSettings) -> None:
        self._settings = settings

    def begin(self, outlook: Outlook) -> Numbers:
        return self.period(outlook)

    def period(self, outlook: Outlook) -> Numbers:
        days = interval(outlook.weight, outlook.rate, outlook.threshold)
        return clamped(days, outlook.least, self._settings.most_period)

    def due_at(self, outlook: Outlook) -> Numbers:
        """A signal brings the visit forward by the time in which as many changes are expected as it stands for."""
        days: Numbers = np.maximum(outlook.period - outlook.signal / outlook.rate, outlook.least)
        return outlook.at + days * DAY

    def rank(self, outlook: Outlook, due_at: Numbers, now: float) -> Numbers:
        """By the value of the visit; but what has waited for the longest period comes first, however little it weighs."""
        elapsed: Numbers = np.maximum((now - outlook.at) / DAY, 0.0)
        value = crawl_value(outlook.weight, outlook.rate, outlook.rate * elapsed + outlook.signal)
        rank = value / (value + outlook.threshold)
        forgotten = elapsed >= outlook.longest
        return within(np.where(forgotten, 1.0 - FORGOTTEN * (1.0 - rank), (1.0 - FORGOTTEN) * rank))
