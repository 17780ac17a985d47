"""The table of the counts of all parts of the web, by their names.

Bounded: the least recently used parts are forgotten. Shared between workers as `focuscrawl.shared_counts` says."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from focuscrawl.frontier.part_counts import Counts, counts_of, lower, pieces, requests_of_page, window_of
from focuscrawl.frontier.part_names import ALL
from focuscrawl.recent import Recent
from focuscrawl.shared_counts import Part

NOTHING = Counts()
MOST_PARTS = 50_000
"""Parts whose counts are remembered."""
NEWS = 10.0
"""Fetches that others should hear of before long: a part is closed after some tens."""


class PartTable:
    """The counts of each part."""

    def __init__(self) -> None:
        self._counts: Recent[str, Counts] = Recent(MOST_PARTS)
        self._new: Recent[str, Counts] = Recent(MOST_PARTS)
        """The counts that `take` has not handed out."""
        self.told: dict[str, float] = {}
        """Parts that are open here, and that others have closed and not opened since, with the FRONTIER_BARREN_SHARE by which
        they did."""
        self.apart: set[str] = set()
        """Those of them that the counts of the parts around them are without, see `Counts.apart`."""
        self._shifted = False
        """Whether a part was closed or opened here since the last call of `take`."""
        self.version = 0
        """Changes whenever a count does."""

    def __contains__(self, part: str) -> bool:
        return part in self._counts

    def get(self, part: str) -> Counts:
        """The counts of a part, not to be changed; NOTHING where it is not known."""
        return self._counts.get(part, NOTHING)

    def all(self) -> Mapping[str, Counts]:
        return self._counts

    def fetched(self, part: str) -> float:
        return self._counts.get(part, NOTHING).fetched

    def is_closed(self, part: str) -> bool:
        return self._counts.get(part, NOTHING).closed

    def if_closed(self, *parts: str) -> str:
        """The name of the first of these parts that is closed; empty if none is."""
        return next(filter(self.is_closed, parts), "")

    def rest(self, part: str = "") -> float:
        """The gain of a fetch in the rest of the crawl, without this part: a lower bound."""
        all_, own = self._counts.get(ALL, NOTHING), self._counts.get(part, NOTHING) if part else NOTHING
        fetched = max(0.0, all_.fetched - own.fetched)
        return lower(min(max(0.0, all_.gain - own.gain), fetched), fetched)

    def count(self, part: str, one: Counts) -> None:
        """Add counts to those of a part."""
        self._add(part, one)
        new = self._new.get(part)
        if new is None:
            new = Counts()
            self._new.note(part, new)
            self._note(part)
        new.add(one, math.inf)  # halved where workers add them up

    def close(self, part: str, share: float) -> None:
        """Close a part, by this FRONTIER_BARREN_SHARE."""
        counts = self._counts[part]
        if part not in self.told:  # else they have tried it as often as the counts say
            counts.tried = 0.0
        counts.closed, counts.was_closed, counts.share = True, True, share
        self._shifted = True
        self._note(part)

    def open(self, part: str) -> None:
        """Open a part again."""
        self._counts[part].closed = False
        self._shifted = True
        self._note(part)

    def _note(self, part: str) -> None:
        """Let others know whether the part is closed."""
        if part in self._new:
            new, counts = self._new[part], self._counts[part]
            new.closed, new.was_closed, new.tried, new.share = counts.closed, counts.was_closed, 0.0, counts.share

    def take_out_copies(self, inner: str, part: str, least: float) -> None:
        """Take what the last pages of one part copied out of the counts of a part around it, if at least so many of the last
        pages of this one are left."""
        out, counts = self._counts.get(inner, NOTHING), self._counts.get(part, NOTHING)
        left = max(0.0, counts.recent_fetched - out.recent_fetched)
        if part in self._counts and left >= least:
            counts.recent_fetched = left
            counts.recent_copying = max(0.0, counts.recent_copying - out.recent_copying)
            counts.recent_squares = max(0.0, counts.recent_squares - out.recent_squares)

    def _add(self, part: str, one: Counts) -> None:
        self.version += 1
        counts = self._counts.get(part)
        if counts is None:
            counts = Counts(requests=requests_of_page(part))
        self._counts.note(part, counts)
        counts.add(one, window_of(part))
        if one.closed and not counts.closed:
            self.told[part] = one.share
            self.apart.update([part] if one.apart else ())
        elif one.was_closed:
            self.untold(part)
        counts.gain = min(counts.gain, counts.fetched)  # pages that linked to fruitful ones are credited without a fetch

    def untold(self, part: str) -> None:
        """Forget that others have closed a part, because it is judged here, or because they have opened it."""
        self.told.pop(part, None)
        self.apart.discard(part)

    @property
    def has_news(self) -> bool:
        """Whether others should hear soon of what was learned here since the last call of `take`."""
        return self._shifted or self._new.get(ALL, NOTHING).fetched >= NEWS

    def take(self) -> Iterator[Part]:
        """See `focuscrawl.shared_counts`."""
        new, self._new, self._shifted = self._new, Recent(MOST_PARTS), False
        return pieces(new)

    def add(self, part: Part) -> list[str]:
        """Add what other workers counted. Returns the names of the parts that it concerns. Raises as
        `focuscrawl.shared_counts.Learned.add`."""
        rows = {str(name): counts_of(values) for name, values in part["parts"].items()}
        for name, counts in rows.items():
            self._add(name, counts)
        return list(rows)

    def whole(self) -> Iterator[Part]:
        """See `focuscrawl.shared_counts`; the least recently used parts come first."""
        return pieces(self._counts, whole=True)

    def restart(self) -> None:
        """See `focuscrawl.shared_counts`."""
        self._counts.clear()
        self.told.clear()
        self.apart.clear()
        self.version += 1
        for part, counts in self._new.items():
            self._add(part, counts)
