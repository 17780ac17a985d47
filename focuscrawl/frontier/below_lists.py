"""Learns whether lists that say the same as others lead to pages of their own.

The lists of lectures of each course say the same, and so do the months of an empty calendar, the members of a forum who have
written nothing, and the commits of a program: only what is below tells them apart (`Duplicate.own`). So each page to which such
a list has led is counted, by section, as new or as known (`focuscrawl.frontier.part_counts.VALUES`). Once most are known, such
lists are copies like any other page. Bounded: the least recent lists are forgotten."""

from __future__ import annotations

from collections import OrderedDict

from focuscrawl.frontier.fetch_yield import REPEATS, FetchYield
from focuscrawl.frontier.part_counts import VALUES, Counts
from focuscrawl.url.groups import groups_of
from focuscrawl.url.normalize import split

OPEN = 0.125
"""What another such list counts as a known page: terms lead to weeks, and weeks to lectures, but paths may grow for ever."""


class BelowLists:
    """Remembers the lists of which it is open whether they are copies."""

    def __init__(self, most: int = 20_000) -> None:
        """`most`: how many lists are remembered, 0.2 kB each."""
        self._most = most
        self._lists: OrderedDict[int, None] = OrderedDict()
        """The hashes of their URLs."""

    def compare(self, fetch: FetchYield) -> dict[str, Counts]:
        """Note a fetch. Returns what it adds to which counts: nothing if no such list has led to it."""
        if fetch.undecided:
            self._lists[hash(fetch.url)] = None
            if len(self._lists) > self._most:
                self._lists.popitem(last=False)
        if hash(fetch.parent) not in self._lists:
            return {}
        weight = OPEN if fetch.undecided else 1.0
        known = fetch.undecided or bool(fetch.original) or fetch.reuse.known > REPEATS
        return {below_lists_of(fetch.parent): Counts(weight, weight * (not known), weight * known)}


def below_lists_of(url: str) -> str:
    """The name of the counts of what is below lists that say the same, in the first directory of this list's URL.

    >>> below_lists_of("http://h.org/courses/5/"), below_lists_of("http://h.org/week5")
    ('v http://h.org/courses/*/...', 'v http://h.org/*/...')
    """
    directories = groups_of(url).directories
    section = directories[0].partition(" ")[2] if directories else split(url)[0] + "/"
    return f"{VALUES}{section}*/..."
