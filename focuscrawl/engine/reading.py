"""Reading one answer: light pages here, heavy ones in a process with limits, and the crash mark around it."""

from __future__ import annotations

from time import perf_counter

from focuscrawl.engine.session import CrawlSession
from focuscrawl.items import Page
from focuscrawl.links.reading import Reading, read_page
from focuscrawl.links.reading import is_heavy as is_heavy_page
from focuscrawl.politeness.metarobots import directives
from focuscrawl.text.worker import ReadingWorker

AGENT = "focuscrawl"


class PageReader:
    """Fills a Page from its body. The worker process is started when the first heavy page comes."""

    def __init__(self, session: CrawlSession) -> None:
        self._session = session
        self._worker: ReadingWorker | None = None

    async def read(self, page: Page) -> None:
        """Set text, links and the rest of `page`, or its error `parse`."""
        page.body = page.body[: self._session.options.body_bytes]
        mark = self._session.store.mark
        mark.begin(page.lease.uid)
        try:
            reading = await self._reading(page)
        finally:
            mark.end()
        if reading is None:
            page.error = "parse"
            return
        self._fill(page, reading)
        start = perf_counter()
        page.words = self._session.topic.segmenter.terms(f"{page.title}\n{page.text}")
        page.timings["segment"] = 1000 * (perf_counter() - start)

    async def _reading(self, page: Page) -> Reading | None:
        if page.lease.crashes or is_heavy_page(page.body, page.content_type):
            self._session.inc("reading/heavy_count")
            self._worker = self._worker or ReadingWorker()
            return await self._worker.read(page.body, page.content_type, page.url)
        return read_page(page.body, page.content_type, page.url)

    def _fill(self, page: Page, reading: Reading) -> None:
        page.charset, page.language, page.kind = reading.charset, reading.language, reading.kind
        page.title, page.keywords, page.description = reading.title, reading.keywords, reading.description
        page.summary, page.text, page.links = reading.summary, reading.text, reading.links
        page.timings |= reading.timings
        tags = [value for name, value in page.headers if name.lower() == "x-robots-tag"]
        rules = directives(reading.robots, tags, AGENT, page.fetched_at)
        page.noindex, page.nofollow = rules.noindex, rules.nofollow

    async def close(self) -> None:
        if self._worker:
            await self._worker.close()
