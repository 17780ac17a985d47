"""Patience: a crawl whose fetches are limited does not fetch a poor URL while much better ones wait for their hosts' delays.

A crawl with a limit of fetches looks some seconds ahead. In that time each host can be asked as often as its delay allows.
The best few URLs that could be fetched until then are worth waiting for, and no URL worse than all of these is fetched before
them. A crawl without such a limit has only time to lose, and asks any host that may be asked.

The crawl does not become slower than is allowed: all of these few URLs can be fetched within the time that it looks ahead, and
their number follows from how long the whole crawl may take. It does not wait for hosts that cannot be asked within that time
(back-off, a long Crawl-delay), nor for answers that do not come.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil

HORIZON = 10.0
"""Seconds that a crawl looks ahead: ten requests to a host at the default delay."""
FEWEST = 16
"""Least number of fetches that are worth waiting for."""
MOST = 1000
"""A crawl that is to make more fetches than this within HORIZON must be as fast as a process can be, so it never waits."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How a crawl with a limit of fetches waits."""

    count: int
    """How many of the best URLs that can be fetched within the horizon are worth waiting for."""
    horizon: float = HORIZON
    """Seconds that the crawl looks ahead."""


def patience(fetches: int, seconds: float) -> Patience | None:
    """The patience of a crawl that is to make `fetches` fetches (0: no limit) within `seconds`. None: it does not wait."""
    if not fetches or seconds <= 0:
        return None
    count = max(FEWEST, ceil(HORIZON * fetches / seconds))
    return Patience(count) if count <= MOST else None


def patience_within(limits: Iterable[int | None], seconds: float, minutes: float | None) -> Patience | None:
    """The patience of a crawl with these limits of fetches (None: none), which may take `minutes` (None: any time) and wait
    `seconds` for all its fetches together."""
    fetches = min((most for most in limits if most), default=0)
    return patience(fetches, min(seconds, 60 * minutes) if minutes else seconds)


def turns(wait: float, delay: float, horizon: float) -> int:
    """How often a host can be asked within `horizon` seconds if it may first be asked after `wait` seconds, and then every
    `delay` seconds; at most MOST."""
    wait = max(wait, 0.0)
    if wait > horizon:
        return 0
    return min(MOST, 1 + int((horizon - wait) / delay)) if delay > 0 else MOST
