"""What stands on nearly all pages of a site is no page's text: menus without marks, notices, the help of a search box.

Learned while the pages of a site are read, in no more memory than is said below, and nowhere stored: five pages of a site teach
it again, and `scrapy extract` reads them all in one go.
"""

from __future__ import annotations

import re
import zlib
from collections import Counter, OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, field

SITES = 500
"""Hosts remembered; then the one that was not asked for the longest time goes."""
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
_NO_WORD = re.compile(r"\W+")


@dataclass(slots=True, frozen=True)
class Repeated:
    """Digests of the pieces that a site's pages share."""

    always: frozenset[int] = frozenset()
    """On at least four pages of five."""
    often: frozenset[int] = frozenset()
    """On at least one page of ten, and on two."""


def bare(text: str) -> str:
    """Letters and digits only, in lower case."""
    return _NO_WORD.sub("", text).lower()


def digest(name: str) -> int:
    """Of a bare text; 0 of one too short to tell anything."""
    return zlib.crc32(name.encode("utf-8", "replace")) or 1 if len(name) >= _LETTERS else 0


@dataclass(slots=True)
class _Site:
    pages: set[int] = field(default_factory=set)
    """Digests of the URLs counted: a revisit of a page repeats all of it."""
    counts: Counter[int] = field(default_factory=Counter)


class SiteTexts:
    """What the pages of each host have in common, as far as they were read."""

    def __init__(self) -> None:
        self._sites: OrderedDict[str, _Site] = OrderedDict()

    def learn(self, host: str, url: str, digests: Iterable[int]) -> None:
        """The pieces of one page more."""
        site = self._sites.setdefault(host, _Site())
        self._sites.move_to_end(host)
        if len(self._sites) > SITES:
            self._sites.popitem(last=False)
        page = zlib.crc32(url.encode("utf-8", "replace"))
        if page in site.pages or len(site.pages) >= PAGES:
            return
        site.pages.add(page)
        site.counts.update({number for number in digests if number})
        if len(site.counts) > PIECES:
            site.counts = Counter(dict(site.counts.most_common(PIECES // 2)))

    def of(self, host: str) -> Repeated:
        """Nothing before enough pages of the host were read."""
        site = self._sites.get(host)
        if site is None or len(site.pages) < _LEAST:
            return Repeated()
        pages = len(site.pages)
        least, most = max(2, _OFTEN * pages), _ALWAYS * pages
        often = [(number, count) for number, count in site.counts.items() if count >= least]
        return Repeated(frozenset(number for number, count in often if count >= most), frozenset(number for number, _ in often))
