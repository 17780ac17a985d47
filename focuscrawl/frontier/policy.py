"""Order strategies: from a link's score, depth and discovery number to its priority in the frontier.

The store always leases the highest priority first; a strategy is only this function. Breadth-first and depth-first
follow every link in scope, so that the set of pages does not depend on the order.
"""

from __future__ import annotations

from collections.abc import Callable

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


STRATEGIES: dict[str, Priority] = {
    "best-first": best_first,
    "breadth-first": breadth_first,
    "depth-first": depth_first,
}
