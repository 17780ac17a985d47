"""Which hosts show another one's pages? A host whose pages repeat those of one other host at the same addresses is its mirror:
of what waits there only samples are fetched, and it is known as an alias of the original.

A mirror that was entered at other addresses than its original has few pages that were read on both. Where some were, its pages
are compared with what the crawl knows at the same addresses of the other: sister newspapers share articles, too, but each has
addresses that the other has not.

Two addresses of one page on one host are no mirror, nor are copies of single articles: paths and queries must agree, for nearly
all of the host's pages. An original is nobody's mirror, so that two hosts never refuse each other's pages. A mirror most of
whose pages turn out to be its own is none any more.
"""

from __future__ import annotations

import zlib
from collections import Counter, OrderedDict
from collections.abc import Iterator
from typing import NamedTuple

from focuscrawl.shared_counts import Part, sliced
from focuscrawl.url.normalize import split

ENOUGH = 4
"""Pages that repeat the original's at the same addresses, on one host or several, before these are taken for its mirrors."""
SHARE = 0.8
"""Of the host's pages."""
MOST_COMPARED = 16
"""Hosts with which one is compared."""
SAMPLED = 20
"""One address in so many of a mirror is fetched all the same."""
ALL = ""
"""Counts all pages of a host, beside those that repeat another host's."""


class Compared(NamedTuple):
    """How many pages of one origin were looked up at the same addresses of others."""

    pages: int
    known: int
    """The crawl knows such an address …"""
    read: int
    """… has stored the page there …"""
    same: int
    """… and it is the same."""

    @property
    def is_mirror(self) -> bool:
        """Whether nearly all that was read of both is the same, and the others have nearly all addresses of this one."""
        return self.same >= max(ENOUGH, SHARE * self.read) and self.known >= SHARE * self.pages


class Mirrors:
    """Counts by origin (scheme, host, port). Bounded; shared between workers as `focuscrawl.shared_counts` says."""

    def __init__(self, most: int = 20_000) -> None:
        self._most = most
        self._counts: OrderedDict[str, Counter[str]] = OrderedDict()
        """Of an origin: pages by the origin that shows the same at the same address."""
        self._repeat: dict[str, set[str]] = {}
        """Of an origin: those that show a page of it."""
        self._new: dict[str, Counter[str]] = {}
        self._asked: dict[str, int] = {}
        """Of an origin: pages that repeated others' when it was last compared."""
        self.aliases: dict[str, str] = {}
        """Of mirrors: the original."""

    def record(self, url: str, original: str = "") -> list[str]:
        """A page was stored, which repeats the one at `original` (empty: none). Returns the origins that are mirrors since."""
        origin, path = split(url)
        other, same = split(original) if original else ("", "")
        if not other or other == origin or same != path:
            return self._learn(origin, Counter([ALL]))
        found = self._learn(origin, Counter([ALL, other]))
        if other in self.aliases and self._counts[other][origin] >= self._pages(other):
            return found  # all of the mirror's pages are explained already
        return [*found, *self._learn(other, Counter([origin]))]

    def in_question(self, url: str) -> list[str]:
        """The origins with whose pages this page's origin is to be compared (`compare`): the one with most pages first, whose
        mirror it may be. Empty if there is no reason to, or if there was no more of it since the last time."""
        origin = split(url)[0]
        counts = self._counts.get(origin)
        if counts is None or origin in self.aliases:
            return []
        repeating = counts.total() - counts[ALL]
        if repeating < self._asked.get(origin, 0) + ENOUGH:
            return []
        others = [other for other, _ in counts.most_common(MOST_COMPARED + 1) if other != ALL]
        originals = {self.aliases.get(other, other) for other in others} - {origin}
        original = max(sorted(originals), key=self._pages, default=origin)
        if original == origin or self._pages(original) < self._pages(origin):
            return []
        self._asked[origin] = repeating
        return [original, *(other for other in others if other != original)]

    def _pages(self, origin: str) -> int:
        return self._counts[origin][ALL] if origin in self._counts else 0

    def compare(self, url: str, original: str, compared: Compared) -> list[str]:
        """Learn how the page's origin compares with those that `in_question` named; `original` was the first of them. Returns
        the origins that are mirrors since."""
        origin = split(url)[0]
        counts = self._counts.get(origin)
        if counts is None or not compared.is_mirror:
            return []
        return self._learn(origin, Counter({original: max(0, counts[ALL] - counts[original])}))

    def _learn(self, origin: str, names: Counter[str]) -> list[str]:
        self._new.setdefault(origin, Counter()).update(names)
        if len(self._new) > self._most:
            del self._new[next(iter(self._new))]
        return self._add(origin, names)

    def admits(self, url: str) -> bool:
        """Whether this normal URL is on no mirror, or one of its samples."""
        return not self.aliases or split(url)[0] not in self.aliases or zlib.crc32(url.encode()) % SAMPLED == 0

    def _add(self, origin: str, names: Counter[str]) -> list[str]:
        counts = self._counts.setdefault(origin, Counter())
        counts.update(names)
        self._counts.move_to_end(origin)
        shown = max((counts[other] for other in counts.keys() - {ALL}), default=0)
        if counts[ALL] - shown > max(shown, ENOUGH):
            self.aliases.pop(origin, None)
        for other in names.keys() - {ALL}:
            self._repeat.setdefault(other, set()).add(origin)
        if len(self._counts) > self._most:
            self._forget(*self._counts.popitem(last=False))
        return [mirror for other in sorted(counts.keys() - {ALL}) for mirror in self._judge(other)]

    def _forget(self, origin: str, counts: Counter[str]) -> None:
        self.aliases.pop(origin, None)
        self._asked.pop(origin, None)
        for other in counts.keys() - {ALL}:
            self._repeat[other].discard(origin)
            if not self._repeat[other]:
                del self._repeat[other]

    def _judge(self, other: str) -> list[str]:
        """Who shows the pages of this origin since?"""
        if other in self.aliases:
            return []
        mirrors = [origin for origin in self._repeat.get(other, ()) if self._shows(origin, other)]
        if sum(self._counts[origin][other] for origin in mirrors) < ENOUGH:
            return []
        new = sorted(set(mirrors) - self.aliases.keys())
        self.aliases.update(dict.fromkeys(new, other))
        self.aliases.update({mirror: other for mirror, original in self.aliases.items() if original in new})
        return new

    def _shows(self, origin: str, other: str) -> bool:
        """Is nearly all that was seen of it the other's?"""
        if origin in self.aliases:
            return self.aliases[origin] == other
        counts = self._counts[origin]
        return SHARE * counts[ALL] <= counts[other] <= counts[ALL]

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
        self._repeat.clear()
        self._asked.clear()
        self.aliases.clear()
        for origin, counts in self._new.items():
            self._add(origin, counts)


def _parts(counts: dict[str, Counter[str]] | OrderedDict[str, Counter[str]]) -> Iterator[Part]:
    for piece in sliced(counts) if counts else ():
        yield {"mirrors": {origin: dict(row) for origin, row in piece.items()}}
