"""Compares a crawl with breadth-first over the same pages: a sentence, and the curves as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from focuscrawl.report.charts.curve import Frame, counting_frame
from focuscrawl.report.plain import count, plural

POINTS = 400
"""Most points of a drawn line."""


@dataclass(frozen=True, slots=True)
class Hindsight:
    """Numbers of relevant pages found after 1, 2, … stored pages; pages that repeat each other count once."""

    found: tuple[int, ...]
    """By the crawl."""
    least: tuple[float, ...]
    """By breadth-first, at least. It may have fewer pages."""
    most: tuple[float, ...]
    """By breadth-first, at most."""


@dataclass(frozen=True, slots=True)
class FoundDrawing:
    """An SVG picture with a line for the crawl and a band for breadth-first, in the form of SVG's `points` attribute."""

    frame: Frame
    found: str
    band: str


def sentence(hindsight: Hindsight) -> str:
    """The comparison as a sentence; empty if there is nothing to compare."""
    pages = len(hindsight.found)
    if not pages or not hindsight.least or not hindsight.found[-1]:
        return ""
    low, high = round(hindsight.least[-1]), round(hindsight.most[-1])
    span = plural(low, "relevant page") if low == high else f"{count(low)} to {count(high)} relevant pages"
    return (
        f"Breadth-first would have found {span} among {plural(pages, 'page')} (estimated from the stored links);"
        f" this crawl found {count(hindsight.found[-1])}."
    )


def draw(hindsight: Hindsight, width: int = 760, height: int = 280) -> FoundDrawing:
    """The picture, with stored pages on the x axis and relevant ones on the y axis."""
    axes = counting_frame(len(hindsight.found), max([*hindsight.found[-1:], *hindsight.most[-1:]]), width, height)
    low, high = _points(hindsight.least), _points(hindsight.most)
    return FoundDrawing(axes, axes.line(_points(hindsight.found)), axes.line([*high, *reversed(low)]))


def _points(found: Sequence[float]) -> list[tuple[int, float]]:
    """(pages, found) of evenly spaced points and of the last one."""
    step = max(1, len(found) // POINTS)
    places = [*range(1, len(found) + 1, step), len(found)] if found else []
    return [(place, found[place - 1]) for place in dict.fromkeys(places)]
