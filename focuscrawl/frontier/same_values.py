"""Which values in addresses make no difference? Addresses that differ in one value alone, of a query parameter or of a
directory whose name a machine has drawn, are compared: do they show the same page?

What a value makes of the page is counted by host and parameter, or masked directory (`focuscrawl.frontier.part_counts.VALUES`),
so that a few pages tell of all; here stands which addresses were asked for. Bounded: the least recently used are forgotten."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass

from focuscrawl.frontier.part_counts import VALUES
from focuscrawl.url.groups import groups_of
from focuscrawl.url.normalize import split

MOST_FIELDS = 8
"""Of a query that are looked at."""
_drawn = re.compile(r"/([0-9a-zA-Z]{8,})(?=/)")
"""A directory whose name may be drawn by a machine."""


@dataclass(slots=True)
class _Standing:
    """Who stands for all URLs that differ in one value alone."""

    url: str
    """The first one that was asked for; empty: it failed, and the next one is to stand."""
    twin: str = ""
    """The last one that was refused for it."""
    replaced: bool = False
    """It stands for one that failed."""


class SameValues:
    """Remembers of each address without one of its values which URL was first asked for."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._standing: OrderedDict[str, _Standing] = OrderedDict()

    def asked(self, url: str) -> None:
        """This URL is fetched, or on its way."""
        for bare in without_values(url).values():
            standing = self._standing.setdefault(bare, _Standing(url))
            standing.url = standing.url or url
            self._standing.move_to_end(bare)
            if len(self._standing) > self._most:
                self._standing.popitem(last=False)

    def spared(self, url: str) -> Iterator[str]:
        """Names of the counts of those values in which alone it differs from another URL that was asked for."""
        for part, bare in without_values(url).items():
            standing = self._standing.get(bare)
            if standing and standing.url not in ("", url):
                yield part

    def refused(self, url: str, part: str) -> None:
        """This URL is not fetched, for it differs from one that stands for it in the value that is counted by this name."""
        if standing := self._standing.get(without_values(url).get(part, "")):
            standing.twin = url

    def failed(self, url: str) -> str:
        """This URL was given up: another one is to stand for the rest, once, so that a dead link does not cost a fetch for each
        value. Returns the one to be fetched; empty where none was refused yet."""
        twin = ""
        for bare in without_values(url).values():
            standing = self._standing.get(bare)
            if standing and standing.url == url and not standing.replaced:
                standing.url, standing.replaced = standing.twin, True
                twin = twin or standing.twin
        return twin

    def compare(self, url: str, original: str) -> dict[str, bool]:
        """This URL was fetched, and shows the page of `original` (empty: a page of its own). By names of counts: does it show
        the same as those that differ in this value alone?"""
        bare, other = without_values(url), without_values(original) if original else {}
        compared = {part: other.get(part) == bare[part] for part in self.spared(url)}
        self.asked(url)
        return compared


def without_values(url: str) -> dict[str, str]:
    """Of each value that an address carries the name of its count and the address without it.

    >>> without_values("http://h.org/a?id=1&sid=2")
    {'v http://h.org?id': 'http://h.org/a?sid=2', 'v http://h.org?sid': 'http://h.org/a?id=1'}
    >>> without_values("http://h.org/s/3fa9c2b1/a")
    {'v http://h.org/s/x': 'http://h.org/s//a'}
    """
    origin, (path, _, query) = split(url)[0], url.partition("?")
    fields = query.split("&")[:MOST_FIELDS] if query else []
    found = {
        f"{VALUES}{origin}?{field.partition('=')[0]}": f"{path}?{'&'.join(other for other in fields if other != field)}"
        for field in fields
    }
    for drawn in _drawn.finditer(path, len(origin)):
        start, end = drawn.span(1)
        if any(map(str.isdigit, drawn[1])):
            masked = groups_of(url).template[2:].split("/")
            found[VALUES + "/".join(masked[: 1 + url.count("/", 0, end)])] = url[:start] + url[end:]
    return found
