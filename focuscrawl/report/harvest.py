"""How early does a crawl find what is to be found? Curves and one number, the same for replays and evaluations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate

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
