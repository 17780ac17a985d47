"""Reading one fetched body into its Page, by the kind of its lease, with the crash mark around it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Collection, Iterator
from time import thread_time

from focuscrawl.crawl.long_work import GivenUp
from focuscrawl.crawl.process import CrawlProcess
from focuscrawl.crawl.sources import SourceReader
from focuscrawl.items import SOFT404_PROBE, SOURCES, Link, Page
from focuscrawl.politeness.meta_robots import directives
from focuscrawl.reading.documents.document import BROKEN
from focuscrawl.reading.documents.formats import PACKED, format_of
from focuscrawl.reading.page import Reading
from focuscrawl.reading.page_reader import PageReader
from focuscrawl.recrawl.entries import source_rule
from focuscrawl.recrawl.page_signature import signature_of
from focuscrawl.text.head import refresh_target
from focuscrawl.text.segment import Segmenter
from focuscrawl.text.sniff import UNTOLD, is_html
from focuscrawl.url.hosts import host_name, in_site
from focuscrawl.url.normalize import normalize

TEXT_TYPES = ("text/", "application/xhtml", "application/xml")
FIRST_PAGE = """<title>Telescopes</title>
    <p>望远镜。天文学家用望远镜观测星系。 Astronomers observe galaxies. <a href=x>链接 link</a>""".encode()
"""Holds what pages hold."""
PIECE = 20_000
"""Characters of a text that is cut into terms at once: 6 ms of English, 40 of Chinese with words that were not met before."""
CUT = {"disconnect": "truncated", "coding": "coding", "length": "length", "time": "length"}
"""Errors of documents that cannot be read because they are not whole, by `Page.truncated`: the first two are tried again."""
_TYPE = re.compile(r"[a-z0-9][a-z0-9.+-]{0,60}/[a-z0-9][a-z0-9.+-]{0,80}")
_MOST_TYPES = 50
"""Different types that are counted by name: servers can invent any."""


class CrawlReader:
    """Fills Pages from their bodies, for one crawl process."""

    def __init__(self, crawl: CrawlProcess) -> None:
        self._crawl = crawl
        self._reader = PageReader()
        self._sources = SourceReader(crawl)
        self._warm = False
        self._refused: set[str] = set()

    @property
    def most_retries(self) -> int:
        """How often a page that did not come whole is fetched again: once, by whatever delay retries have."""
        return min(1, len(self._crawl.options.frontier_retry_delays))

    def documents(self) -> Collection[str]:
        """Formats besides HTML that this crawl reads."""
        return self._crawl.options.reading_documents

    def refused(self, page: Page) -> None:
        """Count an answer that cannot be read, by its type."""
        label = page.content_type.partition(";")[0].strip().lower()
        name = label if _TYPE.fullmatch(label) and (label in self._refused or len(self._refused) < _MOST_TYPES) else "other"
        self._refused.add(name)
        self._crawl.counting.inc(f"reading/refused_count/{name}")

    def wants(self, page: Page) -> bool:
        """An answer that is read though it is not `ok`: what a host says where there is nothing, whatever the status."""
        return page.lease.kind == SOFT404_PROBE and bool(page.body) and not page.error and is_text(page.content_type, page.body)

    async def read(self, page: Page) -> None:
        """Set text, links and the rest of `page`, or its error `parse`. One that was being read when a process died is read in
        a process of its own: if it was the page, that one dies, and if it was not, the page is none the worse for it."""
        if len(page.body) > self._crawl.options.archive_body_bytes:
            page.body, page.truncated = page.body[: self._crawl.options.archive_body_bytes], "length"
        if page.lease.kind in SOURCES:
            await self._sources.read(page)
            return
        await self._warm_up()
        mark = self._crawl.store.mark
        suspect = page.lease.crashes > 0
        if not suspect:
            mark.begin(page.lease.uid)
        try:
            turn = self._crawl.long_work.reading(page.lease)
            reading = await self._reader.read(page.body, page.content_type, page.url, apart=suspect, turn=turn)
            if reading.document in PACKED:
                self._crawl.counting.inc(f"reading/document_count/{reading.document}")
            if reading.error:
                page.error = CUT.get(page.truncated, BROKEN) if reading.error == BROKEN else reading.error
            else:
                mark.begin(page.lease.uid)  # again: while this page was waited for, the mark may have gone to another one
                await self._fill(page, reading)
        except GivenUp:
            page.error = "aborted"
        finally:
            mark.end()

    async def _warm_up(self) -> None:
        """What the first page would load (parsers, dictionaries: up to two seconds) is loaded before it is marked: a process
        that is killed at its start again and again must not bring the best URL, which it leases first, into suspicion. The
        dictionary of Chinese words, 33 MB, only for a topic that has such words: else the first Chinese text loads it."""
        if not self._warm:
            self._warm = True
            reading = await self._reader.read(FIRST_PAGE, "text/html; charset=utf-8", "http://localhost/")
            segmenter = self._crawl.topic.segmenter
            segmenter.terms(reading.text if segmenter.chinese else reading.title)

    async def _fill(self, page: Page, reading: Reading) -> None:
        fill(page, reading, self._crawl.options.robotstxt_user_agent)
        if reading.heavy:
            self._crawl.counting.inc("reading/heavy_count")
        start = thread_time()
        page.words = await terms_of(f"{page.title}\n{page.text}", self._crawl.topic.segmenter)
        page.timings["segment"] = 1000 * (thread_time() - start)
        if page.lease.kind == SOFT404_PROBE:
            text, simhash = f"{page.title}\n{page.text}", self._crawl.dedup.simhash
            page.signature, page.links = signature_of(page.title, page.words, text, simhash), []
        elif self._crawl.options.recrawl.signals:
            page.feeds = [url for url in reading.feeds if not source_rule(self._crawl.job.scope, url)]

    async def close(self) -> None:
        """End the reading processes."""
        await self._reader.close()
        await self._sources.close()


def fill(page: Page, reading: Reading, agent: str) -> None:
    """Take over what was read from a page's body, and what its owner forbids.

    Args:
        page: with headers and the time of its fetch.
        reading: without an error.
        agent: our product token in META robots and X-Robots-Tag.
    """
    page.charset, page.language, page.kind = reading.charset, reading.language, reading.kind
    page.title, page.keywords, page.description = reading.title, reading.keywords, reading.description
    page.summary, page.text, page.links = reading.summary, reading.text, reading.links
    _add_refresh(page)
    page.timings |= reading.timings
    tags = [value for name, value in page.headers if name.lower() == "x-robots-tag"]
    rules = directives(reading.robots, tags, agent, page.fetched_at)
    page.noindex, page.nofollow = rules.noindex, rules.nofollow


def _add_refresh(page: Page) -> None:
    """The header Refresh is the same as a meta refresh, whose target is the first of the links."""
    header = next((value for name, value in page.headers if name.lower() == "refresh"), "")
    url = normalize(target, page.url) if (target := refresh_target(header)) else None
    if url and url != page.url and not any(link.url == url for link in page.links):
        page.links.insert(0, Link(url, position="meta", in_site=in_site(host_name(url), host_name(page.url))))


async def terms_of(text: str, segmenter: Segmenter) -> list[str]:
    """The terms of a text; of a long one piece by piece, with room for others between."""
    if len(text) <= PIECE:
        return segmenter.terms(text)
    words: list[str] = []
    for piece in pieces(text):
        words += segmenter.terms(piece)
        await asyncio.sleep(0)
    return words


def pieces(text: str) -> Iterator[str]:
    """A text in pieces of `PIECE` characters, each up to the end of a line or a word where it has one near its end."""
    at = 0
    while at < len(text):
        end = at + PIECE
        if end < len(text):
            end = max(text.rfind("\n", at + PIECE // 2, end), text.rfind(" ", at + PIECE // 2, end)) + 1 or end
        yield text[at:end]
        at = end


def is_readable(content_type: str, body: bytes, documents: Collection[str] = PACKED) -> bool:
    """Whether an answer can be read as a page or as a document of the formats that are wanted: by its first bytes, which do not
    lie as labels do."""
    form = format_of(body, content_type)
    return form in documents if form in PACKED else is_text(content_type, body)


def is_text(content_type: str, body: bytes) -> bool:
    """Whether an answer can be read as a page: by its label, and by its first bytes where the label lies or tells nothing."""
    kind = content_type.partition(";")[0].strip().lower()
    start = body[:1024]
    # A zero byte is of something binary, unless the text is UTF-16: with a byte order mark, or with a `<` of two bytes.
    if b"\0" in start and not start.startswith((b"\xff\xfe", b"\xfe\xff")) and b"<\0" not in start and b"\0<" not in start:
        return start.lstrip()[:1] == b"<"
    if not kind or kind.startswith(TEXT_TYPES) or "html" in kind:
        return True
    return is_html(body) if kind in UNTOLD else start.lstrip()[:14].lower().startswith((b"<!doctype html", b"<html"))
