"""Four lanes of one frontier. What a recrawl looks at (visits that are due, and what they find) goes above all else. What lies
in barren parts of the web (`focuscrawl.frontier.yields`) waits behind all else, and behind that what hardly says anything new.

A priority in the upper lane is LANE + a value in [0, 1], one in the lower lanes its own - 2 * LANE or - 4 * LANE; those that
order strategies give stay between -LANE and LANE. A recrawl leases from the upper lane alone; an ordinary crawl leases what
is left there first.
"""

from __future__ import annotations

LANE = float(2**20)
"""Above any depth of a real web, and small enough that a double keeps nine digits of the value."""


def lifted(value: float) -> float:
    """The priority in the upper lane."""
    return LANE + min(max(value, 0.0), 1.0)


def is_lifted(priority: float) -> bool:
    return priority >= LANE


def behind(priority: float, last: bool = False) -> float:
    """A priority of an order strategy in the lower lane, or in the `last`; what is there, or further behind, stays."""
    lanes = 4 * LANE if last else 2 * LANE
    return min(priority, value_of(priority) - lanes)


def is_behind(priority: float) -> bool:
    return priority < -LANE


def value_of(priority: float) -> float:
    """A priority without its lane, as it is shown."""
    if is_lifted(priority):
        return priority - LANE
    if is_behind(priority):
        return priority + (4 * LANE if priority < -3 * LANE else 2 * LANE)
    return priority
