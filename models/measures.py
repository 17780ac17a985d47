"""How good are verdicts? Shares with their confidence intervals, average precision, calibration error."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

Z = 1.959964
"""Of a two-sided interval of 95 %."""
BINS = 10


@dataclass(frozen=True, slots=True)
class Share:
    """A share with its 95 % interval (Wilson 1927); without a case anything is possible."""

    value: float
    low: float
    high: float
    hits: int
    of: int


@dataclass(frozen=True, slots=True)
class Judged:
    """One page: what it is, what was said, and how sure."""

    relevant: bool
    said: bool
    score: float


def share(hits: int, of: int) -> Share:
    """`hits` of `of`."""
    if of == 0:
        return Share(0.0, 0.0, 1.0, 0, 0)
    value = hits / of
    middle = value + Z * Z / (2 * of)
    spread = Z * math.sqrt(value * (1 - value) / of + Z * Z / (4 * of * of))
    whole = 1 + Z * Z / of
    low, high = max(0.0, (middle - spread) / whole), min(1.0, (middle + spread) / whole)
    return Share(value, min(value, low), max(value, high), hits, of)  # rounding must not part them


def accuracy(pages: Sequence[Judged]) -> Share:
    """Right verdicts among all."""
    return share(sum(page.said == page.relevant for page in pages), len(pages))


def precision(pages: Sequence[Judged]) -> Share:
    """Relevant pages among those called so."""
    return share(_both(pages), sum(page.said for page in pages))


def recall(pages: Sequence[Judged]) -> Share:
    """Pages called relevant among those that are."""
    return share(_both(pages), sum(page.relevant for page in pages))


def f1(pages: Sequence[Judged]) -> Share:
    """Harmonic mean of precision and recall: 2J / (1 + J) with J = hits / (hits + errors), a share whose interval is known."""
    jaccard = share(_both(pages), sum(page.said or page.relevant for page in pages))
    value, low, high = (2 * j / (1 + j) for j in (jaccard.value, jaccard.low, jaccard.high))
    return Share(value, low, high, jaccard.hits, jaccard.of)


def average_precision(pages: Sequence[Judged]) -> float:
    """Mean precision at the relevant pages when pages are ranked by score; pages of one score share their place."""
    ranked = sorted(pages, key=lambda page: -page.score)
    found = seen = 0
    total = 0.0
    while seen < len(ranked):
        end = seen
        while end < len(ranked) and ranked[end].score == ranked[seen].score:
            end += 1
        new = sum(page.relevant for page in ranked[seen:end])
        found, seen = found + new, end
        total += new * found / seen
    return total / found if found else 0.0


def calibration_error(pages: Sequence[Judged]) -> float:
    """Expected calibration error: mean distance between score and share of relevant pages, over ten bins of scores."""
    bins: list[list[Judged]] = [[] for _ in range(BINS)]
    for page in pages:
        bins[min(BINS - 1, int(BINS * page.score))].append(page)
    gaps = (abs(sum(page.relevant - page.score for page in held)) for held in bins)
    return sum(gaps) / len(pages) if pages else 0.0


def _both(pages: Sequence[Judged]) -> int:
    return sum(page.said and page.relevant for page in pages)
