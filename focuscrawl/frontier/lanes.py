"""The lanes of one frontier: ranges of priorities that never mix, so that some URLs go before or after all others.

From top to bottom:

- the upper lane: revisits that are due, and what they discover. A priority here is LANE + a value in [0, 1];
- the priorities that order strategies give, between -LANE and LANE;
- the lower lanes, where 2, 4 or 6 * LANE are subtracted from a strategy's priority: URLs in barren parts of the web
  (`focuscrawl.frontier.yields`), then first visits that bring too little, then URLs that copy or lie on a domain that never
  brought anything.

A recrawl leases from the upper lane alone. An ordinary crawl first leases what is left there.
"""

from __future__ import annotations

from focuscrawl.frontier.states import ASIDE

LANE = float(2**20)
"""Above any depth of a real web, and small enough that a double keeps nine digits of the value."""
BEHIND = {"yield": 1, "new": 2, "last": 3}
"""The number of the lower lane for each rule: the URL lies in a barren part; it is a first visit; it copies, or lies on a
domain that never brought anything."""


def lifted(value: float) -> float:
    """The priority in the upper lane for a value, which is cut to [0, 1]."""
    return LANE + min(max(value, 0.0), 1.0)


def nth(priority: float, place: int) -> float:
    """The priority in the upper lane of a new page that is the `place`-th which a run has found on its host. The second counts
    for a half, the third for a third, as sitemaps do: what is new comes first, not hundreds of pages of an archive."""
    rank = value_of(priority)  # value / (value + threshold), see `recrawl.planning`
    return lifted(rank / (rank + place * (1.0 - rank))) if rank > 0 else priority


def is_lifted(priority: float) -> bool:
    return priority >= LANE


def behind(priority: float, rule: str = "yield") -> float:
    """A priority in the lower lane of this rule (BEHIND; the first for any other); one that is in that lane or a lower one is
    returned as it is."""
    return min(priority, value_of(priority) - 2 * BEHIND.get(rule, 1) * LANE)


def may_go(priority: float, refused: str) -> bool:
    """Whether a URL at this priority is fetched when it comes up. `refused`: the rule that refuses it; empty: none does. It is
    if it waits in the lane of that rule; never if it is to be put aside."""
    return not refused or (refused not in ASIDE and behind(priority, refused) == priority)


def is_behind(priority: float) -> bool:
    return priority < -LANE


def value_of(priority: float) -> float:
    """A priority without its lane, as it is shown to people."""
    if is_lifted(priority):
        return priority - LANE
    if is_behind(priority):
        return priority - 2 * LANE * round(priority / (2 * LANE))
    return priority
