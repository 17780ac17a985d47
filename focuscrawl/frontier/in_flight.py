"""Limits how many fetches are in flight at once where URLs are chosen by score.

Each fetch is chosen without what those in flight will bring: with 16 of them, a link that misleads does so 16 times, and each
further click on the way to relevant pages costs 16 fetches more. So a crawl begins with very few, and slowly goes on to more.
A crawl with a limit of fetches keeps to a few, because fetches are what it is short of; any other is short of time, and ends
with as many as a process may have. What takes long is not waited for, and strategies that do not choose by score have nothing
to wait for.
"""

from __future__ import annotations

from math import ceil

from focuscrawl.frontier.patience import Patience

FIRST = 2
"""Fetches in flight at the start. With one, nothing would be downloaded while its page is read."""
START = 50
"""Fetches that the start takes: about as many pages as the page model's first regression waits for
(`models.page.refitting`)."""
STEP = 8
"""Fetches that make room for one more afterwards. What these numbers earn is in docs/experiments.md."""


def most_in_flight(ended: int, patience: Patience | None) -> int:
    """How many fetches may be in flight in one process after `ended` fetches of the crawl have ended.

    `patience`: of a crawl with a limit of fetches. It has half of those in flight that are worth waiting for: all of them can
    be made within the horizon if each takes half of it. None: of any other crawl."""
    most = FIRST + max(0, ended - START) // STEP
    return min(most, ceil(patience.count / 2)) if patience else most


def next_batch(in_flight: int, most: int) -> int:
    """How many fetches are to be chosen now: none until at most half of `most` are in flight. Several that are chosen at once
    cost hardly more than one, and the order is as good."""
    return most - in_flight if in_flight <= most // 2 else 0
