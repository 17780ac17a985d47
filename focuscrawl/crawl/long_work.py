"""Slow requests and pages that take long to read hold up their own host and no other.

A fetch uses two scarce resources: a place among the leases of this process, and the reading process. A slow fetch lends its
place to others until it is done. Heavy pages of a host are read one at a time, and afterwards the host rests in proportion to
the time that took. So neither a hundred hosts that never answer nor one host with enormous pages slow the others. Long loops in
the event loop itself are done in slices.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from time import monotonic
from typing import TypeVar

from focuscrawl.items import Lease
from focuscrawl.url.hosts import host_name

T = TypeVar("T")
SLOW_SECONDS = 1.0
"""A request that waits longer for its answer lends its place."""
MOST_LENT = 8
"""Most places lent to slow requests, as a multiple of the requests that a process may have in flight: 128 by default."""
MOST_HEAVY = 16
"""Heavy pages that may lend their places. Those that wait are held in memory, up to 8 MiB each."""
LONG_SECONDS = 1.0
"""Reading a heavy page may take this long, as most do, before its host has to rest. Once it takes longer, the host rests …"""
FIRST_REST = 2.0
"""… for this many seconds at first, which is the usual time to read such a page …"""
REST_FACTOR = 3.0
"""… and when the page has been read, for this multiple of that time. So a host gets at most a quarter of the process."""
LONG_TEXT = 100_000
"""Characters. Fingerprints of longer texts are computed in a thread (winnowing takes 0.25 s for this length)."""


async def in_slices(items: Iterable[T], seconds: float) -> AsyncIterator[T]:
    """The items one by one. After each `seconds` of work on them the event loop does what else there is to do."""
    until = monotonic() + seconds
    for item in items:
        yield item
        if monotonic() > until:
            await asyncio.sleep(0)
            until = monotonic() + seconds


class GivenUp(Exception):
    """The page was not read, because the crawl stops."""


@dataclass(slots=True)
class LongWork:
    """The long work of one process: which places are lent, and which hosts have a heavy page here.

    `rest` lets the host of a lease rest for some seconds; `changed` is called when places are lent or given back."""

    requests: int
    rest: Callable[[Lease, float], None]
    changed: Callable[[], None]
    aborting: asyncio.Event
    """Set when the crawl stops and does not wait for anything any more."""
    slow: int = 0
    """Requests without an answer that have lent their places."""
    heavy: int = 0
    """Pages being read, or waiting to be read, that have lent theirs."""
    redirects: int = 0
    """Redirects of a robots.txt that wait until another host may be asked: they need no place meanwhile."""
    _hosts: dict[str, asyncio.Lock] = field(default_factory=dict)
    """Of the hosts that have a heavy page here."""
    _users: Counter[str] = field(default_factory=Counter)
    """How many heavy pages each of these hosts has here."""
    _one_text: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def lent(self) -> int:
        """Places that other fetches may use."""
        return self.slow + self.heavy + self.redirects

    @contextmanager
    def waiting_for_answer(self) -> Iterator[None]:
        """Wrap this around a request: after SLOW_SECONDS without an answer it lends its place."""
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

    @contextmanager
    def waiting_for_host(self) -> Iterator[None]:
        """Wrap this around a redirect of a robots.txt that waits until another host may be asked."""
        self.redirects += 1
        self.changed()
        try:
            yield
        finally:
            self.redirects -= 1
            self.changed()

    @asynccontextmanager
    async def reading(self, lease: Lease) -> AsyncIterator[None]:
        """Wrap this around the reading of a heavy page: of each host one is read at a time.

        Raises GivenUp when the crawl stops meanwhile."""
        host = host_name(lease.url)
        lock = self._hosts.setdefault(host, asyncio.Lock())
        self._users[host] += 1
        lent = self.heavy < MOST_HEAVY
        self.heavy += lent
        self.changed()
        limit = asyncio.timeout(None)
        stop = asyncio.ensure_future(self.aborting.wait())
        # A deadline in the past raises TimeoutError in the body at once, wherever it waits.
        stop.add_done_callback(lambda done: None if done.cancelled() else limit.reschedule(0.0))
        try:
            async with limit, lock:
                began = monotonic()
                timer = asyncio.get_running_loop().call_later(LONG_SECONDS, self.rest, lease, FIRST_REST)
                try:
                    yield
                finally:
                    timer.cancel()
                if (took := monotonic() - began) > LONG_SECONDS:
                    self.rest(lease, REST_FACTOR * took)
        except TimeoutError:
            raise GivenUp from None
        finally:
            stop.cancel()
            self.heavy -= lent
            self.changed()
            self._users[host] -= 1
            if not self._users[host]:  # not before: those that wait for the lock hold on to it
                del self._hosts[host], self._users[host]

    async def run(self, text: str, work: Callable[[], T]) -> T:
        """The result of `work`, which reads `text`. For a long text it runs in a thread, one text at a time."""
        if len(text) < LONG_TEXT:
            return work()
        async with self._one_text:
            return await asyncio.to_thread(work)
