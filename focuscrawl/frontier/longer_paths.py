"""Finds URLs of one page of which one has more names than the other, inside or at the end.

Bounded: the least recently used are forgotten."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from focuscrawl.frontier.part_names import ENDS, hops_on, longer_paths_of
from focuscrawl.frontier.part_table import PartTable
from focuscrawl.links.page_kind import is_index_file
from focuscrawl.recent import Recent
from focuscrawl.url.normalize import split
from focuscrawl.url.versions import are_versions, version_rank

MOST_ALIKE = 4
"""Most URLs that are remembered of those that end alike."""
MOST_KNOWN = 4
"""URLs that are remembered of those that continue the same one, the last ones."""
MOST_REMEMBERED = 20_000
"""Ends that are remembered of known URLs and of fetched ones, 0.3 kB each, and continued URLs, 0.2 kB each."""
Ends = Recent[int, tuple[str, ...]]
"""By the hash of host and end, URLs that end so."""


class LongerPaths:
    """Remembers known URLs by their ends, to find hosts that go by the end of a path alone: relative links grow there without
    end, and each product stands below each of its categories.

    The link `sun/a.html` on the page `/manual/moon/b.html` leads to `/manual/moon/sun/a.html`. A host that shows
    `/manual/sun/a.html` there has each page under as many URLs as there are ways to it. So URLs of one host that end alike
    are compared: do they show the same page? The answers are counted as those of values that make no difference
    (`focuscrawl.frontier.part_names.VALUES`), by host and by how many last names are the same, and by host and directory that
    only one of the two has. A URL need not be fetched once one is known that ends alike and has no more directories. This holds
    for directories where the pages were the same: a shop may show `/boot` as `/shoes/boot`, too, but other pages as
    `/reviews/boot`."""

    def __init__(self, table: PartTable) -> None:
        self._table = table
        self._known: Ends = Recent(MOST_REMEMBERED)
        """By the hash of host and end: the URLs with the fewest directories, of these the versions that most readers want."""
        self._fetched: Ends = Recent(MOST_REMEMBERED)
        """The same for URLs that were fetched."""
        self._refused: Recent[str, str] = Recent(MOST_REMEMBERED)
        """By known URL, the last one that was refused because of it."""

    def names(self, url: str) -> None:
        """Note that this URL is known."""
        self._note(self._known, url)

    def fetched(self, url: str) -> None:
        """Note that this URL was fetched."""
        self._note(self._known, url)
        self._note(self._fetched, url)

    def spared(self, url: str) -> str:
        """The name of the closed counts that spare fetching this URL: one is known that ends alike and goes before it, and each
        directory that only one of the two has made no difference before. Empty if there are none."""
        return self._sparing(url)[0]

    def _sparing(self, url: str) -> tuple[str, str]:
        """These counts and the known URL; both empty if there are none."""
        closed = {names: part for names in ENDS if self._table.is_closed(part := longer_paths_of(url, names))}
        for names, known in self._alike(self._known, url) if closed else ():
            if names in closed and self._are_idle(url, known, names) and self._rank(known) < self._rank(url):
                return closed[names], known
        return "", ""

    def _rank(self, url: str) -> tuple[int, bool, tuple[tuple[int, ...], ...], str]:
        """Of URLs that show the same page the one with the lowest rank is fetched: with the fewest directories, of these the
        one that was fetched already, and else the version that most readers want."""
        return _depth(url), not self._was_fetched(url), version_rank(url), url

    def _was_fetched(self, url: str) -> bool:
        return any(url in self._fetched.get(end, ()) for end in _ends(url).values())

    def refused(self, url: str, part: str) -> None:
        """Note that this URL is refused because of the counts `part`, so that it spares no other one, unless it was fetched
        before."""
        names, known = self._sparing(url)
        if known and names == part:
            self._refused.note(known, url)
        if not self._was_fetched(url):
            self._forget(url)

    def failed(self, url: str) -> str:
        """Note that this URL was given up, so that it spares no other one. Returns the URL to fetch instead: one that was
        refused because of it; empty if none was."""
        self._forget(url)
        return self._refused.pop(url, "")

    def _forget(self, url: str) -> None:
        for end in _ends(url).values():
            if url in (alike := self._known.get(end, ())):
                self._known[end] = tuple(other for other in alike if other != url)

    def version_of(self, url: str) -> str:
        """A fetched URL that differs from this one in its version alone; empty if there is none."""
        return next((other for _, other in self._alike(self._fetched, url) if are_versions(url, other)), "")

    def compare(self, url: str, original: str) -> dict[str, bool]:
        """Note that this URL was fetched and shows the page of `original` (empty: a page of its own). Returns, by the names of
        the counts, whether URLs that end alike show the same page. What shows another one counts where each directory that only
        one of the two has made no difference before, and against those directories."""
        compared: dict[str, bool] = {}
        for names, other in () if original else self._alike(self._fetched, url):
            directories = _directories(url, other, names)
            if all(map(self._is_idle, directories)):
                compared[longer_paths_of(url, names)] = False
            compared |= dict.fromkeys(directories, False)
        if original and (names := _alike_names(url, original)):
            compared = dict.fromkeys([longer_paths_of(url, names), *_directories(url, original, names)], True)
        self.fetched(url)
        return compared

    def _are_idle(self, url: str, other: str, names: int) -> bool:
        return all(map(self._is_idle, _directories(url, other, names)))

    def _is_idle(self, directory: str) -> bool:
        """Whether this directory made no difference for most pages that ended alike."""
        counts = self._table.get(directory)
        return counts.repeating > counts.gain

    def _alike(self, urls: Ends, url: str) -> Iterator[tuple[int, str]]:
        """Other URLs that end alike, each with how many last names are the same, at most 2."""
        for names, end in _ends(url).items():
            for other in urls.get(end, ()):
                if other != url and _alike_names(url, other) == names:
                    yield names, other

    def _note(self, urls: Ends, url: str) -> None:
        for end in _ends(url).values():
            alike = urls.get(end) or (url,)  # mostly none is known
            if url not in alike:
                alike = tuple(sorted((*alike, url), key=lambda each: (_depth(each), version_rank(each)))[:MOST_ALIKE])
            urls.note(end, alike)


class ContinuedUrls:
    """Remembers which known URLs continue which, to find those that only lead there.

    An encyclopedia links to `/item/Moon`, which redirects to `/item/Moon/4711`; questions are linked to as `/questions/5`,
    which redirects to `/questions/5/how-to-cook-rice`. Once the full URL is known, the short one need not be asked. So
    where a URL is known that has one name more than the one that was fetched, it is counted, by the template of the
    latter, whether the fetch led there (`focuscrawl.frontier.part_names.HOPS`). `/item/Moon/12` may be another moon, and the
    threads of a board are no other URLs of it."""

    def __init__(self) -> None:
        self._known: Recent[int, tuple[int, ...]] = Recent(MOST_REMEMBERED)
        """By the hash of a URL: the hashes of those that continue it."""

    def names(self, url: str) -> None:
        """Note that this URL is known."""
        own, shorter = _hashes(url)
        known = self._known.get(shorter, ())
        self._known.note(shorter, known if own in known else (*known, own)[-MOST_KNOWN:])

    def spared(self, url: str) -> str:
        """The name of the counts that could spare asking for this URL: a URL is known that continues it. Empty if none
        is."""
        return hops_on(url) if _hashes(url)[0] in self._known else ""

    def compare(self, url: str, shown: str) -> dict[str, bool]:
        """By the name of the counts, whether this fetch led to a known URL that continues its own; empty if none was known.

        shown: URL to which it redirects, or of the page that it repeats; empty: it shows a page of its own."""
        known = self._known.get(_hashes(url)[0])
        return {hops_on(url): _hashes(shown)[0] in known} if known else {}


def end_alike(url: str, other: str) -> bool:
    """Whether two URLs of one host have the same last name.

    >>> end_alike("http://h.org/manual/moon/sun/a.html", "http://h.org/manual/sun/a.html")
    True
    >>> end_alike("http://h.org/moon/2", "http://h.org/sun/2"), end_alike("http://h.org/moon/index.html", "http://h.org/index.html")
    (False, False)
    """
    return _alike_names(url, other) > 0


def _alike_names(url: str, other: str) -> int:
    """How many of their last names are the same, at most 2; 0 if that says nothing."""
    ours, theirs = _ends(url), _ends(other)
    return max((names for names, end in ours.items() if theirs.get(names) == end), default=0)


def _depth(url: str) -> int:
    return url.count("/")


def _directories(url: str, other: str, names: int) -> list[str]:
    """The names of the counts of directories that only one of two URLs has, or has more often, which end alike by so many
    names: `v http://h.org/.../sale/.../`. (`v http://h.org/.../sale/` is a last name, see `same_values`.)"""
    ours, theirs, counts = Counter(url.split("/")[3:-1]), Counter(other.split("/")[3:-1]), longer_paths_of(url, names)
    return [f"{counts}{name}/.../" for name in (ours - theirs) + (theirs - ours)]


@lru_cache(maxsize=4096)
def _ends(url: str) -> dict[int, int]:
    """By how many names: the hash of the origin and of so many last names of the path, with what follows. There is none if the
    last name is a number, because further pages of lists, and days, have the same numbers in each directory; nor of one name
    that each directory has."""
    origin, path = split(url)
    before_query = path.partition("?")[0] if "?" in path else path
    directories, _, name = before_query.rstrip("/").rpartition("/")
    if name.isdigit() or not name:
        return {}
    end = path[len(directories) + 1 :]
    ends = {} if is_index_file(name) else {1: hash((origin, end))}
    if directories:
        ends[2] = hash((origin, directories[directories.rfind("/") + 1 :], end))
    return ends


@lru_cache(maxsize=1024)  # the links of a menu are on all pages of a site
def _hashes(url: str) -> tuple[int, int]:
    """The hashes of a URL and of the one that it continues, without the query, which often says only from where the reader
    came."""
    path = (url.partition("?")[0] if "?" in url else url).rstrip("/")
    return hash(path), hash(path[: path.rfind("/")])
