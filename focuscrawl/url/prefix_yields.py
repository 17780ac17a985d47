"""Does this part of the host still bring anything? A limit on what a path prefix may cost without giving.

A prefix is the origin, the first two directories with digits masked, the shape of a file name that holds digits, and
the names of the query parameters: `/cal/2031/07/` and `/cal/2032/01/` share one. Refusal starts only after many fetched
pages and lasts; what was relevant once keeps a prefix open unless nearly all of it is duplicates.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from focuscrawl.shared_counts import Part, sliced

_DIGITS = re.compile(r"[0-9]+")


@dataclass(slots=True)
class PrefixCounts:
    """What came back from one prefix, in pages."""

    fetched: int = 0
    relevant: int = 0
    duplicates: int = 0

    def add(self, fetched: int, relevant: int, duplicates: int) -> None:
        self.fetched += fetched
        self.relevant += relevant
        self.duplicates += duplicates


class YieldLimit:
    """Refuses links under prefixes that proved barren. Memory is bounded: least recently used prefixes are forgotten.

    After `probe` fetched pages: refused with less than `min_relevant` relevant and more than `max_duplicate` duplicates
    (shares). After `barren` fetched pages: refused if none was relevant.
    """

    def __init__(
        self,
        probe: int = 60,
        barren: int = 300,
        min_relevant: float = 0.02,
        max_duplicate: float = 0.8,
        max_prefixes: int = 20000,
    ) -> None:
        self.probe = probe
        self.barren = barren
        self.min_relevant = min_relevant
        self.max_duplicate = max_duplicate
        self.max_prefixes = max_prefixes
        self._counts: OrderedDict[str, PrefixCounts] = OrderedDict()
        self._new: dict[str, PrefixCounts] = {}
        """The part of it that `take` has not handed out."""

    def admits(self, url: str) -> bool:
        """May a link to this normal URL enter the frontier?"""
        prefix = prefix_of(url)
        counts = self._counts.get(prefix)
        if counts is None:
            return True
        self._counts.move_to_end(prefix)
        return not self._is_barren(counts)

    def record(self, url: str, relevant: bool, duplicate: bool) -> None:
        """A page of this normal URL was fetched and judged."""
        prefix = prefix_of(url)
        self._add(prefix, 1, int(relevant), int(duplicate))
        self._new.setdefault(prefix, PrefixCounts()).add(1, relevant, duplicate)
        if len(self._new) > self.max_prefixes:
            del self._new[next(iter(self._new))]

    def refused(self) -> list[tuple[str, PrefixCounts]]:
        """The prefixes that are refused now, for reports."""
        return [(prefix, counts) for prefix, counts in self._counts.items() if self._is_barren(counts)]

    def take(self) -> Iterator[Part]:
        """See `focuscrawl.shared_counts`."""
        new, self._new = self._new, {}
        return _parts(new)

    def add(self, part: Part) -> None:
        """Take over what other workers' pages brought. Raises as `focuscrawl.shared_counts.Learned.add`."""
        rows = {str(prefix): (int(n), int(r), int(d)) for prefix, (n, r, d) in part["prefixes"].items()}
        if any(min(counts) < 0 for counts in rows.values()):
            raise ValueError("counts of pages below 0")
        for prefix, counts in rows.items():
            self._add(prefix, *counts)

    def whole(self) -> Iterator[Part]:
        """See `focuscrawl.shared_counts`; least recently used first."""
        return iter(list(_parts(self._counts)))

    def restart(self) -> None:
        """See `focuscrawl.shared_counts`."""
        self._counts.clear()
        for prefix, counts in self._new.items():
            self._add(prefix, counts.fetched, counts.relevant, counts.duplicates)

    def _add(self, prefix: str, fetched: int, relevant: int, duplicates: int) -> None:
        self._counts.setdefault(prefix, PrefixCounts()).add(fetched, relevant, duplicates)
        self._counts.move_to_end(prefix)
        if len(self._counts) > self.max_prefixes:
            self._counts.popitem(last=False)

    def _is_barren(self, counts: PrefixCounts) -> bool:
        if counts.fetched >= self.barren and counts.relevant == 0:
            return True
        return (
            counts.fetched >= self.probe
            and counts.relevant < self.min_relevant * counts.fetched
            and counts.duplicates > self.max_duplicate * counts.fetched
        )


def _parts(counts: Mapping[str, PrefixCounts]) -> Iterator[Part]:
    for piece in sliced(counts) if counts else ():
        yield {"prefixes": {prefix: [c.fetched, c.relevant, c.duplicates] for prefix, c in piece.items()}}


@lru_cache(maxsize=16384)
def prefix_of(url: str) -> str:
    """`http://h/cal/2031/07/x9.html?d=3&m=1` -> `http://h/cal/0/x0.html?d&m`: what its counts are kept under."""
    start = url.find("/", 8)
    path, _, query = url[start:].partition("?")
    *directories, name = path.split("/")
    shape = "/".join(directories[:3]) + "/" + (name if any(map(str.isdigit, name)) else "")
    shape = _DIGITS.sub("0", shape)
    if query:
        shape += "?" + "&".join(sorted({pair.partition("=")[0] for pair in query.split("&")}))
    return url[:start] + shape
