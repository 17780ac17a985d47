"""The strategy `bounded`: best-first in bounded memory, by the queues P, A and R and the set D of downloaded URLs. Their order
is published as priorities, by which the frontier leases.

Source: Castillo, Nelli and Panconesi 2006. P is the main queue, A an auxiliary queue, R a random sample. The next URL is the
one with the best score among the first 200 of P. New URLs enter P while it has room, then A, then R by reservoir sampling. An
empty P is refilled from A, then from R.

The first URLs of P (the head) have priorities of HEAD_PRIORITY + score / 2. The rest of P and A have falling ones in
(0.25, 0.5), in the order of the queues, and R has none above 0. So a frontier that leases by priority chooses as the queues
would, and if a host makes it wait, it takes the next best URL.

Costs O(1) a link, O(head) a fetch, 7 MB, and 8 bytes for each page fetched. Good links cannot overtake others: P is first in,
first out, as in the paper, and the harvest is far below best-first. The strategy is here for comparison, because the frontier
is on disk anyway.
"""

from __future__ import annotations

import random
from array import array
from bisect import bisect_left, insort
from collections import OrderedDict
from dataclasses import dataclass

from focuscrawl.items import Page
from focuscrawl.url.key import UrlId
from models.order.protocol import Change, OrderContext

HEAD_PRIORITY = 0.5
"""Lower bound of the priorities of URLs in the head, and upper bound of those behind it."""
SAMPLED = 0.0
"""Priority of a URL in the sample."""
THROWN_OUT = -1.0
"""Priority of a URL that the sample gave up. The frontier has it already, so it goes to the very end."""
STEP = 2.0**-54
"""Difference between the priorities of two places in a queue: the smallest that floats in (0.25, 0.5) can have."""
GENERATION = 2**32
"""The places of A begin so far behind those of P that P never reaches them, and that A can become P with the same
priorities."""
PASSED = 1000
"""A URL in the head is given up after this many worse ones were fetched: it was fetched already, or its host is slow."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """How many URLs each queue holds, and how many of P are the head, from which the next one is chosen."""

    main: int = 10_000
    auxiliary: int = 10_000
    sample: int = 2_000
    head: int = 200


@dataclass(slots=True)
class Entry:
    """A URL that waits in P or A."""

    score: float
    place: int
    """Number in the order of the queues."""
    passed: int = 0
    """How many worse URLs were fetched while this one was in the head."""


class BoundedQueues:
    """The queues P, A and R. O(1) a URL, O(head) a fetch."""

    def __init__(self, sizes: Sizes, rng: random.Random) -> None:
        self._sizes, self._rng = sizes, rng
        self._head: dict[UrlId, Entry] = {}
        self._body: OrderedDict[UrlId, Entry] = OrderedDict()
        self._auxiliary: OrderedDict[UrlId, Entry] = OrderedDict()
        self._sample: list[UrlId] = []
        self._sampled: dict[UrlId, float] = {}
        """The score of each URL in `_sample`."""
        self._overflow = 0
        """URLs that the sample has been offered since it was empty."""
        self._generation = 1
        """How often A was begun."""
        self._next_main, self._next_auxiliary = 0, GENERATION
        """The next places in P and A."""
        self._changed: dict[UrlId, None] = {}
        """The URLs that got another priority since the last `changes`, in order."""

    def __len__(self) -> int:
        return len(self._head) + len(self._body) + len(self._auxiliary) + len(self._sample)

    def offer(self, key: UrlId, score: float) -> bool:
        """Enter a URL that was not fetched, or raise its score. Returns False if there is no room for it."""
        for queue in (self._head, self._body, self._auxiliary):
            if entry := queue.get(key):
                if score > entry.score:
                    entry.score = score
                    if queue is self._head:
                        self._changed[key] = None
                return True
        if key in self._sampled:
            self._sampled[key] = max(self._sampled[key], score)
            return True
        return self._enter(key, score)

    def fetched(self, key: UrlId) -> None:
        """Note that the URL was fetched, whether it was the next one or not."""
        entry = self._head.pop(key, None)
        self._pass(entry.score if entry else -1.0)  # one from behind the head has passed all of the head
        if entry is None and self._body.pop(key, None) is None and self._auxiliary.pop(key, None) is None:
            self._leave_sample(key)
        self._fill()

    def priority(self, key: UrlId) -> float:
        """The priority of a URL, larger first."""
        if entry := self._head.get(key):
            return HEAD_PRIORITY + entry.score / 2
        if entry := self._body.get(key) or self._auxiliary.get(key):
            return HEAD_PRIORITY - (entry.place + 1) * STEP
        return SAMPLED if key in self._sampled else THROWN_OUT

    def changes(self) -> list[tuple[UrlId, float]]:
        """The URLs that got another priority since the last call, with that priority."""
        changes = [(key, self.priority(key)) for key in self._changed]
        self._changed = {}
        return changes

    def _enter(self, key: UrlId, score: float) -> bool:
        sizes = self._sizes
        if len(self._head) + len(self._body) < sizes.main:
            self._body[key] = Entry(score, self._next_main)
            self._next_main += 1
            self._fill()
        elif len(self._auxiliary) < sizes.auxiliary:
            self._auxiliary[key] = Entry(score, self._next_auxiliary)
            self._next_auxiliary += 1
        else:
            return self._sample_one(key, score)
        return True

    def _sample_one(self, key: UrlId, score: float) -> bool:
        """Algorithm R: the n-th URL without room takes a random place of the sample with probability size / n."""
        self._overflow += 1
        if len(self._sample) < self._sizes.sample:
            self._sample.append(key)
        else:
            index = self._rng.randrange(self._overflow)
            if index >= len(self._sample):
                return False
            del self._sampled[self._sample[index]]
            self._changed[self._sample[index]] = None
            self._sample[index] = key
        self._sampled[key] = score
        return True

    def _leave_sample(self, key: UrlId) -> None:
        if self._sampled.pop(key, None) is not None:
            self._sample.remove(key)

    def _pass(self, score: float) -> None:
        """Count the fetch of a URL with this score for the better URLs in the head, and give up those it passed too often."""
        for key, entry in list(self._head.items()):
            if entry.score > score:
                entry.passed += 1
                if entry.passed > PASSED:
                    del self._head[key]
                    self._changed[key] = None

    def _fill(self) -> None:
        """Refill P if it is empty, then its head."""
        if not self._head and not self._body:
            if self._auxiliary:
                self._refill_from_auxiliary()
            elif self._sample:
                self._refill_from_sample()
        while self._body and len(self._head) < self._sizes.head:
            key, entry = self._body.popitem(last=False)
            self._head[key] = entry
            self._changed[key] = None

    def _refill_from_auxiliary(self) -> None:
        self._body, self._auxiliary = self._auxiliary, OrderedDict()
        self._generation += 1
        self._next_main, self._next_auxiliary = self._next_auxiliary, self._generation * GENERATION

    def _refill_from_sample(self) -> None:
        for key in self._sample:
            self._body[key] = Entry(self._sampled[key], self._next_main)
            self._next_main += 1
            self._changed[key] = None
        self._sample, self._sampled, self._overflow = [], {}, 0


REFUSED = "memory"
"""The rule that refuses links for which no queue has room."""


class Downloaded:
    """The set D: the numbers (`uid`) of fetched URLs, sorted, at 8 bytes each. It takes 0.06 ms to add one to a million."""

    def __init__(self) -> None:
        self._uids = array("q")

    def __len__(self) -> int:
        return len(self._uids)

    def __contains__(self, uid: int) -> bool:
        index = bisect_left(self._uids, uid)
        return index < len(self._uids) and self._uids[index] == uid

    def add(self, uid: int) -> None:
        if uid not in self:
            insort(self._uids, uid)


class BoundedOrder:
    """The best link score among the first 200 of P comes first. Implements `Order`."""

    focused = True

    def __init__(self, context: OrderContext, sizes: Sizes | None = None) -> None:
        self._scorer = context.scorer
        self._queues = BoundedQueues(sizes or Sizes(), random.Random(context.random_seed))
        self._downloaded = Downloaded()

    def see(self, page: Page) -> None:
        self._downloaded.add(page.lease.uid)
        if not page.again:
            self._queues.fetched(page.lease.url_id)
        for link in page.links:
            if link.refused:
                continue
            self._scorer.score(link, page)
            key = link.key.url_id
            if key[1] not in self._downloaded and not self._queues.offer(key, link.score):
                link.refused = REFUSED
        for link in page.links:
            if not link.refused:
                link.priority = self._queues.priority(link.key.url_id)

    def changes(self) -> list[Change]:
        return [Change(key, priority) for key, priority in self._queues.changes()]
