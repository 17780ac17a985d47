"""All pages at once, again and again: the periodic crawl of the textbooks."""

from __future__ import annotations

import numpy as np

from focuscrawl.recrawl.columns import Numbers, Outlook
from focuscrawl.recrawl.policy import clamped, within
from focuscrawl.recrawl.settings import RecrawlSettings
from focuscrawl.recrawl.state import DAY


class Batch:
    """Rounds of 1 / bandwidth days; at the beginning of each the whole collection is due, the weightiest pages first."""

    heeds_signals = False

    def __init__(self, settings: RecrawlSettings) -> None:
        self._settings = settings

    def begin(self, outlook: Outlook) -> Numbers:
        same = np.full_like(outlook.rate, 1.0 / self._settings.bandwidth)
        return clamped(same, outlook.least, self._settings.most_period)

    def period(self, outlook: Outlook) -> Numbers:
        return self.begin(outlook)

    def due_at(self, outlook: Outlook) -> Numbers:
        """The beginning of the next round; rounds are counted from the epoch, so that all pages agree on them."""
        span = outlook.period * DAY
        begins: Numbers = (np.floor(outlook.at / span) + 1.0) * span
        return begins

    def rank(self, outlook: Outlook, due_at: Numbers, now: float) -> Numbers:
        """What an earlier round has left over comes before this one's."""
        rounds = np.maximum(np.floor((now - due_at) / (outlook.period * DAY)), 0.0)
        place = rounds + outlook.weight / (1.0 + outlook.weight)
        return within(place / (1.0 + place))
