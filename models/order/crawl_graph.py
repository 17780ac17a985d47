"""Which links of a page are edges, and URLs as small numbers: what the orders by link analysis share."""

from __future__ import annotations

from focuscrawl.items import Link, Page
from focuscrawl.url.key import url_key
from models.order.protocol import Key

EDGES = ("", "tunnel", "yield")
"""Links that were not followed only for what their page was, or their neighbors, are links all the same."""


class UrlNumbers:
    """Keys numbered from 0 in the order in which they were met."""

    def __init__(self) -> None:
        self._numbers: dict[Key, int] = {}
        self._keys: list[Key] = []

    def __len__(self) -> int:
        return len(self._keys)

    def of(self, key: Key) -> int:
        """The number of a key, a new one if need be."""
        number = self._numbers.setdefault(key, len(self._keys))
        if number == len(self._keys):
            self._keys.append(key)
        return number

    def key(self, number: int) -> Key:
        return self._keys[number]


def key_of(page: Page) -> Key:
    return page.lease.hid, page.lease.uid


def edges(page: Page) -> dict[Key, list[Link]]:
    """The page's links by target, itself left out; a redirect is a link to its target."""
    own, found = key_of(page), dict[Key, list[Link]]()
    if page.redirect:
        found[url_key(page.redirect)[2:]] = []
    if page.ok:
        for link in page.links:
            if link.refused in EDGES:
                found.setdefault(url_key(link.url)[2:], []).append(link)
    found.pop(own, None)
    return found
