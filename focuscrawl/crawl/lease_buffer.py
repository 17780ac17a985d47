"""The leases of this process: fetched from the store in small batches of the best URLs of hosts that may be asked now.

Invariant: the buffer holds leases only, and never more than one round of requests; links never become requests before they are
leased. When nothing can be leased, it sleeps until the next host or retry is due.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field

from focuscrawl.config.options import Options
from focuscrawl.crawl.counting import Counting
from focuscrawl.crawl.exhaustion import Exhaustion, PartitionExit
from focuscrawl.crawl.long_work import SLOW_SECONDS
from focuscrawl.crawl.operator_control import OperatorControl
from focuscrawl.crawl.order import Ordering
from focuscrawl.crawl.recrawl import Recrawling
from focuscrawl.crawl.relevance.several_topics import CrawlTopic
from focuscrawl.crawl.robots_cache import RobotsCache
from focuscrawl.crawl.runner import Runner
from focuscrawl.crawl.stopping import Stopping
from focuscrawl.crawl.turns import ROBOTS_SECONDS, Turns
from focuscrawl.errors import BadInput
from focuscrawl.frontier.in_flight import most_in_flight, next_batch
from focuscrawl.frontier.lanes import may_go
from focuscrawl.frontier.patience import Patience
from focuscrawl.frontier.yields import YieldLimit
from focuscrawl.items import LINK, Lease
from focuscrawl.store.crawl_store import CrawlStore
from focuscrawl.store.frontier.barren import is_wanted
from focuscrawl.store.frontier.lease_ends import is_paced
from focuscrawl.store.workers.lifecycle import WorkerLostError
from focuscrawl.url.key import UrlId

OTHERS_SECONDS = 0.2
"""Between checks whether another worker has made the topic for both."""
SHORTEST_SLEEP = 0.02
"""A host that is due but may have no further request now is tried again after this time, or when an answer comes."""
LONGEST_SLEEP = 60.0
"""Other workers may find URLs for this one at any time, and nothing notifies it."""
UNKNOWN_SLEEP = 1.0
"""Sleep where no due time says when there will be something to lease: leases in flight, here or elsewhere, may bring URLs, or
the topic is still being made."""
START_GRACE = 5.0
"""Seconds that the start of a crawl waits for an example page that is tried again later, or that is due but cannot be leased.
One whose host has a longer delay is waited for."""


@dataclass(kw_only=True)
class LeaseBuffer:
    """The leases that have not ended: not sent yet, or in flight. `next` never waits; `refill` is the task that leases."""

    options: Options
    topic: CrawlTopic
    ordering: Ordering
    control: OperatorControl
    partition_exit: PartitionExit
    recrawling: Recrawling
    stopping: Stopping
    counting: Counting
    runner: Runner
    yields: YieldLimit
    lent: int = field(default=0, init=False)
    """Places of slow fetches that other fetches may use meanwhile (`focuscrawl.crawl.long_work`)."""
    turns: Turns = field(init=False)
    """The order in which fetched pages are judged."""
    _store: CrawlStore = field(init=False)
    _robots: RobotsCache = field(init=False)
    _exhaustion: Exhaustion = field(init=False)
    _waiting: deque[Lease] = field(default_factory=deque, init=False)
    _leases: dict[UrlId, Lease] = field(default_factory=dict, init=False)
    """All leases that have not ended, including those in `_waiting`."""
    _more: asyncio.Event = field(default_factory=asyncio.Event, init=False)
    """Set when there may be room for leases, or something new to lease."""
    _starved_since: float | None = field(default=None, init=False)
    """While the topic is being made: since when nothing could be leased and nothing was in flight."""
    _patient_since: float | None = field(default=None, init=False)
    """Since when nothing was leased although hosts could be asked, in order to wait for better URLs."""

    def __post_init__(self) -> None:
        self.turns = Turns(self._leases, lambda: self._store.clock())  # late: there is no store before `open`

    def open(self, store: CrawlStore, robots: RobotsCache, exhaustion: Exhaustion) -> None:
        """Give the buffer what needs a store, before `refill` is started."""
        self._store, self._robots, self._exhaustion = store, robots, exhaustion

    def next(self) -> Lease | None:
        """The next URL to fetch; None when the buffer is empty for now."""
        # Half of the buffer (`_wanted`) is left: the next batch comes before it is empty, unless answers are waited for. An
        # empty buffer is asked whenever an answer has come, as its host may be asked again; where pages take turns, their ends
        # tell.
        if len(self._waiting) <= self.options.concurrent_requests // 4 and (self._waiting or not self.turns.taken):
            self._more.set()
        return self._waiting.popleft() if self._waiting else None

    def holds(self, lease: Lease) -> bool:
        """Whether this very lease has not ended yet; its URL may have been leased again since."""
        return self._leases.get((lease.hid, lease.uid)) is lease

    def done(self, lease: Lease) -> None:
        """Note that a lease has ended by its commit."""
        self._leases.pop(lease.url_id, None)
        self.turns.ended(lease)
        self._more.set()

    def put_last(self, leases: Iterable[Lease]) -> None:
        """Let the pages of these leases, which were held back until now, take their turns in this order."""
        self.turns.taken = self._limit_in_flight(self._patience()) is not None
        for lease in leases:
            if self.holds(lease):
                self._leases[lease.url_id] = self._leases.pop(lease.url_id)
                self.turns.answered(lease)

    async def give_back(self, lease: Lease, wait: float = 0.0) -> None:
        """Return a lease unfetched. `wait`: seconds until the host may be asked."""
        self.done(lease)
        await self._store.release([lease], wait)

    async def withdraw_refused(self) -> None:
        """Give back leases that operators do not want fetched, and look at once for what they have added or released.

        (A lease that has left the buffer is stopped by `middlewares.operator`.)"""
        refused = [lease for lease in self._waiting if self.control.refuses(lease)]
        if refused:
            self._waiting = deque(lease for lease in self._waiting if not self.control.refuses(lease))
            for lease in refused:
                self.done(lease)
            await self._store.release(refused)
        self._more.set()

    def retry_now(self) -> None:
        """Try to lease again now: something may have changed."""
        self._more.set()

    async def refill(self) -> None:
        """Keep the buffer filled; ends when the crawl stops."""
        try:
            await self._refill()
        finally:
            self.turns.taken = False
            self.turns.chosen()

    async def _refill(self) -> None:
        while not self.stopping.reason:
            self._more.clear()
            try:
                if await self._must_wait():
                    continue
            except BadInput as error:
                self.stopping.stop("no_topic", str(error))
                return
            patience = self._patience()
            limit = self._limit_in_flight(patience)
            self.turns.taken = limit is not None
            if limit and self._awaits_robots(limit):
                await self._sleep(ROBOTS_SECONDS)
                continue
            count = self._wanted(limit)
            if count > 0:
                await self._lease(count, patience, robots_beside=limit is not None)
            elif self.topic.kind_wanted and not self._in_flight:
                self.topic.finish_start()  # max_pages allows no further page to define the topic
            else:
                await self._wait(SLOW_SECONDS)

    async def _must_wait(self) -> bool:
        """Wait a while if no URL may be chosen now, whatever is in the frontier; returns whether that was so. It is so while an
        operator has paused the crawl, while the order strategy is learning from a page, and while another worker makes the
        topic. Raises BadInput if there can be no topic."""
        if self.control.waits:
            self._starved_since = None
            self.turns.chosen()
            await self._more.wait()
            return True
        if self.turns.teaching:
            await self._sleep(SLOW_SECONDS)  # the page's end wakes it
            return True
        if self.topic.waits_for_other:
            await asyncio.sleep(OTHERS_SECONDS)
            return True
        return False

    async def _lease(self, count: int, patience: Patience | None, robots_beside: bool) -> None:
        """Lease up to `count` URLs; if none can be leased, wait. `robots_beside`: robots.txt may be leased beside them."""
        patience = None if self._waited_enough(patience) else patience
        in_flight = self._in_flight
        robots = self._robots_room(count) if robots_beside else None
        try:
            leases, due = await self._store.lease(count, self.topic.kind_wanted, patience, robots)
        except WorkerLostError:
            self.stopping.lost()
            return
        if leases:
            await self._take(leases)
        else:  # nothing can be leased, or nothing that is good enough not to wait for better
            now = asyncio.get_running_loop().time()
            self._patient_since = (self._patient_since or now) if patience else None
            await self._nothing_ready(due, in_flight)

    @property
    def _in_flight(self) -> int:
        """How many leases will end by themselves. Pages that the topic holds back do not: they wait for further pages."""
        return len(self._leases) - self.topic.held

    @property
    def room(self) -> int:
        """How many more requests the limits of the crawl allow, besides those for what is leased."""
        robots = self._robots_in_flight
        return self.stopping.room(len(self._leases) - robots, robots)

    @property
    def _robots_in_flight(self) -> int:
        return sum(lease.robots for lease in self._leases.values())

    def _wanted(self, limit: int | None) -> int:
        """How many leases to ask for: half a round of requests in the buffer and two rounds in flight, but no more than `limit`
        (see `_limit_in_flight`) and the limits of the crawl allow."""
        requests = self._requests
        wanted = min(requests // 2 - len(self._waiting), self.room, 2 * requests - (self._in_flight - self.lent))
        return wanted if limit is None else min(wanted, next_batch(self._awaited_pages, limit))

    def _awaits_robots(self, limit: int) -> bool:
        """Whether a choice is due but must wait: the page for which a robots.txt is in flight may be better than any other."""
        return any(lease.robots for lease in self.turns.awaited) and next_batch(self._awaited_pages, limit) > 0

    def _robots_room(self, count: int) -> int | None:
        """How many robots.txt may be leased beside `count` pages: they are needed before these can be compared with others.
        None: the limit of requests leaves no room beside these pages, so that they are among the `count`."""
        left = self.stopping.requests_left(len(self._leases) + count)
        return max(0, min(self._requests - self._robots_in_flight, left)) if left > 0 else None

    @property
    def _awaited_pages(self) -> int:
        return sum(not lease.robots for lease in self.turns.awaited)

    @property
    def _requests(self) -> int:
        return max(2, self.options.concurrent_requests)

    def _limit_in_flight(self, patience: Patience | None) -> int | None:
        """The most fetches that may be in flight because the next answers may tell what to choose; None: no limit but that of
        the process."""
        chosen = patience is not None if self.recrawling.on else self._chooses
        most = most_in_flight(self.ordering.seen, patience) if chosen else self._requests
        return most if most < self._requests else None

    @property
    def _chooses(self) -> bool:
        """Whether URLs are chosen by their score now."""
        return self.ordering.focused and not self.topic.kind_wanted and not self.recrawling.on

    def _patience(self) -> Patience | None:
        """How to wait for better URLs; None: do not wait."""
        chosen = self._chooses or self.recrawling.on  # a recrawl chooses by the values of revisits
        return self.stopping.patience(self.options.frontier_patience) if chosen else None

    def _waited_enough(self, patience: Patience | None) -> bool:
        """Whether the horizon has passed without a lease."""
        if patience is None or self._patient_since is None:
            return False
        return asyncio.get_running_loop().time() - self._patient_since > patience.horizon

    async def _take(self, leases: list[Lease]) -> None:
        self._starved_since = self._patient_since = None
        self.partition_exit.leased()
        leases = await self._without_barren(leases)
        await self._robots.load(leases)
        self._leases.update((lease.url_id, lease) for lease in leases)
        self.counting.inc("frontier/leased_count", len(leases))
        self._waiting.extend(leases)
        self.runner.wake()

    async def _without_barren(self, leases: list[Lease]) -> list[Lease]:
        """Of these new leases, those that may be fetched. The part of the web in which the others lie was closed while they
        waited: they are given back without a request, and set back with all else on their hosts that waits in closed parts."""
        allowed = []
        for lease in leases:
            if await self._may_go(lease):
                allowed.append(lease)
                self.yields.asked(lease.url)
            else:
                await self._store.release([lease])
                done = await self._store.set_back(lease.hid, self.yields.set_back, self.yields.on_original)
                self.counting.set_back(done)
        return allowed

    async def _may_go(self, lease: Lease) -> bool:
        """Whether a lease may be fetched. A robots.txt may if a page of its host may be fetched afterwards."""
        if lease.robots:
            return not self.yields.any_closed or await self._store.call(is_wanted, hid=lease.hid, rule=self.yields.set_back)
        if lease.kind != LINK or lease.revisit:
            return True
        return may_go(lease.priority, self.yields.set_back(lease.url, lease.parent))

    async def _nothing_ready(self, due: float | None, in_flight: int) -> None:
        """Sleep until something is due, or end the crawl when nothing will be for long.

        Args:
            due: when the next URL falls due, in epoch seconds by the store's clock; None: nothing waits.
            in_flight: how many leases were in flight when the store was asked. One whose answer has come since may be what the
                next page of its host was waiting for.
        """
        topic = self.topic
        wait = None if due is None else max(SHORTEST_SLEEP, due - self._store.clock())
        if topic.kind_wanted and not in_flight and not self._in_flight and await self._start_is_over(wait):
            topic.finish_start()
            return
        if not self._leases and not topic.busy and (wait is None or wait > self.options.frontier_idle_stop):
            if await self._exhaustion.is_reached():
                await self._find_more_or_end()
                return
            wait = min(wait or UNKNOWN_SLEEP, UNKNOWN_SLEEP)
        longest = UNKNOWN_SLEEP if topic.busy else LONGEST_SLEEP
        await self._wait(min(wait if wait is not None else UNKNOWN_SLEEP, longest))

    async def _find_more_or_end(self) -> None:
        if await self._exhaustion.find_more():
            return
        await self._exhaustion.end()
        if not self.stopping.reason:
            await self._wait(UNKNOWN_SLEEP)  # until more is found, or due revisits are ranked

    async def _start_is_over(self, wait: float | None) -> bool:
        """Whether the start of the crawl waits for no further page, while none is in flight and the next falls due in `wait`
        seconds (None: never)."""
        now = asyncio.get_running_loop().time()
        self._starved_since = self._starved_since or now
        if wait is None:
            return True
        if wait <= START_GRACE:  # but it may never be leased, as a page of a host that already has its max_pages_per_host
            return now - self._starved_since > START_GRACE
        if await self._store.call(is_paced, kind=self.topic.kind_wanted, now=self._store.clock()):
            self._starved_since = None
            return False
        return True

    async def _wait(self, seconds: float) -> None:
        """Wait until there may be something to do, `seconds` at most."""
        self.turns.chosen()
        await self._sleep(seconds)

    async def _sleep(self, seconds: float) -> None:
        # Not `wait_for`: in Python 3.11 it loses a cancellation that comes when `_more` was set (bpo-37658).
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._more.wait()
