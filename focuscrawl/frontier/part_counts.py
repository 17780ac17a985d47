"""What came back from one part of the web lately, and how sure that is.

A part is a registered domain, a host, a directory, a template of addresses (`focuscrawl.url.groups`), a value in addresses
(`focuscrawl.frontier.same_values`); or the first visits: to hosts of one domain that are new, to domains that a domain has
named, to new domains altogether. The beginning of its name tells its kind.

Bounds are one-sided: Wilson's for shares of pages, and for what is copied one by the pages' own spread. Counts forget: they are
halved when a part has had its window of fetches, so that it is judged by what it brought lately.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from focuscrawl.shared_counts import Part, sliced

Z = 1.64
"""Of the bounds: 95 % on one side."""
WINDOW = 128.0
"""Fetches of one part after which its counts are halved."""
WINDOW_OF_HOSTS = 512.0
"""The same for hosts and domains."""
WINDOW_OF_COPIES = 24.0
"""The same for what copies: a farm's first pages are made of sentences that nobody has read yet."""
WINDOW_OF_FIRST = 64.0
"""The same for first visits, in requests."""
WINDOW_OF_ALL = 1024.0
"""The same for the crawl as a whole."""
MOST_COPYING = 0.3
"""Share of the own text of a part's last pages. A host of the recorded webs that lists its short posts in full comes to 0.29,
others to 0.19 and less; a farm to 0.7 and more, once its stock is known."""
MOST_REPEATING = 0.7
"""Of the pages of a part. On two recorded webs 2 of 42 hosts come near it or exceed it, small blogs; documentation of classes
that inherit comes to 0.56."""
UNKNOWN_SPREAD = 0.25
"""The most that shares can have: counts as one page, so that a few pages that chance to be alike prove nothing."""
FEW = 5.0
"""Fetches of a part that says more than the larger one in which it lies."""
ALL, NEW, NAMED, TRIAL = "", "n", "n3", "n8"
"""Names of the counts of the whole crawl, of first visits to new domains, to those of them that several old ones name, and of
the pages of domains on trial."""
NAMES = 3
"""Domains, old ones, that name a new one: then it is visited whatever first visits bring."""
WIDE_PARTS = ("h ", "d ")
"""Hosts and domains: the beginnings of their names."""
FIRST = ("n", "m")
"""Kinds of counts of first visits: the beginnings of their names."""
VALUES = "v "
"""Kind of counts of values in addresses: do those that differ in this value alone show different pages? The beginning of their
names."""


@dataclass(slots=True)
class Counts:
    """What came back from one part lately."""

    fetched: float = 0.0
    gain: float = 0.0
    repeating: float = 0.0
    """Pages that mostly say what was said before."""
    copying: float = 0.0
    """Shares of their own text that was said before, added up …"""
    squares: float = 0.0
    """… and their squares."""
    recent: float = 0.0
    """Fetches of the last few, as `recently` and `recent_squares` are the `copying` and `squares` of these."""
    recently: float = 0.0
    recent_squares: float = 0.0
    fruitless: float = 0.0
    """Fetches since the last one that brought something."""
    closed: bool = False
    """It proved barren."""
    was_closed: bool = False
    """Now or before."""
    tried: float = 0.0
    """Fetches that brought nothing, or copied, since then."""

    @property
    def repeats(self) -> bool:
        """Whether surely most of its pages say what was said before, be it a template."""
        return lower(self.repeating, self.fetched) > MOST_REPEATING

    @property
    def rather_copies(self) -> bool:
        """Whether its last pages have copied more than honest ones do, though that may be chance."""
        return self.recently > MOST_COPYING * self.recent

    @property
    def copies(self) -> bool:
        """Whether surely too much of its last pages' own text was said before."""
        return self.recent >= FEW and self._surely_recently > MOST_COPYING

    @property
    def _surely_recently(self) -> float:
        """Lower bound of what a page of the last ones copies, by their own spread: on a farm all pages copy alike, on a blog
        that quotes some copy wholly."""
        mean = self.recently / self.recent
        spread = max(0.0, self.recent_squares / self.recent - mean * mean) + UNKNOWN_SPREAD / self.recent
        return mean - Z * math.sqrt(spread / self.recent)

    @property
    def says_nothing_new(self) -> bool:
        """Either."""
        return self.repeats or self.copies

    def add(self, other: Counts, window: float) -> None:
        """Count these, too, and forget what lies behind the window."""
        self.fetched += other.fetched
        self.gain += other.gain
        self.repeating += other.repeating
        self.copying += other.copying
        self.squares += other.squares
        self.recent += other.fetched
        self.recently += other.copying
        self.recent_squares += other.squares
        self.fruitless = 0.0 if other.gain else self.fruitless + other.fetched
        if self.closed and (not other.gain or other.copying > MOST_COPYING * other.fetched):
            self.tried += other.fetched
        while self.recent > min(window, WINDOW_OF_COPIES):
            self.recent, self.recently, self.recent_squares = self.recent / 2, self.recently / 2, self.recent_squares / 2
        while self.fetched > window:
            self.fetched, self.gain = self.fetched / 2, self.gain / 2
            self.repeating, self.copying, self.squares = self.repeating / 2, self.copying / 2, self.squares / 2


def window_of(part: str) -> float:
    """Fetches of this part after which its counts are halved."""
    if part == ALL:
        return WINDOW_OF_ALL
    return WINDOW_OF_FIRST if part[:1] in FIRST else WINDOW_OF_HOSTS if part[:2] in WIDE_PARTS else WINDOW


def pieces(counts: Mapping[str, Counts]) -> Iterator[Part]:
    """For other processes, see `focuscrawl.shared_counts`."""
    for piece in sliced(counts) if counts else ():
        yield {"parts": {part: [c.fetched, c.gain, c.repeating, c.copying, c.squares] for part, c in piece.items()}}


def counts_of(values: Sequence[object]) -> Counts:
    """Of one row of `pieces`. Raises ValueError where it is none. (Rows of earlier versions have no squares: no more than the
    shares themselves.)"""
    fetched, gain, repeating, copying, *squares = numbers = [float(str(value)) for value in values]
    if not all(0.0 <= number < math.inf for number in numbers):
        raise ValueError("counts of fetches below 0")
    return Counts(fetched, gain, repeating, copying, squares[0] if squares else copying)


def upper(gain: float, fetched: float) -> float:
    """Wilson's upper bound of a share; 1 where nothing was fetched."""
    return _wilson(gain, fetched, Z) if fetched > 0 else 1.0


def lower(gain: float, fetched: float) -> float:
    """Wilson's lower bound of a share; 0 where nothing was fetched."""
    return _wilson(gain, fetched, -Z) if fetched > 0 else 0.0


def _wilson(gain: float, fetched: float, z: float) -> float:
    share, square = min(1.0, max(0.0, gain / fetched)), z * z
    middle = share + square / (2 * fetched)
    spread = z * math.sqrt(share * (1 - share) / fetched + square / (4 * fetched * fetched))
    return (middle + spread) / (1 + square / fetched)
