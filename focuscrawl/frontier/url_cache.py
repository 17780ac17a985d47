"""The URL cache in front of the seen-test (T-spider): links met again and again never reach the database.

Invariant: at most `capacity` keys; a key is the 64-bit number of a URL, never its text; when room is needed, the least
frequently used key goes, the oldest of those first. What is not in the cache may still be known to the store.
"""

from __future__ import annotations

import math
from collections import OrderedDict, defaultdict


class UrlCache:
    """Least-frequently-used cache from a URL's number to the best priority it has been offered with; O(1) a call."""

    def __init__(self, capacity: int) -> None:
        if capacity < 1:
            raise ValueError("the cache needs room for at least one URL")
        self.capacity = capacity
        self.hits = 0
        self.misses = 0
        self._value: dict[int, float] = {}
        self._count: dict[int, int] = {}
        self._by_count: defaultdict[int, OrderedDict[int, None]] = defaultdict(OrderedDict)
        self._lowest = 1

    def __len__(self) -> int:
        return len(self._value)

    @property
    def hit_rate(self) -> float:
        asked = self.hits + self.misses
        return self.hits / asked if asked else 0.0

    def known(self, key: int, priority: float, margin: float) -> bool:
        """True if the URL is known and `priority` is no improvement of more than `margin`: nothing to do for it."""
        value = self._value.get(key)
        if value is None:
            self.misses += 1
            return False
        self.hits += 1
        self._touch(key)
        return priority <= value + margin

    def put(self, key: int, priority: float) -> None:
        """Note that the URL is in the store with at least this priority."""
        if key in self._value:
            self._value[key] = max(self._value[key], priority)
            return
        if len(self._value) >= self.capacity:
            self._evict()
        self._value[key] = priority
        self._count[key] = 1
        self._by_count[1][key] = None
        self._lowest = 1

    def rescore(self, key: int, priority: float) -> None:
        """Note that the URL, if it still waits, has exactly this priority now: a link may lift it from there."""
        if self._value.get(key, math.inf) < math.inf:
            self._value[key] = priority

    def close(self, key: int) -> None:
        """Note that the URL has been fetched: no link can lift it any more."""
        self.put(key, math.inf)

    def _touch(self, key: int) -> None:
        count = self._count[key]
        bucket = self._by_count[count]
        del bucket[key]
        if not bucket:
            del self._by_count[count]
            if self._lowest == count:
                self._lowest = count + 1
        self._count[key] = count + 1
        self._by_count[count + 1][key] = None

    def _evict(self) -> None:
        if self._lowest not in self._by_count:
            self._lowest = min(self._by_count)
        bucket = self._by_count[self._lowest]
        key, _ = bucket.popitem(last=False)
        if not bucket:
            del self._by_count[self._lowest]
        del self._value[key], self._count[key]
