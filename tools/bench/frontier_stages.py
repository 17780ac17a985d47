"""The measured operations of `tools.bench.frontier`, through the store as a crawl uses it (`CrawlStore` and its writer).

Not measured is what the bench itself makes: links, pages, answers.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable, Sequence

from focuscrawl.frontier.outcome import FetchOutcome
from focuscrawl.frontier.states import Event
from focuscrawl.items import Fingerprint, Lease, Page
from focuscrawl.politeness.pace import RequestOutcome
from focuscrawl.store.commit import NOT_ARCHIVED, Commit, Committed, commit
from focuscrawl.store.crawl_store import CrawlStore
from focuscrawl.store.engines.database import Database
from focuscrawl.store.engines.page_record import WarcLocation
from focuscrawl.store.frontier.discover import DiscoveredUrl, discover
from tools.bench.frontier_clocks import Clocks, Figures, Load, turns
from tools.bench.frontier_web import Web, page_of

ANSWER = RequestOutcome(0.1, 200)
RAW = "insert into url(hid, uid, priority, depth, path) values(?, ?, ?, ?, ?) on conflict do nothing"
SMALLEST = "update host set requests=requests+1 where hid=?"
COOL = """update host set ready_at=? where hid in (select hid from host where best_priority is not null
    order by best_priority desc limit ?)"""
WARM = "update host set ready_at=0 where ready_at>?"
FAR = 4e9


class Stages:
    """The stages on one open store. Each runs `count` times or `seconds` long, whichever is over first."""

    def __init__(self, store: CrawlStore, web: Web, server: Callable[[], list[int]], count: int, seconds: float) -> None:
        self.store, self.web, self.server = store, web, server
        self.count, self.seconds = count, seconds
        self._random = random.Random(web.token)

    async def cool(self, hosts: int) -> None:
        """The best hosts wait, as those do that were asked just now: leases must pass them over."""
        await self.store.call(lambda db: db.execute(WARM, (FAR / 2,)).rowcount)
        await self.store.call(lambda db: db.execute(COOL, (FAR, hosts)).rowcount)

    async def discover(self) -> dict[str, Figures]:
        """Links of single pages, by turns with a bare insert of such links and with the smallest transaction there is."""
        ours, raw, smallest, load = Clocks(), Clocks(), Clocks(), Load(self.server)
        new = 0
        for _ in turns(self.count, self.seconds):
            found = self.web.page_links(self.web.some_host())
            load.start()
            new += await ours.time(self.store.call(discover, found=found, now=time.time()), len(found))
            load.stop()
            bare = self.web.raw_links()
            await raw.time(self.store.call(insert_bare, found=bare), len(bare))
            await smallest.time(self.store.call(touch, hid=bare[0].key.hid))
        shares = {"new": new / max(1, ours.things), "of_raw": ours.rate / raw.rate if raw.rate else 0.0}
        own = ours.figures() | shares | load.figures(len(ours.times))
        return {"discover": own, "raw": raw.figures(), "smallest": smallest.figures()}

    async def leases(self, batch: int) -> dict[str, Figures]:
        """Batches of leases, and commits of pages without links, one after the other."""
        lease, ends, lease_load, ends_load = Clocks(), Clocks(), Load(self.server), Load(self.server)
        for _ in turns(self.count, self.seconds):
            lease_load.start()
            leases = await self._lease(lease, batch)
            lease_load.stop()
            changes = [self.change(one, []) for one in leases]
            ends_load.start()
            for change in changes:
                self.store.report(change.page.lease, ANSWER, change.now)
                await ends.time(self._commit(change))
            ends_load.stop()
        return {
            "lease": lease.figures() | lease_load.figures(len(lease.times)),
            "commit": ends.figures() | ends_load.figures(len(ends.times)),
        }

    async def cycle(self, batch: int) -> dict[str, Figures]:
        """What a crawl does: a batch of leases, then their answers and commits with links, as many at once."""
        lease, ends, load = Clocks(), Clocks(), Load(self.server)
        new = late = 0
        for _ in turns(self.count, self.seconds):
            load.start()
            leases = await self._lease(lease, batch)
            load.stop()
            changes = [self.change(one, self.web.page_links(self.web.by_hid.get(one.hid, 0))) for one in leases]
            load.start()
            for change in changes:
                self.store.report(change.page.lease, ANSWER, change.now)
            for done in await asyncio.gather(*(ends.time(self._commit(change)) for change in changes)):
                new += done.new_links
                late += done.late
            load.stop()
        pages = len(ends.times)
        own = {"pages": pages, "new_links": new / max(1, pages), "late": late, **load.figures(pages)}
        own["rate"] = pages / load.seconds if load.seconds else 0.0
        return {"cycle": ends.figures() | own, "cycle lease": lease.figures()}

    async def _lease(self, clocks: Clocks, batch: int) -> list[Lease]:
        leases, _ = await clocks.time(self.store.lease(batch), batch)
        if len(leases) < batch:  # what is ready has run out: a crawl would sleep now
            clocks.things -= batch - len(leases)
            await asyncio.sleep(0.05)
        return leases

    def _commit(self, change: Commit) -> asyncio.Future[Committed]:
        return asyncio.ensure_future(self.store.call(commit, change=change, archive=nowhere, find_duplicate=original))

    def change(self, lease: Lease, found: list[DiscoveredUrl]) -> Commit:
        now = self.store.clock()
        page = page_of(lease, found, now)
        draw = self._random
        page.fingerprint = Fingerprint(draw.randbytes(16), draw.getrandbits(64))
        keys = [band << 16 | draw.getrandbits(16) for band in range(4)]
        inlinks = [each.url_id for each in found]
        return Commit(page, FetchOutcome(Event.STORED), now, self.store.run, self.store.worker, found, inlinks, keys=keys)


def insert_bare(db: Database, found: Sequence[DiscoveredUrl]) -> int:
    """What is measured by: links inserted where they are not known, with no other thought."""
    db.executemany(RAW, sorted((*each.url_id, each.priority, each.depth, each.key.path) for each in found))
    return len(found)


def touch(db: Database, hid: int) -> None:
    """One row by its key."""
    db.execute(SMALLEST, (hid,))


def nowhere(page: Page) -> WarcLocation:
    """No WARC file."""
    return NOT_ARCHIVED


def original(db: Database, page: Page) -> None:
    """No page repeats another."""
