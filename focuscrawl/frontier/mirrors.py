"""Finds mirrors: hosts whose pages repeat those of one other host, the original, at the same paths.

A mirror is remembered as an alias of its original, and only a sample of the URLs that wait there is fetched.

A mirror that was entered at other URLs than its original has few pages that were read on both. If some were, its pages are
compared with what the crawl knows at the same paths of the other host. Sister newspapers share articles, too, but each has
paths that the other does not have.

Two URLs of one page on one host do not make a mirror, nor do copies of single articles: paths and queries must agree, for
nearly all of the host's pages. An original is never a mirror itself, so that two hosts never refuse each other's pages. A
mirror is no longer one if most of its pages turn out to be its own.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import NamedTuple

from focuscrawl.items import Duplicate
from focuscrawl.recent import Recent
from focuscrawl.shared_counts import Part, sliced
from focuscrawl.url.hosts import bare_host
from focuscrawl.url.normalize import split

ENOUGH = 4
"""Pages that repeat the original's at the same paths, on one host or several, before these count as its mirrors."""
LEAST = 2
"""Pages of each of these hosts that repeat others: many sites have an imprint or a licence with the same words."""
SHARE = 0.8
"""Least share of a host's pages that must repeat the original's."""
MOST_ORIGINS = 50_000
"""Origins whose pages are counted."""
MOST_COMPARED = 16
"""Most hosts with which one host is compared."""
SAMPLED = 20
"""One URL in this many of a mirror is fetched all the same."""
ALL, COPIES = "", "*"
"""The keys under which all pages of a host are counted, and those that repeat any others, beside the origins whose pages they
repeat."""
_SUMS = frozenset({ALL, COPIES})


def to_follow(url: str, duplicate: Duplicate, links: Iterable[str]) -> frozenset[str]:
    """Of the URLs to which the page `url` links, which is a copy, those that are followed to see whether it leads where its
    original does: its own, or the first few on a host that may be a mirror."""
    if duplicate.own:
        return duplicate.own.intersection(links)
    host = bare_host(url)
    return frozenset(islice((link for link in links if bare_host(link) == host), ENOUGH - 1))


class Compared(NamedTuple):
    """Pages of one origin that were looked up at the same paths of other origins."""

    pages: int
    """All pages that were looked up."""
    known: int
    """Those for which the crawl knows a URL with the same path on another origin …"""
    read: int
    """… and has stored the page there …"""
    same: int
    """… which is the same page."""

    @property
    def is_mirror(self) -> bool:
        """Whether nearly all pages that were read on both are the same, and the others have nearly all paths of this one."""
        return self.same >= max(ENOUGH, SHARE * self.read) and self.known >= SHARE * self.pages


