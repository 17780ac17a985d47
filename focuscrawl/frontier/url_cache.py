"""The URL cache in front of the seen-test (T-spider): links met again and again never reach the database.

Invariant: at most `capacity` keys; a key is the 64-bit number of a URL, never its text; when room is needed, the least
frequently used keys go, the oldest of those first, some at a time. What is not in the cache may still be known to the store.

A key has a place in arrays: a URL takes 170 bytes, with a dictionary for each thing that is known of it 300.
"""

from __future__ import annotations

import math
from array import array

import numpy as np

SHARE = 32
"""One key of so many goes at a time."""


class UrlCache:
    """Least-frequently-used cache from a URL's number to the best priority it has been offered with."""

    def __init__(self, capacity: int) -> None:
        if capacity < 1:
            raise ValueError("the cache needs room for at least one URL")
        self.capacity = capacity
        self.hits = 0
        self.misses = 0
        self._place: dict[int, int] = {}
        # by place:
        self._key = array("q")
        self._value = array("d")
        self._count = array("q")
        self._touched = array("q")
        self._free: list[int] = []
        self._clock = 0
        """Uses so far."""

    def __len__(self) -> int:
        return len(self._place)

    @property
    def hit_rate(self) -> float:
        asked = self.hits + self.misses
        return self.hits / asked if asked else 0.0

    def known(self, key: int, priority: float, margin: float) -> bool:
        """True if the URL is known and `priority` is no improvement of more than `margin`: nothing to do for it."""
        place = self._place.get(key)
        if place is None:
            self.misses += 1
            return False
        self.hits += 1
        self._clock += 1
        self._count[place] += 1
        self._touched[place] = self._clock
        return priority <= self._value[place] + margin

    def put(self, key: int, priority: float) -> None:
        """Note that the URL is in the store with at least this priority."""
        place = self._place.get(key)
        if place is not None:
            self._value[place] = max(self._value[place], priority)
            return
        place = self._place[key] = self._free_place()
        self._clock += 1
        self._key[place], self._value[place], self._count[place], self._touched[place] = key, priority, 1, self._clock

    def rescore(self, key: int, priority: float) -> None:
        """Note that the URL, if it still waits, has exactly this priority now: a link may lift it from there."""
        place = self._place.get(key)
        if place is not None and self._value[place] < math.inf:
            self._value[place] = priority

    def close(self, key: int) -> None:
        """Note that the URL has been fetched: no link can lift it any more."""
        self.put(key, math.inf)

    def _free_place(self) -> int:
        if len(self._place) >= self.capacity:
            self._make_room()
        if self._free:
            return self._free.pop()
        for column in (self._key, self._count, self._touched):
            column.append(0)
        self._value.append(0.0)
        return len(self._value) - 1

    def _make_room(self) -> None:
        """All places are taken: the least frequently used give theirs up."""
        order = np.lexsort((np.frombuffer(self._touched, np.int64), np.frombuffer(self._count, np.int64)))
        self._free = order[: max(1, self.capacity // SHARE)].tolist()
        for place in self._free:
            del self._place[self._key[place]]
