"""When and why does this process end? Because a limit of the user is reached, because stop rules find that the crawl brings too
little, or because somebody stops it. Requests in flight then have ABORT_SECONDS left.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from focuscrawl.config.job import CrawlJob
from focuscrawl.config.options import Options
from focuscrawl.crawl.counting import Counting
from focuscrawl.crawl.recrawl import Recrawling
from focuscrawl.crawl.relevance.drift import DriftAlarms
from focuscrawl.crawl.relevance.several_topics import CrawlTopic
from focuscrawl.crawl.runner import Runner
from focuscrawl.errors import AlreadyRunning, in_shell
from focuscrawl.frontier.patience import Patience, patience_within
from focuscrawl.frontier.stop_rules import Stop, StopRules, StopWatch
from focuscrawl.items import EXAMPLE, SEED, Page
from focuscrawl.report.plain import plural
from focuscrawl.store.crawl_store import CrawlStore
from focuscrawl.store.engines.writer import StorageError
from focuscrawl.store.outlook import links_found_relevant
from focuscrawl.store.workers.lifecycle import DEAD_SECONDS

logger = logging.getLogger(__name__)

ABORT_SECONDS = 8.0
"""How long a stop waits for answers to requests in flight. Together with closing the store it stays below the 10 s after which
`docker stop` kills."""
JUDGED_PAGES = 50
"""Fetched pages between two judgements of what waits, each a query for the best waiting URLs."""
BEST_WAITING = 100
"""How many waiting URLs are judged."""
NOTHING_FOUND = 200
"""Pages after which the user is warned if none of them was relevant."""
NO_LIMIT = 1 << 30


class StopConditions:
    """The stop rules and drift alarms, as one process sees them."""

    def __init__(self, job: CrawlJob, options: Options, topic: CrawlTopic, focused: bool) -> None:
        at_edge = options.frontier_edge if focused and not job.arguments.fetches_all else 0.0
        rules = StopRules(
            harvest=options.frontier_stop_harvest,
            window=options.frontier_stop_window,
            expected_yield=options.frontier_stop_yield,
            edge=at_edge,
            edge_window=options.frontier_edge_window,
        )
        self.watch = StopWatch(rules)
        self._drift = DriftAlarms(topic, options.relevance_drift_bound)
        self._stop_on_drift = options.frontier_stop_on_drift
        self._judged_at = 0
        self._name = job.name

    async def open(self, store: CrawlStore) -> None:
        """Load what earlier runs and other workers know: whether they have found the topic, without which there is no edge, and
        the standards of the drift alarms."""
        self.watch.found_relevant = await store.call(links_found_relevant)
        await self._drift.open(store)

    @property
    def alarms(self) -> list[str]:
        """The sentences of all drift alarms so far."""
        return self._drift.sentences

    def record(self, page: Page) -> Stop | None:
        """Note that a page was stored; returns why the crawl is to stop now, or None."""
        stop = self.watch.record(page.lease.priority, page.relevant, given=page.lease.kind in (SEED, EXAMPLE))
        if self.watch.pages == NOTHING_FOUND and not self.watch.found_relevant:
            logger.warning(
                "none of the first %d pages is relevant: the crawl goes on and follows every link;"
                " `scrapy topic show --crawl %s` shows the topic's words, other keywords or examples may help",
                NOTHING_FOUND,
                in_shell(self._name),
            )
        if self._drift.record(page) and self._stop_on_drift:
            return Stop("drift", self.alarms[-1])
        return stop

    async def judge_waiting(self, store: CrawlStore) -> Stop | None:
        """Judge what waits if enough was fetched since the last time; returns why the crawl is to stop now, or None."""
        await self._drift.keep(store)
        if self.watch.pages < self._judged_at + JUDGED_PAGES:
            return None
        self._judged_at = self.watch.pages
        return self.watch.look(await store.best_waiting(BEST_WAITING))

    async def still_at_edge(self, store: CrawlStore) -> bool:
        """Whether what waits would stop the crawl now as well, because something may have come since it was judged."""
        return self.watch.look(await store.best_waiting(BEST_WAITING)) is not None


class Stopping:
    """Decides when this process ends. `reason` is empty while it runs."""

    def __init__(
        self,
        job: CrawlJob,
        conditions: StopConditions,
        topic: CrawlTopic,
        recrawling: Recrawling,
        counting: Counting,
        runner: Runner,
    ) -> None:
        self.reason = ""
        self.why = ""
        """The reason as a sentence, with figures if there are any."""
        self.signal = 0
        """Number of the signal that ended the crawl; 0 if none did."""
        self.aborting = asyncio.Event()
        """Set when answers to requests in flight are not waited for any longer."""
        self.find_more: Callable[[], Awaitable[bool]] | None = None
        """Called before the crawl ends for want of good URLs: look for some elsewhere. Returns whether there are new ones."""
        self.conditions = conditions
        self._arguments = job.arguments
        self._topic, self._recrawling, self._counting, self._runner = topic, recrawling, counting, runner
        self._giving_up: asyncio.Future[None] | None = None
        self._turning: asyncio.Future[None] | None = None
        self._finding: asyncio.Future[None] | None = None
        self._in_vain = False
        """Nothing more was found, and no page was stored since."""
        self._store: CrawlStore

    def open(self, store: CrawlStore) -> None:
        """From now on an abort also ends the store's waiting for a full disk or a locked database."""
        self._store = store
        self._giving_up = asyncio.ensure_future(self._give_up())

    async def _give_up(self) -> None:
        await self.aborting.wait()
        self._store.give_up()

    def stop(self, reason: str, why: str = "") -> None:
        """Ask the crawl to end. Requests in flight may take up to ABORT_SECONDS more. Later calls change nothing.

        Args:
            reason: one word, kept in the column `run.reason`.
            why: a sentence without a full stop.
        """
        if self.reason:
            return
        self.reason, self.why = reason, why
        logger.info("stopping (%s)%s", reason, f": {why}" if why else "")
        asyncio.get_running_loop().call_later(ABORT_SECONDS, self.aborting.set)
        self._runner.close(reason)

    def stop_or_recrawl(self, stop: Stop) -> None:
        """End the crawl for this reason, unless something can still be done. At its edge, or when nothing waits any more, a
        crawl that searches the web first looks for more URLs there, and goes on meanwhile; a job that asks for it
        (`at_edge=recrawl`) then begins to revisit stored pages instead of ending."""
        if stop.reason not in ("edge", "empty") or self.find_more is None or self._in_vain:
            self._end(stop)
        elif self._finding is None or self._finding.done():
            self._finding = asyncio.ensure_future(self._find_more_or_end(stop, self.find_more))

    async def _find_more_or_end(self, stop: Stop, find_more: Callable[[], Awaitable[bool]]) -> None:
        """Look for more URLs. If there are none, a crawl at its edge ends here. One for which nothing waited ends with the next
        call of `stop_or_recrawl`: whoever makes that call has just looked again, and URLs may have come from elsewhere in
        between."""
        try:
            while await find_more():
                if stop.reason == "empty" or not await self.conditions.still_at_edge(self._store):
                    return
            self._in_vain = True
            if stop.reason == "edge" and not self.reason and await self.conditions.still_at_edge(self._store):
                self._end(stop)
        except StorageError:
            self.stop("failure", "the store cannot be written")

    def _end(self, stop: Stop) -> None:
        if stop.reason in ("edge", "empty") and self._arguments.at_edge == "recrawl":
            logger.info("the edge is reached (%s): from now on due pages are revisited", stop.why)
            self._turning = asyncio.ensure_future(self._recrawling.begin())
        else:
            self.stop(stop.reason, stop.why)

    def lost(self) -> None:
        """Stop because others have taken this worker for dead, and its leases with it."""
        self.stop("lost", f"another worker took this one for dead (no heartbeat for {DEAD_SECONDS:g} s)")

    def stored(self, page: Page) -> None:
        """Note that a page was stored. Stop if that was enough, or if the crawl brings too little."""
        self._in_vain = False
        arguments, counts, alarms = self._arguments, self._counting.counts, len(self.conditions.alarms)
        stop = None if self._recrawling.on else self.conditions.record(page)
        self._counting.inc("relevance/drift_count", len(self.conditions.alarms) - alarms)
        if arguments.max_pages and counts.pages >= arguments.max_pages:
            self.stop("max_pages", f"{plural(counts.pages, 'page was', 'pages were')} stored, as many as were asked for")
        elif arguments.max_relevant and counts.relevant >= arguments.max_relevant:
            stored = plural(counts.relevant, "relevant page was", "relevant pages were")
            self.stop("max_relevant", f"{stored} stored; {plural(arguments.max_relevant, 'was', 'were')} asked for")
        elif stop:
            self.stop_or_recrawl(stop)

    def requested(self) -> None:
        """Note that a request has ended. Stop if the budget is spent."""
        made = self._counting.counts.requests
        for name, most in (("budget", self._arguments.budget), ("max_requests", self._arguments.max_requests)):
            if most and made >= most:
                self.stop(name, f"{plural(made, 'request was', 'requests were')} made, as many as were asked for")

    async def judge_waiting(self) -> None:
        """Stop when nothing good waits any more."""
        if not self._recrawling.on and (stop := await self.conditions.judge_waiting(self._store)):
            self.stop_or_recrawl(stop)

    async def when_time_is_over(self) -> None:
        """Sleep for the `minutes` of the job, then stop. Without that limit, return at once."""
        if minutes := self._arguments.minutes:
            await asyncio.sleep(60 * minutes)
            self.stop("minutes", f"the {minutes:g} minutes are over")

    def room(self, held: int, robots: int) -> int:
        """How many more pages may be leased.

        Args:
            held: pages in flight.
            robots: robots.txt files in flight, which count as requests, too.
        """
        arguments, counts, room = self._arguments, self._counting.counts, NO_LIMIT
        if arguments.max_pages:
            room = arguments.max_pages - counts.pages - held
        if arguments.max_relevant and not self._topic.busy:
            room = min(room, self.conditions.watch.fetches_for(arguments.max_relevant - counts.relevant) - held)
        return min(room, self.requests_left(held + robots))

    def requests_left(self, held: int) -> int:
        """How many more requests the crawl may make, beside the `held` ones that are in flight."""
        most = self._arguments.budget or self._arguments.max_requests
        return most - self._counting.counts.requests - held if most else NO_LIMIT

    def patience(self, seconds: float) -> Patience | None:
        """How this process waits for better URLs, see `frontier.patience`. `seconds`: that its fetches together may wait."""
        arguments = self._arguments
        return patience_within((arguments.max_pages, arguments.max_requests, arguments.budget), seconds, arguments.minutes)

    def close(self) -> None:
        """Cancel the background tasks, except for the one that lets the store give up."""
        for task in (self._turning, self._finding):
            if task is not None:
                task.cancel()

    def not_begun(self, error: Exception) -> None:
        """Note that the crawl could not be opened. Whoever opens it ends it."""
        self.reason = self.reason or ("running" if isinstance(error, AlreadyRunning) else "failure")
        self.why = str(error)

    def not_written(self) -> None:
        """Why the run ended could not be written: whatever it was, the run has failed."""
        self.reason, self.why = "failure", "the store cannot be written"

    def closed(self) -> None:
        """The store is closed: there is nothing to give up any more."""
        if self._giving_up is not None:
            self._giving_up.cancel()
