"""Finds hosts that go by the end of a path alone, where a relative link grows without end.

The link `sun/a.html` on the page `/manual/moon/b.html` leads to `/manual/moon/sun/a.html`. A host that shows
`/manual/sun/a.html` there has each page under as many addresses as there are ways to it. So URLs of one host that end alike,
one of which has all directories of the other and more, are compared: do they show the same page? The answers are counted as
those of values that make no difference (`focuscrawl.frontier.part_counts.VALUES`), by host, and the longer URL need not be
fetched once the shorter one is known. This holds for directories that stood in between before where the pages were the same: a
shop may show `/boot` as `/shoes/boot`, too, but other pages as `/reviews/boot`. Bounded: the least recently used are
forgotten."""

from __future__ import annotations

from collections import Counter, OrderedDict

from focuscrawl.frontier.part_counts import VALUES
from focuscrawl.url.normalize import split

BETWEEN = "/.../"
"""Stands for directories in the name of the counts."""


class LongerPaths:
    """Remembers by the ends of URLs which are known."""

    def __init__(self, most: int = 10_000) -> None:
        """`most`: how many ends are remembered, of known URLs and of fetched ones, 0.3 kB each."""
        self._most = most
        self._known: OrderedDict[int, str] = OrderedDict()
        """By the hash of host and end: the URL with the fewest directories."""
        self._fetched: OrderedDict[int, str] = OrderedDict()
        """The same of those that were fetched."""
        self._idle: OrderedDict[tuple[str, str], None] = OrderedDict()
        """Origins with the names of directories that stood in between where the pages were the same."""

    def names(self, url: str) -> None:
        """Note that this URL is known."""
        self._note(self._known, url)

    def shorter(self, url: str) -> str:
        """A known URL that this one is with more directories, all of which stood in between before; empty if there is none."""
        known = self._known.get(_end(url), "")
        if not known or not is_longer(url, known):
            return ""
        return known if all(directory in self._idle for directory in _between(url, known)) else ""

    def failed(self, url: str) -> None:
        """Note that this URL was given up, so that it spares no longer one."""
        end = _end(url)
        if self._known.get(end) == url:
            del self._known[end]

    def compare(self, url: str, original: str) -> dict[str, bool]:
        """Note that this URL was fetched and shows the page of `original` (empty: a page of its own). Returns, if a longer or
        shorter one was fetched, whether it shows the same page, by the name of the counts."""
        end, compared = _end(url), {}
        other = self._fetched.get(end, "")
        if other and (is_longer(url, other) or is_longer(other, url)):
            same = compared[longer_paths_of(url)] = bool(original) and _end(original) == end
            for directory in _between(url, other) | _between(other, url) if same else ():
                self._idle[directory] = None
                self._idle.move_to_end(directory)
                if len(self._idle) > self._most:
                    self._idle.popitem(last=False)
        self._note(self._fetched, url)
        return compared

    def _note(self, urls: OrderedDict[int, str], url: str) -> None:
        end = _end(url)
        if not end:
            return
        if is_longer(urls.setdefault(end, url), url):
            urls[end] = url
        urls.move_to_end(end)
        if len(urls) > self._most:
            urls.popitem(last=False)


def longer_paths_of(url: str) -> str:
    """The name of the counts of directories in between.

    >>> longer_paths_of("http://h.org/manual/moon/sun/a.html")
    'v http://h.org/.../'
    """
    return f"{VALUES}{split(url)[0]}{BETWEEN}"


def is_longer(url: str, other: str) -> bool:
    """Whether a URL is another one of its host with more directories in between, so that both end alike.

    >>> is_longer("http://h.org/manual/moon/sun/a.html", "http://h.org/manual/sun/a.html")
    True
    >>> is_longer("http://h.org/manual/moon/sun/a.html", "http://h.org/news/a.html")
    False
    >>> is_longer("http://h.org/manual/", "http://h.org/"), is_longer("http://h.org/manual/moon/2", "http://h.org/manual/2")
    (False, False)
    """
    if len(url) <= len(other) or _end(url) != _end(other) or not _end(url):
        return False
    names = iter(url.split("/"))
    return all(name in names for name in other.split("/"))


def _between(url: str, other: str) -> set[tuple[str, str]]:
    """The directories that the URL has, and the other one has not or not as often, with its origin."""
    origin = split(url)[0]
    return {(origin, name) for name in Counter(url.split("/")) - Counter(other.split("/"))}


def _end(url: str) -> int:
    """The hash of the origin and of the last name of the path with what follows it. It is 0 if that name is a number: further
    pages of lists, and days, have the same numbers in each directory."""
    origin, path = split(url)
    directories, _, name = path.partition("?")[0].rstrip("/").rpartition("/")
    return 0 if name.isdigit() else hash((origin, path[len(directories) + 1 :]))
