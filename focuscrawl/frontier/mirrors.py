"""Which hosts show another one's pages? A host whose pages repeat those of one other host at the same addresses is its mirror:
of what waits there only samples are fetched, and it is known as an alias of the original.

Two addresses of one page on one host are no mirror, nor are copies of single articles: paths and queries must agree, for nearly
all of the host's pages. An original is nobody's mirror, so that two hosts never refuse each other's pages.
"""

from __future__ import annotations

import zlib
from collections import Counter, OrderedDict
from collections.abc import Iterator

from focuscrawl.shared_counts import Part, sliced
from focuscrawl.url.normalize import split

ENOUGH = 4
"""Pages that repeat the original's at the same address before a host is taken for its mirror …"""
KNOWN = 2
"""… and one is enough for an original that has so many mirrors."""
SHARE = 0.8
"""Of the host's pages."""
SAMPLED = 20
"""One address in so many of a mirror is fetched all the same."""
ALL = ""
"""Counts all pages of a host, beside those that repeat another host's."""


class Mirrors:
    """Counts by origin (scheme, host, port). Bounded; shared between workers as `focuscrawl.shared_counts` says."""

    def __init__(self, most: int = 20_000) -> None:
        self._most = most
        self._counts: OrderedDict[str, Counter[str]] = OrderedDict()
        """Of an origin: pages by the origin whose page at the same address they repeat."""
        self._new: dict[str, Counter[str]] = {}
        self.aliases: dict[str, str] = {}
        """Of mirrors: the original."""

    def record(self, url: str, original: str = "") -> str:
        """A page was stored, which repeats the one at `original` (empty: none). Returns the origin that is a mirror since."""
        origin, path = split(url)
        names = Counter([ALL])
        if original:
            other, same = split(original)
            if other != origin and same == path:
                names[other] += 1
        self._new.setdefault(origin, Counter()).update(names)
        if len(self._new) > self._most:
            del self._new[next(iter(self._new))]
        return self._add(origin, names)

    def admits(self, url: str) -> bool:
        """Whether this normal URL is on no mirror, or one of its samples."""
        return not self.aliases or split(url)[0] not in self.aliases or zlib.crc32(url.encode()) % SAMPLED == 0

    def _add(self, origin: str, names: Counter[str]) -> str:
        counts = self._counts.setdefault(origin, Counter())
        counts.update(names)
        self._counts.move_to_end(origin)
        if len(self._counts) > self._most:
            forgotten, _ = self._counts.popitem(last=False)
            self.aliases.pop(forgotten, None)
        return self._judge(origin, counts)

    def _judge(self, origin: str, counts: Counter[str]) -> str:
        other, same = max(((name, count) for name, count in counts.items() if name), key=lambda item: item[1], default=("", 0))
        originals = self.aliases.values()
        if not same or origin in self.aliases or origin in originals or other in self.aliases or same < SHARE * counts[ALL]:
            return ""
        if same < (ENOUGH if Counter(originals)[other] < KNOWN else 1):
            return ""
        self.aliases[origin] = other
        return origin

    def take(self) -> Iterator[Part]:
        """See `focuscrawl.shared_counts`."""
        new, self._new = self._new, {}
        return _parts(new)

    def add(self, part: Part) -> None:
        """What other workers have found. Raises as `focuscrawl.shared_counts.Learned.add`."""
        rows = {str(origin): {str(name): int(count) for name, count in row.items()} for origin, row in part["mirrors"].items()}
        if any(count < 0 for row in rows.values() for count in row.values()):
            raise ValueError("counts of pages below 0")
        for origin, row in rows.items():
            self._add(origin, Counter(row))

    def whole(self) -> Iterator[Part]:
        """See `focuscrawl.shared_counts`; least recently used first."""
        return iter(list(_parts(self._counts)))

    def restart(self) -> None:
        """See `focuscrawl.shared_counts`."""
        self._counts.clear()
        self.aliases.clear()
        for origin, counts in self._new.items():
            self._add(origin, counts)


def _parts(counts: dict[str, Counter[str]] | OrderedDict[str, Counter[str]]) -> Iterator[Part]:
    for piece in sliced(counts) if counts else ():
        yield {"mirrors": {origin: dict(row) for origin, row in piece.items()}}
