"""Stop rules: they end a crawl that is not worth its fetches any more.

A crawl is judged by its harvest, by what the next pages are expected to bring (`focuscrawl.frontier.forecast`), and by how long
even the best waiting URL has promised next to nothing (the edge of the topic's part of the web).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from focuscrawl.frontier.forecast import HUNDRED, ORDERED, WINDOW, PriorityCalibration, forecast
from focuscrawl.frontier.lanes import is_behind

POOR_PAGES = 100
"""For this many pages in a row too little must have been expected before the crawl ends, because poor stretches of 50 pages are
frequent."""


@dataclass(frozen=True, slots=True)
class StopRules:
    """When to stop. Shares are relevant pages per page; 0 switches a rule off."""

    harvest: float = 0.0
    """The crawl stops if its share over the last `window` pages is smaller."""
    window: int = 1000
    expected_yield: float = 0.0
    """The crawl stops if the share expected of the next hundred pages is smaller for POOR_PAGES pages."""
    edge: float = 0.01
    """The crawl stops if the best waiting URL has a smaller chance of being relevant …"""
    edge_window: int = 500
    """… for this many pages."""


@dataclass(frozen=True, slots=True)
class Stop:
    """Why a crawl is to stop."""

    reason: str
    """One of `focuscrawl.report.reasons.STOPS`. A `StopWatch` gives its rule: `harvest`, `promise` (of the expected yield) or
    `edge`."""
    why: str
    """A sentence with the figures, without a full stop."""


class StopWatch:
    """Judges the fetches of one process by the rules."""

    def __init__(self, rules: StopRules) -> None:
        self._rules = rules
        self._recent: deque[bool] = deque(maxlen=rules.window)
        self._calibration = PriorityCalibration()
        self._last: deque[tuple[float, bool]] = deque(maxlen=WINDOW)
        self._edge_since: int | None = None
        """Number of the page since which the best waiting URL has had too small a chance; None: it has a larger one. The same
        below for what is expected of the next hundred."""
        self._poor_since: int | None = None
        self.pages = 0
        """Stored pages so far."""
        self.found_relevant = False
        """Whether links have led to a relevant page. Until then there is no edge, because the topic may lie farther away."""

    def record(self, priority: float, relevant: bool, given: bool = False) -> Stop | None:
        """Judge the harvest after a stored page. `priority`: the one at which it was leased. `given`: whether the user named
        its URL, so that no link led there."""
        self.pages += 1
        self.found_relevant = self.found_relevant or (relevant and not given)
        self._recent.append(relevant)
        self._calibration.record(priority, relevant)
        if not given:
            self._last.append((priority, relevant))
        hits, limit = sum(self._recent), self._rules.harvest
        if len(self._recent) < self._rules.window or hits >= limit * len(self._recent):
            return None
        return Stop("harvest", f"{hits} of the last {self._rules.window} pages were relevant, below the limit of {limit:g}")

    def look(self, best: Sequence[float]) -> Stop | None:
        """Judge what waits. `best`: the highest priorities of waiting URLs, falling."""
        if stop := self._poor(best):
            return stop
        best = [priority for priority in best if priority != ORDERED]
        if not best or not self.pages:
            return None
        rules, top = self._rules, self._calibration.chance(best[0])
        if top >= rules.edge or not self.found_relevant:
            self._edge_since = None
            return None
        self._edge_since = self.pages if self._edge_since is None else self._edge_since
        pages = self.pages - self._edge_since
        if pages < rules.edge_window:
            return None
        why = f"for {pages} pages the best waiting URL has had a chance below {rules.edge:g} of being relevant"
        rest = "; all that waits lies in parts of the web that brought next to nothing" if is_behind(best[0]) else ""
        return Stop("edge", f"{why}, most recently {top:.2g}{rest}")

    def _poor(self, best: Sequence[float]) -> Stop | None:
        """The stop by `promise`, if less than its limit has been expected of the next hundred pages for long enough."""
        limit, ahead = HUNDRED * self._rules.expected_yield, forecast(list(self._last), best)
        if ahead is None or not limit or not self.found_relevant or ahead.next_hundred.middle >= limit:
            self._poor_since = None
            return None
        self._poor_since = self.pages if self._poor_since is None else self._poor_since
        if self.pages < self._poor_since + POOR_PAGES:
            return None
        why = f"of the next {HUNDRED} pages {ahead.next_hundred.middle:.1f} are expected to be relevant"
        return Stop("promise", f"{why}, below the limit of {limit:g}")

    def fetches_for(self, wanted: int) -> int:
        """How many fetches may be in flight while `wanted` relevant pages are still missing: as many as the present harvest
        rate needs for them, so that few are fetched for nothing and the last ones still come at full speed."""
        if wanted <= 0:
            return 0
        share = (sum(self._recent) + 1) / (len(self._recent) + 1)
        return ceil(wanted / share)
