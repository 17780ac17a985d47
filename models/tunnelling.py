"""How far links are followed through irrelevant pages ("tunnelling" in the customizable focused crawler).

A page's distance is 0 if it is relevant or its parent is; else its parent's distance + 1. Links of an irrelevant
page whose distance has reached the limit are not followed. A relevant page resets the count.
"""

from __future__ import annotations


def next_distance(parent_relevant: bool, parent_distance: int) -> int:
    """Distance of a page that is reached by a link of this parent."""
    return 0 if parent_relevant else parent_distance + 1


def follow(relevant: bool, distance: int, limit: int) -> bool:
    """May the links of a page with this verdict and distance be followed? A limit below 0 means no limit."""
    return relevant or limit < 0 or distance < limit
