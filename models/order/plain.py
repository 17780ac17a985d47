"""The three strategies that need no memory: best-first by link score, breadth-first and depth-first by depth and discovery.

The store always leases the highest priority first, so each of them is a function from a link's score, depth and discovery
number to its priority. Breadth-first and depth-first follow every link in scope, so that the set of pages does not depend on
the order; focused strategies are measured against them. Best-first is the strategy of the customizable focused crawler. Costs
one link score a link.

What they do not do: they learn nothing, and never change the priority of a waiting URL (the store lifts it for a better link).
"""

from __future__ import annotations

from collections.abc import Callable

from focuscrawl.items import Page
from models.order.protocol import Change, OrderContext

SEQUENCE_SPAN = float(2**44)
"""Discovery numbers stay below this, so that they order links inside one depth without reaching the next."""

Priority = Callable[[float, int, int], float]
"""(score, depth, discovery number) -> priority, larger first."""


def best_first(score: float, depth: int, number: int) -> float:
    return score


def breadth_first(score: float, depth: int, number: int) -> float:
    return -(depth + number / SEQUENCE_SPAN)


def depth_first(score: float, depth: int, number: int) -> float:
    return depth - number / SEQUENCE_SPAN


class PlainOrder:
    """Computes the priority of a link from its link score, depth and discovery number. Implements `Order`."""

    def __init__(self, context: OrderContext, priority: Priority, focused: bool) -> None:
        self.focused = focused
        self._scorer, self._priority = context.scorer, priority
        self._number = context.first_number

    def see(self, page: Page) -> None:
        depth = page.lease.depth + 1
        for link in page.links:
            if link.refused:
                continue
            self._scorer.score(link, page)
            self._number += 1
            link.priority = self._priority(link.score, depth, self._number)

    def changes(self) -> list[Change]:
        """No changes: a link keeps the priority that it got first."""
        return []
