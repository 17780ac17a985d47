"""How the relevance of the pages is spread, with the threshold: does it lie in the valley?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from focuscrawl.report.charts.curve import Frame, counting_frame
from focuscrawl.store.engines.database import Database
from focuscrawl.store.overview import last_threshold, relevances

BINS = 20
NEAR = 0.05
"""From the threshold: pages whose verdict hangs on little."""


@dataclass(slots=True, frozen=True)
class Histogram:
    """Of the stored pages that are not gone."""

    relevant: Sequence[int]
    """Pages by bins of 1 / BINS from 0 on; verdicts are those of their time, so that the two overlap."""
    other: Sequence[int]
    threshold: float
    """Of the page that was stored last."""
    above: int
    """Pages at or above it."""
    near: int
    """Pages within NEAR of it."""


class RelevanceBar(NamedTuple):
    left: float
    width: float
    relevant: float
    """Height of the part of the relevant pages, which stands at the bottom …"""
    whole: float
    """… and of all."""
    title: str


def histogram(db: Database) -> Histogram | None:
    """In one pass over the pages; None where there is none."""
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
    """Where a bin begins, its relevant pages, and its others; of bins with pages."""
    both = zip(histogram.relevant, histogram.other, strict=True)
    return [(place / BINS, relevant, other) for place, (relevant, other) in enumerate(both) if relevant + other]


def frame(histogram: Histogram, width: int = 760, height: int = 200) -> Frame:
    most = max(map(sum, zip(histogram.relevant, histogram.other, strict=True)))
    return counting_frame(2, most, width, height)


def bars(histogram: Histogram, axes: Frame) -> list[RelevanceBar]:
    wide = (axes.right - axes.left) / BINS
    return [
        RelevanceBar(
            axes.left + wide * BINS * begin + 1, wide - 2,
            axes.bottom - axes.y(relevant), axes.bottom - axes.y(relevant + other), f"{begin:.2f}: {relevant + other}",
        )
        for begin, relevant, other in rows(histogram)
    ]  # fmt: skip
