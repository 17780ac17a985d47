"""When the pages of a living web appear, change, move and vanish: pure functions of seed, page number and time.

Changes of a page are a Poisson process; its rate is log-normal, by host and by page. Times are seconds since the epoch,
rates changes per day. Nothing happens before the life of the web began.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from statistics import NormalDist

from synthweb.document import Revision
from synthweb.facts import Facts
from synthweb.hashing import unit
from synthweb.hosts import LIST_STEP, Host

DAY = 86_400.0
MEDIAN_RATE = 1 / 25
HOST_SIGMA, PAGE_SIGMA = 0.7, 1.4
FASTEST = 4.0
INITIAL = 0.7
"""Share of the positions of a section that are there from the start; the others appear in order."""
GROWTH_DAYS = 100.0
"""After about so long all pages have appeared."""
MEAN_LIFE_DAYS, MEAN_STAY_DAYS = 500.0, 600.0
"""Until an article vanishes, and until it moves to another address; exponential."""
KINDS = ((0.45, "sentence"), (0.65, "paragraph"), (0.85, "rewritten"), (1.0, "title"))
"""Upper shares of the kinds of changes."""
OUTAGE_DAYS, OUTAGE_SHARE = 3.0, 0.35
"""A host that is sometimes down is up or down for whole spans of so many days."""
FIRST_OUTAGE = 7
"""Number of the first span in which it may be down."""
NEVER = math.inf
NORMAL = NormalDist()


@dataclass(frozen=True, slots=True)
class Change:
    """One change of an article."""

    at: float
    kind: str
    """sentence, paragraph, rewritten or title."""
    key: int

    @property
    def revision(self) -> Revision:
        """As what is done to the text."""
        return Revision(self.kind, self.key)


class Life:
    """Answers questions about the times of numbered pages of one web."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.start = facts.layout.plan.living
        self.births = lru_cache(maxsize=1000)(self.make_births)

    def make_births(self, host_index: int, section: int) -> tuple[float, ...]:
        """When the positions of a section appear, in rising order; a list page with its first article."""
        host = self.facts.layout.hosts[host_index]
        size = host.section_size(section)
        first = min(size, max(2, int(size * INITIAL)))
        times, at = [self.start] * first, self.start
        for position in range(first, size):
            share = unit(self.facts.seed, host.twin, section, position, 61)
            if position % LIST_STEP != 1:  # the first article comes with its list page
                at -= math.log(1 - share) * GROWTH_DAYS * DAY / (size - first)
            times.append(at)
        return tuple(times)

    def born(self, host: Host, number: int) -> float:
        """When a page appears."""
        if number <= len(host.sections):
            return self.start
        section, position = host.position_of(number)
        return self.births(host.index, section.index)[position]

    def count(self, host: Host, section: int, now: float) -> int:
        """Positions of a section that have appeared."""
        births = self.births(host.index, section)
        return max(bisect_right(births, max(now, self.start)), 1)

    def vanishes(self, host: Host, number: int) -> float:
        """When a page vanishes; index pages never do."""
        if self.facts.kind(host, number) != "article":
            return NEVER
        return self.born(host, number) - math.log(1 - self.facts.share(host, number, 62)) * MEAN_LIFE_DAYS * DAY

    def moves(self, host: Host, number: int) -> float:
        """When a page moves to another address of its host; NEVER for one that vanishes before."""
        if self.facts.kind(host, number) != "article":
            return NEVER
        at = self.born(host, number) - math.log(1 - self.facts.share(host, number, 63)) * MEAN_STAY_DAYS * DAY
        return at if at < self.vanishes(host, number) else NEVER

    def alive(self, host: Host, number: int, now: float) -> bool:
        """Whether the page is there, at whichever address."""
        return self.born(host, number) <= max(now, self.start) and now < self.vanishes(host, number)

    def path(self, host: Host, number: int, now: float) -> str:
        """Its address at a time."""
        return moved_path(number) if self.moves(host, number) <= now else self.facts.path(host, number)

    def rate(self, host: Host, number: int) -> float:
        """Changes per day of the text and title of a page; those of index pages stay."""
        if self.facts.kind(host, number) != "article":
            return 0.0
        own, common = self.facts.share(host, number, 64), unit(self.facts.seed, host.twin, 65)
        spread = PAGE_SIGMA * deviate(own) + HOST_SIGMA * deviate(common)
        return min(MEDIAN_RATE * math.exp(spread), FASTEST)

    def changes(self, host: Host, number: int, now: float) -> list[Change]:
        """The changes of a page up to a time, oldest first: those up to an earlier time are the first of them."""
        rate = self.rate(host, number)
        if not rate:
            return []
        rng, at = Random(self.facts.key(host, number, 66)), self.born(host, number)
        found: list[Change] = []
        while True:
            at += rng.expovariate(rate) * DAY
            share = rng.random()
            key = rng.getrandbits(63)
            if at > now:
                return found
            found.append(Change(at, next(kind for limit, kind in KINDS if share < limit), key))

    def down(self, host: Host, now: float) -> bool:
        """Whether a host with outages is down."""
        span = int((now - self.start) // (OUTAGE_DAYS * DAY))
        return bool(host.role.outage) and span >= FIRST_OUTAGE and unit(self.facts.seed, host.index, span, 67) < OUTAGE_SHARE


def deviate(share: float) -> float:
    """Standard normal deviate of a number in [0, 1)."""
    return NORMAL.inv_cdf(min(max(share, 1e-9), 1 - 1e-9))


def moved_path(number: int) -> str:
    """The new address of a page that has moved."""
    return f"/stories/{number}.html"


def moved_number(target: str) -> int | None:
    """Page number of the new address of a page; None for any other address."""
    tail = target.removeprefix("/stories/").removesuffix(".html")
    return int(tail) if tail.isdecimal() and len(tail) < 10 and target == moved_path(int(tail)) else None
