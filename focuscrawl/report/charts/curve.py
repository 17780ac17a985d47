"""The harvest curve: which share of the pages is relevant, as the crawl goes on?"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from math import ceil

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
    """Relevant pages found after this many fetches, or by the end."""
    return found[min(pages, len(found)) - 1] if found and pages else 0


def marks(pages: int) -> list[int]:
    """The round numbers of fetches below `pages` at which curves are compared, and `pages` itself."""
    return [*(mark for mark in MARKS if mark < pages), pages] if pages else []


WINDOW = 200
"""Pages of the recent rate."""
POINTS = 500
"""Of a curve that is drawn."""


@dataclass(slots=True, frozen=True)
class Point:
    pages: int
    rate: float
    """Relevant share of all pages so far."""
    recent: float
    """Relevant share of the last WINDOW pages (of all, if there are fewer)."""


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
class Frame:
    """Axes of an SVG picture `width` by `height` units: pages on the x axis from 1 on, their origin at (left, bottom)."""

    pages: int
    highest: float
    """Value at the top of the y axis."""
    width: int = 760
    height: int = 280
    y_ticks: tuple[tuple[float, str], ...] = ()
    left: int = 52
    top: int = 12

    @property
    def right(self) -> int:
        return self.width - 12

    @property
    def bottom(self) -> int:
        return self.height - 34

    @property
    def x_ticks(self) -> tuple[tuple[float, str], ...]:
        return tuple((self.x(value), f"{value:,}") for value in _ticks(self.pages))

    def x(self, pages: float) -> float:
        return self.left + (self.right - self.left) * (pages - 1) / (self.pages - 1)

    def y(self, value: float) -> float:
        return self.bottom - (self.bottom - self.top) * min(value, self.highest) / self.highest

    def line(self, values: Iterable[tuple[int, float]]) -> str:
        """(pages, value) as the `points` attribute takes them."""
        return " ".join(f"{self.x(at):.1f},{self.y(value):.1f}" for at, value in values)


@dataclass(slots=True, frozen=True)
class Drawing:
    """The harvest curve as a picture."""

    frame: Frame
    rate: str
    """Points of the cumulative line, as the `points` attribute takes them."""
    recent: str


def draw(curve: Sequence[Point], width: int = 760, height: int = 280) -> Drawing:
    """Share on the y axis, up to a round value above the data."""
    most = max((max(point.rate, point.recent) for point in curve), default=1.0)
    highest = next(limit for limit in (0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0) if most <= limit or limit == 1.0)
    axes = Frame(max(curve[-1].pages, 2) if curve else 2, highest, width, height)
    ticks = tuple((axes.y(highest * part / 4), f"{100 * highest * part / 4:g} %") for part in range(5))
    return Drawing(
        replace(axes, y_ticks=ticks),
        axes.line((point.pages, point.rate) for point in curve),
        axes.line((point.pages, point.recent) for point in curve),
    )


def counting_frame(pages: int, most: float, width: int = 760, height: int = 280) -> Frame:
    """Axes for a number that reaches at most `most`."""
    ticks = _ticks(max(2, ceil(most)), least=0)
    axes = Frame(max(pages, 2), max(most, 1.0), width, height)
    return replace(axes, y_ticks=tuple((axes.y(value), f"{value:,}") for value in ticks))


def _ticks(pages: int, least: int = 1) -> list[int]:
    """About five round numbers, and the least."""
    step = 1
    while pages / step > 6:
        step = step * 2 if str(step)[0] in "15" else step * 5 // 2
    return sorted({least, *range(step, pages + 1, step)}) if step > 1 else list(range(least, pages + 1))
