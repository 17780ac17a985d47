"""How far links are followed through irrelevant pages ("tunnelling" in the customizable focused crawler).

The distance of a page is 0 if its parent is relevant or it is a seed, else its parent's distance + 1. So a relevant page resets
the count. `FixedTunnelling` is the paper's rule: links of an irrelevant page whose distance has reached the limit are not
followed. `LearnedTunnelling` learns from the crawl how far tunnels pay. It refuses links with too small an expected yield only
if it has let in many such links already, because a refused link is lost, while one with a low priority only waits.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Protocol

from focuscrawl.items import Page

POLICIES = ("learned", "fixed")
PAPER_DEPTH = 3

FARTHEST = 12
"""Pages at this distance and beyond are counted together."""
PRIOR_CHANCE = 0.3
"""Chance, before any evidence, that a page whose parent is relevant is relevant too."""
PRIOR_DECAY = 0.6
"""Factor on the chance for one more irrelevant page on the way, before any evidence."""
PRIOR_PAGES = 20.0
"""How many fetches the prior is worth, at every distance."""
LEAST_YIELD = 0.1
"""Least expected yield of a tunnel, as a share of the current harvest. It is small because a relevant page leads to others."""
EXPLORATION = 0.05
"""Share of the pages beyond the learned distance whose links are followed nevertheless, to go on learning about them."""
MOST_DISTANCE = 32_767
"""Distances are not counted further: the store keeps them in 16 bits."""
HARVEST_WINDOW = 200.0
"""Fetches over which the current harvest is averaged."""
FAR_LINKS = 20_000
"""Links of pages beyond the learned distance that are followed before the first is refused: some MB of the store …"""
FAR_SHARE = 0.5
"""… plus this share of the other links, which bounds what a crawl stores far from its topic."""


def next_distance(parent_relevant: bool, parent_distance: int) -> int:
    """Distance of a page that is reached by a link of this parent."""
    return 0 if parent_relevant else min(parent_distance + 1, MOST_DISTANCE)


class Tunnelling(Protocol):
    """Decides for one crawl which pages' links are followed."""

    def see(self, page: Page) -> None:
        """Learn from a page that was fetched and judged. To be called once for each page, before `follow`."""
        ...

    def follow(self, page: Page) -> bool:
        """Whether the links of this judged page may enter the frontier."""
        ...


def make_tunnelling(name: str, depth: int = PAPER_DEPTH, random_seed: int = 0) -> Tunnelling:
    """The policy `learned` or `fixed`; `depth` is the limit of `fixed`, below 0 none. Raises ValueError for other names."""
    if name == "fixed":
        return FixedTunnelling(depth)
    if name == "learned":
        return LearnedTunnelling(random_seed)
    raise ValueError(f"no tunnelling policy {name!r}: {', '.join(POLICIES)}")


class FixedTunnelling:
    """The paper's rule: at most `limit` irrelevant pages in a row; below 0 any number. Implements `Tunnelling`."""

    def __init__(self, limit: int = PAPER_DEPTH) -> None:
        self._limit = limit

    def see(self, page: Page) -> None:
        """Nothing to learn."""

    def follow(self, page: Page) -> bool:
        return page.relevant or self._limit < 0 or page.lease.distance < self._limit


class LearnedTunnelling:
    """Follows a tunnel while its expected yield is large enough or there is room. Implements `Tunnelling`; time and memory O(1)
    a page.

    The chance that a page at distance d is relevant is Beta-Binomial: the counts of the pages fetched at d, with the chance at
    d - 1, reduced, as the prior. The expected yield of a tunnel is the relevant pages for each fetch if it is followed to the
    depth where this is largest, and left at the first relevant page. It is followed while the yield is above a share of the
    current harvest. If nothing is found any more, that share is near 0, and tunnels grow long. Until links have led to the
    first relevant page, it is not known how far away such pages are, and every link is followed.

    The links of other tunnels first wait behind everything better, and are reached when that is exhausted. They are refused
    once there is no room for more of them.
    """

    def __init__(self, random_seed: int = 0) -> None:
        self._key = random_seed.to_bytes(8, "big", signed=True)
        self._near = self._far = 0
        """Links of pages within and beyond the learned distance, the latter only while there was room."""
        self._pages = [0] * (FARTHEST + 1)
        self._relevant = [0] * (FARTHEST + 1)
        self._harvest = PRIOR_CHANCE
        self._found = False
        """Whether links have led to a relevant page. Seeds and examples do not count."""

    def see(self, page: Page) -> None:
        if not page.ok or page.duplicate or page.verdict is None:
            return
        distance = min(page.lease.distance, FARTHEST)
        self._pages[distance] += 1
        self._relevant[distance] += page.verdict.relevant
        self._found = self._found or (page.verdict.relevant and page.lease.depth > 0)
        self._harvest += (page.verdict.relevant - self._harvest) / HARVEST_WINDOW
        if self._pays(page):
            self._near += len(page.links)
        elif self._has_room():
            self._far += len(page.links)

    def follow(self, page: Page) -> bool:
        return self._pays(page) or self._has_room() or self._explores(page.lease.uid)

    def _pays(self, page: Page) -> bool:
        """Whether the page is within the learned distance."""
        if page.relevant or not self._found:
            return True
        return self.expected_yield(page.lease.distance + 1) > LEAST_YIELD * self._harvest

    def _has_room(self) -> bool:
        return self._far < FAR_LINKS + FAR_SHARE * self._near

    def expected_yield(self, distance: int) -> float:
        """Relevant pages for each fetch, in (0, 1), of a tunnel whose next page is at this distance."""
        best, relevant, fetches, still_dug = 0.0, 0.0, 0.0, 1.0  # still_dug: the chance that no page so far was relevant
        for chance in self._chances()[min(distance, FARTHEST) :]:
            fetches += still_dug
            relevant += still_dug * chance
            still_dug -= still_dug * chance
            best = max(best, relevant / fetches)
        return best

    def _chances(self) -> list[float]:
        """The estimated chance at each distance, 0 to FARTHEST."""
        chances, prior = [], PRIOR_CHANCE
        for pages, relevant in zip(self._pages, self._relevant, strict=True):
            chances.append((relevant + PRIOR_PAGES * prior) / (pages + PRIOR_PAGES))
            prior = PRIOR_DECAY * chances[-1]
        return chances

    def _explores(self, uid: int) -> bool:
        """Whether the page belongs to the sample that is followed nevertheless: by a hash, so that a crawl can be repeated."""
        digest = blake2b(uid.to_bytes(8, "big", signed=True), digest_size=4, key=self._key).digest()
        return int.from_bytes(digest, "big") < EXPLORATION * 2**32
