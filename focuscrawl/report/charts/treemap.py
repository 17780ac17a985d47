"""A treemap: areas in proportion to numbers, as near to squares as they get.

Source: Bruls, Huizing, van Wijk 2000, Squarified Treemaps. O(n) but for the rows' widths; for drawings of some hundred areas.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(slots=True, frozen=True)
class Box:
    x: float
    y: float
    width: float
    height: float

    def within(self, edge: float, top: float) -> Box:
        """Without a margin of `edge` all around, and one of `top` above."""
        width, height = max(0.0, self.width - 2 * edge), max(0.0, self.height - edge - top)
        return Box(self.x + edge, self.y + top, width, height)


def treemap(numbers: Sequence[float], whole: Box) -> list[Box]:
    """A box for each number, in their order; they should fall. What is 0 has a box without area."""
    boxes: list[Box] = []
    scale = whole.width * whole.height / (sum(numbers) or 1.0)
    areas, left = [number * scale for number in numbers], whole
    while areas:
        row = _row(areas, min(left.width, left.height))
        placed, left = _placed(areas[:row], left)
        boxes += placed
        areas = areas[row:]
    return boxes


def _row(areas: Sequence[float], side: float) -> int:
    """How many of the areas stand side by side along `side`: more, as long as the worst of them gets squarer."""
    best = _worst(areas[:1], side)
    for count in range(2, len(areas) + 1):
        worst = _worst(areas[:count], side)
        if worst > best:
            return count - 1
        best = worst
    return len(areas)


def _worst(row: Sequence[float], side: float) -> float:
    """Largest ratio of the sides of the boxes in a row."""
    total, least = sum(row), min(row)
    if least <= 0 or side <= 0:
        return float("inf")
    return max(side**2 * max(row) / total**2, total**2 / (side**2 * least))


def _placed(row: Sequence[float], left: Box) -> tuple[list[Box], Box]:
    """The boxes of a row along the shorter side, and what is left beside it."""
    total = sum(row)
    if total <= 0:
        return [Box(left.x, left.y, 0.0, 0.0) for _ in row], left
    if left.width >= left.height:
        thick, at, boxes = total / left.height, left.y, []
        for area in row:
            boxes.append(Box(left.x, at, thick, area / thick))
            at += area / thick
        return boxes, Box(left.x + thick, left.y, max(0.0, left.width - thick), left.height)
    thick, at, boxes = total / left.width, left.x, []
    for area in row:
        boxes.append(Box(at, left.y, area / thick, thick))
        at += area / thick
    return boxes, Box(left.x, left.y + thick, left.width, max(0.0, left.height - thick))
