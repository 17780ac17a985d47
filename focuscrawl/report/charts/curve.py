"""Harvest curves: how many relevant pages a crawl has found after each fetch, as numbers and as pictures."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from math import ceil

# --- how early a crawl finds what is to be found, the same for replays and evaluations -------------------------------------

MARKS = (100, 250, 500, 1000, 2500, 5000, 10_000, 25_000, 50_000, 100_000)
"""Round numbers of fetches at which curves are compared."""
LEAST_AREA = 300
"""Least number of fetches over which the area is taken, if there are that many."""


def found_curve(relevant: Iterable[bool]) -> list[int]:
    """Relevant pages found after 1, 2, … fetches."""
    return list(accumulate(map(int, relevant)))


def area(found: Sequence[int], whole: int, budget: int) -> float:
    """The area under the curve `found` over the first fetches (see `area_span`), relative to that of a crawl that finds all
    relevant pages first: 1 is perfect. A curve that ends early stays at its last value. 0 if nothing is to be found.

    Args:
        found: number of relevant pages found after 1, 2, … fetches.
        whole: number of relevant pages that are to be found.
        budget: most fetches.
    """
    span = area_span(whole, budget)
    there = list(found[:span])
    total = sum(there) + (there[-1] if there else 0) * (span - len(there))
    full = min(span, whole)
    ideal = full * (full + 1) // 2 + whole * (span - full)
    return total / ideal if ideal else 0.0


def area_span(whole: int, budget: int) -> int:
    """Number of fetches over which the area is taken: three times the relevant pages, within bounds."""
    return min(budget, max(LEAST_AREA, 3 * whole))


def at(found: Sequence[int], pages: int) -> int:
    """Relevant pages found after this many fetches, or by the end."""
    return found[min(pages, len(found)) - 1] if found and pages else 0


def marks(pages: int) -> list[int]:
    """The MARKS below `pages`, and `pages` itself."""
    return [*(mark for mark in MARKS if mark < pages), pages] if pages else []


# --- the harvest rate while a crawl goes on, as a picture ------------------------------------------------------------------

WINDOW = 200
"""The recent rate is that of this many last pages."""
POINTS = 500
"""Most points of a curve that is drawn."""


@dataclass(slots=True, frozen=True)
class Point:
    pages: int
    rate: float
    """Share of relevant pages among all so far."""
    recent: float
    """Share of relevant pages among the last WINDOW."""


def harvest_curve(relevant: Iterable[bool]) -> list[Point]:
    """Points for a crawl of any length, in one pass: at most POINTS, evenly spaced, and always those of the first and the
    last page. Every step-th point is kept, and the step is doubled whenever there are too many.
    """
    kept: list[Point] = []
    last: deque[bool] = deque(maxlen=WINDOW)
    total = in_window = pages = 0
    step = 1
    for value in relevant:
        pages += 1
        total += value
        in_window += value - (last[0] if len(last) == WINDOW else 0)
        last.append(value)
        if pages == 1 or pages % step == 0:
            kept.append(Point(pages, total / pages, in_window / len(last)))
        if len(kept) >= POINTS:
            step *= 2
            kept = [point for point in kept if point.pages == 1 or point.pages % step == 0]
    if kept and kept[-1].pages != pages:
        kept.append(Point(pages, total / pages, in_window / len(last)))
    return kept


@dataclass(slots=True, frozen=True)
class Frame:
    """The axes of an SVG picture of `width` by `height` units, with numbers of pages on the x axis."""

    pages: int
    """Number of pages at the right end of the x axis, which begins at 1."""
    highest: float
    """Value at the top of the y axis."""
    width: int = 760
    height: int = 280
    y_ticks: tuple[tuple[float, str], ...] = ()
    """(y, label) of each."""
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
        """A line through these (pages, value), in the form of SVG's `points` attribute."""
        return " ".join(f"{self.x(at):.1f},{self.y(value):.1f}" for at, value in values)


@dataclass(slots=True, frozen=True)
class Drawing:
    """The harvest curve as a picture. Lines are in the form of SVG's `points` attribute."""

    frame: Frame
    rate: str
    recent: str


def draw(curve: Sequence[Point], width: int = 760, height: int = 280) -> Drawing:
    """The picture of a harvest curve; its y axis ends at a round value above the data."""
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
    """Axes for numbers from 0 to `most`."""
    ticks = _ticks(max(2, ceil(most)), least=0)
    axes = Frame(max(pages, 2), max(most, 1.0), width, height)
    return replace(axes, y_ticks=tuple((axes.y(value), f"{value:,}") for value in ticks))


def _ticks(pages: int, least: int = 1) -> list[int]:
    """`least` and about five round numbers up to `pages`: multiples of 1, 2 or 5 times a power of ten."""
    step = 1
    while pages / step > 6:
        step = step * 2 if str(step)[0] in "15" else step * 5 // 2
    return sorted({least, *range(step, pages + 1, step)}) if step > 1 else list(range(least, pages + 1))
