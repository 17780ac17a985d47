"""Shows the comparison of replays, as table, sentences and JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from focuscrawl.report.charts.curve import at, marks
from focuscrawl.report.plain import count, one_line, plural
from focuscrawl.report.table import Column, Table

POINTS = 500
"""Most points of a curve in JSON."""


@dataclass(slots=True, frozen=True)
class Line:
    """One replay."""

    name: str
    strategy: str
    model: str
    found: Sequence[int]
    """Relevant pages found after 1, 2, … fetches."""
    area: float
    missing: int = 0
    """Number of links met that lead to pages that are not stored."""
    moved: int = 0
    left: int = 0
    seconds: float = 0.0


@dataclass(slots=True, frozen=True)
class Comparison:
    """All replays of one crawl."""

    crawl: str
    pages: int
    """Number of stored pages, which replays can fetch."""
    relevant: int
    """Number of relevant pages to be found; duplicates count once."""
    truth: str
    """What decides which pages are relevant, as the end of a sentence."""
    budget: int
    lines: Sequence[Line]


def parts(comparison: Comparison) -> list[str | Table]:
    """What `report.table.show` prints."""
    lines = comparison.lines
    places = marks(max((len(line.found) for line in lines), default=0))
    columns = [
        Column("strategy", ours=True),
        *(Column(f"at {count(place)}", True) for place in places),
        Column("fetched", True),
        Column("area", True),
    ]
    rows = [
        (line.name, *(count(at(line.found, place)) for place in places), count(len(line.found)), f"{line.area:.3f}")
        for line in lines
    ]
    facts: list[str | Table] = [
        f"Crawl {one_line(comparison.crawl)}: {plural(comparison.pages, 'stored page')}, {count(comparison.relevant)} of them "
        f"relevant {comparison.truth}. Relevant pages found after so many fetches; area 1 is all of them first.",
        Table(columns, rows),
    ]
    missing = max((line.missing for line in lines), default=0)
    if missing:
        facts.append(
            f"Only stored pages can be fetched again: up to {plural(missing, 'link')} to others were passed over, so a "
            "strategy that would have left the crawl's path is measured too low, and the crawl's own too high."
        )
    return facts


def as_json(comparison: Comparison) -> dict[str, Any]:
    """The comparison as plain values, with curves thinned out to POINTS."""
    return {
        "crawl": comparison.crawl,
        "pages": comparison.pages,
        "relevant": comparison.relevant,
        "truth": comparison.truth,
        "budget": comparison.budget,
        "replays": [_plain(line) for line in comparison.lines],
    }


def _plain(line: Line) -> dict[str, Any]:
    step = max(1, -(-len(line.found) // POINTS))
    return {
        "strategy": line.strategy,
        "model": line.model,
        "fetched": len(line.found),
        "found": at(line.found, len(line.found)),
        "found_at": {str(place): at(line.found, place) for place in marks(len(line.found))},
        "area": round(line.area, 4),
        "links_not_stored": line.missing,
        "priorities_changed": line.moved,
        "left_waiting": line.left,
        "seconds": round(line.seconds, 2),
        "curve_step": step,
        "curve": list(line.found[step - 1 :: step]),
    }
