"""May a worker with a partition of its own end when nothing in it is due? Other workers may still find URLs for it.

It waits for workers that have something to fetch. For partitions that no worker has it waits only as long as for anything else
(FRONTIER_IDLE_STOP), in case their workers have not started yet.
"""

from __future__ import annotations

from focuscrawl.frontier.partition import Partition
from focuscrawl.store.crawl_store import CrawlStore
from focuscrawl.store.frontier.partitions import Elsewhere

NOTHING = "no waiting URL falls due soon"


class PartitionExit:
    """Decides for one worker. `patience`: seconds to wait for partitions without a worker."""

    def __init__(self, own: Partition | None, patience: float) -> None:
        self.own = own
        self._patience = patience
        self._alone_since: float | None = None
        self.foreign: int | None = None
        """URLs that waited for other partitions when this worker had nothing left to do; None: it still has."""

    def leased(self) -> None:
        """Note that the worker has just leased something."""
        self._alone_since = None

    def waits(self, elsewhere: Elsewhere | None, now: float) -> bool:
        """Whether other workers may still find URLs for this one, although nobody holds a lease.

        `elsewhere`: what is due in other partitions; None without partitions. `now`: epoch seconds."""
        if elsewhere is None:
            return False
        if elsewhere.runs:
            self._alone_since = None
            return True
        if self._alone_since is None:
            self._alone_since = now
        return elsewhere.rests and now - self._alone_since < self._patience

    async def why_ending(self, store: CrawlStore) -> str:
        """Why the worker ends now, as a sentence without a full stop."""
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
