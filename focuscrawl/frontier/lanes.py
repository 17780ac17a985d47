"""Three lanes of one frontier. What a recrawl looks at (visits that are due, and what they find) goes above all else; what lies
in barren parts of the web (`focuscrawl.frontier.yields`) waits behind all else.

A priority in the upper lane is LANE + a value in [0, 1], one in the lower lane its own - 2 * LANE; those that order strategies
give stay between -LANE and LANE. A recrawl leases from the upper lane alone; an ordinary crawl leases what is left there first.
"""

from __future__ import annotations

LANE = float(2**20)
"""Above any depth of a real web, and small enough that a double keeps nine digits of the value."""


def lifted(value: float) -> float:
    """The priority in the upper lane."""
    return LANE + min(max(value, 0.0), 1.0)


def is_lifted(priority: float) -> bool:
    return priority >= LANE


def behind(priority: float) -> float:
    """The priority of an order strategy in the lower lane; one that is there stays as it is."""
    return priority if is_behind(priority) else priority - 2 * LANE


def is_behind(priority: float) -> bool:
    return priority < -LANE


def value_of(priority: float) -> float:
    """A priority without its lane, as it is shown."""
    return priority - LANE if is_lifted(priority) else priority + 2 * LANE if is_behind(priority) else priority
