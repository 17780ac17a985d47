"""Counts what a part of the web has brought recently, with bounds that show how sure that is.

Bounds are one-sided: Wilson's for shares of pages, and for the copied share of texts a bound by the pages' own spread. What is
"surely" so is so by its bound; what is "probably" so, by the plain estimate. Counts forget: they are halved each time they
exceed the part's window of fetches, so that it is judged by what it brought recently.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from focuscrawl.frontier.part_names import ALL, FIRST, TRIAL, WIDE_PARTS
from focuscrawl.shared_counts import Part, sliced

Z = 1.64
"""Normal quantile of the bounds: 95 % on one side."""
WINDOW = 128.0
"""Fetches of one part after which its counts are halved."""
WINDOW_OF_HOSTS = 512.0
"""The same for hosts and domains."""
WINDOW_OF_COPIES = 24.0
"""The same for the copied share, because the first pages of a farm consist of sentences that were not read before."""
WINDOW_OF_FIRST = 64.0
"""The same for first visits, in requests."""
FIRST_VISIT = 2.0
"""Requests of a first visit: one for robots.txt and one for a page."""
WINDOW_OF_ALL = 1024.0
"""The same for the crawl as a whole."""
MOST_COPYING = 0.3
"""Share of their own text that the last pages of a part may copy. A host of the recorded webs that lists its short posts in
full comes to 0.29, others to 0.19 and less; a farm to 0.7 and more, once its stock of sentences is known."""
MOST_REPEATING = 0.7
"""Share of its pages with which a part may repeat others. On two recorded webs 2 of 42 hosts come near it or exceed it, both
small blogs; documentation of classes that inherit comes to 0.56."""
UNKNOWN_SPREAD = 0.25
"""The largest variance that shares can have. It counts as one page, so that a few pages that are alike by chance prove
nothing."""
FEW = 5.0
"""Fewest fetches by which a part is judged by itself, not by the larger part in which it lies."""


@dataclass(slots=True)
class Counts:
    """What a part has brought recently. Counts are fractions because they are weighted, and halved with time."""

    fetched: float = 0.0
    gain: float = 0.0
    """Relevant pages, each as `focuscrawl.frontier.fetch_yield` counts it."""
    repeating: float = 0.0
    """Pages most of whose text was seen before."""
    copying: float = 0.0
    """Sum of the shares of their own text that pages copied …"""
    squares: float = 0.0
    """… and sum of the squares of these shares."""
    recent_fetched: float = field(init=False)
    """The last few fetches (WINDOW_OF_COPIES). The next two are the `copying` and `squares` of these."""
    recent_copying: float = field(init=False)
    recent_squares: float = field(init=False)
    fruitless: float = field(init=False)
    """Fetches since the last one that brought something."""
    closed: bool = False
    """Whether the part proved barren and is closed now."""
    was_closed: bool = False
    """Whether it is closed now or was before."""
    tried: float = 0.0
    """Fetches since it was closed that brought nothing, or copied."""
    requests: float = 1.0
    """What one page counts, see `requests_of_page`."""
    share: float = 0.0
    """The FRONTIER_BARREN_SHARE by which it was closed last."""
    apart: bool = False
    """Of counts that were read: whether it is closed, and the counts of the parts around it are without what it copied."""

    def __post_init__(self) -> None:
        """All fetches are the last ones."""
        self.recent_fetched, self.recent_copying, self.recent_squares = self.fetched, self.copying, self.squares
        self.fruitless = 0.0 if self.gain else self.fetched

    @property
    def repeats(self) -> bool:
        """Whether surely most of its pages repeat text seen before, even if only in their template."""
        return lower(self.repeating, self.fetched) > MOST_REPEATING

    @property
    def probably_copies(self) -> bool:
        """Whether its last pages copied more than honest ones do, though that may be chance."""
        return self.recent_copying > MOST_COPYING * self.recent_fetched

    @property
    def copies(self) -> bool:
        """Whether its last pages surely copied too much."""
        return self.recent_fetched >= FEW and self._surely_recently > MOST_COPYING

    @property
    def _surely_recently(self) -> float:
        """Lower bound of the share that one of the last pages copies. It goes by their own spread, because all pages of a farm
        copy alike, while on a blog that quotes a few pages are copied as a whole. A page is one proof, however many requests it
        took."""
        mean, pages = self.recent_copying / self.recent_fetched, self.recent_fetched / self.requests
        spread = max(0.0, self.recent_squares / self.recent_fetched - mean * mean) + UNKNOWN_SPREAD / pages
        return mean - Z * math.sqrt(spread / pages)

    @property
    def says_nothing_new(self) -> bool:
        """Whether it surely repeats or copies."""
        return self.repeats or self.copies

    def add(self, other: Counts, window: float) -> None:
        """Add other counts, which are later ones, and forget what exceeds the window, in fetches."""
        self.fetched += other.fetched
        self.gain += other.gain
        self.repeating += other.repeating
        self.copying += other.copying
        self.squares += other.squares
        self.recent_fetched += other.recent_fetched
        self.recent_copying += other.recent_copying
        self.recent_squares += other.recent_squares
        self.fruitless = other.fruitless if other.gain else self.fruitless + other.fruitless
        self.was_closed |= other.was_closed
        if other.closed:
            self.tried += other.tried
        elif self.closed and (not other.gain or other.copying > MOST_COPYING * other.fetched):
            self.tried += other.fetched
        while self.recent_fetched > min(window, WINDOW_OF_COPIES):
            self.recent_fetched /= 2
            self.recent_copying /= 2
            self.recent_squares /= 2
        while self.fetched > window:
            self.fetched /= 2
            self.gain /= 2
            self.repeating /= 2
            self.copying /= 2
            self.squares /= 2


def window_of(part: str) -> float:
    """The window of this part: the number of fetches after which its counts are halved."""
    if part == ALL:
        return WINDOW_OF_ALL
    return WINDOW_OF_FIRST if part[:1] in FIRST else WINDOW_OF_HOSTS if part[:2] in WIDE_PARTS else WINDOW


def requests_of_page(part: str) -> float:
    """What one page counts for this part. TRIAL has the pages of domains, not their first visits."""
    return FIRST_VISIT if part[:1] in FIRST and part != TRIAL else 1.0


def pieces(counts: Mapping[str, Counts], whole: bool = False) -> Iterator[Part]:
    """The counts by part as plain data for other processes, see `focuscrawl.shared_counts`. `whole`: they are all there are."""
    for piece in sliced(counts) if counts else ():
        yield {"parts": {part: _row(each, whole) for part, each in piece.items()}}


def _row(counts: Counts, whole: bool) -> list[float]:
    recent = [counts.recent_fetched, counts.recent_copying, counts.recent_squares, counts.fruitless]
    apart = whole and counts.closed
    state = [float(counts.was_closed + counts.closed + apart), counts.tried, counts.share]
    return [counts.fetched, counts.gain, counts.repeating, counts.copying, counts.squares, *recent, *state]


def counts_of(values: Sequence[object]) -> Counts:
    """The counts of one row of `pieces`. Raises ValueError for other data. (Rows of earlier versions have no squares. The
    shares stand in for them, because squares of shares are never larger. Nor do they say what the last fetches were like.)"""
    fetched, gain, repeating, copying, *more = numbers = [float(str(value)) for value in values]
    if not all(0.0 <= number < math.inf for number in numbers):
        raise ValueError("counts of fetches below 0")
    counts = Counts(fetched, gain, repeating, copying, more[0] if more else copying)
    if len(more) > 1:
        counts.recent_fetched, counts.recent_copying, counts.recent_squares, counts.fruitless, *more = more[1:]
        state, counts.tried, counts.share = more
        counts.was_closed, counts.closed, counts.apart = state > 0, state > 1, state > 2
    return counts


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
