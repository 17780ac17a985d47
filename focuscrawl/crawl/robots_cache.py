"""The robots rules of the origins in use, in memory; the store holds them for all workers."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable

from focuscrawl.items import Lease
from focuscrawl.politeness.robots import RobotsFile
from focuscrawl.politeness.robots_state import RobotsState, rules_of
from focuscrawl.recent import Recent
from focuscrawl.store.crawl_store import CrawlStore
from focuscrawl.store.frontier.pacing import load_robots
from focuscrawl.url.normalize import split

CAPACITY = 2000
"""Origins; those that came longest ago are forgotten, and are loaded again with their next lease."""
MOST_PARSED = 4 << 20
"""Bytes of files whose parsed rules are kept, which take some twenty times as much: those that were asked longest ago are
parsed again when they are needed. 2000 files of 2 KB, as most are, fit in."""


class RobotsCache:
    """What the robots middleware asks. Rules are loaded before a lease goes out, so that it never has to wait."""

    def __init__(self, store: CrawlStore) -> None:
        self._store = store
        self._states: Recent[str, RobotsState] = Recent(CAPACITY)
        self._parsed: OrderedDict[str, tuple[RobotsFile | None, int]] = OrderedDict()
        """The rules asked last, with the bytes of their file; the last one is always here."""
        self._parsed_bytes = 0

    async def load(self, leases: Iterable[Lease]) -> None:
        """Make sure that the rules of these leases' origins are here, and no older than 24 hours."""
        now = self._store.clock()
        origins = {split(lease.url)[0] for lease in leases if not lease.robots}
        missing = [origin for origin in origins if not self._holds(origin, now)]
        if missing:
            for origin, state in (await self._store.call(load_robots, origins=missing)).items():
                self.put(origin, state)

    def _holds(self, origin: str, now: float) -> bool:
        state = self._states.get(origin)
        return state is not None and state.expires_at > now

    def put(self, origin: str, state: RobotsState) -> None:
        self._forget_parsed(origin)
        for forgotten, _ in self._states.note(origin, state):
            self._forget_parsed(forgotten)

    def state(self, origin: str) -> RobotsState | None:
        return self._states.get(origin)

    def rules(self, origin: str) -> RobotsFile | None:
        """The rules of an origin; None: it may not be asked now."""
        state = self._states.get(origin)
        if state is None:
            return None
        if origin not in self._parsed:
            self._parsed[origin] = rules_of(state), len(state.body)
            self._parsed_bytes += len(state.body)
        self._parsed.move_to_end(origin)
        while self._parsed_bytes > MOST_PARSED and len(self._parsed) > 1:
            self._forget_parsed(next(iter(self._parsed)))
        return self._parsed[origin][0]

    def _forget_parsed(self, origin: str) -> None:
        if origin in self._parsed:
            self._parsed_bytes -= self._parsed.pop(origin)[1]
