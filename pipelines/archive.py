"""The one commit: page, fingerprints, links and the URL's new state become visible together or not at all."""

from __future__ import annotations

import logging
from typing import Any

from scrapy.crawler import Crawler
from scrapy.exceptions import DropItem

from focuscrawl.crawl.session import CrawlSession, session_of
from focuscrawl.frontier.lanes import lifted
from focuscrawl.frontier.outcome import UNFETCHED, outcome_of
from focuscrawl.items import SOURCES, Page
from focuscrawl.scrapy_side.lookahead import LookAhead
from focuscrawl.scrapy_side.scheduler import FrontierScheduler
from focuscrawl.store.frontier.discover import DiscoveredUrl
from focuscrawl.store.pages.export import row
from models.link.tunnelling import next_distance

logger = logging.getLogger(__name__)

NO_NEWS = 0.02
"""A link that is better than the best known one by no more than this does not reach the store."""


class ArchivePipeline:
    """Ends every lease. Returns the exported row of a stored page, for feeds; other pages are dropped quietly."""

    def __init__(self, crawler: Crawler, session: CrawlSession) -> None:
        self._crawler = crawler
        self._session = session
        self._look_ahead = LookAhead()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> ArchivePipeline:
        return cls(crawler, session_of(crawler))

    async def process_item(self, page: Page) -> dict[str, Any]:
        scheduler: Any = self._crawler.engine.scheduler if self._crawler.engine else None
        assert isinstance(scheduler, FrontierScheduler)
        if page.error in UNFETCHED:
            await scheduler.give_back(page.lease, page.retry_after or 0.0)
            raise DropItem(page.error)
        outcome = outcome_of(page, self._session.options.frontier_retry_delays)
        expands = (page.ok and page.duplicate is None) or (page.duplicate is not None and not self._session.focused)
        links = page.links if page.ok else []
        found = self._found(page) if expands else []
        rescored = [] if self._session.recrawling.on else self._session.ordering.take()
        done = await self._session.commit(
            page,
            outcome,
            found=found,
            inlinks=[link.key.url_id for link in links if link.refused in ("", "tunnel", "yield")],
            refused=[(*link.key.url_id, link.refused) for link in links if link.refused],
            keys=self._session.finder.keys(page.fingerprint) if page.ok else (),
            rescored=rescored,
        )
        scheduler.done(page.lease)
        if done.late or not done.page_id:
            self._session.ordering.settle(rescored)
            raise DropItem(outcome.reason or outcome.event.value)
        twin = done.duplicate
        if twin is None or (twin.kind != "exact" and not self._session.focused):
            for item in found:  # not before: what a commit dropped must be found again on another page
                self._session.cache.put(item.key.uid, item.priority)
            if self._session.focused and page.verdict and page.verdict.relevant:
                self._look_ahead(found)
        self._session.ordering.settle(rescored)  # behind what was found, as in the store
        self._log(page)
        return row(page)

    def _found(self, page: Page) -> list[DiscoveredUrl]:
        """What enters the frontier: links that were not refused, less those the cache knows to be no news."""
        session = self._session
        relevant = bool(page.verdict and page.verdict.relevant)
        depth, distance = page.lease.depth + 1, next_distance(relevant, page.lease.distance)
        if page.lease.kind in SOURCES:
            distance = 0  # theirs counts indexes above a sitemap
        found = []
        for link in page.links:
            if link.refused:
                continue
            priority = lifted(session.store.planner.new_value(link.score)) if session.recrawling.on else link.priority
            item = DiscoveredUrl(link.url, priority, depth, distance, key=link.key)
            if not session.cache.known(item.key.uid, priority, NO_NEWS if session.focused else float("inf")):
                found.append(item)
        return found

    def _log(self, page: Page) -> None:
        verdict = page.verdict
        assert verdict is not None
        mark = "duplicate" if page.duplicate else "relevant" if verdict.relevant else "page"
        logger.info("%s %.3f depth=%d links=%d %s", mark, verdict.relevance, page.lease.depth, len(page.links), page.url)
