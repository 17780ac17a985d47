"""Exploration in the default order: when a fetch goes to an unvisited place instead of the best known URL, and to which.
Relevant pages may lie behind places that were never visited. A *place* is a directory or a host (`models.order.places`).

Each process explores for its own fetches. Those of earlier runs and of other workers had explorations of their own.

- How often: an exploration costs more the more the best waiting URLs are expected to bring. So the share of explorations among
  the fetches lies between LEAST_SHARE, if the links followed recently had an expected yield of RICH_YIELD or more, and
  MOST_SHARE, if it was 0.
- What is new: a directory or a host with hardly any fetches, pages that list others, and the way on from a new place. A way on
  is a link that stands alone on an irrelevant page, not in a list. It costs one fetch and may be the only way to what lies
  behind, so a tunnel that was begun is dug further. But where such ways have led nowhere, other new places come first. The
  index page of a directory that has brought something counts as new, however much was fetched from there, because it may name
  what is left.
- New hosts: what being one adds is learned. Where a topic lies on many hosts, as news does, the first pages of hosts are
  relevant nearly as often as all pages; where it is the subject of one manual, hardly ever.
- A poor harvest: as long as hardly anything relevant was found, every other exploration is chosen by its host: one with few
  fetches, or one whose pages were relevant or showed new hosts. So portals are gone through to their end.
- Nothing new: if what waits promises little, too, explorations go to what is nearest to a seed. A forum, say, has all of its
  boards in one directory, shown by one script.
- Silent hosts: many links lead to hosts that do not answer any more. One page of a host that was never asked is explored, and
  no other before the host has answered. A silent host costs no fetch: another place is explored instead, and URLs that wait for
  an answer do not keep others from being explored. The more hosts proved silent, the less hosts promise that were never asked.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from models.order.places import PLACES, place_number
from models.order.pool import Pool

Slots = npt.NDArray[np.intp]
Mask = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]

LEAST_SHARE, MOST_SHARE, RICH_YIELD = 0.03, 0.8, 0.5
"""On recorded English webs exploration by this rule gained 0.037 (± 0.024) of the area under the harvest curve; on webs whose
anchors say everything it cost 0.01. More exploration costs more: in the exam on the synthetic web (mean area 0.749) twice
LEAST_SHARE gives 0.728, and twice RICH_YIELD 0.694."""
NEW_DIRECTORY, NEW_HOST, HUB = 2.0, 1.0, 2.0
"""Added to the log odds of a waiting URL if its directory or its host is new, or if it looks like a hub. That of a new host is
corrected by what new hosts bring. Chosen on recorded webs; in the same exam twice NEW_DIRECTORY gives 0.750 and twice HUB
0.747."""
USUAL_RATIO = 0.135
"""NEW_HOST is right where the first pages of hosts are relevant this many times as often as all pages: e ** -2, so that a new
host counts 3 where they are so as often. At the end of crawls of manuals the ratio was 0.07 to 0.67, of news 0.5 to 1, of
universities 0.3 to 1.2."""
DOUBT = 5.0
"""Once so many relevant pages were to be expected among the first pages of hosts, what was found there counts half. Without it
one topic of 24 on manuals falls from 0.79 to 0.43, because new hosts seem to do well until something is found."""
WAY_ON = 8.0
"""The same for a way on from a new place, times the share of explorations, and less where ways on lead nowhere. These and the
next two values: docs/experiments.md, *When to explore* …"""
VAIN = 2.0
"""… the odds of a way on are halved once so many were explored in vain, and fall to a tenth with nine times as many …"""
REWARD = 10.0
"""… and one relevant page behind them makes up for so many."""
NEW_BELOW = 3
"""A host or a directory with fewer fetches is new. If directories were new only until the first fetch, tunnels of several pages
in one directory would not be dug to their end."""
ONLY_NEW = 0.5
"""From this share of explorations on they go to new places only. Known places then promise so little that even the best of
them is not worth two fetches in three."""
POOR_HARVEST = 0.05
"""While a smaller share of all fetched pages is relevant, every other exploration is chosen by its host: the topic was not
found yet, link scores say little, and hosts with many directories would take all explorations. It would cost to do so always:
one topic of dev-en falls from 0.93 to 0.56. A host is not chosen any more if a smaller share of its pages has brought
something."""
HOST_SHARE_WEIGHT = 3.0
"""Weight of the share of a host's pages that have brought something, when an exploration is chosen by its host: this times the
share's logarithm is added to the log odds. With 2 the mean area of ten topics is 0.06 lower."""
YIELD_MEMORY = 0.9
"""Share of the average expected yield that remains with each link followed, so that it covers about the last ten."""
MOST_PENDING = 8
"""Most explorations that wait to be fetched, counted apart for hosts that have answered and for others, so that they do not
pile up on slow hosts."""
MOST_OWED = 8.0
"""Most fetches by which exploration may be behind its share."""
PATIENCE = 100
"""Fetches after which an exploration that was not fetched yet does not count as pending any more …"""
SILENT = 20
"""… and after which an origin that was asked for the first time and has not answered counts as silent."""


