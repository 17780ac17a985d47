"""Best-first in bounded memory: the queues P, A, R and the set D of what was downloaded, published to a table ordered by
priority.

Source: Castillo, Nelli and Panconesi 2006. P main queue, A auxiliary queue, R a random sample. The next URL is the one with the
best score among the first 200 of P. New URLs enter P while it has room, then A, then R by reservoir sampling. An empty P is
refilled from A, then from R.

The first of P (the head) have priorities of HEAD + score / 2; behind it P and A have falling ones in (0.25, 0.5), in the
order of the queues, and R has none above 0. So a table that leases by priority chooses as the queues would, and where it
cannot, because a host makes it wait, takes the next best.

O(1) a link, O(head) a fetch, 7 MB and 8 bytes for each page fetched. It does not let good links overtake: P is first in, first
out, as in the paper, and its harvest is far below best-first. It is here for comparison; the frontier is on disk anyway.
"""

from __future__ import annotations

import random
from array import array
from bisect import bisect_left, insort
from collections import OrderedDict
from dataclasses import dataclass

from focuscrawl.items import Page
from focuscrawl.url.key import UrlId
from models.order.crawl_graph import key_of
from models.order.protocol import Change, OrderContext

HEAD_PRIORITY = 0.5
SAMPLED = 0.0
THROWN_OUT = -1.0
"""Of a URL that the sample gave up: it is in the table already, so it goes to its very end."""
STEP = 2.0**-54
"""Between the priorities of two places: the smallest that floats in (0.25, 0.5) tell apart."""
GENERATION = 2**32
"""Places of A begin so far behind those of P that P never runs into A, and A becomes P without a new priority."""
PASSED = 1000
"""Worse URLs fetched before one in the head is given up: it was fetched already, or its host is slow."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """How many URLs each queue holds, and how many of P the next one is chosen from."""

    main: int = 10_000
    auxiliary: int = 10_000
    sample: int = 2_000
    head: int = 200


@dataclass(slots=True)
class Entry:
    """A URL that waits in P or A."""

    score: float
    place: int
    passed: int = 0


class BoundedQueues:
    """P, A and R. O(1) a URL, O(head) a fetch."""

    def __init__(self, sizes: Sizes, rng: random.Random) -> None:
        self._sizes, self._rng = sizes, rng
        self._head: dict[UrlId, Entry] = {}
        self._body: OrderedDict[UrlId, Entry] = OrderedDict()
        self._auxiliary: OrderedDict[UrlId, Entry] = OrderedDict()
        self._sample: list[UrlId] = []
        self._sampled: dict[UrlId, float] = {}
        self._overflow = 0
        self._generation = 1
        self._next_main, self._next_auxiliary = 0, GENERATION
        self._changed: dict[UrlId, None] = {}

    def __len__(self) -> int:
        return len(self._head) + len(self._body) + len(self._auxiliary) + len(self._sample)

    def offer(self, key: UrlId, score: float) -> bool:
        """A link to a URL that was not fetched. False if there is no room for it."""
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
        """The URL was fetched, whether it was the next one or not."""
        entry = self._head.pop(key, None)
        self._pass(entry.score if entry else -1.0)
        if entry is None and self._body.pop(key, None) is None and self._auxiliary.pop(key, None) is None:
            self._leave_sample(key)
        self._fill()

    def priority(self, key: UrlId) -> float:
        """Place in the table, larger first."""
        if entry := self._head.get(key):
            return HEAD_PRIORITY + entry.score / 2
        if entry := self._body.get(key) or self._auxiliary.get(key):
            return HEAD_PRIORITY - (entry.place + 1) * STEP
        return SAMPLED if key in self._sampled else THROWN_OUT

    def changes(self) -> list[tuple[UrlId, float]]:
        """New priorities since the last call."""
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
            place = self._rng.randrange(self._overflow)
            if place >= len(self._sample):
                return False
            del self._sampled[self._sample[place]]
            self._changed[self._sample[place]] = None
            self._sample[place] = key
        self._sampled[key] = score
        return True

    def _leave_sample(self, key: UrlId) -> None:
        if self._sampled.pop(key, None) is not None:
            self._sample.remove(key)

    def _pass(self, score: float) -> None:
        for key, entry in list(self._head.items()):
            if entry.score > score:
                entry.passed += 1
                if entry.passed > PASSED:
                    del self._head[key]
                    self._changed[key] = None

    def _fill(self) -> None:
        """Refill an empty P, and its head."""
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
"""Rule that refuses links for which no queue has room."""


class Downloaded:
    """D: the numbers (`uid`) of fetched URLs, sorted; 8 bytes each. 0.06 ms to add one to a million."""

    def __init__(self) -> None:
        self._uids = array("q")

    def __len__(self) -> int:
        return len(self._uids)

    def __contains__(self, uid: int) -> bool:
        place = bisect_left(self._uids, uid)
        return place < len(self._uids) and self._uids[place] == uid

    def add(self, uid: int) -> None:
        if uid not in self:
            insort(self._uids, uid)


class BoundedOrder:
    """The best LinkScore among the first 200 of P. Implements `Order`."""

    focused = True

    def __init__(self, context: OrderContext, sizes: Sizes | None = None) -> None:
        self._scorer = context.scorer
        self._queues = BoundedQueues(sizes or Sizes(), random.Random(context.random_seed))
        self._downloaded = Downloaded()

    def see(self, page: Page) -> None:
        self._downloaded.add(page.lease.uid)
        self._queues.fetched(key_of(page))
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
