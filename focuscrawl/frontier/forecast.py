"""What will the next hundred pages bring, and how much is left? From what the last fetches brought and from what waits.

The estimate is the mean of two. *Trend*: the share of relevant pages among the last fetches. *Promise*: what the best hundred
waiting URLs are worth, where a priority is not believed but measured: of the fetches lately, how many with a priority like this
one turned out relevant? Priorities of any strategy become chances by isotonic regression (Zadrozny and Elkan 2002). Each alone
errs by more: the trend does not see the end of a topic coming, the promise sees it too late or too early.

What came where so much was reckoned has been measured (`NEXT_HUNDRED`, `LEFT`), and that is told: a mean, and a range in which
the truth lay in half of the cases. What lies behind pages that are irrelevant cannot be foreseen by either.

Tried in vain: Chao's estimate of unseen pages, from pages with one and with two links to them (the Good-Turing view). On trees
of sections most pages have one link: it told 160 to 250 unseen pages where one was left.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

SAMPLES = 1000
"""Last fetches that tell what a priority is worth, for the edge of a topic."""
WINDOW = 200
"""The same for a forecast: with 1000 it lags behind."""
TREND = 50
"""Last fetches whose relevant share is the trend."""
LEAST = 50
"""Fetches before which nothing is foretold."""
MOST_WAITING = 1000
"""Best waiting URLs that are asked for what is left."""
ORDERED = 1.0
"""Priority of what is fetched for a reason other than its promise (seeds, explorations): it tells nothing."""
PRIOR = 10.0
"""Fetches that the overall harvest counts for in the chance of any priority."""
HUNDRED = 100


class Promise:
    """From priorities to chances of a relevant page."""

    def __init__(self, samples: int = SAMPLES) -> None:
        self._fetched: deque[tuple[float, bool]] = deque(maxlen=samples)
        self._steps: tuple[list[float], list[float]] | None = None

    def record(self, priority: float, relevant: bool) -> None:
        """A page was fetched at this priority."""
        if priority == ORDERED:
            return
        self._fetched.append((priority, relevant))
        self._steps = None

    def chance(self, priority: float) -> float:
        """Of a waiting URL to be relevant, in [0, 1]; 1 before anything was fetched."""
        if not self._fetched:
            return 1.0
        if self._steps is None:
            self._steps = _isotonic(self._fetched)
        least, values = self._steps
        return values[max(0, bisect_right(least, priority) - 1)]


def _isotonic(fetched: Sequence[tuple[float, bool]]) -> tuple[list[float], list[float]]:
    """Pool adjacent violators: (least priority of each block, its chance), both rising. 1 ms for 1000 pairs."""
    overall = sum(relevant for _, relevant in fetched) / len(fetched)
    pages: Counter[float] = Counter(priority for priority, _ in fetched)
    found = Counter(priority for priority, relevant in fetched if relevant)
    blocks: list[tuple[float, int, int]] = []  # least priority, pages, relevant
    for priority in sorted(pages):
        blocks.append((priority, pages[priority], found[priority]))
        while len(blocks) > 1 and blocks[-2][2] * blocks[-1][1] >= blocks[-1][2] * blocks[-2][1]:
            (_, more, good), (least, count, hits) = blocks.pop(), blocks.pop()
            blocks.append((least, count + more, hits + good))
    chances = [(hits + PRIOR * overall) / (count + PRIOR) for _, count, hits in blocks]
    for place in range(1, len(chances)):  # small blocks lean on the prior more than large ones
        chances[place] = max(chances[place], chances[place - 1])
    return [least for least, _, _ in blocks], chances


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number of pages."""

    low: float
    """The truth was lower in a quarter of the cases …"""
    middle: float
    """What came on the mean."""
    high: float
    """… and higher in another."""


@dataclass(frozen=True, slots=True)
class Forecast:
    next_hundred: Estimate
    """Relevant pages among the next hundred."""
    left: Estimate
    """Relevant pages that are still to be found from what waits now and what it leads to."""


Measured = tuple[tuple[float, float, float, float], ...]
"""Rows of (what was reckoned, first quartile, mean and third quartile of what came); between rows it is linear."""
NEXT_HUNDRED: Measured = (
    (0, 0, 0.5, 0), (2, 0, 4.5, 3), (5, 0, 9, 8), (11, 0, 10, 12), (22, 1, 16, 24), (40, 4, 26, 35), (65, 18, 47, 79),
    (83, 44, 66, 93), (98, 82, 87, 100), (100, 85, 89, 100),
)  # fmt: skip
LEFT: Measured = (
    (0, 0, 4, 0), (10, 0, 13, 3), (21, 0, 15, 8), (43, 0, 20, 34), (87, 1, 38, 35), (178, 3, 82, 93), (427, 29, 174, 246),
    (826, 104, 263, 376), (1000, 126, 318, 455),
)  # fmt: skip
"""Every 25 fetches of 44 replayed crawls of 22 topics on two recorded webs, from examples or from keywords, in the default
order, by the crawls' own verdicts; LEFT as far as 1 200 fetches went (`python -m tools.eval.harvest.foretold`)."""


def forecast(fetched: Sequence[tuple[float, bool]], best: Sequence[float]) -> Forecast | None:
    """None before LEAST fetches.

    Args:
        fetched: priority of each of the last fetches that links had led to, the oldest first, and whether it brought a relevant
            page that was not there before; WINDOW of them are looked at.
        best: highest priorities of what waits, falling; MOST_WAITING of them are looked at.
    """
    if len(fetched) < LEAST:
        return None
    soon, left = reckoned(fetched, best)
    ahead, rest = estimate(soon, NEXT_HUNDRED), estimate(left, LEFT)
    return Forecast(ahead, Estimate(max(rest.low, ahead.low), max(rest.middle, ahead.middle), max(rest.high, ahead.high)))


def reckoned(fetched: Sequence[tuple[float, bool]], best: Sequence[float]) -> tuple[float, float]:
    """Relevant pages among the next hundred and those left, before it is looked up what came where so much was reckoned."""
    promise = Promise(WINDOW)
    for priority, relevant in fetched[-WINDOW:]:
        promise.record(priority, relevant)
    chances = [promise.chance(priority) for priority in best[:MOST_WAITING] if priority != ORDERED]
    trend = HUNDRED * sum(relevant for _, relevant in fetched[-TREND:]) / TREND
    return (trend + sum(chances[:HUNDRED])) / 2, sum(chances)


def estimate(reckoned: float, measured: Measured) -> Estimate:
    """What came where so much had been reckoned."""
    for (before, *values), (after, *following) in pairwise(measured):
        if reckoned <= after:
            share = (reckoned - before) / (after - before)
            return Estimate(*(value + share * (then - value) for value, then in zip(values, following, strict=True)))
    return Estimate(*measured[-1][1:])
