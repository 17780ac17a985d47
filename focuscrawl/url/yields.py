"""Does this part of the host still bring anything? A limit on what a path prefix may cost without giving.

A prefix is the origin, the first two directories with digits masked, the shape of a file name that holds digits, and
the names of the query parameters: `/cal/2031/07/` and `/cal/2032/01/` share one. Refusal starts only after many fetched
pages and lasts; what was relevant once keeps a prefix open unless nearly all of it is duplicates.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

_DIGITS = re.compile(r"[0-9]+")
_VERSION = 1


@dataclass(slots=True)
class PrefixCounts:
    """What came back from one prefix, in pages."""

    fetched: int = 0
    relevant: int = 0
    duplicates: int = 0


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
        counts = self._counts.setdefault(prefix, PrefixCounts())
        self._counts.move_to_end(prefix)
        counts.fetched += 1
        counts.relevant += relevant
        counts.duplicates += duplicate
        if len(self._counts) > self.max_prefixes:
            self._counts.popitem(last=False)

    def refused(self) -> list[tuple[str, PrefixCounts]]:
        """The prefixes that are refused now, for reports."""
        return [(prefix, counts) for prefix, counts in self._counts.items() if self._is_barren(counts)]

    def state(self) -> dict[str, Any]:
        """All counts as plain data for JSON, least recently used first."""
        rows = [[prefix, c.fetched, c.relevant, c.duplicates] for prefix, c in self._counts.items()]
        return {"version": _VERSION, "prefixes": rows}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Takes over what `state` gave. ValueError for anything else; the counts then stay as they were."""
        if state.get("version") != _VERSION:
            raise ValueError(f"yield counts of version {state.get('version')!r}, expected {_VERSION}")
        try:
            rows = [(str(prefix), PrefixCounts(int(n), int(r), int(d))) for prefix, n, r, d in state["prefixes"]]
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError("yield counts that were not written by this program") from error
        self._counts = OrderedDict(rows[-self.max_prefixes :])

    def _is_barren(self, counts: PrefixCounts) -> bool:
        if counts.fetched >= self.barren and counts.relevant == 0:
            return True
        return (
            counts.fetched >= self.probe
            and counts.relevant < self.min_relevant * counts.fetched
            and counts.duplicates > self.max_duplicate * counts.fetched
        )


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
