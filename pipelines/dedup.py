"""Has this text been seen before? Exact digest, then fingerprints confirmed on the text. And the page's mark."""

from __future__ import annotations

from time import perf_counter

from scrapy.crawler import Crawler

from focuscrawl.crawl.session import CrawlSession, session_of
from focuscrawl.items import Page
from focuscrawl.recrawl.page_signature import signature_of


class DedupPipeline:
    """Finds a page's original; the commit looks once more for what was stored in between."""

    def __init__(self, session: CrawlSession) -> None:
        self._session = session

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> DedupPipeline:
        return cls(session_of(crawler))

    async def process_item(self, page: Page) -> Page:
        if not page.collected:
            return page
        start = perf_counter()
        dedup = self._session.dedup
        page.fingerprint = dedup.fingerprint(page.text, page.words)
        page.signature = signature_of(page.title, page.words, f"{page.title}\n{page.text}", dedup.simhash)
        page.timings["fingerprint"] = 1000 * (perf_counter() - start)
        page.duplicate, page.looked = await self._session.store.find_duplicate(page, self._session.finder)
        return page
