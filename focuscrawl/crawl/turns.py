"""Pages are judged one after the other, in the order in which their URLs were leased, while a crawl chooses few URLs at a time.

What is chosen next depends on what was learned, and that on the order of the pages. Without turns it would hang on which host
answers a millisecond earlier, and two crawls of one job would soon be different crawls.

Invariant: while turns are taken, a page is let through only when no lease that was given before its own is awaited any more,
and what ended last has been taken into account in the choice of the next URLs. A lease is awaited for a second, and for another
second once its answer is there; so no page waits for its turn longer than that, and no host that is slow, or whose pages take
long to read, holds up the others.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress

from focuscrawl.crawl.long_work import SLOW_SECONDS
from focuscrawl.items import Lease
from focuscrawl.url.key import UrlId

ROBOTS_SECONDS = 0.25
"""How long a robots.txt is awaited. With a second, a crawl of hosts whose robots.txt takes 0.8 s is several times slower."""


class Turns:
    """The turns of one process. Whoever leases says when it has chosen; a page calls `wait` before it is judged."""

    def __init__(self, leases: Mapping[UrlId, Lease], clock: Callable[[], float]) -> None:
        """`leases`: those that have not ended, in the order in which they were given. `clock`: that of `Lease.at`."""
        self._leases, self._clock = leases, clock
        self.taken = False
        """Whether pages take turns now. Set it before `chosen` is called."""
        self._answered: dict[UrlId, float] = {}
        """When the answers came, of those of `_leases` that have one."""
        self._in_turn: dict[UrlId, float] = {}
        """Since when it is their turn, of those of `_leases` whose pages are being judged or committed."""
        self._choosing = False
        """Whether a lease has ended since the last choice, or a choice is being made."""
        self._bell = asyncio.Event()
        """Rings for all pages that wait: one of them may go."""

    @property
    def awaited(self) -> list[Lease]:
        """The leases that will soon have ended. What takes long is not awaited: a slow answer, a look-up of a name, an IP
        address that rests, an enormous page."""
        now = self._clock()
        return [lease for lease in self._leases.values() if now < self._until(lease)]

    @property
    def judging(self) -> bool:
        """Whether a page is being judged or committed, so that what it teaches is half known. With our own pipelines that takes
        milliseconds; one that takes longer than a second, as in a user's pipeline, does not count."""
        long_ago = self._clock() - SLOW_SECONDS
        return any(since > long_ago for since in self._in_turn.values())

    def answered(self, lease: Lease) -> None:
        """The answer of a lease has come, or it is clear that there is none."""
        if self._leases.get(lease.url_id) is lease:
            self._answered[lease.url_id] = self._clock()

    def ended(self, lease: Lease) -> None:
        """A lease has ended: until `chosen` is called, no page is judged."""
        self._answered.pop(lease.url_id, None)
        self._in_turn.pop(lease.url_id, None)
        self._choosing = True

    def chosen(self) -> None:
        """The next URLs have been leased, as far as any are wanted and can be had: it is the next page's turn."""
        self._choosing = False
        self._bell.set()
        self._bell = asyncio.Event()

    async def wait(self, lease: Lease) -> None:
        """Wait until it is the turn of the page of this lease."""
        while self.taken and self._leases.get(lease.url_id) is lease and self._clock() < self._until(lease):
            first = next((other for other in self.awaited if not other.robots), lease)
            if first is lease and not self._choosing:
                break
            with suppress(TimeoutError):
                async with asyncio.timeout(self._until(first) - self._clock()):
                    await self._bell.wait()
        if self.taken and self._leases.get(lease.url_id) is lease:
            self._in_turn[lease.url_id] = self._clock()

    def _until(self, lease: Lease) -> float:
        """Until when a lease is awaited."""
        if lease.robots:
            return lease.at + ROBOTS_SECONDS
        return self._answered.get(lease.url_id, lease.at) + SLOW_SECONDS
