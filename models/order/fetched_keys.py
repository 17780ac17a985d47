"""Which URLs were fetched, in bounded memory."""

from __future__ import annotations

from focuscrawl.url.key import UrlId

KEPT = 250_000
"""Most keys in each of two generations. When the newer one is full, the older one is forgotten."""


class FetchedKeys:
    """A set of keys. Invariant: the last KEPT that were added are in it, and never twice as many."""

    def __init__(self) -> None:
        self._newer: set[UrlId] = set()
        self._older: set[UrlId] = set()

    def add(self, key: UrlId) -> None:
        self._newer.add(key)
        if len(self._newer) >= KEPT:
            self._older, self._newer = self._newer, set()

    def __contains__(self, key: UrlId) -> bool:
        return key in self._newer or key in self._older
