"""What the components of one crawl process share: the store, the topic, the counts, and the way to stop.

`crawler.focuscrawl` holds the session. The spider makes it, the scheduler opens and closes it.
"""

from __future__ import annotations

import asyncio
import gc
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

import orjson
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured

from focuscrawl.config.job import Job
from focuscrawl.config.options import Options
from focuscrawl.crawl.best_text import Refiner
from focuscrawl.crawl.crawl_lock import already_running
from focuscrawl.crawl.heartbeat_stats import Vitals
from focuscrawl.crawl.link_rules import YIELDS_LOG, LinkRules
from focuscrawl.crawl.operator_control import OperatorControl
from focuscrawl.crawl.order import Ordering
from focuscrawl.crawl.partition_exit import Allocation
from focuscrawl.crawl.recrawl import Recrawling
from focuscrawl.crawl.robots_rules import RobotsRules
from focuscrawl.crawl.sharing import Sharing
from focuscrawl.crawl.stop_rules import Watching
from focuscrawl.crawl.stored_job import remember_job
from focuscrawl.crawl.topics import topic_of
from focuscrawl.dedup.methods import method
from focuscrawl.errors import BadInput
from focuscrawl.frontier.outcome import FetchOutcome
from focuscrawl.frontier.partition import Partition
from focuscrawl.frontier.states import Event
from focuscrawl.frontier.stop_rules import Stop
from focuscrawl.frontier.url_cache import UrlCache
from focuscrawl.items import Lease, Page
from focuscrawl.politeness.pace import PaceSettings, RequestOutcome
from focuscrawl.recrawl.monitors import asked_for
from focuscrawl.store.commit import Commit, Committed
from focuscrawl.store.crawl_store import CrawlStore
from focuscrawl.store.crawls import Crawl
from focuscrawl.store.engines.writer import StorageError
from focuscrawl.store.frontier.discover import DiscoveredUrl, Rescored
from focuscrawl.store.frontier.leasing import Limits
from focuscrawl.store.frontier.pacing import is_late
from focuscrawl.store.location import lend
from focuscrawl.store.pages.duplicates import DuplicateFinder
from focuscrawl.store.revisits.schedule import show_hidden
from focuscrawl.store.workers.exclusive import OccupiedError
from focuscrawl.store.workers.lifecycle import DEAD_SECONDS
from focuscrawl.url.prefix_yields import YieldLimit

logger = logging.getLogger(__name__)

SEED_PRIORITY = 1.0
EXAMPLE_PRIORITY = 2.0
ABORT_SECONDS = 8.0
"""How long a stop waits for answers that are on the way."""
RUN_BITS = 32
"""Discovery numbers of a run begin behind those of the runs before, so that the order goes on."""
GARBAGE_THRESHOLD = 20_000
"""New containers before a garbage collection. A page makes some thousands: with Python's 700 it takes 6 % more time."""


def session_of(crawler: Crawler) -> CrawlSession:
    """The session of a crawl. NotConfigured, which switches a component off, where there is none: in `scrapy shell`,
    `fetch` and `parse`, which must not write to any store."""
    session: CrawlSession | None = vars(crawler).get("focuscrawl")
    if session is None:
        raise NotConfigured
    return session


@dataclass(slots=True)
class Counts:
    """Of this process, since its start."""

    pages: int = 0
    relevant: int = 0
    duplicates: int = 0
    requests: int = 0
    errors: int = 0


