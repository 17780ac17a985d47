"""One process's part in a crawl: it builds the parts, opens and closes the store, and runs the periodic tasks.

Each part is a module of its own: what is leased next (`lease_buffer`), what a fetch changes (`committing`), what refuses a link
(`link_rules`), what is found without links (`discovery`), in which order URLs are fetched (`order`), what is relevant
(`relevance`), when the process ends (`stopping`).
"""

from __future__ import annotations

import asyncio
import gc
import logging
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import asdict
from pathlib import Path

import orjson

from focuscrawl.config.job import CrawlJob
from focuscrawl.config.options import Options
from focuscrawl.crawl.background_tasks import BackgroundTasks, every
from focuscrawl.crawl.beside.extraction import ExtractionWorker
from focuscrawl.crawl.beside.indexing import IndexingWorker
from focuscrawl.crawl.committing import Committer
from focuscrawl.crawl.counting import Counting, HeartbeatStats
from focuscrawl.crawl.discovery import Discovery
from focuscrawl.crawl.exhaustion import Exhaustion, PartitionExit
from focuscrawl.crawl.lease_buffer import LeaseBuffer
from focuscrawl.crawl.link_rules import YIELDS_LOG, link_rules_of
from focuscrawl.crawl.long_work import LongWork
from focuscrawl.crawl.operator_control import OperatorControl
from focuscrawl.crawl.order import Ordering, ordered_by
from focuscrawl.crawl.read_back import ReadingBack
from focuscrawl.crawl.recrawl import RANK_SECONDS, Recrawling
from focuscrawl.crawl.relevance.several_topics import topic_of
from focuscrawl.crawl.relevance.topic import in_given_order
from focuscrawl.crawl.robots_cache import RobotsCache
from focuscrawl.crawl.runner import Runner
from focuscrawl.crawl.sharing import EXCHANGE_SECONDS, SOON_SECONDS, Sharing
from focuscrawl.crawl.site_sources import SiteSources
from focuscrawl.crawl.start.frontier import add_seeds, ask_again, followed, sort_frontier
from focuscrawl.crawl.start.opening import note_run, open_store
from focuscrawl.crawl.start.stored_job import remember_job
from focuscrawl.crawl.stopping import StopConditions, Stopping
from focuscrawl.crawl.stored_texts import StoredTexts
from focuscrawl.dedup.text_reuse import SeenSentences
from focuscrawl.errors import BadInput
from focuscrawl.frontier.url_cache import UrlCache
from focuscrawl.frontier.yields import YieldLimit
from focuscrawl.items import Lease, Page
from focuscrawl.politeness.pace import RequestOutcome
from focuscrawl.process_memory import give_back, one_heap
from focuscrawl.reading.worker import IDLE, WorkerProcess
from focuscrawl.recrawl.monitors import asked_for
from focuscrawl.store.crawl_store import CrawlStore
from focuscrawl.store.crawls import Crawl
from focuscrawl.store.engines.writer import StorageError
from focuscrawl.store.frontier.listing import waiting_counts
from focuscrawl.store.frontier.pacing import is_late
from focuscrawl.store.pages.duplicates import DuplicateFinder
from focuscrawl.store.revisits.revisit_rows import show_hidden
from focuscrawl.store.workers.agreement import LINKS, MODEL, ORDER, TOPIC
from focuscrawl.store.workers.control import WantedState
from focuscrawl.store.workers.lifecycle import BEAT_SECONDS
from focuscrawl.store.workers.runs import logged_errors

logger = logging.getLogger(__name__)

MOST_BARREN = 10
"""Most barren parts and mirrors that the summary names."""
FOLLOW_SECONDS = 1.0
"""Between two readings of what other workers have fetched."""
GARBAGE_THRESHOLD = 20_000
"""New containers before a garbage collection. A page makes some thousands: with Python's 700 a page takes 6 % more time."""


