"""When has a crawl given what it can give? By its harvest, by what its waiting URLs promise, and by how long they have
promised next to nothing (the edge of the topic's part of the web).

A promise is measured, not believed: of the fetches so far, how many with a priority like this one turned out relevant?
Priorities of any strategy are turned into chances by isotonic regression (Zadrozny and Elkan 2002).
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

SAMPLES = 1000
"""Last fetches that tell what a priority is worth."""
ORDERED = 1.0
"""Priority of what is fetched for a reason other than its promise (seeds, explorations): it tells nothing."""
PRIOR = 10.0
"""Fetches that the overall harvest counts for in the chance of any priority."""


@dataclass(frozen=True, slots=True)
class StopRules:
    """Shares are relevant pages per page; 0 switches a rule off."""

    harvest: float = 0.0
    """Least share over the last `window` pages."""
    window: int = 1000
    promise: float = 0.0
    """Least expected share over the best waiting URLs."""
    edge: float = 0.01
    """The best waiting URL has a smaller chance at the edge …"""
    edge_window: int = 500
    """… for so many pages."""


@dataclass(frozen=True, slots=True)
class Stop:
    reason: str
    """`harvest`, `promise` or `edge`."""
    why: str
    """A sentence with the figures, without a full stop."""


class Promise:
    """From priorities to chances of a relevant page."""

    def __init__(self, samples: int = SAMPLES) -> None:
        self._fetched: deque[tuple[float, bool]] = deque(maxlen=samples)
        self._steps: tuple[list[float], list[float]] | None = None

    def record(self, priority: float, relevant: bool) -> None:
        """A page was fetched at this priority."""
        self._fetched.append((priority, relevant))
        self._steps = None

    def chance(self, priority: float) -> float:
        """Of a waiting URL to be relevant, in [0, 1]; 1 before anything was fetched."""
        if not self._fetched:
            return 1.0
        if self._steps is None:
            self._steps = _isotonic(self._fetched)
        least, values = self._steps
        return values[max(0, bisect_right(least, priority) - 1)]


def _isotonic(fetched: Sequence[tuple[float, bool]]) -> tuple[list[float], list[float]]:
    """Pool adjacent violators: (least priority of each block, its chance), both rising. 1 ms for 1000 pairs."""
    overall = sum(relevant for _, relevant in fetched) / len(fetched)
    pages: Counter[float] = Counter(priority for priority, _ in fetched)
    found = Counter(priority for priority, relevant in fetched if relevant)
    blocks: list[tuple[float, int, int]] = []  # least priority, pages, relevant
    for priority in sorted(pages):
        blocks.append((priority, pages[priority], found[priority]))
        while len(blocks) > 1 and blocks[-2][2] * blocks[-1][1] >= blocks[-1][2] * blocks[-2][1]:
            (_, more, good), (least, count, hits) = blocks.pop(), blocks.pop()
            blocks.append((least, count + more, hits + good))
    chances = [(hits + PRIOR * overall) / (count + PRIOR) for _, count, hits in blocks]
    for place in range(1, len(chances)):  # small blocks lean on the prior more than large ones
        chances[place] = max(chances[place], chances[place - 1])
    return [least for least, _, _ in blocks], chances


class StopWatch:
    """Judges one process's fetches by the rules."""

    def __init__(self, rules: StopRules) -> None:
        self._rules = rules
        self._recent: deque[bool] = deque(maxlen=rules.window)
        self._promise = Promise()
        self._edge_since: int | None = None
        self.pages = 0
        self.found = False
        """Whether links have led to a relevant page. Until then there is no edge: the topic may lie farther away."""

    def record(self, priority: float, relevant: bool, given: bool = False) -> Stop | None:
        """A page was stored that had been leased at this priority. `given`: the user named its URL, no link led there."""
        self.pages += 1
        self.found = self.found or (relevant and not given)
        self._recent.append(relevant)
        if priority != ORDERED:
            self._promise.record(priority, relevant)
        found, limit = sum(self._recent), self._rules.harvest
        if len(self._recent) < self._rules.window or found >= limit * len(self._recent):
            return None
        return Stop("harvest", f"{found} of the last {self._rules.window} pages were relevant, below the limit of {limit:g}")

    def look(self, best: Sequence[float]) -> Stop | None:
        """Judge what waits. `best`: the highest priorities, falling."""
        best = [priority for priority in best if priority != ORDERED]
        if not best or not self.pages:
            return None
        rules, top = self._rules, self._promise.chance(best[0])
        if rules.promise:
            expected = sum(map(self._promise.chance, best))
            if self.pages >= min(rules.window, SAMPLES) and expected < rules.promise * len(best):
                why = f"the {len(best)} best waiting URLs promise {expected:.1f} relevant pages"
                return Stop("promise", f"{why}, below the limit of {rules.promise:g}")
        if top >= rules.edge or not self.found:
            self._edge_since = None
            return None
        self._edge_since = self.pages if self._edge_since is None else self._edge_since
        pages = self.pages - self._edge_since
        if pages < rules.edge_window:
            return None
        why = f"for {pages} pages the best waiting URL has had a chance below {rules.edge:g} of being relevant"
        return Stop("edge", f"{why}, most recently {top:.2g}")

    def places(self, wanted: int) -> int:
        """How many fetches may be on the way when so many relevant pages are still wanted: as many as the present harvest
        needs for them, so that few are fetched for nothing and the last ones still come at full speed."""
        if wanted <= 0:
            return 0
        share = (sum(self._recent) + 1) / (len(self._recent) + 1)
        return ceil(wanted / share)
