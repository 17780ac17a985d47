"""A treemap: boxes with areas in proportion to numbers, as square as possible.

Source: Bruls, Huizing, van Wijk 2000, Squarified Treemaps. Each row takes time quadratic in its boxes, which suits drawings of
some hundred boxes.
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
        """The box inside margins of `top` above and of `edge` on the other sides."""
        width, height = max(0.0, self.width - 2 * edge), max(0.0, self.height - edge - top)
        return Box(self.x + edge, self.y + top, width, height)


def treemap(numbers: Sequence[float], whole: Box) -> list[Box]:
    """A box for each number, in their order, which should be descending. A box for 0 has no area."""
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
    """How many of the first areas form a row along `side`: one more as long as the worst of them becomes squarer."""
    best = _worst(areas[:1], side)
    for count in range(2, len(areas) + 1):
        worst = _worst(areas[:count], side)
        if worst > best:
            return count - 1
        best = worst
    return len(areas)


def _worst(row: Sequence[float], side: float) -> float:
    """The largest ratio of the sides of a box in a row of these areas along `side`."""
    total, least = sum(row), min(row)
    if least <= 0 or side <= 0:
        return float("inf")
    return max(side**2 * max(row) / total**2, total**2 / (side**2 * least))


def _placed(row: Sequence[float], left: Box) -> tuple[list[Box], Box]:
    """The boxes of a row along the shorter side of `left`, and the box that is left beside it."""
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
