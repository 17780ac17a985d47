"""Which priorities the frontier has of waiting URLs, and which of them are out of date.

A strategy that changes its mind moves many URLs by little. Only moves beyond a margin are handed out, the oldest first and a
bounded number at a time, because each is a write to the store.
"""

from __future__ import annotations

from itertools import islice

from focuscrawl.url.key import UrlId
from models.order.protocol import Change

MARGIN = 0.02
"""Smaller moves are not worth a write; the frontier itself lifts a URL only by more than this."""
AT_ONCE = 200
"""Changes handed out in one call: each is a write to the store (10 to 20 µs)."""


class WaitingUrls:
    """Priorities of waiting URLs as the frontier has them. O(1) a move; some 200 bytes for each URL that waits."""

    def __init__(self, margin: float = MARGIN, at_once: int = AT_ONCE) -> None:
        self._margin, self._at_once = margin, at_once
        self._published: dict[UrlId, float] = {}
        self._moved: dict[UrlId, float] = {}
        self._closed: set[UrlId] = set()

    def __contains__(self, key: UrlId) -> bool:
        return key in self._published

    def __len__(self) -> int:
        return len(self._published)

    def offer(self, key: UrlId, priority: float) -> None:
        """A link brings this priority to the frontier, which takes it for a new URL; one that waits may need a change."""
        if key in self._published:
            self.move(key, priority)
        elif key not in self._closed:
            self._published[key] = priority

    def move(self, key: UrlId, priority: float) -> None:
        """From now on the URL is worth this much; nothing happens if it does not wait."""
        published = self._published.get(key)
        if published is None:
            return
        if abs(priority - published) > self._margin:
            self._moved[key] = priority
        else:
            self._moved.pop(key, None)

    def publish(self, key: UrlId, priority: float) -> None:
        """The frontier is given this priority of a URL that waits, whatever move of it was due."""
        self._published[key] = priority
        self._moved.pop(key, None)

    def close(self, key: UrlId) -> None:
        """The URL was fetched: it waits no longer, whatever links to it come."""
        self._closed.add(key)
        self._published.pop(key, None)
        self._moved.pop(key, None)

    def changes(self) -> list[Change]:
        """The oldest moves that the frontier does not know, at most `at_once`; the rest comes with the next calls."""
        changes = [Change(key, priority) for key, priority in islice(self._moved.items(), self._at_once)]
        for change in changes:
            del self._moved[change.key]
            self._published[change.key] = change.priority
        return changes
