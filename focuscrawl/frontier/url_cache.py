"""The URL cache in front of the seen-test (T-spider): it keeps links that are met again and again away from the database.

Invariant: the cache has at most `capacity` keys. A key is the 64-bit number of a URL, never its text. When room is needed, the
least frequently used keys are dropped, the oldest of these first, some at a time. The store may know URLs that are not in the
cache.

The keys are a hash table with linear probing (Knuth, "The Art of Computer Programming", volume 3, section 6.4, algorithm L) in
arrays, so that a URL takes 40 to 60 bytes. As entries of a dictionary, which hold each number as an object, it would take 170.
"""

from __future__ import annotations

import math
from array import array
from typing import Any

import numpy as np
import numpy.typing as npt

SHARE = 32
"""One in this many keys is dropped when room is needed."""
FIRST_SLOTS = 1024
"""Slots of an empty cache. There are half as many again each time that two thirds of them are taken."""
SPILL = 64
"""Slots behind the others, for keys whose own slots at the end are taken."""


class UrlCache:
    """Least-frequently-used cache from a URL's number to the best priority with which it was offered.

    Invariant: a key is in its own slot (`key % self._slots`), or behind it with no free slot between. The last slot is free."""

    def __init__(self, capacity: int) -> None:
        """`capacity`: most keys. Raises ValueError if it is below 1."""
        if capacity < 1:
            raise ValueError("the cache needs room for at least one URL")
        self.capacity = capacity
        self.hits = 0
        self.misses = 0
        self._size = 0
        self._slots = FIRST_SLOTS
        self._key: array[int] = _zeros("q", FIRST_SLOTS + SPILL)
        self._value: array[float] = _zeros("d", FIRST_SLOTS + SPILL)
        """The best priority offered; infinite for a URL that was fetched."""
        self._count: array[int] = _zeros("i", FIRST_SLOTS + SPILL)
        """How often the key was used, 0 where a slot is free …"""
        self._touched: array[int] = _zeros("q", FIRST_SLOTS + SPILL)
        """… and at which use (`_clock`) for the last time."""
        self._clock = 0
        """Uses so far."""

    def __len__(self) -> int:
        return self._size

    @property
    def hit_rate(self) -> float:
        asked = self.hits + self.misses
        return self.hits / asked if asked else 0.0

    def known(self, key: int, priority: float, margin: float) -> bool:
        """Whether nothing is to be done for the URL, because it is known and `priority` is not better by more than
        `margin`."""
        slot = self._slot(key)
        if not self._count[slot]:
            self.misses += 1
            return False
        self.hits += 1
        self._clock += 1
        self._count[slot] += 1
        self._touched[slot] = self._clock
        return priority <= self._value[slot] + margin

    def put(self, key: int, priority: float) -> None:
        """Note that the URL is in the store with at least this priority."""
        slot = self._slot(key)
        if self._count[slot]:
            self._value[slot] = max(self._value[slot], priority)
            return
        if self._size == self.capacity:
            self._forget()
            slot = self._slot(key)
        elif 3 * self._size >= 2 * self._slots:
            self._arrange(self._taken(), min(self._slots, self.capacity) * 3 // 2)
            slot = self._slot(key)
        if slot == len(self._key) - 1:
            self._arrange(self._taken(), self._slots)
            slot = self._slot(key)
        self._size += 1
        self._clock += 1
        self._key[slot], self._value[slot], self._count[slot], self._touched[slot] = key, priority, 1, self._clock

    def rescore(self, key: int, priority: float) -> None:
        """Note that the URL, if it still waits, has exactly this priority now, from which a link may lift it."""
        slot = self._slot(key)
        if self._count[slot] and self._value[slot] < math.inf:
            self._value[slot] = priority

    def close(self, key: int) -> None:
        """Note that the URL has been fetched, so that no link can lift it any more."""
        self.put(key, math.inf)

    def _slot(self, key: int) -> int:
        """The slot of this key, or the free one where it belongs."""
        keys, counts, slot = self._key, self._count, key % self._slots
        while counts[slot] and keys[slot] != key:
            slot += 1
        return slot

    def _taken(self) -> npt.NDArray[np.intp]:
        return np.flatnonzero(np.frombuffer(self._count, np.intc))

    def _forget(self) -> None:
        """Drop the least frequently used keys."""
        taken = self._taken()
        order = np.lexsort((np.frombuffer(self._touched, np.int64)[taken], np.frombuffer(self._count, np.intc)[taken]))
        kept = taken[order[max(1, self.capacity // SHARE) :]]
        self._size = len(kept)
        self._arrange(kept, self._slots)

    def _arrange(self, taken: npt.NDArray[np.intp], slots: int) -> None:
        """Arrange the keys of these slots in `slots` new ones, and behind them as many as are needed, and SPILL."""
        own = np.frombuffer(self._key, np.int64)[taken] % slots
        order = np.argsort(own, kind="stable")
        steps = np.arange(len(taken))
        places = np.maximum.accumulate(own[order] - steps) + steps  # each behind the one before, where its own slot is taken
        room = max(slots, int(places[-1]) + 1 if len(places) else 0) + SPILL
        taken = taken[order]
        # One after the other: for a moment, two copies of all would take twice as much memory.
        self._key = _moved(self._key, taken, places, room)
        self._value = _moved(self._value, taken, places, room)
        self._count = _moved(self._count, taken, places, room)
        self._touched = _moved(self._touched, taken, places, room)
        self._slots = slots


def _zeros(code: str, size: int) -> Any:
    """An array of this type code, as `array` has it."""
    return array(code, bytes(size * array(code).itemsize))


def _moved(column: Any, taken: npt.NDArray[np.intp], places: npt.NDArray[np.intp], size: int) -> Any:
    """A column of this size with the values of the slots `taken` at these places."""
    moved = _zeros(column.typecode, size)
    np.frombuffer(moved, column.typecode)[places] = np.frombuffer(column, column.typecode)[taken]
    return moved
