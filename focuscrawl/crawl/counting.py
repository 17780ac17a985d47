"""What this process has done since its start: counts for people and stop rules, and the statistics of the run."""

from __future__ import annotations

from dataclasses import dataclass

from focuscrawl.crawl.runner import Runner
from focuscrawl.frontier.outcome import FetchOutcome
from focuscrawl.frontier.states import Event
from focuscrawl.items import EXAMPLE, Page
from focuscrawl.store.commit import Committed
from focuscrawl.store.frontier.barren import SetBack

FAILED = frozenset({Event.GAVE_UP, Event.GONE, Event.FILTERED, Event.DENIED})
"""Ends of a page's fetch that count as errors: nothing was stored, and the URL is not tried again. A site without a sitemap is
no error, nor is a probe that was answered as a missing page should be."""


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