class Exploration:
    """Counts what was fetched where, says when the next exploration is due, and chooses it."""

    def __init__(
        self,
        topics: int = 1,
        most_per_host: int = 0,
        most_per_site: int = 0,
        held: Callable[[], frozenset[str]] = frozenset,
    ) -> None:
        """Begin without a fetch.

        Args:
            topics: how many topics share the fetches. Each explores for its part of them.
            most_per_host: a host that has given so many pages gives no more, so nothing is explored there; 0: no limit.
            most_per_site: the same for a site, all its hosts together.
            held: the origins that operators hold now. Nothing is explored there either.
        """
        self._topics, self._most_per_host, self._most_per_site, self._held = topics, most_per_host, most_per_site, held
        self._pages = np.zeros(PLACES if most_per_host else 0, np.int32)
        """For each host, its stored pages, where they are limited …"""
        self._site_pages = np.zeros(PLACES if most_per_site else 0, np.int32)
        """… and for each site."""
        self._directories = np.zeros(PLACES, np.int32)
        self._hosts = np.zeros(PLACES, np.int32)
        self._fruitful = np.zeros(PLACES, np.int32)
        """For each host, how many of its pages were relevant or showed a host that was not met before."""
        self._met = np.zeros(PLACES, np.bool_)
        """Whether a link has led to a host."""
        self._gave = np.zeros(PLACES, np.bool_)
        """Whether a page of a directory was relevant."""
        self._relevant = 0
        """Relevant pages fetched."""
        self._first_pages = self._relevant_first_pages = 0
        """Pages of new hosts to which links led, and how many of them were relevant."""
        self._ways_on = self._behind_ways_on = 0
        """Ways on that were explored, and relevant pages found behind them."""
        self._choices = 0
        """Calls of `choose`. Every second choice may be made by host."""
        self._answers = np.zeros(PLACES, np.bool_)
        """Whether an origin has answered …"""
        self._answered = 0
        """… and how many have."""
        self._asked: dict[int, int] = {}
        """Origins from which an answer is awaited, with the number of the fetch at which they were explored …"""
        self._silent: set[int] = set()
        """… and those that did not answer in time."""
        self._average_yield = 1.0
        """Moving average of the expected yield of the links followed, without explorations."""
        self._owed = 0.0
        """Explorations that are due and were not chosen yet, with fractions."""
        self._fetches = 0

    def fetched(self, directory: int, host: int, site: int = 0, stored: bool = False) -> None:
        """Count a fetch. `stored`: whether it has brought a page."""
        self._fetches += 1
        if self._most_per_host:
            self._pages[host] += stored
        if self._most_per_site:
            self._site_pages[site] += stored
        self._directories[directory] += 1
        self._hosts[host] += 1

    def gave(self, directory: int) -> None:
        """Note that a page of this directory was relevant."""
        self._gave[directory] = True

    def led_on(self) -> None:
        """Note that a page behind a way on was relevant."""
        self._behind_ways_on += 1

    def showed(self, host: int, relevant: bool, linked: npt.NDArray[np.int32], depth: int = 1) -> None:
        """Note whether a page of a host was relevant, and that it has links to the hosts `linked`. `depth`: 0 for a seed, whose
        host was not found by the crawl."""
        self._relevant += relevant
        if depth and self._hosts[host] <= NEW_BELOW:
            self._first_pages += 1
            self._relevant_first_pages += relevant
        self._fruitful[host] += relevant or not self._met[linked].all()
        self._met[linked] = True

    def answered(self, origin: int) -> None:
        """Note that an origin has answered, even if with an error."""
        self._answered += not self._answers[origin]
        self._answers[origin] = True
        self._asked.pop(origin, None)
        self._silent.discard(origin)

    def unanswered(self, origin: int) -> None:
        """Note that another worker or an earlier run has explored an origin and got no answer."""
        if not self._answers[origin]:
            self._asked.pop(origin, None)
            self._silent.add(origin)

    def withdrawn(self, origin: int) -> None:
        """Note that a URL of this origin that was chosen cannot be fetched. Another one is chosen in its place."""
        self._asked.pop(origin, None)
        self._owed = min(MOST_OWED, self._owed + 1)

    def is_new(self, directory: int) -> bool:
        """Whether hardly anything had been fetched from a directory before its last page."""
        return bool(self._directories[directory] <= NEW_BELOW)

    def followed(self, expected_yield: float, explored: bool) -> None:
        """Note that a link with this expected yield was followed. `explored`: it was an exploration, which says nothing of what
        the best links bring."""
        if not explored:
            self._average_yield = YIELD_MEMORY * self._average_yield + (1 - YIELD_MEMORY) * expected_yield

    @property
    def share(self) -> float:
        """The share of explorations among the topic's part of the fetches, in [LEAST_SHARE, MOST_SHARE]."""
        return max(LEAST_SHARE, MOST_SHARE * (1 - self._average_yield / RICH_YIELD))

    @property
    def _new_host(self) -> float:
        """What a new host adds to the log odds: NEW_HOST, corrected by what the first pages of hosts have brought."""
        expected = self._first_pages * self._relevant / max(1, self._fetches)
        ratio = (self._relevant_first_pages + DOUBT * USUAL_RATIO) / (expected + DOUBT)
        return max(0.0, NEW_HOST + math.log(ratio / USUAL_RATIO))

    @property
    def _way_on(self) -> float:
        """What a way on adds to the log odds: WAY_ON times the share, corrected by what ways on have led to."""
        led = (REWARD * self._behind_ways_on + VAIN) / (self._ways_on + VAIN)
        return max(0.0, WAY_ON * self.share + math.log(min(1.0, led)))

    def is_due(self) -> bool:
        """Whether the next fetch is to be an exploration. To be called once for each fetch of this process."""
        silent = [origin for origin, at in self._asked.items() if at <= self._fetches - SILENT]
        for origin in silent:
            del self._asked[origin]
        self._silent.update(silent)
        self._owed = min(MOST_OWED, self._owed + self.share / self._topics + len(silent))
        if self._owed < 1:
            return False
        self._owed -= 1
        return True

    def choose(self, pool: Pool, slots: Slots, log_odds: Floats) -> int | None:
        """The slot to explore: the one with the best log odds after a bonus for what is new about it, or for its host. None if
        enough explorations are pending, if nothing is new, or if the best is not new.

        Args:
            pool: the waiting URLs; the chosen one is marked as explored.
            slots: the slots to choose from.
            log_odds: those of these slots.
        """
        answers = self._answers[pool.origin[slots]]
        possible = self._may_be_explored(pool, slots)
        self._choices += 1
        if self._choices % 2 == 0 and (by_host := self._by_host(pool, slots, possible)):
            possible, novelty = by_host
        else:
            novelty = self._novelty(pool, slots)
            if self.share >= ONLY_NEW:
                if not ((possible | self._is_pending(pool, slots)) & (novelty > 0)).any():
                    novelty = _nearest(pool.depth[slots], possible).astype(np.float64)
                possible &= novelty > 0
        # The logarithm of the chance that an origin which was never asked will answer, by those that were.
        doubt = np.where(answers, 0.0, math.log((self._answered + 1) / (self._answered + len(self._silent) + 1)))
        value = np.where(possible, log_odds + novelty + doubt, -np.inf)
        # Of equals the one in the middle: of the further pages of a list the first is often the list itself.
        equals = np.flatnonzero(value == value.max())
        best = int(equals[len(equals) // 2])
        if not np.isfinite(value[best]) or not novelty[best]:
            return None
        pool.explored[slots[best]] = self._fetches
        if pool.way_on[slots[best]]:
            pool.behind[slots[best]] = True
            self._ways_on += 1
        if not answers[best]:
            self._asked[int(pool.origin[slots[best]])] = self._fetches
        return int(slots[best])

    def _by_host(self, pool: Pool, slots: Slots, possible: Mask) -> tuple[Mask, Floats] | None:
        """A choice by host, for a crawl that has hardly found anything: which slots are possible, and what their hosts add to
        the log odds. None if the crawl has found enough, or no host is worth it."""
        if self._relevant >= POOR_HARVEST * self._fetches:
            return None
        share = (self._fruitful[pool.host[slots]] + 1) / (self._hosts[pool.host[slots]] + 2)
        answers = self._answers[pool.origin[slots]]
        possible = possible & (share > POOR_HARVEST) & (answers | (len(self._silent) < self._answered))
        return (possible, HOST_SHARE_WEIGHT * np.log(share)) if possible.any() else None

    def _novelty(self, pool: Pool, slots: Slots) -> Floats:
        """What is added to the log odds of each slot for what is new about it."""
        directory = pool.directory[slots]
        new = (self._directories[directory] < NEW_BELOW) | (pool.index[slots] & self._gave[directory])
        novelty: Floats = NEW_DIRECTORY * new + HUB * pool.hub[slots]
        novelty += self._new_host * (self._hosts[pool.host[slots]] < NEW_BELOW) + self._way_on * pool.way_on[slots]
        return novelty

    def _is_pending(self, pool: Pool, slots: Slots) -> Mask:
        """Which of these slots were chosen not long ago, and are not fetched yet."""
        pending: Mask = pool.explored[slots] > max(0, self._fetches - PATIENCE)
        return pending

    def _may_be_explored(self, pool: Pool, slots: Slots) -> Mask:
        """Which of these slots may be explored now."""
        held = {place_number(origin) for origin in self._held()}
        for origin in held & self._asked.keys():  # it does not answer because it is not asked
            del self._asked[origin]
        origins = pool.origin[slots]
        answers = self._answers[origins]
        possible: Mask = (pool.explored[slots] == 0) & ~np.isin(origins, [*self._asked, *self._silent])
        pending = self._is_pending(pool, slots) & answers
        gives = ~np.isin(origins, [*held])
        if self._most_per_host:
            gives &= self._pages[pool.host[slots]] < self._most_per_host
        if self._most_per_site:
            gives &= self._site_pages[pool.site[slots]] < self._most_per_site
        possible &= gives
        pending &= gives
        if np.count_nonzero(pending) >= MOST_PENDING:
            possible &= ~answers
        if len(self._asked) >= MOST_PENDING:
            possible &= answers
        return possible


def _nearest(depths: npt.NDArray[np.int32], possible: Mask) -> Mask:
    """Which of the URLs that are possible lie fewest clicks from a seed."""
    nearest: Mask = depths == depths.min(where=possible, initial=np.iinfo(np.int32).max)
    return possible & nearest
