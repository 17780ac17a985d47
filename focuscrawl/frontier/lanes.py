"""The lanes of one frontier. What a recrawl looks at (visits that are due, and what they find) goes above all else. What lies
in barren parts of the web (`focuscrawl.frontier.yields`) waits behind all else, behind that first visits that bring too little,
and behind those what copies or lies on a domain that never brought anything.

A priority in the upper lane is LANE + a value in [0, 1], one in the lower lanes its own - 2, 4 or 6 * LANE; those that order
strategies give stay between -LANE and LANE. A recrawl leases from the upper lane alone; an ordinary crawl leases what is left
there first.
"""

from __future__ import annotations

LANE = float(2**20)
"""Above any depth of a real web, and small enough that a double keeps nine digits of the value."""
BEHIND = {"yield": 1, "new": 2, "last": 3}
"""By the rule for which something waits behind all else, in which lower lane: it lies in a barren part, is a first visit, or
copies or lies on a domain that never brought anything."""


def lifted(value: float) -> float:
    """The priority in the upper lane."""
    return LANE + min(max(value, 0.0), 1.0)


def is_lifted(priority: float) -> bool:
    return priority >= LANE


def behind(priority: float, rule: str = "yield") -> float:
    """A priority of an order strategy in the lower lane of this rule; what is there, or further behind, stays."""
    return min(priority, value_of(priority) - 2 * BEHIND.get(rule, 1) * LANE)


def is_behind(priority: float) -> bool:
    return priority < -LANE


def value_of(priority: float) -> float:
    """A priority without its lane, as it is shown."""
    if is_lifted(priority):
        return priority - LANE
    if is_behind(priority):
        return priority - 2 * LANE * round(priority / (2 * LANE))
    return priority
