"""Is a poor URL fetched now because much better ones only wait for their hosts' delays? Where fetches are scarce, it is not.

A crawl with a limit of pages looks some seconds ahead: in that time each host can be asked as often as its delay
allows. Of all that could be fetched then, the best few are worth waiting for, and nothing below the worst of these is fetched
before. A crawl without such a limit has only its time to lose, and asks whichever host may be asked.

All of these few can be had within the time that was looked ahead: so fast the crawl remains. How many they are follows from how
long the whole crawl may take. Nobody waits for hosts that are away for longer (back-off, a long Crawl-delay), nor for answers
that do not come.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

HORIZON = 10.0
"""Seconds that are looked ahead: ten turns of a host at the default delay."""
FEWEST = 16
"""Fetches that are worth waiting for, at least."""
MOST = 1000
"""A crawl that is to make so many fetches within HORIZON is as fast as a process can be: it waits for nothing."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How a crawl with a limit of fetches waits."""

    count: int
    """The best so many of what can be fetched within the horizon are worth waiting for."""
    horizon: float = HORIZON
    """Seconds."""


def patience(fetches: int, seconds: float) -> Patience | None:
    """Of a crawl that is to make so many fetches (0: there is no limit) and may take so many seconds for them; None: it takes
    what comes."""
    if not fetches or seconds <= 0:
        return None
    count = max(FEWEST, ceil(HORIZON * fetches / seconds))
    return Patience(count) if count <= MOST else None


def turns(wait: float, delay: float, horizon: float) -> int:
    """How many times a host can be asked within `horizon` when it may first be asked after `wait`, and then every `delay`
    seconds; at most MOST."""
    wait = max(wait, 0.0)
    if wait > horizon:
        return 0
    return min(MOST, 1 + int((horizon - wait) / delay)) if delay > 0 else MOST
