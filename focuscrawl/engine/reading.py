"""Reading one answer into its Page, with the crash mark around it."""

from __future__ import annotations

from time import perf_counter

from focuscrawl.engine.answers import is_text
from focuscrawl.engine.session import CrawlSession
from focuscrawl.engine.source_reading import SourceReader
from focuscrawl.items import PROBE, SOURCES, Page
from focuscrawl.links.reading import PageReader, Reading
from focuscrawl.politeness.metarobots import directives
from focuscrawl.recrawl.change import mark_of
from focuscrawl.recrawl.entries import source_rule

FIRST_PAGE = """<title>望远镜 telescope</title>
    <p>天文学家用望远镜观测星系。 Astronomers observe galaxies. <a href=x>链接 link</a>""".encode()
"""Holds what pages hold."""


class SpiderReader:
    """Fills a Page from its body, by the kind of its lease."""

    def __init__(self, session: CrawlSession, agent: str = "focuscrawl") -> None:
        self._session = session
        self._agent = agent
        self._reader = PageReader()
        self._sources = SourceReader(session)
        self._warm = False

    def wants(self, page: Page) -> bool:
        """An answer that is read though it is not `ok`: what a host says where there is nothing, whatever the status."""
        return page.lease.kind == PROBE and bool(page.body) and not page.error and is_text(page.content_type, page.body)

    async def read(self, page: Page) -> None:
        """Set text, links and the rest of `page`, or its error `parse`. One that was being read when a process died is read in
        a process of its own: if it was the page, that one dies, and if it was not, the page is none the worse for it."""
        if len(page.body) > self._session.options.body_bytes:
            page.body, page.truncated = page.body[: self._session.options.body_bytes], "length"
        if page.lease.kind in SOURCES:
            await self._sources.read(page)
            return
        await self._warm_up()
        mark = self._session.store.mark
        suspect = page.lease.crashes > 0
        if not suspect:
            mark.begin(page.lease.uid)
        try:
            reading = await self._reader.read(page.body, page.content_type, page.url, apart=suspect)
            if reading.error:
                page.error = reading.error
            else:
                mark.begin(page.lease.uid)
                self._fill(page, reading)
        finally:
            mark.end()

    async def _warm_up(self) -> None:
        """What the first page would load (parsers, dictionaries: up to two seconds) is loaded before it is marked: a process
        that is killed at its start again and again must not bring the best URL, which it leases first, into suspicion."""
        if not self._warm:
            self._warm = True
            reading = await self._reader.read(FIRST_PAGE, "text/html; charset=utf-8", "http://localhost/")
            self._session.topic.segmenter.terms(f"{reading.title}\n{reading.text}")

    def _fill(self, page: Page, reading: Reading) -> None:
        page.charset, page.language, page.kind = reading.charset, reading.language, reading.kind
        page.title, page.keywords, page.description = reading.title, reading.keywords, reading.description
        page.summary, page.text, page.links = reading.summary, reading.text, reading.links
        page.timings |= reading.timings
        if reading.heavy:
            self._session.inc("reading/heavy_count")
        tags = [value for name, value in page.headers if name.lower() == "x-robots-tag"]
        rules = directives(reading.robots, tags, self._agent, page.fetched_at)
        page.noindex, page.nofollow = rules.noindex, rules.nofollow
        start = perf_counter()
        page.words = self._session.topic.segmenter.terms(f"{page.title}\n{page.text}")
        page.timings["segment"] = 1000 * (perf_counter() - start)
        if page.lease.kind == PROBE:
            page.mark, page.links = mark_of(page.title, page.words, f"{page.title}\n{page.text}"), []
        elif self._session.options.recrawl.signals:
            page.feeds = [url for url in reading.feeds if not source_rule(self._session.job.scope, url)]

    async def close(self) -> None:
        await self._reader.close()
        await self._sources.close()
