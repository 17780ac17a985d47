"""Has this text been seen before? Exact digest, then fingerprints confirmed on the text. And the page's signature."""

from __future__ import annotations

from time import thread_time
from typing import Any

from scrapy.crawler import Crawler

from focuscrawl.crawl.process import CrawlProcess
from focuscrawl.items import Fingerprint, Page, PageSignature
from focuscrawl.links.series import text_or_frames
from focuscrawl.recrawl.page_signature import signature_of
from focuscrawl.scrapy_side.crawl_runner import crawl_of


class DedupPipeline:
    """Finds a page's original; the commit looks once more for what was stored in between."""

    def __init__(self, crawl: CrawlProcess) -> None:
        self._crawl = crawl

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> DedupPipeline:
        return cls(crawl_of(crawler))

    async def process_item(self, item: Any) -> Any:
        if isinstance(item, Page) and item.collected:
            start = thread_time()
            item.fingerprint, item.signature = await self._crawl.long_work.run(item.text, lambda: self._marks(item))
            item.timings["fingerprint"] = 1000 * (thread_time() - start)
            item.duplicate, item.searched_to = await self._crawl.store.find_duplicate(item, self._crawl.finder)
        return item

    def _marks(self, page: Page) -> tuple[Fingerprint, PageSignature]:
        """What duplicates are found by, and what versions of the page are compared by."""
        dedup = self._crawl.dedup
        signature = signature_of(page.title, page.words, page.whole, dedup.simhash)
        return dedup.fingerprint(text_or_frames(page), page.words), signature
