"""All pages at once, again and again: the periodic crawl of the textbooks."""

from __future__ import annotations

import numpy as np

from focuscrawl.recrawl.columns import Numbers, Outlook
from focuscrawl.recrawl.policy import within
from focuscrawl.recrawl.state import DAY
from focuscrawl.recrawl.uniform import Uniform


class Batch(Uniform):
    """The same period for all, in rounds: at the beginning of each the whole collection is due, the weightiest pages first."""

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
