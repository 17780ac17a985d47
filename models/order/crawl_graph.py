"""Which links of a page are edges, and URLs as small numbers: what the orders by link analysis share."""

from __future__ import annotations

from focuscrawl.items import Link, Page
from focuscrawl.url.key import UrlId, url_key

EDGES = ("", "tunnel", "yield")
"""Rules whose links count as edges: refused only for what their page was, or their neighbors, they are links all the same."""


class UrlNumbers:
    """Keys numbered from 0 in the order in which they were met."""

    def __init__(self) -> None:
        self._numbers: dict[UrlId, int] = {}
        self._keys: list[UrlId] = []

    def __len__(self) -> int:
        return len(self._keys)

    def of(self, key: UrlId) -> int:
        """The number of a key, a new one if need be."""
        number = self._numbers.setdefault(key, len(self._keys))
        if number == len(self._keys):
            self._keys.append(key)
        return number

    def key(self, number: int) -> UrlId:
        return self._keys[number]


def key_of(page: Page) -> UrlId:
    return page.lease.hid, page.lease.uid


def edges(page: Page) -> dict[UrlId, list[Link]]:
    """The page's links by target, itself left out; a redirect is a link to its target."""
    own, found = key_of(page), dict[UrlId, list[Link]]()
    if page.redirect:
        found[url_key(page.redirect).url_id] = []
    if page.ok:
        for link in page.links:
            if link.refused in EDGES:
                found.setdefault(link.key.url_id, []).append(link)
    found.pop(own, None)
    return found
