"""What this process has done since its start: counts for people, stop rules and heartbeats, and the statistics of the run."""

from __future__ import annotations

from collections import deque
from dataclasses import asdict, dataclass

import orjson

from focuscrawl.crawl.runner import Runner
from focuscrawl.frontier.outcome import FetchOutcome
from focuscrawl.frontier.states import Event
from focuscrawl.items import EXAMPLE, Page
from focuscrawl.store.commit import Committed
from focuscrawl.store.frontier.barren import SetBack

FAILED = frozenset({Event.GAVE_UP, Event.GONE, Event.FILTERED, Event.DENIED})
"""Ends of a page's fetch that count as errors: nothing was stored, and the URL is not tried again. A site without a sitemap is
no error, nor is a probe that was answered as a missing page should be."""
RATE_SECONDS = 60.0
"""The time over which pages per minute are measured: a shorter one shows every pause of a host as a stop."""
REMEMBERED_SECONDS = 60.0
"""A trouble is reported for so long after it was last seen, because no heartbeat can be written while it lasts."""


@dataclass(slots=True)
class ProcessCounts:
    """What this process has done since its start."""

    pages: int = 0
    relevant: int = 0
    duplicates: int = 0
    requests: int = 0
    errors: int = 0


class Counting:
    """`counts` is what stop rules, live table and heartbeat read; everything else goes to the runner's statistics."""

    def __init__(self, runner: Runner) -> None:
        self.counts = ProcessCounts()
        self._runner = runner

    def inc(self, name: str, count: int = 1) -> None:
        """Add to a counter. One that stays at 0 does not appear in the stats."""
        if count:
            self._runner.count(name, count)

    def set_back(self, done: SetBack) -> None:
        """Count URLs that were moved behind everything else, or put aside, because of what their part of the web brings."""
        self.inc("frontier/barren_count", done.behind)
        self.inc("frontier/repeats_count", done.aside)

    def request(self, asked_for: str) -> None:
        """Count a request that has ended. `asked_for`: `page`, `robots` …, see `recrawl.monitors.asked_for`."""
        self.counts.requests += 1
        self.inc(f"requests/{asked_for}_count")

    def commit(self, page: Page, outcome: FetchOutcome, done: Committed) -> None:
        """Count a fetch that has ended with this commit."""
        if done.revisit_result:
            self.inc(f"recrawl/{done.revisit_result}_count")
        for crossing, count in (("left", done.left), ("joined", done.joined)):
            self.inc(f"recrawl/{crossing}_count", count)
        self.inc("recrawl/signals_count", done.signals)
        self.inc("frontier/rescored_count", done.rescored)
        self.inc("frontier/discovered_count", done.new_links)
        self.inc("links/refused_count/foreign", done.foreign)
        if done.outcome and not page.lease.revisit:  # revisits are counted by what became of the page
            outcome = done.outcome
        if done.page_id:
            self._stored(page, done)
        elif outcome.event in FAILED and page.lease.kind <= EXAMPLE:
            self.counts.errors += 1
            self.inc(f"archive/error_count/{outcome.reason}")
        elif outcome.event is Event.RETRY:
            self.inc(f"frontier/retry_count/{outcome.reason}")

    def _stored(self, page: Page, done: Committed) -> None:
        self.counts.pages += 1
        self.counts.relevant += page.relevant
        self.inc("archive/pages_count")
        self.inc("relevance/relevant_count", int(page.relevant))
        for name, verdict in page.verdicts.items():
            self.inc(f"relevance/relevant_count/{name}", int(verdict.relevant))
        if done.duplicate:
            self.counts.duplicates += 1
            self.inc(f"dedup/{done.duplicate.kind}_count")


class HeartbeatStats:
    """What a worker reports of itself with each heartbeat, for `scrapy workers`: JSON in the column `worker.stats`. The rate is
    that of the last minute, or since the start."""

    def __init__(self) -> None:
        self._pages: deque[tuple[float, int]] = deque()
        self._trouble = ""
        self._trouble_at = 0.0

    def notice(self, trouble: str, now: float) -> None:
        """Note why writing waits, as of `now` (epoch seconds); empty when it does not."""
        if trouble:
            self._trouble, self._trouble_at = trouble, now
        elif now - self._trouble_at > REMEMBERED_SECONDS:
            self._trouble = ""

    def per_minute(self, pages: int, now: float) -> float:
        """The pages per minute, 0 in the first second. `pages`: stored so far."""
        self._pages.append((now, pages))
        while now - self._pages[0][0] > RATE_SECONDS:
            self._pages.popleft()
        since, before = self._pages[0]
        return 60 * (pages - before) / (now - since) if now - since >= 1 else 0.0

    def json(self, counts: ProcessCounts, now: float, *, logged_errors: int, trouble: str, control: str, partition: str) -> str:
        """The value of `worker.stats` for one heartbeat.

        Args:
            counts: since the start of the process.
            now: epoch seconds, by the store's clock.
            logged_errors: those in the log of the process.
            trouble: why writing to the store waits; empty when it does not.
            control: what operators want of the crawl, a value of `store.workers.control.WantedState`.
            partition: this worker's part of the hosts as `i/n`; empty without one.
        """
        self.notice(trouble, now)
        values = {
            **asdict(counts),
            "pages_per_minute": round(self.per_minute(counts.pages, now), 1),
            "logged_errors": logged_errors,
            "control": control,
            "trouble": self._trouble,
            "partition": partition,
        }
        return orjson.dumps(values).decode()
