"""Forecasts how many relevant pages the next hundred fetches bring, and how many are left, from what the last fetches brought
and from what waits.

The raw estimate for the next hundred is the mean of two. The *trend* is the share of relevant pages among the last fetches. The
*expected yield* is the sum of the chances of the best hundred waiting URLs. These are not read from the priorities but
measured: how many of the recent fetches with a similar priority turned out relevant? Isotonic regression (Zadrozny and Elkan
2002) turns the priorities of any strategy into chances. Each of the two estimates alone errs by more: the trend does not
foresee the end of a topic, and the expected yield foresees it too late or too early. The raw estimate of the pages left is the
expected yield of all waiting URLs.

How many pages really came for each raw estimate has been measured (`NEXT_HUNDRED`, `LEFT`). The forecast gives these figures:
a mean, and a range in which the truth lay in half of the cases. Neither estimate can foresee what lies behind irrelevant pages.

Tried without success: Chao's estimate of unseen pages, from pages with one and with two links to them (the Good-Turing view).
On trees of sections most pages have one link: it gave 160 to 250 unseen pages where one was left.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

SAMPLES = 1000
"""Last fetches by which priorities become chances, to find the edge of a topic."""
WINDOW = 200
"""The same for a forecast, which would lag behind with 1000."""
TREND = 50
"""Last fetches whose relevant share is the trend."""
LEAST = 50
"""Fetches that a forecast needs."""
MOST_WAITING = 1000
"""Best waiting URLs from which the pages left are estimated."""
ORDERED = 1.0
"""Priority of URLs that are fetched for another reason than their expected yield (seeds, explorations). It says nothing about a
chance."""
PRIOR = 10.0
"""Weight of the overall harvest in the chance of any priority, in fetches."""
HUNDRED = 100


class PriorityCalibration:
    """Turns priorities into chances of a relevant page, by what the last fetches brought."""

    def __init__(self, samples: int = SAMPLES) -> None:
        self._fetched: deque[tuple[float, bool]] = deque(maxlen=samples)
        self._steps: tuple[list[float], list[float]] | None = None

    def record(self, priority: float, relevant: bool) -> None:
        """Learn whether a page that was fetched at this priority was relevant."""
        if priority == ORDERED:
            return
        self._fetched.append((priority, relevant))
        self._steps = None

    def chance(self, priority: float) -> float:
        """The chance that a URL waiting at this priority is relevant, in [0, 1]; 1 before anything was fetched."""
        if not self._fetched:
            return 1.0
        if self._steps is None:
            self._steps = _isotonic(self._fetched)
        least, values = self._steps
        return values[max(0, bisect_right(least, priority) - 1)]


def _isotonic(fetched: Sequence[tuple[float, bool]]) -> tuple[list[float], list[float]]:
    """Isotonic regression by pooling adjacent violators. Returns (least priority of each block, its chance), both rising.
    1 ms for 1000 pairs."""
    overall = sum(relevant for _, relevant in fetched) / len(fetched)
    pages: Counter[float] = Counter(priority for priority, _ in fetched)
    relevant_pages = Counter(priority for priority, relevant in fetched if relevant)
    blocks: list[tuple[float, int, int]] = []  # least priority, pages, relevant
    for priority in sorted(pages):
        blocks.append((priority, pages[priority], relevant_pages[priority]))
        # Pool the last two blocks while the lower priorities have at least the chance of the higher ones (without division).
        while len(blocks) > 1 and blocks[-2][2] * blocks[-1][1] >= blocks[-1][2] * blocks[-2][1]:
            (_, more, good), (least, count, hits) = blocks.pop(), blocks.pop()
            blocks.append((least, count + more, hits + good))
    chances = [(hits + PRIOR * overall) / (count + PRIOR) for _, count, hits in blocks]
    for index in range(1, len(chances)):  # the prior moves small blocks more than large ones, so that chances may fall
        chances[index] = max(chances[index], chances[index - 1])
    return [least for least, _, _ in blocks], chances


@dataclass(frozen=True, slots=True)
class Estimate:
    """An estimated number of pages, by what came when the raw estimate was the same."""

    low: float
    """In a quarter of the cases fewer came …"""
    middle: float
    """The mean of what came."""
    high: float
    """… and in another quarter more."""


@dataclass(frozen=True, slots=True)
class Forecast:
    """What a crawl can still expect."""

    next_hundred: Estimate
    """Relevant pages among the next hundred."""
    left: Estimate
    """Relevant pages that are still to be found, from the URLs that wait now and those that they lead to."""


Measured = tuple[tuple[float, float, float, float], ...]
"""Rows of (raw estimate, first quartile, mean and third quartile of the pages that came), linear between rows."""
NEXT_HUNDRED: Measured = (
    (0, 0, 0.5, 0), (2, 0, 4.5, 3), (5, 0, 9, 8), (11, 0, 10, 12), (22, 1, 16, 24), (40, 4, 26, 35), (65, 18, 47, 79),
    (83, 44, 66, 93), (98, 82, 87, 100), (100, 85, 89, 100),
)  # fmt: skip
LEFT: Measured = (
    (0, 0, 4, 0), (10, 0, 13, 3), (21, 0, 15, 8), (43, 0, 20, 34), (87, 1, 38, 35), (178, 3, 82, 93), (427, 29, 174, 246),
    (826, 104, 263, 376), (1000, 126, 318, 455),
)  # fmt: skip
"""Measured every 25 fetches in 44 replayed crawls of 22 topics on two recorded webs, from examples or from keywords, in the
default order, by the crawls' own verdicts. LEFT counts what came within 1 200 fetches
(`python -m tools.eval.harvest.forecasts`)."""


def forecast(fetched: Sequence[tuple[float, bool]], best: Sequence[float]) -> Forecast | None:
    """The forecast; None before LEAST fetches.

    Args:
        fetched: for each of the last fetches to which links had led, the oldest first, its priority and whether it brought a
            relevant page that was not stored before. The last WINDOW of them count.
        best: the highest priorities of waiting URLs, falling. The first MOST_WAITING of them count.
    """
    if len(fetched) < LEAST:
        return None
    soon, left = raw_estimates(fetched, best)
    ahead, rest = estimate(soon, NEXT_HUNDRED), estimate(left, LEFT)
    # Both tables were measured by themselves, and what comes among the next hundred is part of what is left.
    return Forecast(ahead, Estimate(max(rest.low, ahead.low), max(rest.middle, ahead.middle), max(rest.high, ahead.high)))


def raw_estimates(fetched: Sequence[tuple[float, bool]], best: Sequence[float]) -> tuple[float, float]:
    """The raw estimates: (relevant pages among the next hundred, relevant pages left)."""
    calibration = PriorityCalibration(WINDOW)
    for priority, relevant in fetched[-WINDOW:]:
        calibration.record(priority, relevant)
    chances = [calibration.chance(priority) for priority in best[:MOST_WAITING] if priority != ORDERED]
    trend = HUNDRED * sum(relevant for _, relevant in fetched[-TREND:]) / TREND
    return (trend + sum(chances[:HUNDRED])) / 2, sum(chances)


def estimate(raw: float, measured: Measured) -> Estimate:
    """What came, by the table, when the raw estimate was this."""
    for (before, *values), (after, *following) in pairwise(measured):
        if raw <= after:
            share = (raw - before) / (after - before)
            return Estimate(*(value + share * (then - value) for value, then in zip(values, following, strict=True)))
    return Estimate(*measured[-1][1:])
