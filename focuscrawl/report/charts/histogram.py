"""The distribution of the pages' relevance, which shows whether the threshold is between two groups of pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from focuscrawl.report.charts.curve import Frame, counting_frame
from focuscrawl.store.engines.database import Database
from focuscrawl.store.overview import last_threshold, relevances

BINS = 20
NEAR = 0.05
"""Pages whose relevance is nearer to the threshold than this are close calls."""


@dataclass(slots=True, frozen=True)
class Histogram:
    """Counts of the stored pages that are not gone."""

    relevant: Sequence[int]
    """Number of relevant pages in each bin of 1 / BINS, from 0 on. As each page was judged by the threshold of its time, a bin
    may have relevant and other pages."""
    other: Sequence[int]
    """Number of irrelevant pages in each bin."""
    threshold: float
    """The threshold for the page that was stored last."""
    above: int
    """Number of pages at or above the threshold."""
    near: int
    """Number of pages within NEAR of the threshold."""


class RelevanceBar(NamedTuple):
    left: float
    width: float
    relevant: float
    """Height of the part for relevant pages, which is at the bottom."""
    whole: float
    """Height for all pages."""
    title: str


def histogram(db: Database) -> Histogram | None:
    """The histogram of a crawl, in one pass over its pages; None if it has none."""
    threshold = last_threshold(db)
    if threshold is None:
        return None
    counts = [0] * BINS, [0] * BINS
    above = near = 0
    for relevance, relevant in relevances(db):
        counts[not relevant][min(int(relevance * BINS), BINS - 1)] += 1
        above += relevance >= threshold
        near += abs(relevance - threshold) < NEAR
    return Histogram(*counts, threshold, above, near)


def rows(histogram: Histogram) -> list[tuple[float, int, int]]:
    """(lower bound, relevant pages, other pages) of each bin that is not empty."""
    both = zip(histogram.relevant, histogram.other, strict=True)
    return [(place / BINS, relevant, other) for place, (relevant, other) in enumerate(both) if relevant + other]


def frame(histogram: Histogram, width: int = 760, height: int = 200) -> Frame:
    """The axes for `bars`."""
    most = max(map(sum, zip(histogram.relevant, histogram.other, strict=True)))
    return counting_frame(2, most, width, height)


def bars(histogram: Histogram, axes: Frame) -> list[RelevanceBar]:
    """A bar for each bin that is not empty."""
    wide = (axes.right - axes.left) / BINS
    return [
        RelevanceBar(
            axes.left + wide * BINS * begin + 1, wide - 2,
            axes.bottom - axes.y(relevant), axes.bottom - axes.y(relevant + other), f"{begin:.2f}: {relevant + other}",
        )
        for begin, relevant, other in rows(histogram)
    ]  # fmt: skip
