"""The URL cache in front of the seen-test (T-spider): it keeps links that are met again and again away from the database.

Invariant: the cache has at most `capacity` keys. A key is the 64-bit number of a URL, never its text. When room is needed, the
least frequently used keys are dropped, the oldest of these first, some at a time. The store may know URLs that are not in the
cache.

A key has an index into arrays, so that a URL takes 170 bytes. With a dictionary for each of its values it would take 300.
"""

from __future__ import annotations

import math
from array import array

import numpy as np

SHARE = 32
"""One in this many keys is dropped when room is needed."""
GROWTH = 1024
"""Indexes by which the arrays grow."""


class UrlCache:
    """Least-frequently-used cache from a URL's number to the best priority with which it was offered."""

    def __init__(self, capacity: int) -> None:
        """`capacity`: most keys. Raises ValueError if it is below 1."""
        if capacity < 1:
            raise ValueError("the cache needs room for at least one URL")
        self.capacity = capacity
        self.hits = 0
        self.misses = 0
        self._place: dict[int, int] = {}
        """The index of each key in the arrays that follow."""
        self._key = array("q")
        self._value = array("d")
        """The best priority offered; infinite for a URL that was fetched."""
        self._count = array("q")
        """How often the key was used …"""
        self._touched = array("q")
        """… and at which use (`_clock`) for the last time."""
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
        """Whether nothing is to be done for the URL, because it is known and `priority` is not better by more than
        `margin`."""
        if key not in self._place:
            self.misses += 1
            return False
        place = self._place[key]
        self.hits += 1
        self._clock += 1
        self._count[place] += 1
        self._touched[place] = self._clock
        return priority <= self._value[place] + margin

    def put(self, key: int, priority: float) -> None:
        """Note that the URL is in the store with at least this priority."""
        if key in self._place:
            place = self._place[key]
            self._value[place] = max(self._value[place], priority)
            return
        if not self._free:
            self._make_room()
        place = self._place[key] = self._free.pop()
        self._clock += 1
        self._key[place], self._value[place], self._count[place], self._touched[place] = key, priority, 1, self._clock

    def rescore(self, key: int, priority: float) -> None:
        """Note that the URL, if it still waits, has exactly this priority now, from which a link may lift it."""
        if key in self._place and self._value[self._place[key]] < math.inf:
            self._value[self._place[key]] = priority

    def close(self, key: int) -> None:
        """Note that the URL has been fetched, so that no link can lift it any more."""
        self.put(key, math.inf)

    def _make_room(self) -> None:
        """Make free indexes: new ones, as long as there are fewer than the capacity, else those of the least frequently used
        keys."""
        size = len(self._key)
        if size < self.capacity:
            more = min(GROWTH, self.capacity - size)
            for column in (self._key, self._value, self._count, self._touched):
                column.frombytes(bytes(8 * more))
            self._free = list(range(size + more - 1, size - 1, -1))
            return
        order = np.lexsort((np.frombuffer(self._touched, np.int64), np.frombuffer(self._count, np.int64)))
        self._free = order[: max(1, self.capacity // SHARE)].tolist()
        for place in self._free:
            del self._place[self._key[place]]
