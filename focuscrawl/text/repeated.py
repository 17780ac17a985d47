"""Learns two things of each site while its pages are read: which pieces of text are on most of them, and how votes end there.

A piece that is on most pages of a site is the main text of none: a menu that the markup does not mark as one, a notice, the
help of a search box. And where the extractors have said the same of a piece on page after page, they need not be asked again.

This is learned while the pages of a site are read, within the memory bounds below, and is not stored: whoever comes to a site
that is not `recalled` teaches it some of its stored pages first (`focuscrawl.crawl.beside.extraction`).
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from focuscrawl.recent import Recent

SITES = 5_000
"""Most hosts that are remembered, 1 kB each beside their digests. Beyond it the least recently used one is dropped."""
HELD = 200_000
"""Most digests of all hosts together (100 bytes each). Beyond it rare ones are dropped, then the least recently used hosts."""
_AFTERWARDS = 0.9
"""Share of `HELD` that is left at most when rare digests were dropped, so that this is not done on each page."""
PIECES = 4_000
"""Most digests of one host. Beyond it those seen least are dropped."""
PAGES = 5_000
"""Most pages of one host that are counted. Later ones teach nothing more."""
_LEAST = 5
"""Least pages of a host before its pieces are believed to repeat."""
_MANY = 10
"""Least pages of a host before what most of them say is believed to be about none of them."""
_ALWAYS = 0.8
_MOSTLY = 0.5
_OFTEN = 0.1
"""Least shares of a host's pages that have a piece (see `Site.always`, `Site.mostly` and `Site.often`)."""
_LETTERS = 10
"""Least letters of a piece. Shorter ones are labels."""
_SETTLED = 8
"""A vote is settled after it ended alike on this many pages in a row."""
_SAMPLE = 20
"""On one in this many pages everything is voted on again."""


def digest(bare_text: str) -> int:
    """The digest of a piece's `clean.bare` text; 0 if it is too short to be significant."""
    return zlib.crc32(bare_text.encode("utf-8", "replace")) or 1 if len(bare_text) >= _LETTERS else 0


@dataclass(slots=True)
class Site:
    """What the pages of one host that were read so far have in common."""

    pages: set[int] = field(default_factory=set)
    """Digests of the URLs counted. A URL counts once, because a revisit of a page repeats all of it."""
    recalled: bool = False
    """Whether the pages of it that were stored before have been learned from."""
    read: int = 0
    """Number of pages read, including revisits."""
    counts: Counter[int] = field(default_factory=Counter)
    """By digest of a piece: on how many of `pages` it is."""
    runs: dict[int, int] = field(default_factory=dict)
    """By subject of a vote: on how many pages in a row it was won; negative if lost."""

    @property
    def known(self) -> bool:
        """Whether enough pages were read to tell which pieces repeat."""
        return len(self.pages) >= _LEAST

    def always(self, pieces: Iterable[int]) -> set[int]:
        """Those of these digests that at least four of five pages have. Empty before enough pages of the host were read."""
        return self._on(_ALWAYS * len(self.pages), pieces)

    def mostly(self, pieces: Iterable[int]) -> set[int]:
        """Those of these digests that at least half of the pages have. Empty before many pages of the host were read."""
        return self._on(_MOSTLY * len(self.pages), pieces) if len(self.pages) >= _MANY else set()

    def often(self, pieces: Iterable[int]) -> set[int]:
        """Those of these digests that at least one of ten pages has, and at least two pages."""
        return self._on(max(2, _OFTEN * len(self.pages)), pieces)

    def _on(self, least: float, pieces: Iterable[int]) -> set[int]:
        if not self.known:
            return set()
        return {piece for piece in pieces if self.counts.get(piece, 0) >= least}

    def settled(self, subject: int) -> bool | None:
        """How votes on this subject end; None if a vote has to be held."""
        run = self.runs.get(subject, 0)
        return run > 0 if abs(run) >= _SETTLED and self.read % _SAMPLE else None

    def learn(self, url: str, pieces: Iterable[int], votes: Mapping[int, Collection[bool]]) -> None:
        """Learn from one more page: the digests of its pieces, and how the votes on it have ended, by subject."""
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
            self.runs.clear()  # they are settled again within `_SETTLED` pages

    def _vote(self, subject: int, ended: Collection[bool]) -> None:
        """Count one page's votes on a subject. They may end differently, which ends the run."""
        run = self.runs.get(subject, 0)
        if len(set(ended)) > 1:
            self.runs[subject] = 0
        elif True in ended:
            self.runs[subject] = max(run, 0) + 1
        else:
            self.runs[subject] = min(run, 0) - 1

    def forget_rare(self) -> None:
        """Forget what has no effect so far: pieces that are not `often` there, and votes that ended alike once at most."""
        if len(self.pages) > 1:
            least = max(2, _OFTEN * len(self.pages))
            self.counts = Counter({piece: pages for piece, pages in self.counts.items() if pages >= least})
            self.runs = {subject: run for subject, run in self.runs.items() if abs(run) > 1}

    @property
    def held(self) -> int:
        """Number of digests remembered."""
        return len(self.pages) + len(self.counts) + len(self.runs)


class SiteTexts:
    """What is known of the sites whose pages are read, by host.

    Most digests are of pieces that only one page has. They are forgotten before whole hosts are, because a crawl that takes its
    hosts in turns comes to each of them when it is the least recently used one."""

    def __init__(self) -> None:
        self._sites: Recent[str, Site] = Recent(SITES)
        self._held = 0
        """Digests of all hosts, but what `_last` was taught since it was handed out."""
        self._last, self._had = Site(), 0
        """The site that was handed out last, and the digests that it had then."""

    def of(self, host: str) -> Site:
        """The site of a host, empty before its first page. The caller teaches it the page that is read next."""
        self._held += self._last.held - self._had
        site = self._sites.get(host) or Site()
        for _, forgotten in self._sites.note(host, site):
            self._held -= forgotten.held
        if self._held > HELD:
            self._make_room()
        self._last, self._had = site, site.held
        return site

    def _make_room(self) -> None:
        for site in self._sites.values():
            site.forget_rare()
        self._held = sum(site.held for site in self._sites.values())
        *older, _ = self._sites
        for host in older:
            if self._held <= _AFTERWARDS * HELD:
                break
            self._held -= self._sites.pop(host).held
