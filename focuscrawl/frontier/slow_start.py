"""How many fetches are on the way before there is anything to choose by? Few: all that are chosen before the first answer are
chosen by what the seeds' links say, and 16 requests take the same bait.

Each fetch that has ended makes room for one more: 2, 4, 8 … with every round of answers, as in TCP's slow start: a crawl
of many hosts is at its full number after four or five rounds. Strategies that do not choose by score have nothing to wait for.
"""

from __future__ import annotations

FIRST = 2
"""Fetches on the way at the start. On made topics of three webs with 16 in flight, the rule raises the harvest of the first
hundred fetches (docs/strategies.md)."""


def most_on_way(ended: int) -> int:
    """Fetches that may be on the way once so many have ended, earlier runs' included."""
    return FIRST + ended
