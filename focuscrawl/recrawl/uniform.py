"""Each page as often as any other: round robin."""

from __future__ import annotations

import numpy as np

from focuscrawl.recrawl.columns import Numbers, Outlook
from focuscrawl.recrawl.policy import clamped, overdue_rank
from focuscrawl.recrawl.settings import RecrawlSettings
from focuscrawl.recrawl.state import DAY


class Uniform:
    """Every page has the period 1 / bandwidth. Nothing is learned, and nothing can go wrong."""

    heeds_signals = False

    def __init__(self, settings: RecrawlSettings) -> None:
        self._settings = settings

    def begin(self, outlook: Outlook) -> Numbers:
        same = np.full_like(outlook.rate, 1.0 / self._settings.bandwidth)
        return clamped(same, outlook.least, self._settings.most_period)

    def period(self, outlook: Outlook) -> Numbers:
        return self.begin(outlook)

    def due_at(self, outlook: Outlook) -> Numbers:
        return outlook.at + outlook.period * DAY

    def rank(self, outlook: Outlook, due_at: Numbers, now: float) -> Numbers:
        return overdue_rank(due_at, now)
