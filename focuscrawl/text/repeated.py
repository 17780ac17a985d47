"""What stands on nearly all pages of a site is no page's text: menus without marks, notices, the help of a search box.

And what the extractors have said of a piece, page after page alike, need not be asked of each page.

Learned while the pages of a site are read, in no more memory than is said below, and nowhere stored: five pages of a site teach
it again, and `scrapy extract` reads them all in one go.
"""

from __future__ import annotations

import re
import zlib
from collections import Counter, OrderedDict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

SITES = 500
"""Hosts remembered; then the one that was not asked for the longest time goes."""
HELD = 200_000
"""Digests remembered of all hosts (100 bytes each); then likewise."""
PIECES = 4_000
"""Digests remembered of a host; then those seen least go."""
PAGES = 5_000
"""Pages counted of a host. Later ones teach nothing more."""
_LEAST = 5
"""Pages from which a host is believed."""
_ALWAYS = 0.8
_OFTEN = 0.1
_LETTERS = 10
"""Of a piece; shorter ones are labels."""
_SETTLED = 8
"""Pages in a row on which a vote must have ended alike."""
_SAMPLE = 20
"""On one page of so many everything is voted on anew."""
_NO_WORD = re.compile(r"\W+")


def bare(text: str) -> str:
    """Letters and digits only, in lower case."""
    return _NO_WORD.sub("", text).lower()


def digest(name: str) -> int:
    """Of a bare text; 0 of one too short to tell anything."""
    return zlib.crc32(name.encode("utf-8", "replace")) or 1 if len(name) >= _LETTERS else 0


@dataclass(slots=True)
class Site:
    """What the pages of one host have in common, as far as they were read."""

    pages: set[int] = field(default_factory=set)
    """Digests of the URLs counted: a revisit of a page repeats all of it."""
    read: int = 0
    """Pages, revisits included."""
    counts: Counter[int] = field(default_factory=Counter)
    runs: dict[int, int] = field(default_factory=dict)
    """By subject of a vote: on how many pages in a row it was won, negative where it was lost."""

    def always(self, pieces: Iterable[int]) -> set[int]:
        """Those of these digests that at least four pages of five have. None before enough pages of the host were read."""
        return self._on(_ALWAYS * len(self.pages), pieces)

    def often(self, pieces: Iterable[int]) -> set[int]:
        """Those that at least one page of ten has, and two."""
        return self._on(max(2, _OFTEN * len(self.pages)), pieces)

    def _on(self, least: float, pieces: Iterable[int]) -> set[int]:
        if len(self.pages) < _LEAST:
            return set()
        return {piece for piece in pieces if self.counts.get(piece, 0) >= least}

    def settled(self, subject: int) -> bool | None:
        """How votes on this end; None where that has to be asked."""
        run = self.runs.get(subject, 0)
        return run > 0 if abs(run) >= _SETTLED and self.read % _SAMPLE else None

    def learn(self, url: str, pieces: Iterable[int], votes: Mapping[int, Collection[bool]]) -> None:
        """One page more: the digests of its pieces, and by subject how the votes on it have ended."""
        self.read += 1
        page = zlib.crc32(url.encode("utf-8", "replace"))
        if page in self.pages or len(self.pages) >= PAGES:
            return
        self.pages.add(page)
        self.counts.update({number for number in pieces if number})
        if len(self.counts) > PIECES:
            self.counts = Counter(dict(self.counts.most_common(PIECES // 2)))
        for subject, ended in votes.items():
            self._vote(subject, ended)
        if len(self.runs) > PIECES:
            self.runs.clear()

    def _vote(self, subject: int, ended: Collection[bool]) -> None:
        run = self.runs.get(subject, 0)
        if len(set(ended)) > 1:
            self.runs[subject] = 0
        elif True in ended:
            self.runs[subject] = max(run, 0) + 1
        else:
            self.runs[subject] = min(run, 0) - 1

    @property
    def held(self) -> int:
        """Digests remembered."""
        return len(self.pages) + len(self.counts) + len(self.runs)


class SiteTexts:
    """The sites whose pages are read, by host."""

    def __init__(self) -> None:
        self._sites: OrderedDict[str, Site] = OrderedDict()

    def of(self, host: str) -> Site:
        """An empty one before its first page; to be taught the page that is read next."""
        site = self._sites.setdefault(host, Site())
        self._sites.move_to_end(host)
        while len(self._sites) > SITES or (len(self._sites) > 1 and sum(each.held for each in self._sites.values()) > HELD):
            self._sites.popitem(last=False)
        return site
