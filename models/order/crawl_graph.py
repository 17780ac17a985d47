"""The crawled graph for orders by link analysis: which links of a page are edges, and small numbers for URLs."""

from __future__ import annotations

from focuscrawl.items import Link, Page
from focuscrawl.url.key import UrlId, url_key
from models.link.link_classifier import FOLLOWABLE


class UrlNumbers:
    """Numbers the keys of URLs from 0, in the order in which they were met."""

    def __init__(self) -> None:
        self._numbers: dict[UrlId, int] = {}
        self._keys: list[UrlId] = []

    def __len__(self) -> int:
        return len(self._keys)

    def of(self, key: UrlId) -> int:
        """The number of a key, which gets one if it has none."""
        number = self._numbers.setdefault(key, len(self._keys))
        if number == len(self._keys):
            self._keys.append(key)
        return number

    def key(self, number: int) -> UrlId:
        return self._keys[number]


def edges(page: Page) -> dict[UrlId, list[Link]]:
    """The page's links by target: those that count by FOLLOWABLE, without links to itself. A redirect counts as a link to its
    target, with an empty list."""
    by_target: dict[UrlId, list[Link]] = {}
    if page.redirect:
        by_target[url_key(page.redirect).url_id] = []
    if page.ok:
        for link in page.links:
            if link.refused in FOLLOWABLE:
                by_target.setdefault(link.key.url_id, []).append(link)
    by_target.pop(page.lease.url_id, None)
    return by_target
