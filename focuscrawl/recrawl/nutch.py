"""The adaptive schedule of Apache Nutch: a page's period shrinks when it has changed and grows when it has not."""

from __future__ import annotations

import numpy as np

from focuscrawl.recrawl.columns import Numbers, Outlook
from focuscrawl.recrawl.policy import clamped, overdue_rank
from focuscrawl.recrawl.settings import RecrawlSettings
from focuscrawl.recrawl.state import DAY

SHRINK, GROW = 0.2, 0.2
PULL = 0.2
"""Share of the time since the last change by which a visit comes earlier, to fall in step with the changes."""


class Nutch:
    """AdaptiveFetchSchedule of Apache Nutch: T * 0.8 when the text differs at all, T * 1.2 when not, at least the time d since
    the last change; the next visit after T - 0.2 d. A page that never changed is taken to have changed when first seen."""

    heeds_signals = False

    def __init__(self, settings: RecrawlSettings) -> None:
        self._settings = settings

    def begin(self, outlook: Outlook) -> Numbers:
        return clamped(np.full_like(outlook.rate, self._settings.period), outlook.least, self._settings.most_period)

    def period(self, outlook: Outlook) -> Numbers:
        adapted = outlook.period * np.where(outlook.distance > 0, 1.0 - SHRINK, 1.0 + GROW)
        return clamped(np.maximum(adapted, _since_change(outlook)), outlook.least, self._settings.most_period)

    def due_at(self, outlook: Outlook) -> Numbers:
        wait = outlook.period - PULL * _since_change(outlook)
        return outlook.at + clamped(wait, outlook.least, self._settings.most_period) * DAY

    def rank(self, outlook: Outlook, due_at: Numbers, now: float) -> Numbers:
        return overdue_rank(due_at, now)


def _since_change(outlook: Outlook) -> Numbers:
    """Days."""
    days: Numbers = np.where(outlook.modified_at > 0, np.maximum((outlook.at - outlook.modified_at) / DAY, 0.0), 0.0)
    return days
