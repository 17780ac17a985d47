"""Pages are judged one after the other, in the order in which their URLs were leased, while a crawl chooses few URLs at a time.

What is chosen next depends on what was learned, and that on the order of the pages. Without turns it would hang on which host
answers a millisecond earlier, and two crawls of one job would soon be different crawls.

Invariant: while turns are taken, a page is let through only when no lease that was given before its own is awaited any more,
and what ended last has been taken into account in the choice of the next URLs. What takes long is not awaited, so that no page
waits for more than some seconds.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress

from focuscrawl.crawl.long_work import SLOW_SECONDS
from focuscrawl.items import Lease
from focuscrawl.url.key import UrlId

READING_SECONDS = 4.0
"""A page is awaited for so long after its answer has come: a heavy one takes seconds to read on a busy machine."""


class Turns:
    """The turns of one process. Whoever leases says when it has chosen; a page calls `wait` before it is judged."""

    def __init__(self, leases: Mapping[UrlId, Lease], clock: Callable[[], float]) -> None:
        """`leases`: those that have not ended, in the order in which they were given. `clock`: that of `Lease.at`."""
        self._leases, self._clock = leases, clock
        self.taken = False
        """Whether pages take turns now. Set it before `chosen` is called."""
        self._answered: dict[UrlId, float] = {}
        """When the answers came, of those of `_leases` that have one."""
        self._waiting: dict[UrlId, asyncio.Future[None]] = {}
        """Those of `_leases` whose pages wait for their turn."""
        self._judged: set[UrlId] = set()
        """Those of `_leases` whose turn it is: their pages are being judged or committed."""
        self._choosing = False
        """Whether a lease has ended since the last choice, or a choice is being made."""

    @property
    def awaited(self) -> list[Lease]:
        """The leases that will soon have ended. What takes long is not awaited: a slow answer, a look-up of a name, an IP
        address that rests, an enormous page."""
        now = self._clock()
        return [lease for lease in self._leases.values() if now < self._until(lease)]

    @property
    def judging(self) -> bool:
        """Whether a page is being judged or committed, so that what it teaches is half known. It takes milliseconds."""
        return bool(self._judged)

    def answered(self, lease: Lease) -> None:
        """The answer of a lease has come, or it is clear that there is none."""
        if self._leases.get(lease.url_id) is lease:
            self._answered[lease.url_id] = self._clock()

    def ended(self, lease: Lease) -> None:
        """A lease has ended: until `chosen` is called, no page is judged."""
        self._answered.pop(lease.url_id, None)
        self._judged.discard(lease.url_id)
        self._choosing = True

    def chosen(self) -> None:
        """The next URLs have been leased, as far as any are wanted and can be had: it is the next page's turn."""
        self._choosing = False
        first = self._first()
        for url_id, turn in self._waiting.items():
            if (not self.taken or url_id == first) and not turn.done():
                turn.set_result(None)

    async def wait(self, lease: Lease) -> None:
        """Wait until it is the turn of the page of this lease."""
        url_id = lease.url_id
        if not self.taken or self._leases.get(url_id) is not lease:
            return
        if self._choosing or self._first() != url_id:
            turn = self._waiting[url_id] = asyncio.get_running_loop().create_future()
            try:
                with suppress(TimeoutError):
                    async with asyncio.timeout(self._until(lease) - self._clock()):
                        await turn
            finally:
                del self._waiting[url_id]
        if self._leases.get(url_id) is lease:
            self._judged.add(url_id)

    def _until(self, lease: Lease) -> float:
        """Until when a lease is awaited."""
        answered = self._answered.get(lease.url_id)
        return lease.at + SLOW_SECONDS if answered is None else answered + READING_SECONDS

    def _first(self) -> UrlId | None:
        """The page whose turn it is, or whose answer is awaited."""
        return next((lease.url_id for lease in self.awaited if not lease.robots), None)
