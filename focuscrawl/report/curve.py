"""The harvest curve: which share of the pages is relevant, as the crawl goes on?"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate

# How early does a crawl find what is to be found? Curves and one number, the same for replays and evaluations.


MARKS = (100, 250, 500, 1000, 2500, 5000, 10_000, 25_000, 50_000, 100_000)
LEAST_AREA = 300
"""Fetches over which the area is taken at least."""


def found_curve(relevant: Iterable[bool]) -> list[int]:
    """Relevant pages found after 1, 2, … fetches."""
    return list(accumulate(map(int, relevant)))


def area(found: Sequence[int], whole: int, budget: int) -> float:
    """Relevant pages found over the first 3 x `whole` fetches (at least 300, at most `budget`), against finding all
    `whole` of them first: 1 is perfect. A crawl that ends early keeps what it has found. 0 where nothing is to be found."""
    span = area_span(whole, budget)
    there = list(found[:span])
    total = sum(there) + (there[-1] if there else 0) * (span - len(there))
    full = min(span, whole)
    ideal = full * (full + 1) // 2 + whole * (span - full)
    return total / ideal if ideal else 0.0


def area_span(whole: int, budget: int) -> int:
    """Fetches over which the area is taken."""
    return min(budget, max(LEAST_AREA, 3 * whole))


def at(found: Sequence[int], pages: int) -> int:
    """Relevant pages found after so many fetches, or by the end."""
    return found[min(pages, len(found)) - 1] if found and pages else 0


def marks(pages: int) -> list[int]:
    """The round numbers of fetches below `pages` at which curves are compared, and `pages` itself."""
    return [*(mark for mark in MARKS if mark < pages), pages] if pages else []


WINDOW = 200
POINTS = 500


@dataclass(slots=True, frozen=True)
class Point:
    pages: int
    rate: float
    """Relevant share of all pages so far."""
    recent: float
    """Relevant share of the last WINDOW pages (of all, before there are so many)."""


def harvest_curve(relevant: Iterable[bool], points: int = POINTS, window: int = WINDOW) -> list[Point]:
    """Points for a crawl of any length, in one pass: at most `points`, evenly spread, first and last page among them.

    Keeps every step-th point and doubles the step when there are too many.
    """
    kept: list[Point] = []
    last: deque[bool] = deque(maxlen=window)
    total = in_window = pages = 0
    step = 1
    for value in relevant:
        pages += 1
        total += value
        in_window += value - (last[0] if len(last) == window else 0)
        last.append(value)
        if pages == 1 or pages % step == 0:
            kept.append(Point(pages, total / pages, in_window / len(last)))
        if len(kept) >= points:
            step *= 2
            kept = [point for point in kept if point.pages == 1 or point.pages % step == 0]
    if kept and kept[-1].pages != pages:
        kept.append(Point(pages, total / pages, in_window / len(last)))
    return kept


@dataclass(slots=True, frozen=True)
class Drawing:
    """Figures of an SVG picture `width` by `height` units, the axes' origin at (left, bottom)."""

    width: int
    height: int
    left: int
    right: int
    top: int
    bottom: int
    rate: str
    """Points of the cumulative line, as the `points` attribute takes them."""
    recent: str
    x_ticks: tuple[tuple[float, str], ...]
    y_ticks: tuple[tuple[float, str], ...]


def draw(curve: Sequence[Point], width: int = 760, height: int = 280) -> Drawing:
    """The curve as an SVG drawing; pages on the x axis, share on the y axis up to a round value above the data."""
    left, right, top, bottom = 52, width - 12, 12, height - 34
    most = max((max(point.rate, point.recent) for point in curve), default=1.0)
    highest = next(limit for limit in (0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0) if most <= limit or limit == 1.0)
    pages = max(curve[-1].pages, 2) if curve else 2

    def x(value: float) -> float:
        return left + (right - left) * (value - 1) / (pages - 1)

    def y(value: float) -> float:
        return bottom - (bottom - top) * min(value, highest) / highest

    def line(values: Iterable[tuple[int, float]]) -> str:
        return " ".join(f"{x(at):.1f},{y(value):.1f}" for at, value in values)

    return Drawing(
        width, height, left, right, top, bottom,
        line((point.pages, point.rate) for point in curve),
        line((point.pages, point.recent) for point in curve),
        tuple((x(value), f"{value:,}") for value in _ticks(pages)),
        tuple((y(highest * part / 4), f"{100 * highest * part / 4:g} %") for part in range(5)),
    )  # fmt: skip


def _ticks(pages: int) -> list[int]:
    """About five round page numbers, and 1."""
    step = 1
    while pages / step > 6:
        step = step * 2 if str(step)[0] in "15" else step * 5 // 2
    return sorted({1, *range(step, pages + 1, step)}) if step > 1 else list(range(1, pages + 1))
