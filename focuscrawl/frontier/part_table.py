"""The counts of all parts, by their names. Bounded: least recently used parts are forgotten. Shared between workers as
`focuscrawl.shared_counts` says."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Iterator, Mapping

from focuscrawl.frontier.part_counts import ALL, Counts, counts_of, lower, pieces, window_of
from focuscrawl.shared_counts import Part

NOTHING = Counts()


class PartTable:
    """What came back from each part lately."""

    def __init__(self, max_parts: int) -> None:
        self.max_parts = max_parts
        self._counts: OrderedDict[str, Counts] = OrderedDict()
        self._new: dict[str, Counts] = {}
        """The part of it that `take` has not handed out."""
        self.version = 0
        """Changes with each count."""

    def get(self, part: str) -> Counts | None:
        return self._counts.get(part)

    def all(self) -> Mapping[str, Counts]:
        return self._counts

    def fetched(self, part: str) -> float:
        return self._counts.get(part, NOTHING).fetched

    def is_closed(self, part: str) -> bool:
        return self._counts.get(part, NOTHING).closed

    def if_closed(self, *parts: str) -> str:
        """The first of these that is closed; empty if none is."""
        return next(filter(self.is_closed, parts), "")

    def rest(self, part: str = "") -> float:
        """What the rest of the crawl, without the part, brings at least of a fetch."""
        all_, own = self._counts.get(ALL, NOTHING), self._counts.get(part, NOTHING) if part else NOTHING
        fetched = max(0.0, all_.fetched - own.fetched)
        return lower(min(max(0.0, all_.gain - own.gain), fetched), fetched)

    def count(self, part: str, one: Counts) -> None:
        """Something came back here."""
        self._add(part, one)
        self._new.setdefault(part, Counts()).add(one, math.inf)
        if len(self._new) > self.max_parts:
            del self._new[next(iter(self._new))]

    def forget_copies(self, part: str) -> None:
        """Of its last pages: whether it copies is to be found out anew."""
        if counts := self._counts.get(part):
            counts.recent = counts.recently = counts.recent_squares = 0.0

    def _add(self, part: str, one: Counts) -> None:
        self.version += 1
        counts = self._counts.setdefault(part, Counts())
        counts.add(one, window_of(part))
        counts.gain = min(counts.gain, counts.fetched)
        self._counts.move_to_end(part)
        if len(self._counts) > self.max_parts:
            self._counts.popitem(last=False)

    def take(self) -> Iterator[Part]:
        """See `focuscrawl.shared_counts`."""
        new, self._new = self._new, {}
        return pieces(new)

    def add(self, part: Part) -> list[str]:
        """Take over what other workers' pages brought. Returns the names of its parts; raises as
        `focuscrawl.shared_counts.Learned.add`."""
        rows = {str(name): counts_of(values) for name, values in part["parts"].items()}
        for name, counts in rows.items():
            self._add(name, counts)
        return list(rows)

    def whole(self) -> Iterator[Part]:
        """See `focuscrawl.shared_counts`; least recently used first."""
        return pieces(self._counts)

    def restart(self) -> None:
        """See `focuscrawl.shared_counts`."""
        self._counts.clear()
        self.version += 1
        for part, counts in self._new.items():
            self._add(part, counts)
