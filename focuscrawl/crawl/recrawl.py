"""One process's part in a recrawl: it ranks what is due, so that the best is revisited first.

Invariant: only a run that recrawls lets revisits of pages enter the frontier. Whatever ends it, revisits that it did not make
stay due.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

from focuscrawl.crawl.revisit_threshold import compute_threshold, load_threshold
from focuscrawl.frontier.stop_rules import Stop
from focuscrawl.items import SOURCES
from focuscrawl.recrawl.entries import source_rule
from focuscrawl.recrawl.marginal_value import LEAST_WEIGHT
from focuscrawl.recrawl.settings import RecrawlSettings
from focuscrawl.recrawl.state import DAY
from focuscrawl.store.crawl_store import CrawlStore
from focuscrawl.store.engines.database import Database
from focuscrawl.store.revisits import revisit_rows, sources
from focuscrawl.store.revisits.revisit_rows import RevisitSelection
from focuscrawl.store.revisits.versions import ROWS_AT_ONCE, purge_texts
from focuscrawl.url.readable import readable_host
from focuscrawl.url.scope import Scope

logger = logging.getLogger(__name__)

OWNER = "recrawl"
"""Key in `meta`: the worker that ranks."""
RANK_SECONDS = 30.0
"""Between checks of what has fallen due during the run."""
MOST_NAMED = 5
"""Hosts without an answer that are named."""
BATCH = 1000
"""Pages in one operation on the store, during which commits and leases wait."""


class Recrawling:
    """The recrawl of one run. `on`: whether the run revisits what is due."""

    def __init__(
        self,
        settings: RecrawlSettings,
        scope: Scope,
        on: bool,
        everything: bool,
        is_said_before: Callable[[str], bool] = lambda url: False,
    ) -> None:
        """`is_said_before`: whether a URL lies in a part of the web that says nothing new (`YieldLimit.is_said_before`)."""
        self._settings, self._scope, self.on, self._everything = settings, scope, on, everything
        self._is_said_before = is_said_before
        self._wanted = RevisitSelection()
        self._cursor = revisit_rows.START
        self._ranking = asyncio.Lock()
        """Held while `begin` works, so that nothing is ranked and the run does not end as fresh before."""
        self._store: CrawlStore
        self.unanswered = 0
        """URLs that this run leaves due because their hosts gave no answer; known when it ends."""

    async def open(self, store: CrawlStore) -> None:
        """Load the threshold that was computed last."""
        self._store = store
        await load_threshold(store)

    async def begin(self) -> None:
        """From now on the run revisits what is due. With 10^6 pages this takes one or two minutes, in many operations."""
        self.on = True
        self._store.recrawl()
        async with self._ranking:
            await self._prepare()
            await self._rank()

    async def _prepare(self) -> None:
        store = self._store
        if await store.claim(OWNER):
            now = store.clock()
            await store.call(revisit_rows.forget_ranks)
            await store.call(revisit_rows.show_hidden, limits=store.limits)
            if self._settings.signals:
                sitemaps = await store.call(
                    sources.find_sitemaps, now=now, admits=lambda url: not source_rule(self._scope, url)
                )
                logger.info("recrawl: %d sitemaps found", sitemaps)
            gone_by = now - self._settings.grace * DAY
            while (await store.call(purge_texts, gone_by=gone_by))[0] == ROWS_AT_ONCE:
                pass
            await compute_threshold(store, now)
        self._wanted = RevisitSelection(before=store.clock()) if self._everything else RevisitSelection()

    async def rank(self) -> int:
        """Rank what has fallen due; returns how many URLs that were. One worker does it for all others."""
        if not self.on:
            return 0
        async with self._ranking:
            return await self._rank()

    async def _rank(self) -> int:
        store = self._store
        if not await store.claim(OWNER):
            return 0
        if not self._wanted.before:
            self._wanted = RevisitSelection(due_by=store.clock())
        count = 0
        while True:
            batch, cursor = await store.call(self._rank_some, after=self._cursor)
            if not batch:
                break
            count, self._cursor = count + batch, cursor  # only after the commit: the writer may have to try again
        if self._wanted.before:  # all are ranked: from now on what the run itself makes due, such as copies of a rewritten page
            self._wanted, self._cursor = RevisitSelection(), revisit_rows.START
        if count:
            logger.info("recrawl: %d pages are due", count)
        return count

    async def ending(self, patience: float) -> Stop:
        """Why the run ends when nothing can be fetched within `patience` seconds: what is left, or what is due next."""
        hosts, tries = await self._store.call(revisit_rows.left)
        if hosts or tries:
            silent = await self._store.call(revisit_rows.unanswered)
            self.unanswered = silent.total()
            waits = [f"for their hosts ({hosts})"] * bool(hosts) + [f"for another try ({tries})"] * bool(tries)
            then = "were not revisited" if self._everything else "stay due"
            never = f"nothing more may be fetched within FRONTIER_IDLE_STOP ({patience:g} s)"
            return Stop("empty", f"{never}; URLs that wait {' or '.join(waits)} {then}{_of_silent(silent)}")
        due = await self._store.call(revisit_rows.due_from, now=self._store.clock(), sources=self._settings.signals)
        when = "" if due.next is None else f"; the next page is due {datetime.fromtimestamp(due.next, UTC):%Y-%m-%d %H:%M} UTC"
        return Stop("fresh", f"nothing more is due{when}")

    def _rank_some(self, db: Database, after: revisit_rows.Cursor) -> tuple[int, revisit_rows.Cursor]:
        due, urls, cursor = revisit_rows.unranked(db, self._wanted, after, BATCH)
        wanted = [
            replace(revisit, weight=LEAST_WEIGHT) if revisit.kind not in SOURCES and self._is_said_before(url) else revisit
            for revisit, url in zip(due, urls, strict=True)
            if self._settings.signals or revisit.kind not in SOURCES
        ]
        if wanted:
            profiles = revisit_rows.load_profiles(db, {revisit.hid for revisit in wanted})
            values = self._store.planner.values(wanted, profiles, self._store.clock())
            ranks = [1.0 if revisit.asked_for else value for revisit, value in zip(wanted, values, strict=True)]
            revisit_rows.rank(db, wanted, ranks)
        return len(due), cursor


def _of_silent(hosts: Counter[str]) -> str:
    """What waits for hosts that gave no answer, those with the most URLs by name."""
    if not hosts:
        return ""
    named = [f"{readable_host(name)} ({count:,})" for name, count in hosts.most_common(MOST_NAMED)]
    more = f" and {len(hosts) - MOST_NAMED:,} more" if len(hosts) > MOST_NAMED else ""
    return f"; {hosts.total():,} of them on hosts that gave no answer: {', '.join(named)}{more}"
