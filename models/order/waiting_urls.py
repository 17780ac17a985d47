"""Remembers for a strategy which priorities the frontier has, and which of them are out of date.

A strategy that learns changes the priorities of many URLs by little. Only changes beyond a margin are handed out, the oldest
first and a bounded number at a time, because each is a write to the store.
"""

from __future__ import annotations

from itertools import islice

from focuscrawl.url.key import UrlId
from models.order.protocol import Change

MARGIN = 0.02
"""Smaller changes are not worth a write. The frontier, too, lifts a URL only by more than this."""
AT_ONCE = 200
"""Most changes handed out in one call. Each is a write to the store (10 to 20 µs)."""


class WaitingUrls:
    """The priorities of waiting URLs as the frontier has them, and their changes. O(1) a change; some 200 bytes for each URL
    that waits."""

    def __init__(self) -> None:
        self._published: dict[UrlId, float] = {}
        """The priorities that the frontier has."""
        self._moved: dict[UrlId, float] = {}
        """The new priorities that it does not have yet, the oldest change first."""
        self._closed: set[UrlId] = set()

    def __contains__(self, key: UrlId) -> bool:
        return key in self._published

    def __len__(self) -> int:
        return len(self._published)

    def offer(self, key: UrlId, priority: float) -> None:
        """Note that a link brings this priority. The frontier takes it for a new URL; for one that waits it may be a change."""
        if key in self._published:
            self.move(key, priority)
        elif key not in self._closed:
            self._published[key] = priority

    def move(self, key: UrlId, priority: float) -> None:
        """Change the priority of a URL. Nothing happens if it does not wait."""
        published = self._published.get(key)
        if published is None:
            return
        if abs(priority - published) > MARGIN:
            self._moved[key] = priority
        else:
            self._moved.pop(key, None)

    def publish(self, key: UrlId, priority: float) -> None:
        """Note that the frontier is given this priority of a waiting URL in another way, so that no change of it is due."""
        self._published[key] = priority
        self._moved.pop(key, None)

    def close(self, key: UrlId) -> None:
        """Note that the URL was fetched. It does not wait any more, whatever links lead to it later."""
        self._closed.add(key)
        self._published.pop(key, None)
        self._moved.pop(key, None)

    def changes(self) -> list[Change]:
        """The oldest changes that the frontier does not know, at most AT_ONCE. The others come with the next calls."""
        changes = [Change(key, priority) for key, priority in islice(self._moved.items(), AT_ONCE)]
        for change in changes:
            del self._moved[change.key]
            self._published[change.key] = change.priority
        return changes
