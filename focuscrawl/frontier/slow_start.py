"""Limits the number of fetches in flight at the start of a crawl, when there is little to choose by.

All fetches that are chosen before the first answer are chosen by what the seeds' links say, and if these mislead, 16 requests
are misled at once. So a crawl begins with few, and each fetch that has ended makes room for one more: 2, 4, 8 … with every
round of answers, as in TCP's slow start. A crawl of many hosts reaches its full number after four or five rounds. Strategies
that do not choose by score have nothing to wait for, and are not limited.
"""

from __future__ import annotations

FIRST = 2
"""Fetches in flight at the start. On made topics of three webs with 16 in flight, the rule raises the harvest of the first
hundred fetches (docs/strategies.md)."""


def most_in_flight(ended: int) -> int:
    """How many fetches may be in flight after `ended` fetches have ended, those of earlier runs included."""
    return FIRST + ended