class CrawlProcess:
    """Built with plain values; `open` touches the disk for the first time. It knows neither Scrapy nor Twisted."""

    def __init__(self, runner: Runner, job: CrawlJob, options: Options, settings: Mapping[str, str] | None = None) -> None:
        """Args:
        runner: the program that downloads.
        job: what the user wants crawled.
        options: all settings, validated.
        settings: those that differ from the defaults, without secrets, for reports.
        """
        arguments = job.arguments
        self.job = job
        self.options = options
        self.settings = settings or {}
        self.name = job.name
        self.directory = Path(options.crawls_dir) / job.name
        self.runner = runner
        self.counting = Counting(runner)
        self.topic = topic_of(job, options)
        self.cache = UrlCache(options.frontier_cache_size)
        self.control = OperatorControl(job.name)
        self.ordering = Ordering(job, options, self.topic, self.cache, lambda: self.control.held_origins)
        self.yields = YieldLimit(options.frontier_barren_share, follows=arguments.fetches_all)
        self.link_rules = link_rules_of(
            job, options.reading_documents, focused=self.focused, tunnelling=self.ordering.tunnelling, yields=self.yields
        )
        self.read_back = self._reading_back()
        self.dedup = options.dedup
        self.finder = DuplicateFinder(self.dedup)
        self.recrawling = self._recrawling()
        self.partition_exit = PartitionExit(options.partition(arguments.partition), options.frontier_idle_stop)
        self.stopping = self._stopping()
        self.tasks = BackgroundTasks(self.stopping)
        self.leases = self._lease_buffer()
        self.long_work = LongWork(options.concurrent_requests, self._rest, self._lent_changed, self.stopping.aborting)
        self.topic_process = WorkerProcess(idle_seconds=0)  # until the topic is made
        self.reading_process = self._process_that_reads()
        self.on_close: list[Callable[[], Awaitable[None]]] = [self.topic.close]
        self.store: CrawlStore
        self.robots: RobotsCache
        self.committer: Committer
        self.stored_texts: StoredTexts
        self._heartbeat_stats = HeartbeatStats()
        one_heap()  # before there are threads
        self.is_open = False
        """Whether there is a store. It stays open until the end of `close`."""

    def _reading_back(self) -> ReadingBack:
        return ReadingBack(
            self.ordering,
            self.options,
            self.cache,
            self.job.arguments.max_depth,
            reopen=self.link_rules.reopen,
            ending=lambda: self.stopping.reason,
        )

    def _recrawling(self) -> Recrawling:
        arguments = self.job.arguments
        revisits_all = arguments.revisit == "all"
        return Recrawling(self.options.recrawl, self.job.scope, arguments.is_recrawl, revisits_all, self.yields.is_said_before)

    def _stopping(self) -> Stopping:
        conditions = StopConditions(self.job, self.options, self.topic, self.focused)
        return Stopping(self.job, conditions, self.topic, self.recrawling, self.counting, self.runner)

    def _lease_buffer(self) -> LeaseBuffer:
        return LeaseBuffer(
            options=self.options,
            topic=self.topic,
            ordering=self.ordering,
            control=self.control,
            partition_exit=self.partition_exit,
            recrawling=self.recrawling,
            stopping=self.stopping,
            counting=self.counting,
            runner=self.runner,
            yields=self.yields,
        )

    def _process_that_reads(self) -> WorkerProcess:
        """One process for all that is read apart: heavy pages, documents, sitemaps, feeds, and kept pages, which teach it what
        the pages of each site have in common. That would be lost if it ended while it is idle."""
        return WorkerProcess(idle_seconds=0 if self.options.relevance_best_text else IDLE)

    @property
    def run(self) -> int:
        """Number of this run in the crawl's store."""
        return self.store.run

    @property
    def stored_crawl(self) -> Crawl:
        """The crawl as readers of its store see it."""
        return Crawl(self.name, self.directory)

    @property
    def focused(self) -> bool:
        """Whether the strategy chooses links by score. Otherwise every link in scope is followed."""
        return self.ordering.focused

    @property
    def reads_sources(self) -> bool:
        """Whether an ordinary crawl reads sitemaps and feeds, too."""
        return self.focused and self.options.frontier_sitemaps and self.options.recrawl_signals

    async def open(self) -> None:
        """Open the store, take back the leases of dead workers, add seeds and examples to the frontier, and begin to lease.

        Raises:
            BadInput: the store cannot be used.
            AlreadyRunning: another worker is in the way.
        """
        await self._open_store()
        self.is_open = True  # from here on `close` has something to write, whatever fails below
        await self.beat()  # takes back what dead workers held, before anything is leased
        beating = self.tasks.start(every(BEAT_SECONDS, self.beat))
        try:  # may take minutes: a million seeds, or tens of millions of URLs of which others are wanted now
            await self.store.call(show_hidden, limits=self.store.limits)
            await note_run(self.store, self.job, self.settings, self.options.dedup_method)
            await self._take_up_frontier()
            await self.topic.prepare(self.store, self.topic_process)
            await self.recrawling.open(self.store)
        finally:
            beating.cancel()
        gc.freeze()  # what exists now lives to the end
        gc.set_threshold(GARBAGE_THRESHOLD)
        self._start_work_apart()
        self._start_tasks()

    async def _open_store(self) -> None:
        """Open the store, build the parts that need it, and give it to those that were built before."""
        self.store = await open_store(
            self.job,
            self.options,
            says=self._says(),
            focused=self.focused,
            own=self.partition_exit.own,
            ended=lambda: bool(self.stopping.signal),
        )
        self.robots = RobotsCache(self.store)
        seen_sentences = SeenSentences(given=self.job.seeds)
        self.stored_texts = StoredTexts(self.store, seen_sentences, self.yields, ending=lambda: self.stopping.reason)
        site_sources = SiteSources(self.store, self.job.scope) if self.reads_sources else None
        self.committer = Committer(
            store=self.store,
            options=self.options,
            ordering=self.ordering,
            read_back=self.read_back,
            recrawling=self.recrawling,
            finder=self.finder,
            cache=self.cache,
            yields=self.yields,
            site_sources=site_sources,
            seen_sentences=seen_sentences,
            counting=self.counting,
            stopping=self.stopping,
            unwanted=self.link_rules.unwanted,
        )
        self.stopping.open(self.store)
        await self.stopping.conditions.open(self.store)
        exhaustion = Exhaustion(
            store=self.store,
            idle_stop=self.options.frontier_idle_stop,
            partition_exit=self.partition_exit,
            control=self.control,
            read_back=self.read_back,
            recrawling=self.recrawling,
            site_sources=site_sources,
            counting=self.counting,
            stopping=self.stopping,
        )
        self.leases.open(self.store, self.robots, exhaustion)
        self._sharing = Sharing(self.store)

    def _says(self) -> dict[str, str]:
        """What all workers of the crawl must agree on."""
        topics = {f"{TOPIC}{name}": topic.topic_digest for name, topic in self.topic.by_name.items()}
        if self.job.arguments.is_recrawl:
            return topics
        others = {MODEL: self.options.relevance_model, ORDER: ordered_by(self.job.arguments, self.options)}
        return topics | others | {LINKS: followed(self.job, self.options)}

    async def _take_up_frontier(self) -> None:
        """Adapt the frontier of earlier runs to this job: its seeds, its scope, and which failed URLs are tried again."""
        await self.store.put_off()  # revisits that a killed recrawl left in the frontier
        await self._sharing.join(YIELDS_LOG, self.yields)
        await add_seeds(self.store, self.job, self.ordering.start_priority, self.cache, self._is_ending)
        recrawl = self.job.arguments.is_recrawl
        if not recrawl:
            await ask_again(self.store, self.options, self.job.arguments)
        terms = "" if recrawl else followed(self.job, self.options)
        self.ordering.begin_run(self.run)
        if await self.read_back.open(self.store, terms):
            await sort_frontier(self.store, self.link_rules.unwanted, self._is_ending)

    def _is_ending(self) -> bool:
        """Whether a signal or an operator ends this process. Asked before the tasks that act on them have started."""
        return bool(self.stopping.reason) or self.control.wanted is WantedState.STOP

    def _start_work_apart(self) -> None:
        """Start the tasks that have kept pages read whole and keep the search index up to date, both by the worker process."""
        if self.options.search_index:
            self.on_close.append(IndexingWorker(self.reading_process, self.directory, self.options.store_url).close)
        if self.options.relevance_best_text:
            agent = self.options.robotstxt_user_agent
            self.on_close.append(ExtractionWorker(self.store, self.directory, agent, self.reading_process).close)

    async def held_pages(self) -> list[Page]:
        """Wait for the topic, then return the pages that were held back until it was made.

        From now on `scrapy recrawl` can resume the job."""
        held = in_given_order(await self.topic.held_pages(), (*self.job.topic.examples, *self.job.seeds))
        self.leases.put_last(page.lease for page in held)
        self.tasks.start(self.topic_process.close())  # not awaited: other pages would be stored before these
        self.topic.segmenter.forget_reference()
        give_back()
        if not self.job.arguments.is_recrawl:
            await self.store.call(remember_job, job=self.job)
        return held

    def report(self, lease: Lease, outcome: RequestOutcome) -> None:
        """Note that a request has ended. It is counted, and the host's pace learns of it, by the clock that all workers
        share."""
        if outcome.asked:
            self.counting.request(asked_for(lease))
            self.stopping.requested()
        self.store.report(lease, outcome, self.store.clock())

    def _rest(self, lease: Lease, seconds: float) -> None:
        """Let the host of a lease rest, but not so long that the crawl takes its frontier for empty and ends."""
        self.store.rest(lease, min(seconds, self.options.frontier_idle_stop / 2))

    def _lent_changed(self) -> None:
        """Slow fetches have lent their places to others, or taken them back: change how much is leased and downloaded at
        once."""
        self.leases.lent = self.long_work.lent
        self.leases.retry_now()
        self.runner.widen(self.long_work.slow)

    async def claim(self, lease: Lease, ip_address: str) -> float:
        """Ask whether a request may go to an IP address that has just become known, or for a lease that is late.

        Returns 0 if it may, else the seconds to wait before asking again."""
        if ip_address == lease.ip_address and not is_late(lease, self.store.clock(), self.store.limits):
            return 0.0
        return await self.store.claim_ip_address(lease, ip_address)

    async def give_up(self, page: Page, error: str = "internal") -> None:
        """Give up a page on which a component raised, or which one dropped. It gets this error, and the crawl continues."""
        try:
            await self.committer.fail(page, error)
        finally:
            self.leases.done(page.lease)  # in any case: the crawl would wait for it forever

    async def beat(self) -> None:
        """Send a heartbeat, take back the leases of dead workers, and read what operators want."""
        alive, taken_back, set_aside = await self.store.beat(self._stats())
        if await self.control.refresh(self.store):
            self.ordering.let_any_back()
        if taken_back:
            logger.warning("%d leases of workers that are gone were taken back", taken_back)
        for url in set_aside:
            logger.error("set aside after three crashes while it was parsed: %s", url)
            self.counting.inc("frontier/set_aside_count")
        if not alive:
            self.stopping.lost()

    def _stats(self) -> str:
        return self._heartbeat_stats.json(
            self.counting.counts,
            self.store.clock(),
            logged_errors=logged_errors(self.runner.figures()),
            trouble=self.store.writer.trouble,
            control=str(self.control.wanted),
            partition=self.job.arguments.partition,
        )

    async def exchange(self) -> None:
        """Share with other workers and the next run what was learned of the topic and of what parts of the web bring."""
        await self._sharing.exchange()
        await self.topic.exchange()

    def _start_tasks(self) -> None:
        parts: tuple[Coroutine[None, None, None], ...] = (
            self._catch_up_and_lease(),
            every(BEAT_SECONDS, self._beat_and_heed),
            every(FOLLOW_SECONDS, self._follow_others),
            every(EXCHANGE_SECONDS, self.exchange),  # a kill loses what was learned since the last one
            every(SOON_SECONDS, self._exchange_soon),
            every(RANK_SECONDS, self._rank),
            self.stopping.when_time_is_over(),
        )
        for part in parts:
            self.tasks.start(part)
        if instance := self.job.arguments.discover:
            self.tasks.start(self._discovery(instance).search_periodically())

    def _discovery(self, instance: str) -> Discovery:
        return Discovery(
            instance=instance,
            store=self.store,
            topic=self.topic,
            rules=self.link_rules,
            ordering=self.ordering,
            leases=self.leases,
            control=self.control,
            recrawling=self.recrawling,
            stopping=self.stopping,
            counting=self.counting,
            runner=self.runner,
        )

    async def _catch_up_and_lease(self) -> None:
        """Lease URLs to the end of the crawl, once what earlier runs have fetched is known."""
        await self.read_back.catch_up()
        await self.stored_texts.read_earlier()
        if self.recrawling.on:  # in a task: it takes minutes, and heartbeats, operators and signals must not wait for it
            await self.recrawling.begin()
        await self.leases.refill()

    async def _beat_and_heed(self) -> None:
        await self.beat()
        give_back()
        if self.control.wanted is WantedState.STOP:
            self.stopping.stop("stopped", self.control.why)
        await self.leases.withdraw_refused()

    async def _follow_others(self) -> None:
        """Show the order strategy what other workers have fetched, and read the texts of it."""
        await self.read_back.catch_up()
        await self.stored_texts.read_others()

    async def _exchange_soon(self) -> None:
        """Exchange what parts of the web bring as soon as there is news. Then a trap costs several workers hardly more than
        one, and little is lost if the process is killed."""
        if self.yields.has_news:
            await self._sharing.exchange(soon=True)

    async def _rank(self) -> None:
        """Rank what has fallen due while a recrawl runs."""
        await self.recrawling.rank()
        self.leases.retry_now()

    async def close(self, reason: str) -> None:
        """Write what is left and end the worker. `reason`: why the runner ends, if the crawl itself has no reason."""
        await self.tasks.cancel()  # before the parts that they use are closed
        self.stopping.reason = self.stopping.reason or reason
        await self._close_parts()
        if not self.is_open:
            return  # the error was reported already
        self.stopping.close()
        try:
            await self._write_last()
        except (StorageError, OSError, BadInput) as error:
            logger.error("what this run learned cannot be written: %s", error)
        reason, why = self.stopping.reason, self.stopping.why
        if not await asyncio.to_thread(self.store.close, reason, self._figures_of_run(), why, self._stats()):
            logger.error("how this run ended cannot be written; the next one takes it for broken off, and goes on from there")
            self.stopping.not_written()
        self.stopping.closed()

    async def _close_parts(self) -> None:
        for close in (*self.on_close, self.topic_process.close, self.reading_process.close):
            try:
                await close()
            except (StorageError, OSError) as error:
                logger.error("a part of the crawl did not close: %r", error)

    def _figures_of_run(self) -> str:
        """What is kept with the run for reports, as JSON."""
        values = {
            "counts": asdict(self.counting.counts),
            "drift": self.stopping.conditions.alarms,
            "barren": self.yields.sentences(MOST_BARREN),
            **self.runner.figures(),
        }
        return orjson.dumps(values, default=str, option=orjson.OPT_NON_STR_KEYS).decode()

    async def _write_last(self) -> None:
        await self.exchange()
        if self.recrawling.on:
            await self.store.put_off()
        self.runner.note("frontier/cache_hit_rate", round(self.cache.hit_rate, 4))
        self.runner.note("frontier/waiting_count", sum((await self.store.call(waiting_counts)).values()))
        if self.partition_exit.foreign is not None:
            self.runner.note("frontier/foreign_waiting_count", self.partition_exit.foreign)
