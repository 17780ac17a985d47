"""When does a crawl search the web again? Pure: pages and seconds are arguments."""

from __future__ import annotations

MOST_SEARCHES = 30
"""Requests to the search engine in a run."""
PAGES_BETWEEN = 100
"""Stored pages between two searches …"""
SECONDS_BETWEEN = 2.0
"""… and least seconds, as public instances ask for."""
SOON_PAGES = 10
"""Stored pages after which to look again whether there is anything to search for."""
MOST_FAILURES = 3
"""Failures in a row that end the searching of a run."""


class SearchTimes:
    """The times of the searches of one process. The first is due at once."""

    def __init__(self) -> None:
        self.made = 0
        self.failures = 0
        """In a row."""
        self._due_at = 0
        """Stored pages from which on the next search is due."""
        self._last = float("-inf")

    @property
    def over(self) -> bool:
        """Whether this process searches no more."""
        return self.made >= MOST_SEARCHES or self.failures >= MOST_FAILURES

    def is_due(self, pages: int) -> bool:
        """Whether to search now that so many pages were stored."""
        return not self.over and pages >= self._due_at

    @property
    def may_be_early(self) -> bool:
        """Whether to search before it is due, because nothing else is left to do. After a failure that would not help."""
        return not self.over and not self.failures

    def wait(self, now: float) -> float:
        """Seconds until the next request may be sent."""
        return max(0.0, self._last + SECONDS_BETWEEN - now)

    def sent(self, pages: int) -> None:
        """Note that a request is being sent, after so many stored pages."""
        self.made += 1
        self._due_at = pages + PAGES_BETWEEN

    def ended(self, now: float, *, failed: bool) -> None:
        """Note that the request has ended."""
        self._last = now
        self.failures = self.failures + 1 if failed else 0

    def nothing_to_ask(self, pages: int, *, soon: bool = False) -> None:
        """Note that a search was due, and that there was nothing to search for. `soon`: that may change with a few pages."""
        self._due_at = pages + (SOON_PAGES if soon else PAGES_BETWEEN)
