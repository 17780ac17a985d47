"""The pages as time passes: they change by Poisson processes, and what a fetch shows of that is noisy. Times are days.

A change is drawn when it is needed: after a fetch the next one comes after an exponential time. So freshness is known exactly,
between the steps of the simulation too.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from focuscrawl.recrawl.columns import Flags, Numbers
from tools.eval.freshness.pages import Pages
from tools.eval.freshness.setting import Setting

WRONG = 0.05
"""Share of SimHash comparisons on the wrong side of three bits."""
SIZE = 8.0
"""Mean bits of a change beyond the least."""
MOST_BITS = 40
RECALL, PRECISION = 0.8, 0.79
"""Of the sitemaps: changes that they tell, and what they tell that is true."""
DELAY = 0.25
"""Days until a sitemap is read, at most."""
NEVER = np.inf


@dataclass
class Shown:
    """What fetches show."""

    distance: Numbers
    modified: Numbers
    """Last-Modified; negative where the page has none."""


class Web:
    """State of all pages, and the account of how stale their copies were."""

    def __init__(self, pages: Pages, setting: Setting) -> None:
        self.pages = pages
        self.rate = pages.rate.copy()
        self.random = np.random.default_rng(setting.seed + 1000)
        self._from = setting.measured_from
        self._days = setting.days
        none = np.zeros(setting.pages)
        self.fetched_at = none.copy()
        self._next_change = none.copy()
        self._last_change = none - 1.0
        self.signal_at = none + NEVER
        self.signal_right = none.astype(bool)
        self._stale = self._age = 0.0
        self.fetches = self.hits = 0

    def begin(self, at: Numbers) -> None:
        """Every page is fetched for the first time."""
        self.fetched_at = at.copy()
        self._last_change = at - self.random.exponential(1.0, len(at)) / self.rate
        self._draw(np.arange(len(at)), at)

    def fetch(self, pages: NDArray[np.int64], at: float) -> Shown:
        """Fetch these pages, each named once."""
        changed = self._next_change[pages] <= at
        elapsed = at - self.fetched_at[pages]
        if at > self._from:
            self._account(pages[changed], at)
            self.fetches += len(pages)
            self.hits += int(changed.sum())
        back = self.random.exponential(1.0, len(pages))
        last = np.maximum(self._next_change[pages], at - back / self.rate[pages])
        self._last_change[pages] = np.where(changed, last, self._last_change[pages])
        edited = self.random.exponential(1.0, len(pages)) / self.pages.minor[pages]
        shown = Shown(
            self._distance(pages, changed, edited < elapsed),
            np.where(
                self.pages.told[pages], np.maximum(self._last_change[pages], np.where(edited < elapsed, at - edited, 0.0)), -1.0
            ),
        )
        self.fetched_at[pages] = at
        self._draw(pages, np.full(len(pages), at))
        return shown

    def jump(self, at: float) -> None:
        """Rates become others; a page that is as we know it forgets when it would have changed."""
        moved = (self.pages.jumped != self.rate) & (self._next_change > at)
        self.rate = self.pages.jumped.copy()
        self._next_change[moved] = at + self.random.exponential(1.0, int(moved.sum())) / self.rate[moved]

    def close(self, at: float) -> None:
        """Account for what is stale at the end."""
        self._account(np.flatnonzero(self._next_change <= at), at)

    @property
    def freshness(self) -> float:
        """Share of the measured time, weighted, in which copies were as the pages."""
        return 1.0 - self._stale / self._whole

    @property
    def staleness_age(self) -> float:
        """Weighted mean, over pages and time, of the days since the oldest missed change (0 while fresh)."""
        return self._age / self._whole

    @property
    def _whole(self) -> float:
        return float(self.pages.weight.sum()) * (self._days - self._from)

    def _account(self, pages: NDArray[np.int64], at: float) -> None:
        change = self._next_change[pages]
        began = np.maximum(change, self._from)
        weight = self.pages.weight[pages]
        self._stale += float((weight * (at - began)).sum())
        self._age += float((weight * ((at - change) ** 2 - (began - change) ** 2)).sum()) / 2.0

    def _distance(self, pages: NDArray[np.int64], changed: Flags, edited: Flags) -> Numbers:
        """Bits between the SimHashes: more than three for a change, up to three for noise and small edits, with errors."""
        much = np.minimum(4.0 + np.floor(self.random.exponential(SIZE, len(pages))), MOST_BITS)
        little = self.random.integers(1, 4, len(pages)).astype(float)
        wrong = self.random.random(len(pages)) < WRONG
        differs = edited | self.pages.noisy[pages]
        small = np.where(differs, np.where(wrong, little + 3.0, little), 0.0)
        bits: Numbers = np.where(changed, np.where(wrong, little, much), small)
        return bits

    def _draw(self, pages: NDArray[np.int64], at: Numbers) -> None:
        """The next change of each page, and what its sitemap says first after `at`."""
        rate = self.rate[pages]
        self._next_change[pages] = at + self.random.exponential(1.0, len(pages)) / rate
        told = np.flatnonzero(self.pages.told[pages])
        if not len(told):
            return
        at, rate, change = at[told], rate[told], self._next_change[pages[told]]
        later = change + self.random.exponential(1.0, len(told)) / (RECALL * rate)
        right = np.where(self.random.random(len(told)) < RECALL, change, later)
        false_rate = RECALL * rate * (1.0 - PRECISION) / PRECISION
        wrong = at + self.random.exponential(1.0, len(told)) / false_rate
        self.signal_at[pages[told]] = np.minimum(right, wrong) + self.random.uniform(0.0, DELAY, len(told))
