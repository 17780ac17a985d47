"""The one commit: page, fingerprints, links and the URL's new state become visible together or not at all. The last pipeline,
behind those of a user, makes the row that feeds export."""

from __future__ import annotations

import logging
from typing import Any

from scrapy.crawler import Crawler
from scrapy.exceptions import DropItem

from focuscrawl.crawl.process import CrawlProcess
from focuscrawl.export.rows import row
from focuscrawl.frontier.outcome import UNFETCHED
from focuscrawl.items import Page
from focuscrawl.scrapy_side.crawl_runner import crawl_of
from focuscrawl.scrapy_side.resolver import Prefetch

logger = logging.getLogger(__name__)


class ArchivePipeline:
    """Ends every lease. Passes stored pages on; others are dropped quietly."""

    def __init__(self, crawl: CrawlProcess) -> None:
        self._crawl = crawl
        self._prefetch = Prefetch()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> ArchivePipeline:
        return cls(crawl_of(crawler))

    async def process_item(self, item: Any) -> Any:
        if not isinstance(item, Page):
            return item
        if item.error in UNFETCHED:
            await self._crawl.leases.give_back(item.lease, item.retry_after or 0.0)
            raise DropItem(item.error)
        self._crawl.leases.turns.commits(item.lease)
        done = await self._crawl.committer.commit(item)
        self._crawl.leases.done(item.lease)
        if not done.page_id:
            raise DropItem((done.outcome.reason or done.outcome.event.value) if done.outcome else "late")
        if self._crawl.focused and item.relevant:
            self._prefetch(done.entered)
        _log(item)
        return item


class ExportPipeline:
    """Turns a stored page into its exported row. Last of all: pipelines of a user between 400 and this one get the Page."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> ExportPipeline:
        crawl_of(crawler)
        return cls()

    def process_item(self, item: Any) -> Any:
        return row(item) if isinstance(item, Page) else item


def _log(page: Page) -> None:
    verdict = page.verdict
    assert verdict is not None
    kind = "duplicate" if page.duplicate else "relevant" if verdict.relevant else "page"
    logger.info("%s %.3f depth=%d links=%d %s", kind, verdict.relevance, page.lease.depth, len(page.links), page.url)
