"""The store of one crawl as a crawl process uses it: every step is one operation of the writer thread.

Several processes may open the same crawl. Each is a worker with leases, a heartbeat and a WARC file of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Concatenate, ParamSpec, Protocol, TypeVar

from focuscrawl.errors import BadInput
from focuscrawl.frontier.partition import Partition
from focuscrawl.frontier.patience import Patience
from focuscrawl.items import Content, Duplicate, Lease, Page
from focuscrawl.politeness.pace import RequestOutcome
from focuscrawl.politeness.robots_state import RobotsState
from focuscrawl.recrawl.planning import Planner
from focuscrawl.recrawl.settings import RecrawlSettings
from focuscrawl.store.commit import Commit, Committed, commit
from focuscrawl.store.crawls import open_store
from focuscrawl.store.engines.database import ERRORS, Database, is_locked, transaction
from focuscrawl.store.engines.sqlite import BUSY_SECONDS
from focuscrawl.store.engines.writer import Writer
from focuscrawl.store.frontier import barren, lease_ends, leasing, pacing, partitions
from focuscrawl.store.frontier.discover import DiscoveredUrl, Rescored, discover, rescore
from focuscrawl.store.frontier.leasing import LeaseLimits
from focuscrawl.store.frontier.look_ahead import Ahead, best_waiting, look_ahead
from focuscrawl.store.frontier.pacing import save_robots
from focuscrawl.store.frontier.partitions import settle_grain
from focuscrawl.store.pages.content import ArchivedPage, store_content, unread
from focuscrawl.store.pages.stored import last_page_id
from focuscrawl.store.revisits import revisit_rows
from focuscrawl.store.revisits.known_url import with_stored_validators
from focuscrawl.store.warc.archive import Archive, cut_back_dead, move_away_unknown
from focuscrawl.store.workers import lifecycle, runs
from focuscrawl.store.workers.agreement import check_agreed, note_agreed
from focuscrawl.store.workers.clock import Clock, StoreClock, store_clock
from focuscrawl.store.workers.crash_mark import CrashMark, forget_parsing, parsing_of
from focuscrawl.store.workers.lifecycle import claim
from focuscrawl.store.workers.status import OccupiedError, check_alone
from focuscrawl.url.key import BEFORE_ALL, UrlId

SEED_BATCH = 2000
"""URLs of one transaction: other operations of this process, and other writers of SQLite, wait for its end."""
WOKEN = 100
"""Due revisits that enter the frontier at once, as soon as the ones before are leased or wait for their hosts."""
SOON, LATE = 1.0, 10.0
"""Seconds. If a host is due within LATE, wait at most SOON before looking whether more revisits can enter the frontier."""
LOOKS = 16
"""How often to look ahead again while as many URLs are leased as one look reads (`Patience.count`)."""
Result = TypeVar("Result")
Given = ParamSpec("Given")


class Finder(Protocol):
    """Looks for the original of a page among the pages with page_id > `after`."""

    def __call__(self, db: Database, page: Page, after: int = 0) -> Duplicate | None: ...


@dataclass(slots=True, frozen=True)
class Others:
    """What may still come for a worker that has nothing to do, read as of one moment.

    With two reads, a URL could be leased or a lease could end with new URLs in between, and neither read would show it."""

    hold: bool
    """Another worker holds a lease."""
    due: float | None
    """When this worker can lease something again; None: nothing waits for it."""
    paced: bool
    """A URL of its own waits for no more than the delay of its host."""
    elsewhere: partitions.Elsewhere | None
    """What falls due in other partitions of the crawl; None: there are none."""


class LockedError(Exception):
    """Another process holds the lock of the store."""


class CrawlStore:
    """`clock` gives epoch seconds; by default it is the store's own, see `store.workers.clock`. `url`: the setting STORE_URL.

    All coroutines return after their commit."""

    def __init__(
        self, directory: Path, name: str, limits: LeaseLimits, arguments: str, *, clock: Clock | None = None,
        warc_max_bytes: int = 1 << 30, url: str = "", alone: bool = False,
        recrawl: RecrawlSettings | None = None, patience: float = BUSY_SECONDS, says: Mapping[str, str] = {},
    ) -> None:  # fmt: skip
        """Raises BadInput when the store cannot be used, LockedError when another process has locked it for longer than
        `patience` seconds, OccupiedError as `check_alone` and `check_agreed` do.

        `says`: what this worker goes by and others must, too (`store.workers.agreement`)."""
        self.directory = directory
        directory.mkdir(parents=True, exist_ok=True)
        try:
            db = open_store(directory, url, name=name, create=True, patience=patience)
        except ERRORS as error:  # a lock: anything else is a BadInput
            raise LockedError(f"the store of crawl {name} cannot be used now: {error}") from error
        try:
            with transaction(db, patience):
                self.clock: Clock = clock or store_clock(db)
                self.run = runs.begin_run(db, arguments, self.clock())
                self.worker = lifecycle.register(db, self.run, self.clock(), lifecycle.directory_id(directory))
                self.limits = replace(limits, grain=settle_grain(db, limits.partition, self.worker))
                check_alone(db, alone, self.clock(), self.worker)
                check_agreed(db, says, self.clock())
                note_agreed(db, self.run, says)
        except (BadInput, OccupiedError):
            db.close()
            raise
        except ERRORS as error:
            db.close()
            kind = LockedError if is_locked(error) else BadInput
            raise kind(f"the store of crawl {name} cannot be used now: {error}") from error
        self.planner = Planner(recrawl or RecrawlSettings())
        self._versions = (recrawl or RecrawlSettings()).versions
        self.mark = CrashMark(directory, self.worker)
        # Before this worker makes a file: a forgotten worker's files may have its number.
        move_away_unknown(db, directory / "warc", self.worker)
        self.archive = Archive(directory / "warc", name, self.worker, self.clock, warc_max_bytes)
        self.writer = Writer(db, self.archive)
        self.observer = lifecycle.Observer()
        self._db = db
        self._ahead, self._ahead_leases = Ahead(), 0
        """What `lease` saw when it looked ahead last, and after how many more leases it looks again."""
        self._woken_leases = 0
        """After how many more leases of a recrawl the next due revisits enter the frontier."""

    def recrawl(self) -> None:
        """From now on lease only revisits and the URLs that they discover, without limits on the pages of a host or site."""
        self.limits = replace(self.limits, recrawl=True, pages_per_host=0, pages_per_site=0)

    async def add_seeds(self, found: Sequence[DiscoveredUrl]) -> int:
        """Add seeds and examples to the frontier; returns how many were new."""
        new = 0
        for start in range(0, len(found), SEED_BATCH):
            batch = found[start : start + SEED_BATCH]
            new += await self.writer.submit(partial(discover, found=batch, now=self.clock(), grain=self.limits.grain))
        return new

    async def lease(
        self, count: int, kind: int = 0, patience: Patience | None = None, robots: int | None = None
    ) -> tuple[list[Lease], float | None]:
        """Lease at most `count` URLs. Returns the leases, and if there are none, when to try again (None: nothing waits).

        `kind`: lease only URLs of this kind; 0: of any kind. With `patience`, URLs are not leased while better ones are worth
        waiting for. `robots`: see `leasing.lease`. Raises WorkerLostError when others have taken this worker for dead."""

        def operation(db: Database) -> tuple[list[Lease], float | None]:
            now, limits = self.clock(), replace(self.limits, kind=kind) if kind else self.limits
            lifecycle.check_live(db, self.worker)
            lease_ends.wake(db, now)
            if limits.recrawl and self._woken_leases <= 0:  # the best go before what an earlier run has left in the frontier
                most = max(WOKEN, patience.count if patience else 0)
                self._woken_leases = most // 2 if revisit_rows.wake(db, most) else 0
            ahead = self._look_ahead(db, now, limits, patience) if patience else Ahead()
            limits = replace(limits, least=ahead.least)
            leases, woken = leasing.lease(db, self.worker, count, now, limits, robots), 0
            if limits.recrawl and len(leases) < count:
                woken = revisit_rows.wake(db, WOKEN)
                leases += leasing.lease(db, self.worker, count - len(leases), now, limits) if woken else []
            self._ahead_leases = self._ahead_leases - len(leases) if leases else 0
            self._woken_leases -= len(leases)
            if leases:
                return with_stored_validators(db, leases), None
            if ahead.waits:
                return [], min(ahead.due, now + SOON)
            due = lease_ends.next_due(db, now, kind, limits.own, limits.recrawl)
            return [], _sooner(due, now) if woken else due

        return await self.writer.submit(operation)

    def _look_ahead(self, db: Database, now: float, limits: LeaseLimits, patience: Patience) -> Ahead:
        """What is worth waiting for. It is read again after some of it was leased, or when none of it could be leased."""
        if self._ahead_leases <= 0:
            self._ahead, self._ahead_leases = look_ahead(db, now, limits, patience), patience.count // LOOKS
        return self._ahead

    async def release(self, leases: Sequence[Lease], wait: float = 0.0) -> None:
        """Give back leases that were not fetched. `wait`: seconds until their host may be asked."""
        await self.writer.submit(lambda db: lease_ends.release(db, self.worker, leases, self.clock() + wait))

    async def set_back(self, hid: int, rule: barren.Rule, twin: barren.Twin) -> barren.SetBack:
        """Move URLs of a host that `rule` refuses behind everything else, see `store.frontier.barren`. What is put aside on a
        mirror is queued on its original, if it is not known there: the original's own links may have been left out as those of
        a copy, when which of the two is the mirror was not known yet."""

        def apply(db: Database) -> barren.SetBack:
            done = barren.set_back(db, hid, rule, self.clock(), twin)
            if own := partitions.without_foreign(db, self.only, done.twins):
                discover(db, own, self.clock(), grain=self.limits.grain)
            return done

        return await self.writer.submit(apply)

    async def let_back(self, site: str, rule: barren.Rule) -> int:
        """Queue URLs of a site again that were put aside and that `rule` does not put aside any more. Returns how many."""
        count = 0
        after: UrlId | None = BEFORE_ALL
        while after:
            some = await self.writer.submit(partial(barren.let_back, site=site, rule=rule, now=self.clock(), after=after))
            count, after = count + some.back, some.after
        return count

    def report(self, lease: Lease, answer: RequestOutcome, now: float) -> None:
        """Note that a request has ended at `now` (by `clock`), whether it succeeded or not."""
        self.writer.post(lambda db: pacing.report(db, self.worker, lease, answer, now, self.limits))

    def rest(self, lease: Lease, seconds: float) -> None:
        """Send no request to the host of a lease for this many seconds."""
        self.writer.post(lambda db: pacing.rest(db, lease.hid, self.clock() + seconds))

    async def claim_ip_address(self, lease: Lease, ip_address: str) -> float:
        """0 if the request may go to `ip_address` now, else the seconds to wait before asking again."""
        return await self.writer.submit(
            lambda db: pacing.claim_ip_address(db, self.worker, lease, ip_address, self.clock(), self.limits)
        )

    async def reserve(self, origin: str) -> float:
        """0 if a request without a lease may go to this origin now, else the seconds to wait before asking again."""
        return await self.writer.submit(lambda db: pacing.reserve(db, origin, self.clock(), self.limits))

    async def find_duplicate(self, page: Page, finder: Finder) -> tuple[Duplicate | None, int]:
        """The page's original if there is one, and the last page_id that the search has covered."""

        def operation(db: Database) -> tuple[Duplicate | None, int]:
            last = last_page_id(db)
            return finder(db, page), last

        return await self.writer.submit(operation)

    async def commit(self, change: Commit, finder: Finder) -> Committed:
        """The one commit of a page, which knows afterwards whether it is a duplicate."""

        def again(db: Database, page: Page) -> Duplicate | None:
            # Any page may be the next original where the former is gone, and where pages become visible out of order.
            if page.duplicate is not None or not db.dialect.in_order:
                return finder(db, page)
            return finder(db, page, page.searched_to) if last_page_id(db) > page.searched_to else None

        change.planner, change.versions = self.planner, self._versions
        change.grain, change.only = self.limits.grain, self.only
        done = await self.writer.submit(lambda db: commit(db, change, self.archive.write, again), change.uncount)
        if not done.late:
            change.page.duplicate, change.page.outgrown = done.duplicate, done.outgrown
        return done

    async def rescore(self, scores: Sequence[Rescored]) -> int:
        """Give waiting URLs new priorities; returns how many were changed."""
        return await self.writer.submit(lambda db: rescore(db, scores, self.clock()))

    async def call(
        self, operation: Callable[Concatenate[Database, Given], Result], /, *given: Given.args, **named: Given.kwargs
    ) -> Result:
        """Any other operation on the store, with these arguments, in a transaction of its own."""
        return await self.writer.submit(lambda db: operation(db, *given, **named))

    async def save_robots(
        self, lease: Lease, origin: str, state: RobotsState, crawl_delay: float | None, delay_of: pacing.DelayOf
    ) -> None:
        """Keep what the origin answered, and end the lease. `delay_of`: as for `pacing.set_crawl_delay`."""

        def operation(db: Database) -> None:
            save_robots(db, lease.hid, origin, state)
            lease_ends.drop_unsent(db, self.worker, lease, self.clock())
            if state.state != "wait":  # an origin that cannot be reached says nothing of the delay
                pacing.set_crawl_delay(db, lease.hid, crawl_delay, self.limits.host, self.clock(), delay_of)

        await self.writer.submit(operation)

    async def unread(self, count: int) -> list[ArchivedPage]:
        """At most `count` kept pages that were not read whole yet and that this worker is to read: those it has stored, and for
        the oldest worker of this crawl directory those that others have left there."""
        where = lifecycle.directory_id(self.directory)
        return await self.writer.submit(lambda db: unread(db, count, where, self.worker))

    def keep_content(self, page: ArchivedPage, content: Content | None) -> None:
        """See `store.pages.content.store_content`."""
        self.writer.post(lambda db: store_content(db, page, content))

    async def claim(self, key: str) -> bool:
        """Whether this worker may do the work that `key` names. The first that asks may; once it is gone, the
        next."""
        return await self.writer.submit(lambda db: claim(db, key, self.worker))

    async def beat(self, stats: str = "") -> tuple[bool, int, list[str]]:
        """Send a heartbeat, and take back the leases of dead workers. `stats`: about this worker, JSON.

        Returns (whether others still take this worker for alive, leases taken back, URLs set aside)."""

        def beat_and_observe(db: Database) -> tuple[bool, list[int]]:
            if isinstance(self.clock, StoreClock):
                self.clock.follow(db)
            alive = lifecycle.beat(db, self.worker, self.clock(), stats)
            return alive, self.observer.dead(db, self.worker) if alive else []

        def take_back_from_dead(db: Database, worker: int, parsing: int) -> tuple[int, list[str]]:
            return lease_ends.take_back_from_dead(db, worker, self.clock(), parsing, self.limits.host.delay)

        alive, dead = await self.writer.submit(beat_and_observe)
        taken, aside = 0, []
        for worker in dead:  # each in a transaction of its own, so that its locks are in order
            parsing = parsing_of(self.directory, worker)
            count, urls = await self.writer.submit(partial(take_back_from_dead, worker=worker, parsing=parsing))
            forget_parsing(self.directory, worker)  # only now: the operation may fail, and is made again later
            taken += count
            aside += urls
        await self.writer.submit(self._cut_back)
        await self.writer.submit(lambda db: db.dialect.refresh_statistics(db))
        return alive, taken, aside

    def _cut_back(self, db: Database) -> None:
        """Cut the WARC files of dead workers in this directory back to their last commits: nobody else writes to them."""
        for worker, warc in lifecycle.uncut(db, lifecycle.directory_id(self.directory)):
            cut_back_dead(db, self.directory / "warc", worker, warc)
            lifecycle.set_cut(db, worker)

    async def others(self, seconds: float, own: Partition | None) -> Others:
        """What may still come for a worker that has nothing to do.

        `own`: its partition, if it has one. `seconds`: what falls due later than this does not count."""

        def operation(db: Database) -> Others:
            db.dialect.see_one_moment(db)
            now, limits = self.clock(), self.limits
            return Others(
                lifecycle.others_hold(db, self.worker),
                lease_ends.next_due(db, now, 0, limits.own, limits.recrawl),
                lease_ends.is_paced(db, now, 0, limits.own, limits.recrawl),
                partitions.elsewhere(db, own, self.worker, now + seconds) if own else None,
            )

        return await self.writer.submit(operation)

    async def foreign_waiting(self, own: Partition) -> dict[int, int]:
        """How many URLs wait for other partitions, by number of the partition."""
        return await self.writer.submit(lambda db: partitions.foreign_waiting(db, own))

    async def put_off(self) -> None:
        """Take revisits that were not leased out of the frontier again, unless other workers go on with them. They stay due."""

        def operation(db: Database) -> int:
            return 0 if lifecycle.others_live(db, self.worker) else revisit_rows.put_off(db, SEED_BATCH)

        while await self.writer.submit(operation):
            pass

    async def best_waiting(self, count: int) -> list[float]:
        """The `count` highest priorities of URLs that wait for this worker."""
        own = partitions.awaited(self.limits.partition)
        return await self.writer.submit(lambda db: best_waiting(db, count, own))

    @property
    def only(self) -> Partition | None:
        """The partition that all new URLs must belong to (PARTITION_FOREIGN=drop); None: they may belong to any."""
        own = self.limits.partition
        return own if own and own.foreign == "drop" else None

    @property
    def gone(self) -> bool:
        """Whether the database could not be reached at the end, so that the last changes were not written."""
        return self.writer.gone

    @property
    def waits(self) -> bool:
        """Whether nothing can be written now (full disk, locked database). Of a closed store: whether it was so at the end."""
        return self.writer.waits

    def give_up(self) -> None:
        """Stop waiting for the store, because the process is to end soon: what cannot be written now fails."""
        self.writer.give_up()

    def close(self, reason: str, stats: str, why: str = "", heartbeat: str = "") -> bool:
        """End the worker's part of the run. Leases still held are given back. Blocks until all is written. Returns whether it
        was; if not, the next process takes this one for dead.

        `heartbeat`: the stats of the last heartbeat, as for `beat`, so that they are the worker's final ones."""

        def operation(db: Database) -> None:
            lease_ends.take_back(db, self.worker, self.clock(), delay=self.limits.host.delay)
            lifecycle.beat(db, self.worker, self.clock(), heartbeat)
            lifecycle.leave(db, self.worker)
            runs.end_run(db, self.run, reason, stats, self.clock(), why)

        written = self.writer.close(operation)
        self.archive.close()
        self.mark.close()
        self._db.close()
        return written


def _sooner(due: float | None, now: float) -> float:
    """When to let more revisits enter the frontier: at once if none can be leased soon, as those in it may be of hosts that are
    held or do not answer, and hide the revisits of other hosts."""
    return min(due, now + SOON) if due is not None and due <= now + LATE else now
