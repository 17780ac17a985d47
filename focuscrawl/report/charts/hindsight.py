"""A crawl beside breadth-first over the same pages: one sentence, and the curves as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from focuscrawl.report.charts.curve import Frame, counting_frame
from focuscrawl.report.plain import count, plural

POINTS = 400
"""Points of a drawn line, at most."""


@dataclass(frozen=True, slots=True)
class Hindsight:
    """Relevant pages, repeats once, after 1, 2, … stored pages."""

    found: tuple[int, ...]
    least: tuple[float, ...]
    """Of breadth-first, at least; it may end earlier."""
    most: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class FoundDrawing:
    """Figures of an SVG picture: a line for the crawl, a band for breadth-first."""

    frame: Frame
    found: str
    """Points, as the `points` attribute takes them."""
    band: str


def sentence(hindsight: Hindsight) -> str:
    """Empty where there is nothing to compare."""
    pages = len(hindsight.found)
    if not pages or not hindsight.least or not hindsight.found[-1]:
        return ""
    low, high = round(hindsight.least[-1]), round(hindsight.most[-1])
    span = count(low) if low == high else f"{count(low)} to {count(high)}"
    return (
        f"Breadth-first would have found {span} relevant pages among {plural(pages, 'page')} (estimated from the stored links);"
        f" this crawl found {count(hindsight.found[-1])}."
    )


def draw(hindsight: Hindsight, width: int = 760, height: int = 280) -> FoundDrawing:
    """Stored pages on the x axis, relevant ones on the y axis."""
    axes = counting_frame(len(hindsight.found), max([*hindsight.found[-1:], *hindsight.most[-1:]]), width, height)
    low, high = _points(hindsight.least), _points(hindsight.most)
    return FoundDrawing(axes, axes.line(_points(hindsight.found)), axes.line([*high, *reversed(low)]))


def _points(found: Sequence[float]) -> list[tuple[int, float]]:
    """Thinned out, the last one among them."""
    step = max(1, len(found) // POINTS)
    places = [*range(1, len(found) + 1, step), len(found)] if found else []
    return [(place, found[place - 1]) for place in dict.fromkeys(places)]
