"""The pages of one site as a tree of index pages: a list, and a drawing with the root in the middle.

The page above each page is found by `graph.site_tree`, which ignores links of content pages. The other links of index pages are
thin lines of the drawing.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field

from focuscrawl.graph.files import Node

MOST_LISTED, MOST_DRAWN = 300, 80
"""Most pages of the list and of the drawing."""
SIZE, EDGE = 640.0, 24.0
"""Width and height of the drawing, and its margin."""


@dataclass(frozen=True, slots=True)
class TreePage:
    """A page of the tree. Roots have the level 0."""

    url: str
    title: str
    index: bool
    relevant: bool
    category: str
    level: int
    below: int
    """Number of pages below it, at any distance."""


@dataclass(frozen=True, slots=True)
class Dot:
    """A page of the drawing."""

    entry: TreePage
    x: float
    y: float


Line = tuple[float, float, float, float]
"""x1, y1, x2, y2."""


@dataclass(frozen=True, slots=True)
class SiteTree:
    pages: int
    index_pages: int
    listed: list[TreePage]
    """The first MOST_LISTED pages, each before those below it."""
    dots: list[Dot] = field(default_factory=list)
    branches: list[Line] = field(default_factory=list)
    """Lines of the tree."""
    links: list[Line] = field(default_factory=list)
    """Other links between pages that are drawn."""


def site_tree(nodes: Iterable[Node], edges: Iterable[tuple[int, int]]) -> SiteTree:
    """The tree of the pages of one site.

    Args:
        nodes: `store.pages.link_graph.FIELDS` of each page.
        edges: links of index pages within the site, by number of the page.
    """
    facts = dict(nodes)
    below: dict[int, list[int]] = {}  # by page, the pages directly below it; by 0, which is no page, the roots
    for number, values in facts.items():
        above = int(values["above"] or 0)
        below.setdefault(above if above in facts else 0, []).append(number)
    sizes = _sizes(below)
    for children in below.values():
        children.sort(key=lambda number: (-sizes[number], str(facts[number]["url"])))
    levels = _levels(below)

    def entry(number: int) -> TreePage:
        values = facts[number]
        return TreePage(
            str(values["url"]), str(values["title"]), values["kind"] == "index", bool(values["relevant"]),
            str(values["category"]), levels[number], sizes[number],
        )  # fmt: skip

    places = _coordinates(below, levels)
    dots = {number: Dot(entry(number), *place) for number, place in places.items()}
    branches = {(int(facts[number]["above"] or 0), number) for number in dots}
    further = {(source, target) for source, target in edges if source != target} - branches
    return SiteTree(
        len(facts), sum(values["kind"] == "index" for values in facts.values()),
        [entry(number) for number in _in_order(below, MOST_LISTED)],
        list(dots.values()), _lines(branches, dots), _lines(further, dots),
    )  # fmt: skip


def _sizes(below: dict[int, list[int]]) -> dict[int, int]:
    """By page, the number of pages below it. Without recursion, because a chain of pages may be long."""
    sizes: dict[int, int] = {}
    for number in reversed(_in_order(below)):
        sizes[number] = sum(1 + sizes[child] for child in below.get(number, ()))
    return sizes


def _in_order(below: dict[int, list[int]], most: int | None = None) -> list[int]:
    """The first `most` pages (None: all), each before those below it."""
    found: list[int] = []
    waiting = below.get(0, [])[::-1]
    while waiting and (most is None or len(found) < most):
        found.append(waiting.pop())
        waiting += below.get(found[-1], [])[::-1]
    return found


def _levels(below: dict[int, list[int]]) -> dict[int, int]:
    """By page, the number of pages above it."""
    levels: dict[int, int] = dict.fromkeys(below.get(0, ()), 0)
    for number in _in_order(below):
        levels |= dict.fromkeys(below.get(number, ()), levels[number] + 1)
    return levels


def _coordinates(below: dict[int, list[int]], levels: dict[int, int]) -> dict[int, tuple[float, float]]:
    """(x, y) of the MOST_DRAWN pages nearest to the roots. Each level is a circle, leaves are evenly spaced, and other pages
    are at the middle angle of the pages below them."""
    drawn = set(sorted(levels, key=lambda number: levels[number])[:MOST_DRAWN])
    if not drawn:
        return {}
    order = [number for number in _in_order(below) if number in drawn]
    # A single root is in the center, several are on the innermost circle.
    inner = 0 if len(below.get(0, ())) == 1 else 1
    step = (SIZE / 2 - EDGE) / max(max(levels[number] for number in drawn) + inner, 1)
    leaves = [number for number in order if not drawn.intersection(below.get(number, ()))]
    angles = {number: 2 * math.pi * place / len(leaves) for place, number in enumerate(leaves)}
    for number in reversed(order):
        if children := [angles[child] for child in below.get(number, ()) if child in drawn]:
            angles[number] = (children[0] + children[-1]) / 2
    return {number: _at(angles[number], (levels[number] + inner) * step) for number in order}


def _at(angle: float, radius: float) -> tuple[float, float]:
    return SIZE / 2 + radius * math.sin(angle), SIZE / 2 - radius * math.cos(angle)


def _lines(pairs: Iterable[tuple[int, int]], dots: dict[int, Dot]) -> list[Line]:
    return [
        (dots[one].x, dots[one].y, dots[other].x, dots[other].y)
        for one, other in sorted(pairs)
        if one in dots and other in dots
    ]
