"""What verdicts on labelled pages are worth: shares with their confidence intervals, average precision, calibration error."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

Z = 1.959964
"""Quantile of the normal distribution for a two-sided interval of 95 %."""
BINS = 10
"""Bins of scores for the calibration error."""


@dataclass(frozen=True, slots=True)
class Share:
    """A share with its 95 % interval (Wilson 1927); without any case the interval is 0 to 1."""

    value: float
    low: float
    high: float
    hits: int
    of: int


@dataclass(frozen=True, slots=True)
class LabelledVerdict:
    """A labelled page with the model's verdict on it."""

    relevant: bool
    """The label."""
    called: bool
    """Whether the model called it relevant."""
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
    return Share(value, min(value, low), max(value, high), hits, of)  # rounding must not put the value outside


def accuracy(pages: Sequence[LabelledVerdict]) -> Share:
    """Right verdicts among all."""
    return share(sum(page.called == page.relevant for page in pages), len(pages))


def precision(pages: Sequence[LabelledVerdict]) -> Share:
    """Relevant pages among those called so."""
    return share(_both(pages), sum(page.called for page in pages))


def recall(pages: Sequence[LabelledVerdict]) -> Share:
    """Pages called relevant among those that are."""
    return share(_both(pages), sum(page.relevant for page in pages))


def f1(pages: Sequence[LabelledVerdict]) -> Share:
    """Harmonic mean of precision and recall: 2J / (1 + J) with J = hits / (hits + errors), a share whose interval is known."""
    jaccard = share(_both(pages), sum(page.called or page.relevant for page in pages))
    value, low, high = (2 * j / (1 + j) for j in (jaccard.value, jaccard.low, jaccard.high))
    return Share(value, low, high, jaccard.hits, jaccard.of)


def average_precision(pages: Sequence[LabelledVerdict]) -> float:
    """Mean precision at the relevant pages when pages are ranked by score; pages with the same score share a rank."""
    ranked = sorted(pages, key=lambda page: -page.score)
    relevant = seen = 0
    total = 0.0
    while seen < len(ranked):
        end = seen
        while end < len(ranked) and ranked[end].score == ranked[seen].score:
            end += 1
        new = sum(page.relevant for page in ranked[seen:end])
        relevant, seen = relevant + new, end
        total += new * relevant / seen
    return total / relevant if relevant else 0.0


def calibration_error(pages: Sequence[LabelledVerdict]) -> float:
    """Expected calibration error: mean distance between score and share of relevant pages, over ten bins of scores."""
    bins: list[list[LabelledVerdict]] = [[] for _ in range(BINS)]
    for page in pages:
        bins[min(BINS - 1, int(BINS * page.score))].append(page)
    gaps = (abs(sum(page.relevant - page.score for page in held)) for held in bins)
    return sum(gaps) / len(pages) if pages else 0.0


def _both(pages: Sequence[LabelledVerdict]) -> int:
    return sum(page.called and page.relevant for page in pages)
