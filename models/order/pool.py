"""The pool of waiting URLs that the default order remembers, as columns, so that all of them are scored in one sweep.

Invariants: a URL is either waiting (it has a slot), fetched (it is remembered as such), or unknown. At most MOST wait here: if
there are more, those with the lowest priority are forgotten, and stay in the frontier as they are. The row of a slot that is
not in use is 0, except in the columns that are set for each new URL (directory, host, origin, site, hub, index, depth).

Takes 0.5 KB for each waiting URL (at most 25 MB), and O(groups) to add or describe one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set

import numpy as np
import numpy.typing as npt

from focuscrawl.url.key import UrlId
from models.order.fetched_keys import FetchedKeys

WIDTH = 48
"""Most groups kept of one URL: its own (at most 19) and those of the first links to it. The time of a sweep is proportional to
it."""
MOST = 50_000
"""Most waiting URLs that are remembered. The time of a sweep is proportional to it. Those forgotten keep their last priority in
the frontier."""
FIRST = 1024
"""Rows at the start. Their number doubles when all are in use."""
# The arrays that grow with the number of rows.
COLUMNS = (
    "groups", "used", "score", "published_priority", "links", "directory", "host", "origin", "site", "hub", "index",
    "depth", "way_on", "behind", "explored", "waits",
)  # fmt: skip


class Pool:
    """Columns of facts about waiting URLs. A slot is a row number of the columns; those with `waits` are in use."""

    def __init__(self) -> None:
        self._slots: dict[UrlId, int] = {}
        self._keys: list[UrlId | None] = [None] * FIRST
        self._free = list(range(FIRST - 1, -1, -1))
        """Slots that are not in use; the last one is taken first."""
        self._fetched = FetchedKeys()
        self.groups: npt.NDArray[np.int32] = np.zeros((FIRST, WIDTH), np.int32)
        """The groups of the URL, filled up with 0."""
        self.used: npt.NDArray[np.int32] = np.zeros(FIRST, np.int32)
        """How many groups it has."""
        self.score: npt.NDArray[np.float64] = np.zeros(FIRST)
        """Best link score of any link to it."""
        self.published_priority: npt.NDArray[np.float64] = np.zeros(FIRST)
        """The priority that the frontier has."""
        self.links: npt.NDArray[np.int32] = np.zeros(FIRST, np.int32)
        """How many links to it have added their groups."""
        self.directory: npt.NDArray[np.int32] = np.zeros(FIRST, np.int32)
        self.host: npt.NDArray[np.int32] = np.zeros(FIRST, np.int32)
        self.origin: npt.NDArray[np.int32] = np.zeros(FIRST, np.int32)
        self.site: npt.NDArray[np.int32] = np.zeros(FIRST, np.int32)
        self.hub: npt.NDArray[np.bool_] = np.zeros(FIRST, np.bool_)
        self.index: npt.NDArray[np.bool_] = np.zeros(FIRST, np.bool_)
        """Whether it is the index page of its directory."""
        self.depth: npt.NDArray[np.int32] = np.zeros(FIRST, np.int32)
        """Fewest clicks from a seed."""
        self.way_on: npt.NDArray[np.bool_] = np.zeros(FIRST, np.bool_)
        """Whether it is the way on from a new place, see `models.order.exploration` …"""
        self.behind: npt.NDArray[np.bool_] = np.zeros(FIRST, np.bool_)
        """… and whether such a way was explored to find it, and nothing relevant lay between."""
        self.explored: npt.NDArray[np.int32] = np.zeros(FIRST, np.int32)
        """Number of the fetch at which it was chosen for exploration; 0: it was not."""
        self.waits: npt.NDArray[np.bool_] = np.zeros(FIRST, np.bool_)

    def __len__(self) -> int:
        return len(self._slots)

    def slot(self, key: UrlId) -> int | None:
        return self._slots.get(key)

    def keys(self, slots: Iterable[int]) -> list[UrlId]:
        """The keys of these slots, which are in use."""
        return [key for slot in slots if (key := self._keys[slot])]

    def among(self, keys: Set[UrlId]) -> list[UrlId]:
        """Those of these keys that wait, in the order in which they came."""
        return [key for key in self._slots if key in keys] if keys else []

    def waiting(self) -> npt.NDArray[np.intp]:
        """All slots in use."""
        return np.flatnonzero(self.waits)

    def groups_of(self, slots: npt.NDArray[np.intp] | list[int]) -> npt.NDArray[np.int32]:
        """The rows of groups of these slots, (slots, width), as wide as the longest of them."""
        return self.groups[slots, : int(self.used[slots].max(initial=0))]

    def enter(self, keys: Sequence[UrlId]) -> tuple[list[int | None], list[tuple[int, int]]]:
        """Enter those of these keys that are unknown, at most a tenth of MOST. Returns (the slot of each key, None for one that
        was fetched; slot and place among `keys` of those that are new)."""
        if len(self._slots) + len(keys) > MOST:
            self._forget_lowest()  # before any is added, so that none of them is forgotten
        slots, new = list[int | None](), list[tuple[int, int]]()
        for place, key in enumerate(keys):
            if key in self._slots:
                slots.append(self._slots[key])
            elif key in self._fetched:
                slots.append(None)
            else:
                slot = self._take(key)
                slots.append(slot)
                new.append((slot, place))
        return slots, new

    def describe(self, slot: int, groups: Iterable[int]) -> None:
        """Add groups to those of a URL. Those for which there is no room are left out."""
        used = int(self.used[slot])
        known = self.groups[slot, :used].tolist() if used else ()
        new = [group for group in dict.fromkeys(groups) if group not in known][: WIDTH - used]
        end = used + len(new)
        self.groups[slot, used:end], self.used[slot] = new, end

    def close(self, key: UrlId) -> None:
        """Note that the URL was fetched, so that it waits no more."""
        self.drop(key)
        self._fetched.add(key)

    def drop(self, key: UrlId) -> None:
        """Forget a waiting URL."""
        slot = self._slots.pop(key, None)
        if slot is not None:
            self._keys[slot] = None
            self.groups[slot] = 0
            self.used[slot] = self.links[slot] = 0
            self.score[slot] = self.published_priority[slot] = 0.0
            self.explored[slot] = 0
            self.way_on[slot] = self.behind[slot] = self.waits[slot] = False
            self._free.append(slot)

    def _take(self, key: UrlId) -> int:
        """Give a key that has no slot one."""
        if not self._free:
            self._grow()
        slot = self._free.pop()
        self._slots[key], self._keys[slot] = slot, key
        self.waits[slot] = True
        return slot

    def _forget_lowest(self) -> None:
        slots = self.waiting()
        count = MOST // 10
        for key in self.keys(slots[np.argpartition(self.published_priority[slots], count)[:count]].tolist()):
            self.drop(key)

    def _grow(self) -> None:
        size = len(self._keys)
        for name in COLUMNS:
            column = getattr(self, name)
            setattr(self, name, np.concatenate([column, np.zeros_like(column)]))
        self._keys += [None] * size
        self._free = list(range(2 * size - 1, size - 1, -1))
