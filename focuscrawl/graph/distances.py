"""The distances between pages, in clicks.

The search is breadth-first from every page if there are few, else from a sample of pages, each with all pages that it reaches.
With a sample, the mean is an estimate (of the ratio of clicks to pairs) with an error, and the diameter is the longest way
found, which is at most the true one. O(links) for each start page.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.sparse.csgraph import breadth_first_order

from focuscrawl.graph.web import Matrix, WebGraph

MOST_STARTS, FEWEST_STARTS = 1000, 40
"""Most and fewest start pages."""
MOST_FOLLOWED = 100_000_000
"""Most links that are followed from all start pages together, which takes 10 s."""
CONFIDENCE = 1.96
"""Standard errors on either side that contain the true value in 19 of 20 cases."""


@dataclass(slots=True, frozen=True)
class Distances:
    """The distances of all ordered pairs of different pages of which links lead from the first to the second."""

    mean: float
    error: float
    """The mean is within this of the true one in 19 of 20 cases; 0 if all pages were start pages."""
    longest: int
    """The diameter; for a sample, a lower bound of it."""
    connected: float
    """Share of connected pairs among all ordered pairs."""
    starts: int
    """Number of start pages."""
    exact: bool
    expected: float
    """0.35 + 2.06 log10(pages), which Albert, Jeong and Barabási (1999) found in the web at large."""


def distances(graph: WebGraph, *, most: int = MOST_STARTS, seed: int = 0) -> Distances | None:
    """The distances in a graph; None if no page links to another."""
    if graph.size < 2 or not graph.links.nnz:
        return None
    number = min(graph.size, most, max(FEWEST_STARTS, MOST_FOLLOWED // graph.links.nnz))
    exact = number == graph.size
    starts = np.arange(number) if exact else np.random.default_rng(seed).choice(graph.size, number, replace=False)
    pages, clicks, longest = np.zeros(number), np.zeros(number), 0
    for place, start in enumerate(starts.tolist()):
        levels = levels_from(graph.links, start)
        pages[place], clicks[place] = levels[1:].sum(), levels @ np.arange(len(levels))
        longest = max(longest, len(levels) - 1)
    if not pages.sum():
        return None
    mean = clicks.sum() / pages.sum()
    # The standard error of a ratio estimate times the sum of its denominators, with the finite population correction.
    spread = math.sqrt(((clicks - mean * pages) ** 2).sum() * number / (number - 1) * (1 - number / graph.size))
    return Distances(
        mean=float(mean),
        error=CONFIDENCE * spread / float(pages.sum()),
        longest=longest,
        connected=float(pages.mean()) / (graph.size - 1),
        starts=number,
        exact=exact,
        expected=expected(graph.size),
    )


def expected(pages: int) -> float:
    """Mean distance in a web of this many pages, by the law of 1999."""
    return 0.35 + 2.06 * math.log10(pages)


def levels_from(links: Matrix, start: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """How many pages are 0, 1, 2, … clicks away from `start`.

    The pages are in the order of their distance, so the positions of their predecessors never decrease: a level ends where the
    predecessors leave the level before."""
    order, predecessors = breadth_first_order(links, start)
    places = np.empty(links.shape[0], np.int64)
    places[order] = np.arange(len(order))
    before = places[predecessors[order[1:]]]
    ends = [0, 1]
    while ends[-1] < len(order):
        ends.append(1 + int(np.searchsorted(before, ends[-1])))
    return np.diff(np.array(ends))
