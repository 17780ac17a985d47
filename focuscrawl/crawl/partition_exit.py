"""May a worker with a part of its own end, when nothing of its own is due? Others may still find URLs for it.

It waits for workers that have something to fetch. What belongs to parts that no worker has is waited for only as long as
for anything else (FRONTIER_IDLE_STOP): workers do not all start at once.
"""

from __future__ import annotations

from focuscrawl.frontier.partition import Partition
from focuscrawl.store.crawl_store import CrawlStore
from focuscrawl.store.frontier.partitions import Elsewhere

NOTHING = "nothing waits that falls due soon"


class PartitionExit:
    """Of one worker. `patience`: seconds."""

    def __init__(self, own: Partition | None, patience: float) -> None:
        self.own = own
        self._patience = patience
        self._alone_since: float | None = None
        self.foreign: int | None = None
        """URLs that waited for other parts when this worker had nothing to do any more."""

    def leased(self) -> None:
        """There was something of its own."""
        self._alone_since = None

    def waits(self, elsewhere: Elsewhere | None, now: float) -> bool:
        """Whether URLs for this worker may still come, where nobody holds a lease. `elsewhere`: None without parts; `now`:
        seconds."""
        if elsewhere is None:
            return False
        if elsewhere.runs:
            self._alone_since = None
            return True
        if self._alone_since is None:
            self._alone_since = now
        return elsewhere.rests and now - self._alone_since < self._patience

    async def why_ending(self, store: CrawlStore) -> str:
        """The reason for the end of a worker that does not wait any more."""
        if self.own is None:
            return NOTHING
        rest = await store.foreign_waiting(self.own)
        self.foreign = sum(rest.values())
        if not rest:
            return NOTHING
        parts = [f"{number}/{self.own.count}" for number in sorted(rest)]
        named = ", ".join(parts[:5]) + (", …" if len(parts) > 5 else "")
        return (
            f"nothing of partition {self.own} falls due soon; {self.foreign:,} URLs of other partitions wait for"
            f" workers with {named}"
        )
