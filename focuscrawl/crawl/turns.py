"""Pages are judged one after the other, in the order in which their URLs were leased, while a crawl chooses few URLs at a time.

What is chosen next depends on what was learned, and that on the order of the pages. Without turns it would depend on which host
answers a millisecond earlier, and two crawls of one job would soon be different crawls.

Invariant: while turns are taken, a page is judged only when no lease that was given before its own is awaited any more, unless
its commit is being written; and the page's links are scored only when these commits have ended, too, and have been taken into
account in the choice of the next URLs. So one page is judged while the one before is committed, and its original is looked for
behind that commit. A lease is awaited for a second, and for another second once its answer is there; so no page waits for its
turn longer than that, and no host that is slow, or whose pages take long to read, holds up the others.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping
from itertools import islice

from focuscrawl.crawl.long_work import SLOW_SECONDS
from focuscrawl.items import Lease
from focuscrawl.url.key import UrlId

ROBOTS_SECONDS = 0.25
"""How long a robots.txt is awaited. With a second, a crawl of hosts whose robots.txt takes 0.8 s is several times slower."""


class Turns:
    """The turns of one process. Whoever leases says when it has chosen; a page calls `judge`, `score` and `commits` in turn."""

    def __init__(self, leases: Mapping[UrlId, Lease], clock: Callable[[], float]) -> None:
        """`leases`: those that have not ended, in the order in which they were given. `clock`: that of `Lease.at`."""
        self._leases, self._clock = leases, clock
        self.taken = False
        """Whether pages take turns now. Set it before `chosen` is called."""
        self._answered: dict[UrlId, float] = {}
        """When the answers came, of those of `_leases` that have one."""
        self._scored: dict[UrlId, float] = {}
        """Since when the links of their pages are being scored or committed, of those of `_leases` that are so far."""
        self._commits: set[UrlId] = set()
        """Those of `_leases` whose commits have not ended."""
        self._choosing = False
        """Whether a lease has ended since the last choice, or a choice is being made."""
        self._bells: dict[UrlId, asyncio.Event] = {}
        """Of those of `_leases` whose pages wait for their turn."""

    @property
    def awaited(self) -> list[Lease]:
        """The leases that will soon have ended. What takes long is not awaited: a slow answer, a look-up of a name, an IP
        address that rests, an enormous page."""
        now = self._clock()
        return [lease for url_id, lease in self._leases.items() if now < self._until(url_id, lease)]

    @property
    def teaching(self) -> bool:
        """Whether the links of a page are being scored or committed, so that what it teaches is half known. With our own
        pipelines that takes milliseconds; one that takes longer than a second, as in a user's pipeline, does not count."""
        long_ago = self._clock() - SLOW_SECONDS
        return any(since > long_ago for since in self._scored.values())

    def answered(self, lease: Lease) -> None:
        """The answer of a lease has come, or it is clear that there is none."""
        if self._leases.get(lease.url_id) is lease:
            self._answered[lease.url_id] = self._clock()

    async def judge(self, lease: Lease) -> None:
        """Wait until the page of this lease may be judged."""
        while self._waits(lease):
            first = next((other for other in self._pages if other.url_id not in self._commits), lease)
            if first is lease:
                return
            await self._rung(lease, first)

    async def score(self, lease: Lease) -> None:
        """Wait until the links of this lease's page may be scored."""
        while self._waits(lease):
            first = next(self._pages, lease)
            if first is lease and not self._choosing:
                break
            await self._rung(lease, first)
        if self._takes_part(lease):
            self._scored[lease.url_id] = self._clock()

    def commits(self, lease: Lease) -> None:
        """The commit is about to be given to the store's writer: whatever the next page asks for there comes behind it."""
        if self._takes_part(lease):
            self._commits.add(lease.url_id)
            self._ring()

    def ended(self, lease: Lease) -> None:
        """A lease has ended: until `chosen` is called, no page's links are scored."""
        self._answered.pop(lease.url_id, None)
        self._scored.pop(lease.url_id, None)
        self._commits.discard(lease.url_id)
        self._choosing = True

    def chosen(self) -> None:
        """The next URLs have been leased, as far as any are wanted and can be had: it is the next page's turn."""
        self._choosing = False
        self._ring()

    @property
    def _pages(self) -> Iterator[Lease]:
        """The leases whose pages are awaited, the first turn first."""
        now = self._clock()
        for url_id, lease in self._leases.items():
            if not lease.robots and now < self._until(url_id, lease):
                yield lease

    def _takes_part(self, lease: Lease) -> bool:
        return self.taken and self._leases.get(lease.url_id) is lease

    def _waits(self, lease: Lease) -> bool:
        """Whether the page of this lease has to wait as long as it is not its turn."""
        return self._takes_part(lease) and self._clock() < self._until(lease.url_id, lease)

    async def _rung(self, lease: Lease, first: Lease) -> None:
        """Wait until the bell of `lease` rings, or until the page before whose turn it is, that of `first`, is awaited no
        more."""
        bell = self._bells.setdefault(lease.url_id, asyncio.Event())
        late = asyncio.get_running_loop().call_later(self._until(first.url_id, first) - self._clock(), bell.set)
        try:
            await bell.wait()
        finally:
            late.cancel()
            self._bells.pop(lease.url_id, None)

    def _ring(self) -> None:
        """Let the first page that waits look whether it is its turn. Each of the others is rung for in its turn."""
        waiting = (lease.url_id for lease in self._pages if lease.url_id in self._bells)
        for url_id in islice(waiting, 1) if self.taken else self._bells:
            self._bells[url_id].set()

    def _until(self, url_id: UrlId, lease: Lease) -> float:
        """Until when the lease of this URL is awaited."""
        if lease.robots:
            return lease.at + ROBOTS_SECONDS
        return self._answered.get(url_id, lease.at) + SLOW_SECONDS
