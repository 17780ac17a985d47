"""Learns whether lists that say the same as others lead to pages of their own.

The lists of lectures of each course say the same, and so do the months of an empty calendar, the members of a forum who have
written nothing, and the commits of a program: only what is below tells them apart (`Duplicate.own`). So each page to which such
a list has led is counted, by section, as new or as known (`focuscrawl.frontier.part_names.VALUES`). Once most are known, such
lists are copies like any other page. Bounded: the least recent lists are forgotten."""

from __future__ import annotations

from focuscrawl.frontier.fetch_yield import REPEATS, FetchYield
from focuscrawl.frontier.part_counts import Counts
from focuscrawl.frontier.part_names import below_lists_of
from focuscrawl.recent import Recent

OPEN = 0.125
"""What another such list counts as a known page: terms lead to weeks, and weeks to lectures, but paths may grow for ever."""


MOST_LISTS = 20_000
"""Lists that are remembered, 0.2 kB each."""


class BelowLists:
    """Remembers the lists of which it is open whether they are copies."""

    def __init__(self) -> None:
        self._lists: Recent[int, bool] = Recent(MOST_LISTS)
        """The hashes of their URLs."""

    def compare(self, fetch: FetchYield) -> dict[str, Counts]:
        """Note a fetch. Returns what it adds to which counts: nothing if no such list has led to it."""
        if fetch.undecided:
            self._lists.note(hash(fetch.url), True)
        if hash(fetch.parent) not in self._lists:
            return {}
        weight = OPEN if fetch.undecided else 1.0
        known = fetch.undecided or bool(fetch.original) or fetch.reuse.known > REPEATS
        return {below_lists_of(fetch.parent): Counts(weight, weight * (not known), weight * known)}
