"""The frontier of a replay: a heap in memory that hands out URLs as a crawl's store would, without politeness.

A changed priority pushes a second entry, and an outdated entry is skipped when it comes up. A push or pop takes O(log n). The
heap is built again when it has more than ROOM entries for each waiting URL.
"""

from __future__ import annotations

import heapq
from collections import Counter, deque
from dataclasses import dataclass

from focuscrawl.frontier.lanes import behind, is_behind
from focuscrawl.items import LINK, SEED, Lease
from focuscrawl.store.frontier.leasing import RECENT, giving_way
from focuscrawl.url.key import UrlId

Entry = tuple[float, int, UrlId]
"""Negative priority (because the heap gives out the smallest), tick (first come, first served), URL."""
SCANNED = 500
"""Most entries that are searched for another host if one has had its share. More would slow a pop on webs of few hosts."""
ROOM = 4
"""The heap is built again at this many entries per waiting URL (and a thousand more, so that small heaps are left alone)."""


@dataclass(slots=True)
class WaitingUrl:
    """A known URL that was not fetched."""

    number: int
    """Number of the page that it leads to."""
    url: str
    priority: float
    depth: int = 0
    distance: int = 0
    parent: str = ""
    key: UrlId = (0, 0)

    def lease(self) -> Lease:
        """The lease that a crawl would give for it."""
        hid, uid = self.key
        kind = LINK if self.parent else SEED
        return Lease(hid, uid, self.url, self.priority, self.depth, self.distance, kind=kind, parent=self.parent)


class ReplayFrontier:
    """The frontier of a replay: the largest priority first, among equals the first come."""

    def __init__(self, margin: float, host_share: float = 1.0) -> None:
        """`margin`: a link raises a waiting URL if it is better by more than this. `host_share`: a host with more than this
        share of the recent fetches gives way to others of nearly the same priority, as in a crawl; 1: never."""
        self._margin, self._host_share = margin, host_share
        self._recent: deque[int] = deque(maxlen=RECENT)
        self._by_host: Counter[int] = Counter()
        self._waiting: dict[UrlId, WaitingUrl] = {}
        self._heap: list[Entry] = []
        self._ticks = 0
        self._fetched: set[int] = set()

    def __len__(self) -> int:
        return len(self._waiting)

    def offer(self, key: UrlId, new: WaitingUrl) -> None:
        """Enter a link: make its URL known, or raise its priority, or lower its depth or distance."""
        if new.number in self._fetched:
            return
        known = self._waiting.get(key)
        if known is None:
            new.key = key
            self._waiting[key] = new
            self._push(key, new.priority)
            return
        known.depth = min(known.depth, new.depth)
        if new.priority > known.priority + self._margin:
            known.priority, known.parent, known.distance = new.priority, new.parent, new.distance
            self._push(key, new.priority)
        else:
            known.distance = min(known.distance, new.distance)

    def change(self, key: UrlId, priority: float) -> bool:
        """Give a waiting URL another priority. Returns whether it waits and had another one before."""
        known = self._waiting.get(key)
        if known is None or known.priority == priority or is_behind(known.priority):
            return False
        known.priority = priority
        self._push(key, priority)
        return True

    def set_back(self, waiting: WaitingUrl) -> None:
        """Let a URL that `pop` returned wait again, behind all others."""
        waiting.priority = behind(waiting.priority)
        self._fetched.discard(waiting.number)
        self._waiting[waiting.key] = waiting
        self._push(waiting.key, waiting.priority)

    def pop(self) -> WaitingUrl | None:
        """Take the best URL whose page was not fetched yet; None if none waits."""
        chosen = self._top()
        if chosen and self._host_share < 1.0:
            chosen = self._instead(chosen)
        if chosen is None:
            return None
        key = chosen[2]
        known = self._waiting.pop(key)
        self._fetched.add(known.number)
        if len(self._recent) == RECENT:
            self._by_host[self._recent[0]] -= 1
        self._recent.append(key[0])
        self._by_host[key[0]] += 1
        return known

    def best(self, count: int) -> list[float]:
        """The highest priorities of waiting URLs, in descending order; O(waiting)."""
        return heapq.nlargest(count, (known.priority for known in self._waiting.values()))

    def _top(self) -> Entry | None:
        """Take the best entry that is not outdated, whatever the shares of hosts."""
        while self._heap:
            entry = heapq.heappop(self._heap)
            known = self._waiting.get(entry[2])
            if known is None or known.priority != -entry[0]:
                continue
            if known.number not in self._fetched:
                return entry
            del self._waiting[entry[2]]
        return None

    def _instead(self, best: Entry) -> Entry:
        """The best entry of another host if the host of `best` has had its share and the other priority is near; else
        `best`."""
        limit = self._host_share * len(self._recent)
        if self._by_host[best[2][0]] <= limit or best[0] == -float("inf"):
            return best
        worth, passed, chosen = giving_way(-best[0]), [best], best
        while len(passed) < SCANNED and (entry := self._top()):
            if -entry[0] <= worth:
                passed.append(entry)
                break
            if self._by_host[entry[2][0]] <= limit:
                chosen = entry
                break
            passed.append(entry)
        for entry in passed:
            if entry is not chosen:
                heapq.heappush(self._heap, entry)
        return chosen

    def _push(self, key: UrlId, priority: float) -> None:
        self._ticks += 1
        heapq.heappush(self._heap, (-priority, self._ticks, key))
        if len(self._heap) > ROOM * len(self._waiting) + 1000:
            order = sorted(entry for entry in self._heap if self._is_current(entry))
            self._heap = order

    def _is_current(self, entry: Entry) -> bool:
        known = self._waiting.get(entry[2])
        return known is not None and known.priority == -entry[0]
