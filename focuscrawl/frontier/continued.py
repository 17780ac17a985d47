"""Finds URLs that only lead to a known URL which continues theirs.

An encyclopedia links to `/item/Moon`, which redirects to `/item/Moon/4711`; questions are linked to as `/questions/5`, which
redirects to `/questions/5/how-to-cook-rice`. Once the full URL is known, the short one need not be asked. So where a
URL is known that has one name more than the one that was fetched, it is counted, by the template of the latter, whether the
fetch led there (`focuscrawl.frontier.part_counts.HOPS`). `/item/Moon/12` may be another moon, and the threads of a board are no
other URLs of it. Bounded: the least recently used are forgotten."""

from __future__ import annotations

from collections import OrderedDict

from focuscrawl.frontier.part_counts import HOPS, HOPS_ON
from focuscrawl.url.groups import TEMPLATE, groups_of

MOST_KNOWN = 4
"""URLs that are remembered of those that continue the same one, the last ones."""


class ContinuedAddresses:
    """Remembers which known URLs continue which."""

    def __init__(self, most: int = 20_000) -> None:
        """`most`: how many continued URLs are remembered, 0.2 kB each."""
        self._most = most
        self._known: OrderedDict[int, list[int]] = OrderedDict()
        """By the hash of a URL: the hashes of those that continue it."""

    def names(self, url: str) -> None:
        """Note that this URL is known."""
        path = _path_of(url)
        own, shorter = hash(path), hash(path[: path.rfind("/")])
        if shorter not in self._known:
            self._known[shorter] = [own]
            if len(self._known) > self._most:
                self._known.popitem(last=False)
            return
        self._known.move_to_end(shorter)
        known = self._known[shorter]
        if own not in known:
            known.append(own)
            del known[:-MOST_KNOWN]

    def spared(self, url: str) -> str:
        """The name of the counts that could spare asking for this URL: a URL is known that continues it. Empty if none
        is."""
        return hops_on(url) if hash(_path_of(url)) in self._known else ""

    def compare(self, url: str, shown: str) -> dict[str, bool]:
        """By the name of the counts, whether this fetch led to a known URL that continues its own; empty if none was known.

        shown: URL to which it redirects, or of the page that it repeats; empty: it shows a page of its own."""
        known = self._known.get(hash(_path_of(url)))
        return {hops_on(url): hash(_path_of(shown)) in known} if known else {}


def hops_on(url: str) -> str:
    """The name of the counts of URLs like this one that lead to URLs which continue theirs.

    >>> hops_on("http://h.org/item/moon?from=list")
    'r http://h.org/item/*?from/...'
    """
    return groups_of(url).template.replace(TEMPLATE, HOPS, 1) + HOPS_ON


def _path_of(url: str) -> str:
    """The URL without its query, which often says only from where the reader came."""
    return (url.partition("?")[0] if "?" in url else url).rstrip("/")
