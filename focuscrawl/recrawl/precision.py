"""How far are a host's sitemaps and feeds to be believed when they say that a page has changed?"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from focuscrawl.items import FEED, SITEMAP
from focuscrawl.recrawl.columns import Flags, Numbers
from focuscrawl.recrawl.state import Habit

RIGHT, WRONG = 4.0, 1.0
"""Before any was tried: four in five are right, as a sample of sitemaps on the web had it (lastmod: 79 % right)."""
MOST = 0.98
MOST_ADDED = 6.0
"""Expected changes that signals may add to a page's own: more makes no difference."""
PROVING = 1.0
"""A page of which so many changes were expected anyway proves nothing of the signal."""


def precision(right: Numbers, wrong: Numbers) -> Numbers:
    """Share of signals behind which there is a change, in (0, 0.98]."""
    share: Numbers = np.minimum(MOST, (RIGHT + right) / (RIGHT + WRONG + right + wrong))
    return share


def with_signal(signal: Numbers, right: Numbers, wrong: Numbers) -> Numbers:
    """Expected changes that signals stand for, after one more: it leaves 1 - precision of the chance that nothing changed."""
    more: Numbers = np.minimum(signal - np.log1p(-precision(right, wrong)), MOST_ADDED)
    return np.maximum(more, signal)


def proves(expected: Numbers) -> Flags:
    """Whether a visit tells if the signal was right; `expected` changes were to be expected without it."""
    flags: Flags = expected < PROVING
    return flags


def counts(habit: Habit, kind: int) -> tuple[int, int]:
    """Right and wrong signals of a host so far, of SITEMAP or FEED."""
    return (habit.feed_right, habit.feed_wrong) if kind == FEED else (habit.sitemap_right, habit.sitemap_wrong)


def counted(habit: Habit, kind: int, changed: bool) -> Habit:
    """One more signal was tried."""
    right, wrong = counts(habit, kind)
    right, wrong = right + changed, wrong + (not changed)
    if kind == FEED:
        return replace(habit, feed_right=right, feed_wrong=wrong)
    return replace(habit, sitemap_right=right, sitemap_wrong=wrong) if kind == SITEMAP else habit
