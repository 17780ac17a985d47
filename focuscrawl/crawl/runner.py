"""What a crawl process asks of the program that runs it: seven calls, implemented for Scrapy in `scrapy_side.crawl_runner`.

Nothing else in this room knows who downloads, so that a test or another engine can drive a crawl process.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back from a URL."""

    status: int = 0
    body: bytes = b""
    error: str = ""
    """What failed, in words without a full stop; empty if an answer came."""


class Runner(Protocol):
    """The program that downloads, as a crawl process sees it."""

    def count(self, name: str, count: int) -> None:
        """Add to a counter, such as `frontier/leased_count`."""
        ...

    def note(self, name: str, value: float) -> None:
        """Set a figure that is not a sum, such as `frontier/waiting_count`."""
        ...

    def figures(self) -> Mapping[str, Any]:
        """All counters and figures so far, also the runner's own."""
        ...

    def wake(self) -> None:
        """There are new leases: the runner should ask for them at once."""
        ...

    def widen(self, requests: int) -> None:
        """Let `requests` more than usual be in flight at once, because as many have been waiting long for their answers."""
        ...

    async def ask(self, url: str) -> Answer:
        """Ask a tool of the operator's, such as a search engine: under the guard, but without a lease, and whatever its
        robots.txt says. Redirects are followed. Raises nothing but a cancellation."""
        ...

    def close(self, reason: str) -> None:
        """End the run: what is in flight is finished, then `CrawlProcess.close` is called. Returns at once."""
        ...
