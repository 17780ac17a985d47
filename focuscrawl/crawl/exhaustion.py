"""Is nothing left to fetch for this worker? Then URLs are looked for elsewhere, and if there are none, it ends and says what it
leaves.

A worker with a partition of its own does not end while others may still find URLs for it (`PartitionExit`).
"""

from __future__ import annotations

from dataclasses import dataclass

from focuscrawl.crawl.counting import Counting
from focuscrawl.crawl.operator_control import OperatorControl
from focuscrawl.crawl.read_back import ReadingBack
from focuscrawl.crawl.recrawl import Recrawling
from focuscrawl.crawl.site_sources import SiteSources
from focuscrawl.crawl.stopping import Stopping
from focuscrawl.frontier.partition import Partition
from focuscrawl.frontier.stop_rules import Stop
from focuscrawl.store.crawl_store import CrawlStore
from focuscrawl.store.frontier.partitions import Elsewhere
from focuscrawl.store.frontier.silence import silent_hosts

NOTHING = "no waiting URL falls due soon"


class PartitionExit:
    """May a worker with a partition of its own end when nothing in it is due?

    It waits for workers that have something to fetch. For partitions that no worker has it waits only as long as for anything
    else (`patience`, FRONTIER_IDLE_STOP), in case their workers have not started yet."""

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


@dataclass(slots=True, kw_only=True)
class Exhaustion:
    """What the lease buffer asks when nothing can be leased and it holds no lease."""

    store: CrawlStore
    idle_stop: float
    """FRONTIER_IDLE_STOP: what falls due within so many seconds is waited for."""
    partition_exit: PartitionExit
    control: OperatorControl
    read_back: ReadingBack
    recrawling: Recrawling
    site_sources: SiteSources | None
    """None: sitemaps and feeds are not visited."""
    counting: Counting
    stopping: Stopping

    async def is_reached(self) -> bool:
        """Whether nothing falls due soon, no host is only waited for because of its delay, however long, and no other worker
        holds a lease that may bring new URLs.

        This looks again at what may be leased here, because a lease of a dead worker may have come back meanwhile."""
        others, now = await self.store.others(self.idle_stop, self.partition_exit.own), self.store.clock()
        soon = others.due is not None and others.due - now <= self.idle_stop
        return not others.hold and not soon and not others.paced and not self.partition_exit.waits(others.elsewhere, now)

    async def find_more(self) -> bool:
        """Look for URLs in refused links, in revisits that are due, and in sitemaps and feeds. Returns whether some may wait
        now."""
        if self.read_back.has_more_to_follow:
            await self.read_back.catch_up(at_end=True)
            return True
        if await self.recrawling.rank():
            return True  # sitemaps and feeds have announced more
        return self.site_sources is not None and not self.recrawling.on and await self.site_sources.nothing_else()

    async def end(self) -> None:
        """Stop the crawl, unless it searches the web or recrawls from now on."""
        held_back = await self.control.held_back(self.store)
        if self.recrawling.on:
            stop = await self.recrawling.ending(self.idle_stop)
            self.counting.inc("recrawl/unanswered_count", self.recrawling.unanswered)
            self.stopping.stop(stop.reason, stop.why + held_back)
        else:
            stop = await self._outage() or Stop("empty", await self.partition_exit.why_ending(self.store))
            self.stopping.stop_or_recrawl(Stop(stop.reason, stop.why + held_back))

    async def _outage(self) -> Stop | None:
        """The failure to name if nothing falls due because most hosts that have given pages do not answer any more; else None.
        The network of this machine is the likely cause, and an operator takes an end as planned for a crawl that is done."""
        silent, hosts = await self.store.call(silent_hosts)
        if 2 * silent <= hosts:
            return None
        who = f"{silent:,} of the {hosts:,} hosts with pages do" if hosts > 1 else "the only host with pages does"
        return Stop("outage", f"{who} not answer now")
