"""What every policy of revisiting can say; there is one file for each."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from focuscrawl.recrawl.columns import Numbers, Outlook
from focuscrawl.recrawl.state import DAY

EDGE = 1e-9
"""Ranks keep this far from 0 and 1."""


class Policy(Protocol):
    """Pure functions on columns."""

    def begin(self, outlook: Outlook) -> Numbers:
        """Period in days of pages fetched for the first time."""

    def period(self, outlook: Outlook) -> Numbers:
        """New period in days, after a visit."""

    def due_at(self, outlook: Outlook) -> Numbers:
        """When to look again (seconds), `outlook.period` being the new one."""

    def rank(self, outlook: Outlook, due_at: Numbers, now: float) -> Numbers:
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
