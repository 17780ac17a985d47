"""What takes long holds up nobody but its own host: requests without an answer, and pages that take long to read.

A fetch has two scarce things: a place among the leases of this process, and the reading process for heavy pages. Who is slow
lends his place to others until he is done; of a host one heavy page is read at a time, and what that cost the host rests. So a
hundred hosts that never answer, or one of enormous pages, leave the others their pace.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from time import monotonic
from typing import TypeVar

from focuscrawl.items import Lease
from focuscrawl.url.hosts import host_name

T = TypeVar("T")
SLOW_SECONDS = 1.0
"""An answer that takes longer lends its place."""
MOST_LENT = 8
"""So many times the requests that a process may have on the way can be lent: 128 by default."""
MOST_HEAVY = 16
"""Heavy pages that may lend their places: what waits is held in memory, up to 8 MiB each."""
AT_ONCE = 2.0
"""Seconds that a host rests from the beginning of a heavy page on: the usual time to read one."""
REST = 3.0
"""A host rests so many times as long as its heavy page took: it gets a quarter of the reading process at most."""
LONG_TEXT = 100_000
"""Characters; fingerprints of longer texts are worked out beside the event loop (winnowing: 0.25 s for so many)."""


class GivenUp(Exception):
    """The page was not read, for the crawl stops."""


@dataclass(slots=True)
class LongWork:
    """`rest` makes a lease's host wait for so many seconds; `changed` is called when places are lent or given back."""

    requests: int
    rest: Callable[[Lease, float], None]
    changed: Callable[[], None]
    aborting: asyncio.Event
    """The crawl stops and waits for nothing any more."""
    slow: int = 0
    """Requests without an answer that lend their places."""
    heavy: int = 0
    """Pages being read, or waiting for that, that lend theirs."""
    _hosts: dict[str, asyncio.Lock] = field(default_factory=dict)
    _one: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def lent(self) -> int:
        return self.slow + self.heavy

    @contextmanager
    def asking(self) -> Iterator[None]:
        """Around a request: after a while without an answer it lends its place."""
        lent = False

        def lend() -> None:
            nonlocal lent
            if self.slow < MOST_LENT * self.requests:
                lent = True
                self.slow += 1
                self.changed()

        timer = asyncio.get_running_loop().call_later(SLOW_SECONDS, lend)
        try:
            yield
        finally:
            timer.cancel()
            if lent:
                self.slow -= 1
                self.changed()

    @asynccontextmanager
    async def reading(self, lease: Lease) -> AsyncIterator[None]:
        """Around the reading of a heavy page: one of a host at a time. Raises GivenUp when the crawl stops meanwhile."""
        host = host_name(lease.url)
        lock = self._hosts.setdefault(host, asyncio.Lock())
        lent = self.heavy < MOST_HEAVY
        self.heavy += lent
        self.changed()
        self.rest(lease, AT_ONCE)
        limit = asyncio.timeout(None)
        stop = asyncio.ensure_future(self.aborting.wait())
        stop.add_done_callback(lambda done: None if done.cancelled() else limit.reschedule(0.0))
        try:
            async with limit, lock:
                began = monotonic()
                yield
                self.rest(lease, REST * (monotonic() - began))
        except TimeoutError:
            raise GivenUp from None
        finally:
            stop.cancel()
            self.heavy -= lent
            self.changed()
            if not lock.locked():
                self._hosts.pop(host, None)

    async def beside(self, text: str, work: Callable[[], T]) -> T:
        """The result of `work` on this text: of a long one from a thread, one at a time."""
        if len(text) < LONG_TEXT:
            return work()
        async with self._one:
            return await asyncio.to_thread(work)
