"""Commits judged pages, which ends their leases, and passes on to the other parts of this process what follows from each
commit.

Invariant: URLs that a commit dropped are not remembered as known, so that links on other pages can bring them again.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace

from focuscrawl.config.options import Options
from focuscrawl.crawl.counting import Counting
from focuscrawl.crawl.order import Ordering
from focuscrawl.crawl.read_back import ReadingBack
from focuscrawl.crawl.recrawl import Recrawling
from focuscrawl.crawl.site_sources import SiteSources
from focuscrawl.crawl.stopping import Stopping
from focuscrawl.dedup.text_reuse import SeenSentences
from focuscrawl.frontier.fetch_yield import NO_REUSE, fetch_yield_of
from focuscrawl.frontier.lanes import behind, lifted
from focuscrawl.frontier.outcome import FetchOutcome, outcome_of
from focuscrawl.frontier.states import Event
from focuscrawl.frontier.url_cache import UrlCache
from focuscrawl.frontier.yields import YieldLimit
from focuscrawl.items import LINK, SOURCES, Page
from focuscrawl.store.commit import COUNTED_IN, Commit, Committed
from focuscrawl.store.crawl_store import CrawlStore
from focuscrawl.store.frontier.discover import DiscoveredUrl
from focuscrawl.store.frontier.refused_before import Unwanted
from focuscrawl.store.pages.duplicates import DuplicateFinder, compare_paths
from focuscrawl.store.revisits.new_home import may_be_home
from focuscrawl.url.key import url_key
from focuscrawl.url.normalize import split
from models.link.tunnelling import next_distance

NO_NEWS = 0.02
"""A link that is better than the best known one by no more than this does not reach the store: a site's navigation, whose
links score nearly alike on all of its pages, would be written again with each of them."""


@dataclass(slots=True, kw_only=True)
class Committer:
    """Ends fetches for one process."""

    store: CrawlStore
    options: Options
    ordering: Ordering
    read_back: ReadingBack
    recrawling: Recrawling
    finder: DuplicateFinder
    cache: UrlCache
    yields: YieldLimit
    site_sources: SiteSources | None
    """None: sitemaps and feeds are left to recrawls."""
    seen_sentences: SeenSentences
    counting: Counting
    stopping: Stopping
    unwanted: Unwanted
    _found_before: Counter[int] = field(default_factory=Counter, init=False)
    """How many new pages of each host (hid) this run has found in its recrawl."""

    async def commit(self, page: Page) -> Committed:
        """Commit a page that has gone through all pipelines. Raises StorageError if it cannot be written."""
        change = self._change(page, outcome_of(page, self.options.frontier_retry_delays))
        change.rescored = rescored = [] if self.recrawling.on else self.ordering.take()
        done = await self._write(change)
        for item in done.entered:
            self.cache.put(item.key.uid, item.priority)
        if self.site_sources and not self.recrawling.on:
            await self.site_sources.committed(page, done)
        self.ordering.put_aside(done.taken_out)
        self.ordering.settle(rescored)  # after the discovered URLs, as in the store
        return done

    async def fail(self, page: Page, error: str) -> None:
        """Give up a page on which a component of ours raised, so that the crawl continues. `error`: its short name."""
        page.error = error
        await self._write(self._change(page, FetchOutcome(Event.GAVE_UP, error)))

    def _change(self, page: Page, outcome: FetchOutcome) -> Commit:
        """All that this fetch changes, except `rescored`."""
        expands = page.ok and not (page.duplicate and page.duplicate.hides_links(page.url, self.ordering.focused))
        links = page.links if page.ok else []
        return Commit(
            page,
            outcome,
            self.store.clock(),
            self.store.run,
            self.store.worker,
            discovered=self._discovered(page) if expands else [],
            inlinks=[link.key.url_id for link in links if link.refused in COUNTED_IN],
            refused=[(*link.key.url_id, link.refused) for link in links if link.refused],
            keys=self.finder.keys(page.fingerprint) if page.ok else (),
            lift=self.ordering.focused or self.recrawling.on,
            found_before=self._found_before,
            focused=self.ordering.focused,
            keys_of=self.finder.keys,
            said_before=self.yields.is_said_before(page.url),
            unwanted=self.unwanted,
        )

    async def _write(self, change: Commit) -> Committed:
        page = change.page
        if change.outcome.event in (Event.GAVE_UP, Event.GONE) and not page.lease.revisit:
            change.instead = self.yields.instead(page.lease.url)
        done = await self.store.commit(change, self.finder)
        if done.late:  # another worker has ended this fetch: only what the order strategy learned is ours to write
            self.counting.inc("frontier/late_count")
            await self.store.rescore(change.rescored)
            return done
        if change.instead:
            self.ordering.let_back(url_key(change.instead).url_id)
        self.cache.close(page.lease.uid)
        self.counting.commit(page, change.outcome, done)
        if done.page_id:
            self.stopping.stored(page)
        if not page.lease.revisit:  # a revisit was counted when the page was new
            await self._learn(page, done)
        await self.stopping.judge_waiting()
        return done

    async def _learn(self, page: Page, done: Committed) -> None:
        """Record what the fetch has brought. If this closes a part of the web, set back the URLs that wait there; if
        one opens again, queue what was put aside and refused there."""
        if page.error == "type" and page.lease.kind == LINK:
            await self._set_back(page, self.yields.record_file(page.lease.url))
            return
        if not (done.page_id or page.redirect):
            return
        fetched = fetch_yield_of(page, self.seen_sentences, bool(done.new_links))
        if self.recrawling.on and await self._may_be_home(page, done):
            if fetched.original:
                return  # it is a copy only if its original is still there, which later visits will show
            fetched = replace(fetched, reuse=NO_REUSE)  # it brings back what was stored
        closed = self.yields.record(fetched)
        closed += await self._compare_with_mirrors(page.lease.url)
        await self._set_back(page, closed)
        for site in self.yields.take_opened():
            await self.read_back.find_again(site)
            if site:
                self.counting.inc("frontier/let_back_count", await self.store.let_back(site, self.yields.keep_aside))
                self.ordering.let_any_back()

    async def _set_back(self, page: Page, closed: list[str]) -> None:
        """Set back the URLs that wait in these parts, which the fetch of this page has closed."""
        if closed:
            self.counting.set_back(await self.store.set_back(page.lease.hid, self.yields.set_back, self.yields.on_original))

    async def _may_be_home(self, page: Page, done: Committed) -> bool:
        """Whether this new page may be the new home of a stored one: the target of its redirect, to which no link has led, or a
        page that says the same."""
        if not page.lease.parent and not page.duplicate:
            return True
        return bool(done.page_id and page.text) and await self.store.call(may_be_home, page_id=done.page_id)

    async def _compare_with_mirrors(self, url: str) -> list[str]:
        """If pages of the URL's host suggest that it is a mirror, find out whether it is. Returns the parts that are closed
        now."""
        others = self.yields.in_question(url)
        if not others:
            return []
        compared = await self.store.call(compare_paths, origin=split(url)[0], others=others)
        return self.yields.compared(url, others[0], compared)

    def _discovered(self, page: Page) -> list[DiscoveredUrl]:
        """The URLs of links that no rule refused, without those that the cache already knows with as good a priority."""
        depth, distance = page.lease.depth + 1, next_distance(page.relevant, page.lease.distance)
        if page.lease.kind in SOURCES:
            distance = 0  # the distance of a sitemap is the number of indexes above it
        no_news = NO_NEWS if self.ordering.focused else float("inf")
        discovered = []
        for link in page.links:
            if link.refused:
                continue
            key = link.key
            priority = lifted(self.store.planner.new_value(link.score)) if self.recrawling.on else link.priority
            if self.cache.known(key.uid, priority, no_news):
                continue
            if not self.recrawling.on and (rule := self.yields.set_back(link.url, page.url)):
                priority = behind(priority, rule)
                if self.cache.known(key.uid, priority, no_news):
                    continue
            discovered.append(DiscoveredUrl(link.url, priority, depth, distance, key=key))
        return discovered
