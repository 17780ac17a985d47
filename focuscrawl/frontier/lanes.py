"""Two lanes of one frontier: what a recrawl looks at (visits that are due, and what they find) goes above all else.

A priority in the upper lane is LANE + a value in [0, 1]; those of the order strategies stay far below. A recrawl leases from
the upper lane alone; an ordinary crawl leases what is left there first.
"""

from __future__ import annotations

LANE = float(2**20)
"""Above any depth of a real web, and small enough that a double keeps nine digits of the value."""


def lifted(value: float) -> float:
    """The priority in the upper lane."""
    return LANE + min(max(value, 0.0), 1.0)


def is_lifted(priority: float) -> bool:
    return priority >= LANE


def value_of(priority: float) -> float:
    """A priority without its lane, as it is shown."""
    return priority - LANE if priority >= LANE else priority