class Mirrors:
    """Counts pages by origin (scheme, host, port) and finds mirrors by them. Bounded: the least recently used origins are
    forgotten. Shared between workers as `focuscrawl.shared_counts` says."""

    def __init__(self) -> None:
        self._counts: Recent[str, Counter[str]] = Recent(MOST_ORIGINS)
        """For each origin, how many of its pages each other origin shows at the same path, and what ALL and COPIES say."""
        self._repeat: dict[str, set[str]] = {}
        """For each origin, the origins that show some of its pages."""
        self._new: Recent[str, Counter[str]] = Recent(MOST_ORIGINS)
        """The counts that `take` has not handed out."""
        self._compared_at: dict[str, int] = {}
        """For each origin, how many of its pages repeated others' when it was last compared."""
        self.aliases: dict[str, str] = {}
        """The original of each mirror."""
        self._opened: set[str] = set()
        """Origins that are no mirrors any more, or forgotten, since the last call of `take_opened`."""

    def record(self, url: str, original: str = "", leads_alike: bool = False) -> list[str]:
        """Count a stored page that repeats the one at `original` (empty: none). Returns the origins that became mirrors.

        A home page that repeats another's says nothing unless both lead to the same paths on their hosts (`leads_alike`):
        many sites greet with the same words."""
        origin, path = split(url)
        other, same = split(original) if original else ("", "")
        other = self.aliases.get(other, other)
        if not other or other == origin or same != path:
            return self._learn(origin, Counter([ALL]))
        if path == "/" and not leads_alike:
            return []
        return [*self._learn(origin, Counter([ALL, COPIES, other])), *self._learn(other, Counter([origin]))]

    def record_home(self, url: str, other: str) -> list[str]:
        """Count a stored page that takes the place of the one at `other`, which was counted and names it as its own URL: it
        is that one which repeats it, while this one lies where it belongs and repeats nothing. Returns the origins that became
        mirrors."""
        (origin, path), (home, same) = split(other), split(url)
        mirrors = self._learn(home, Counter([ALL]))
        if origin == home or path != same:
            return mirrors
        return [*mirrors, *self._learn(origin, Counter([COPIES, home]))]

    def take_opened(self) -> set[str]:
        """The origins that were mirrors and have turned out to be none, or were forgotten, since the last call."""
        opened, self._opened = self._opened, set()
        return opened

    def in_question(self, url: str) -> list[str]:
        """The origins with which this page's origin is to be compared (`compare`). The first, which has the most pages of those
        that show the same ones, may be the original. Empty if nothing suggests a mirror, or if too little was added since the
        last comparison."""
        origin = split(url)[0]
        counts = self._counts.get(origin)
        if counts is None or origin in self.aliases:
            return []
        repeating = counts.total() - counts[ALL] - counts[COPIES]
        if repeating < self._compared_at.get(origin, 0) + ENOUGH:
            return []
        others = [other for other, _ in counts.most_common(MOST_COMPARED + len(_SUMS)) if other not in _SUMS]
        alike = [other for other in others if counts[other] >= min(LEAST, counts[others[0]])]  # not for an imprint alone
        originals = {self.aliases.get(other, other) for other in alike} - {origin}
        original = max(sorted(originals), key=self._pages, default=origin)
        if original == origin or self._pages(original) < self._pages(origin):
            return []
        self._compared_at[origin] = repeating
        return [original, *(other for other in others if other != original)]

    def _pages(self, origin: str) -> int:
        """How many pages of an origin were counted."""
        return self._counts[origin][ALL] if origin in self._counts else 0

    def compare(self, url: str, original: str, compared: Compared) -> list[str]:
        """Learn how the page's origin compares with those that `in_question` named, of which `original` was the first. Returns
        the origins that became mirrors."""
        origin = split(url)[0]
        counts = self._counts.get(origin)
        if counts is None or not compared.is_mirror:
            return []
        return self._learn(origin, Counter({original: max(0, counts[ALL] - counts[original])}))

    def _learn(self, origin: str, names: Counter[str]) -> list[str]:
        """Add counts of this worker to those of an origin (as in `_counts`), to be shared. Returns the new mirrors."""
        new = self._new.get(origin, Counter())
        new.update(names)
        self._new.note(origin, new)
        return self._add(origin, names)

    def admits(self, url: str) -> bool:
        """Whether this normal URL may be fetched: it does not lie on a mirror, or it belongs to the sample of one."""
        return not self.aliases or split(url)[0] not in self.aliases or zlib.crc32(url.encode()) % SAMPLED == 0

    def _add(self, origin: str, names: Counter[str]) -> list[str]:
        """Add counts of any worker to those of an origin. Returns the new mirrors."""
        counts = self._counts.get(origin, Counter())
        counts.update(names)
        for forgotten in self._counts.note(origin, counts):
            self._forget(*forgotten)
        others = sorted(counts.keys() - _SUMS, key=lambda other: (-counts[other], other))
        shown = max(counts[COPIES], counts[others[0]] if others else 0)
        if counts[ALL] - shown > max(shown, ENOUGH) and self.aliases.pop(origin, ""):  # most of its pages are its own
            self._opened.add(origin)
        for other in names.keys() - _SUMS:
            self._repeat.setdefault(other, set()).add(origin)
        return [mirror for other in others for mirror in self._judge(other)]

    def _forget(self, origin: str, counts: Counter[str]) -> None:
        if self.aliases.pop(origin, ""):
            self._opened.add(origin)
        self._compared_at.pop(origin, None)
        for other in counts.keys() - _SUMS:
            self._repeat[other].discard(origin)
            if not self._repeat[other]:
                del self._repeat[other]

    def _judge(self, other: str) -> list[str]:
        """Find the mirrors of this origin. Returns those that became mirrors now, sorted.

        Once it has mirrors on other hosts, a single page makes another one. Its own host under another scheme or with `www.` is
        no such host."""
        if other in self.aliases:
            return []
        mirrors = [origin for origin in self._repeat.get(other, ()) if self._shows(origin, other)]
        shown = {origin: max(self._counts[origin][other], self._counts[origin][COPIES]) for origin in mirrors}
        sure = {origin: count for origin, count in shown.items() if count >= LEAST}
        if sum(sure.values()) < ENOUGH:
            return []
        elsewhere = sum(count for origin, count in sure.items() if bare_host(origin) != bare_host(other))
        new = sorted((shown if elsewhere >= ENOUGH else sure).keys() - self.aliases.keys())
        self.aliases.update(dict.fromkeys(new, other))
        # Mirrors of an origin that is a mirror itself now get its original, so that no alias leads to another alias.
        self.aliases.update({mirror: other for mirror, original in self.aliases.items() if original in new})
        return new

    def _shows(self, origin: str, other: str) -> bool:
        """Whether nearly all pages counted for `origin` are those of `other`, or of hosts that show the same as that."""
        if origin in self.aliases:
            return self.aliases[origin] == other
        counts = self._counts[origin]
        return SHARE * counts[ALL] <= max(counts[other], counts[COPIES]) <= counts[ALL]

    def take(self) -> Iterator[Part]:
        """See `focuscrawl.shared_counts`."""
        new, self._new = self._new, Recent(MOST_ORIGINS)
        return _parts(new)

    def add(self, part: Part) -> None:
        """Add what other workers have counted. Raises as `focuscrawl.shared_counts.Learned.add`."""
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
        self._compared_at.clear()
        self.aliases.clear()
        for origin, counts in self._new.items():
            self._add(origin, counts)


def _parts(counts: Mapping[str, Counter[str]]) -> Iterator[Part]:
    for piece in sliced(counts) if counts else ():
        yield {"mirrors": {origin: dict(row) for origin, row in piece.items()}}