class CrawlSession:
    """One process's part in a crawl. Built with plain values; `open` touches the disk for the first time."""

    def __init__(self, crawler: Crawler, job: Job, options: Options) -> None:
        self.crawler = crawler
        self.job = job
        self.options = options
        self.name = job.name
        self.directory = Path(options.crawls_dir) / job.name
        self.counts = Counts()
        self.stop_reason = ""
        self.stop_why = ""
        """The reason as a sentence with figures, where there are any."""
        self.signal = 0
        """Number of the signal that ended the crawl; 0 if none did."""
        self.cache = UrlCache(options.frontier_cache_size)
        self.yields = YieldLimit()
        self.topic = topic_of(job, options)
        self.ordering = Ordering(job, options, self.topic, self.cache)
        self.link_rules = LinkRules(
            job.scope,
            focused=self.focused,
            tunnelling=self.ordering.tunnelling,
            yields=self.yields,
            max_depth=job.arguments.max_depth,
        )
        self.dedup = method(options.dedup_method, options.dedup_simhash)
        self.finder = DuplicateFinder(self.dedup)
        self.watching = Watching(job, options, self.topic, self.focused)
        self.allocation = Allocation(options.partition(job.arguments.partition), options.frontier_idle_stop)
        self.control = OperatorControl(job.name)
        said = job.arguments
        self.recrawling = Recrawling(options.recrawl, job.scope, said.mode == "recrawl", said.revisit == "all")
        self._vitals = Vitals()
        self.aborting = asyncio.Event()
        self._ending: asyncio.Future[None] | None = None
        self._turning: asyncio.Future[None] | None = None
        self.on_close: list[Callable[[], Awaitable[None]]] = [self.topic.close]
        self.store: CrawlStore
        self.robots: RobotsRules

    @property
    def run(self) -> int:
        """Number of this run in the crawl's store."""
        return self.store.run

    @property
    def crawl(self) -> Crawl:
        """The crawl as readers see it."""
        return Crawl(self.name, self.directory)

    @property
    def focused(self) -> bool:
        """Whether the strategy chooses by score; else every link in scope is followed."""
        return self.ordering.focused

    @property
    def pace(self) -> CrawlSession:
        """Where the politeness middleware reports to."""
        return self

    async def open(self) -> None:
        """Open the store, take back what dead workers held, and make seeds and examples known.

        Raises BadInput when the store cannot be used, AlreadyRunning when another worker is in the way."""
        lend(self.options.store_url)
        said = self.job.arguments.model_dump(exclude_none=True)
        if own := self.allocation.own:
            said |= {"partition_grain": own.grain, "partition_foreign": own.foreign}
        arguments = orjson.dumps(said).decode()
        limits = limits_of(self.options, self.job.arguments.max_pages_per_host or 0, self.focused, own)
        try:
            self.store = await asyncio.to_thread(
                CrawlStore,
                self.directory,
                self.name,
                limits,
                arguments,
                warc_max_bytes=self.options.archive_max_bytes,
                url=self.options.store_url,
                alone=self.job.arguments.mode == "recrawl",
                recrawl=self.options.recrawl,
            )
        except OccupiedError as error:
            self.stop_reason = "running"
            raise already_running(self.name, error.worker) from None
        self.robots = RobotsRules(self.store)
        self._ending = asyncio.ensure_future(self._end_waiting())
        await self.beat()
        await self.store.call(show_hidden)
        await self.store.put_off()  # what a recrawl had woken that was killed
        self._sharing = Sharing(self.store)
        await self._sharing.join(YIELDS_LOG, self.yields)
        start = self.ordering.start_priority
        seeds = [DiscoveredUrl(url, start(SEED_PRIORITY, n), kind=1) for n, url in enumerate(self.job.seeds)]
        examples = [DiscoveredUrl(url, start(EXAMPLE_PRIORITY, n), kind=2) for n, url in enumerate(self.job.topic.examples)]
        new = 0 if self.recrawling.on else await self.store.add_seeds(examples + seeds)
        for found in seeds:
            self.cache.put(found.key.uid, found.priority)
        logger.info("crawl %s: seeds %d, new %d; directory %s", self.name, len(seeds), new, self.directory)
        await self.ordering.open(self.store, self.run << RUN_BITS)
        await self.topic.prepare(self.store)
        await self.recrawling.open(self.store)
        gc.freeze()  # what is there now stays to the end
        gc.set_threshold(GARBAGE_THRESHOLD)
        if self.options.relevance_best_text:
            self.on_close.append(Refiner(self.store, self.directory).close)

    async def started(self) -> list[Page]:
        """The pages that were held back until there was a topic; with it, the job can be gone on with by a recrawl."""
        held = await self.topic.started()
        if self.job.arguments.mode != "recrawl":
            await self.store.call(partial(remember_job, job=self.job))
        return held

    async def _end_waiting(self) -> None:
        await self.aborting.wait()
        self.store.give_up()

    async def beat(self) -> None:
        """Heartbeat; take over from workers that are gone, and hear what operators want."""
        alive, taken, aside = await self.store.beat(self._vitals.json(self, self.store.clock()))
        await self.control.look(self.store)
        if taken:
            logger.warning("%d leases of workers that are gone were taken back", taken)
        for url in aside:
            logger.error("set aside after three crashes while it was parsed: %s", url)
            self.inc("frontier/set_aside_count")
        if not alive:
            self.lost()

    async def catch_up(self) -> None:
        """Show the order strategy what others have fetched; at the start, what earlier runs have."""
        await self.ordering.catch_up(lambda: self.stop_reason)

    def lost(self) -> None:
        """Its leases are gone: this process can do nothing more for the crawl."""
        self.stop("lost", f"another worker took this one for dead (no heartbeat for {DEAD_SECONDS:g} s)")

    def report(self, lease: Lease, outcome: RequestOutcome, now: float) -> None:
        """A request has ended: the frontier's host row decides when the next may go, by the clock that all workers share; `now`
        is this machine's."""
        self.counts.requests += 1
        self.inc(f"requests/{asked_for(lease)}_count")
        if (budget := self.job.arguments.budget) and self.counts.requests >= budget:
            self.stop("budget", f"{self.counts.requests} requests were made, as many as were asked for")
        self.store.report(lease, outcome, self.store.clock())

    async def claim(self, lease: Lease, address: str) -> float:
        """A place on an address that has just become known, or a turn of a late lease; else the seconds to wait for one."""
        if address == lease.ip_address and not is_late(lease, self.store.clock(), self.store.limits):
            return 0.0
        return await self.store.claim_ip_address(lease, address)

    async def commit(
        self,
        page: Page,
        outcome: FetchOutcome,
        *,
        found: Sequence[DiscoveredUrl] = (),
        inlinks: Sequence[tuple[int, int]] = (),
        refused: Sequence[tuple[int, int, str]] = (),
        keys: Sequence[int] = (),
        rescored: Sequence[Rescored] = (),
    ) -> Committed:
        """The one commit of a page, with the counts that follow from it. For the rest see `store.commit.Commit`."""
        made = Commit(
            page, outcome, self.store.clock(), self.run, self.store.worker, list(found), inlinks, refused, keys,
            lift=self.focused or self.recrawling.on, rescored=rescored, expand_duplicates=not self.focused,
            keys_of=self.finder.keys,
        )  # fmt: skip
        done = await self.store.commit(made, self.finder, page.looked)
        if done.late:
            self.inc("frontier/late_count")
            await self.store.rescore(rescored)
            return done
        if done.seen:
            self.inc(f"recrawl/{done.seen}_count")
        self.inc("recrawl/signals_count", done.signals)
        self.inc("frontier/rescored_count", done.rescored)
        self.cache.close(page.lease.uid)
        self._count(page, outcome, done)
        return done

    async def fail(self, page: Page, error: str) -> None:
        """A component of ours raised on this page: it is set aside, the crawl goes on."""
        page.error = error
        await self.commit(page, FetchOutcome(Event.GAVE_UP, error))

    def _count(self, page: Page, outcome: FetchOutcome, done: Committed) -> None:
        self.inc("frontier/discovered_count", done.new_links)
        self.inc("links/refused_count/foreign", done.foreign)
        if not done.page_id:
            if outcome.event in (Event.GAVE_UP, Event.GONE, Event.FILTERED, Event.DENIED):
                self.counts.errors += 1
                self.inc(f"archive/error_count/{outcome.reason}")
            elif outcome.event is Event.RETRY:
                self.inc(f"frontier/retry_count/{outcome.reason}")
            return
        relevant = bool(page.verdict and page.verdict.relevant)
        self.counts.pages += 1
        self.counts.relevant += relevant
        self.inc("archive/pages_count")
        self.inc("relevance/relevant_count", int(relevant))
        for name, verdict in page.verdicts.items():
            self.inc(f"relevance/relevant_count/{name}", int(verdict.relevant))
        if done.duplicate:
            self.counts.duplicates += 1
            self.inc(f"dedup/{done.duplicate.kind}_count")
        if not page.lease.revisit:  # it was counted
            self.yields.record(page.url, relevant, done.duplicate is not None)
        self._check_limits(page, relevant)

    def _check_limits(self, page: Page, relevant: bool) -> None:
        arguments, alarms = self.job.arguments, len(self.watching.alarms)
        stop = None if self.recrawling.on else self.watching.record(page, relevant)
        self.inc("relevance/drift_count", len(self.watching.alarms) - alarms)
        if arguments.max_pages and self.counts.pages >= arguments.max_pages:
            self.stop("max_pages", f"{self.counts.pages} pages were stored, as many as were asked for")
        elif arguments.max_relevant and self.counts.relevant >= arguments.max_relevant:
            self.stop(
                "max_relevant", f"{self.counts.relevant} relevant pages were stored; {arguments.max_relevant} were asked for"
            )
        elif stop:
            self.stop_or_recrawl(stop)

    def stop_or_recrawl(self, stop: Stop) -> None:
        """At the edge of the topic, or when nothing waits any more, the crawl may look again at what it has."""
        if stop.reason in ("edge", "empty") and self.job.arguments.at_edge == "recrawl":
            logger.info("the edge is reached (%s): from now on what is due is looked at again", stop.why)
            self._turning = asyncio.ensure_future(self.recrawling.begin())
        else:
            self.stop(stop.reason, stop.why)

    async def look_at_what_waits(self) -> None:
        """Stop when it promises nothing any more."""
        if self.recrawling.on:
            return
        if stop := await self.watching.look(self.store):
            self.stop_or_recrawl(stop)

    def room(self, held: int, robots: int = 0) -> int:
        """Pages that may still be leased while `held` are on the way, and so many robots.txt, which are requests, too."""
        arguments, room = self.job.arguments, 1 << 30
        if arguments.max_pages:
            room = arguments.max_pages - self.counts.pages - held
        if arguments.max_relevant and not self.topic.busy:
            room = min(room, self.watching.places(arguments.max_relevant - self.counts.relevant) - held)
        if arguments.budget:
            room = min(room, arguments.budget - self.counts.requests - held - robots)
        return room

    def inc(self, key: str, count: int = 1) -> None:
        stats = self.crawler.stats
        if stats is not None and count:
            stats.inc_value(key, count)

    def stop(self, reason: str, why: str = "") -> None:
        """Ask the crawl to end; what is on the way is finished, up to ABORT_SECONDS."""
        if self.stop_reason:
            return
        self.stop_reason, self.stop_why = reason, why
        logger.info("stopping (%s)%s", reason, f": {why}" if why else "")
        patience = ABORT_SECONDS / 2 if self.store.writer.waits else ABORT_SECONDS  # the store will take its time, too
        asyncio.get_running_loop().call_later(patience, self.aborting.set)
        engine = self.crawler.engine
        if engine is not None:
            asyncio.ensure_future(engine.close_spider_async(reason=reason))  # noqa: RUF006  (the engine keeps it)

    async def exchange(self) -> None:
        """Share what was learned with the other workers and the next run: the yield of path prefixes, the topic."""
        await self._sharing.exchange()
        await self.topic.exchange()

    async def close(self, reason: str) -> None:
        """Write what is left, end the worker."""
        self.stop_reason = self.stop_reason or reason
        for part in self.on_close:
            try:
                await part()
            except (StorageError, OSError) as error:
                logger.error("a part of the crawl did not close: %r", error)
        if self._ending is None:
            return  # it was never open: the error has been told
        self._ending.cancel()
        if self._turning is not None:
            self._turning.cancel()
        stats = self.crawler.stats
        try:
            await self.exchange()
            if self.recrawling.on:
                await self.store.put_off()
            if stats is not None:
                stats.set_value("frontier/cache_hit_rate", round(self.cache.hit_rate, 4))
                stats.set_value("frontier/waiting_count", await self.store.waiting())
                if self.allocation.foreign is not None:
                    stats.set_value("frontier/foreign_waiting_count", self.allocation.foreign)
        except (StorageError, OSError, BadInput) as error:
            logger.error("what this run learned cannot be written: %s", error)
        values = {
            "counts": asdict(self.counts),
            "drift": self.watching.alarms,
            **(stats.get_stats() if stats is not None else {}),
        }
        text = orjson.dumps(values, default=str, option=orjson.OPT_NON_STR_KEYS).decode()
        await asyncio.to_thread(self.store.close, self.stop_reason, text, self.stop_why)


def limits_of(options: Options, pages_per_host: int, focused: bool, own: Partition | None) -> Limits:
    """What every lease of a crawl keeps to.

    Args:
        pages_per_host: stored pages a host may have; 0: any number.
        focused: does the strategy order by expected yield? Only then a host with a large share gives way.
        own: this worker's part of the hosts.
    """
    return Limits(
        PaceSettings(options.politeness_delay, options.politeness_concurrency, options.politeness_latency_factor),
        # no back-off by status: one broken host must not slow the others on its IP address
        PaceSettings(options.politeness_address_delay, options.politeness_address_concurrency, 0.0, statuses=False),
        options.concurrent_requests,
        pages_per_host,
        obey_robots=options.robotstxt_obey,
        host_share=options.frontier_host_share if focused else 1.0,
        partition=own,
    )
