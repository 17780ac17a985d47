"""Reading one fetched body into its Page, by the kind of its lease, with the crash mark around it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Collection, Iterator
from time import thread_time

from focuscrawl.crawl.long_work import GivenUp
from focuscrawl.crawl.process import CrawlProcess
from focuscrawl.crawl.sources import SourceReader
from focuscrawl.items import SEED, SOFT404_PROBE, SOURCES, Link, Page
from focuscrawl.links.canonical import canonical_in_headers, canonical_link
from focuscrawl.politeness.meta_robots import directives
from focuscrawl.reading.documents.document import BROKEN
from focuscrawl.reading.documents.formats import PACKED, format_of
from focuscrawl.reading.page import Reading
from focuscrawl.reading.page_reader import PageReader
from focuscrawl.recrawl.entries import source_rule
from focuscrawl.recrawl.page_signature import signature_of
from focuscrawl.recrawl.read_source import is_source
from focuscrawl.text.head import refresh_target
from focuscrawl.text.segment import Segmenter
from focuscrawl.text.sniff import UNDECLARED, is_for_programs, is_html, media_type
from focuscrawl.url.hosts import host_name, in_site
from focuscrawl.url.normalize import normalize

TEXT_TYPES = ("text/", "application/xhtml", "application/xml")
FIRST_PAGE = """<title>Telescopes</title>
    <p>望远镜。天文学家用望远镜观测星系。 Astronomers observe galaxies. <a href=x>链接 link</a>""".encode()
"""A page with everything that pages usually have, to load all that reading one needs."""
PIECE = 20_000
"""Characters that are cut into terms at once: 6 ms for English, 40 ms for Chinese with words not met before."""
ERROR_OF_UNSENT = {"disconnect": "truncated", "coding": "coding"}
"""By `Page.truncated`, the error of a page that its server did not send whole, and that is fetched again."""
ERROR_OF_CUT = ERROR_OF_UNSENT | {"length": "length", "time": "length"}
"""By `Page.truncated`, the error of a document that cannot be read because it is not whole."""
_TYPE = re.compile(r"[a-z0-9][a-z0-9.+-]{0,60}/[a-z0-9][a-z0-9.+-]{0,80}")
_MOST_TYPES = 50
"""Most types that are counted by name, because servers can invent any number."""


class CrawlReader:
    """Fills Pages from their bodies, for one crawl process."""

    def __init__(self, crawl: CrawlProcess) -> None:
        self._crawl = crawl
        self._reader = PageReader(crawl.reading_process)
        self._sources = SourceReader(crawl)
        self._warm = False
        self._refused: set[str] = set()

    @property
    def most_retries(self) -> int:
        """How often a page that did not come whole is fetched again: once, or not at all where there are no retries."""
        return min(1, len(self._crawl.options.frontier_retry_delays))

    def count_refused(self, page: Page) -> None:
        """Count an answer of a type that cannot be read."""
        label = media_type(page.content_type)
        name = label if _TYPE.fullmatch(label) and (label in self._refused or len(self._refused) < _MOST_TYPES) else "other"
        self._refused.add(name)
        self._crawl.counting.inc(f"reading/refused_count/{name}")

    def wants(self, page: Page) -> bool:
        """Whether to read an answer that is not `ok`: the answer to a soft-404 probe is read whatever its status."""
        return page.lease.kind == SOFT404_PROBE and bool(page.body) and not page.error and is_text(page.content_type, page.body)

    async def read(self, page: Page) -> None:
        """Set text, links and the rest of `page`, or its error.

        A page that was being read when a worker died is read in a process of its own. If the page was the cause, only that
        process dies; if not, the page is read as any other."""
        if len(page.body) > self._crawl.options.archive_body_bytes:
            page.body, page.truncated = page.body[: self._crawl.options.archive_body_bytes], "length"
        if page.lease.kind in SOURCES:
            await self._sources.read(page)
            return
        await self._warm_up()
        mark = self._crawl.store.mark
        has_crashed = page.lease.crashes > 0
        if not has_crashed:  # it is read apart then and cannot crash this process
            mark.begin(page.lease.uid)
        try:
            turn = self._crawl.long_work.reading(page.lease)
            reading = await self._reader.read(page.body, page.content_type, page.url, apart=has_crashed, turn=turn)
            if reading.document in PACKED:
                self._crawl.counting.inc(f"reading/document_count/{reading.document}")
            if reading.error:
                page.error = ERROR_OF_CUT.get(page.truncated, BROKEN) if reading.error == BROKEN else reading.error
            else:
                mark.begin(page.lease.uid)  # again: while this page was being read, another one may have taken the mark
                await self._fill(page, reading)
                if page.lease.kind == SEED and is_source(page.body):
                    await self._sources.read_seed(page)
        except GivenUp:
            page.error = "aborted"
        finally:
            mark.end()

    async def _warm_up(self) -> None:
        """Load what reading the first page would load (parsers and dictionaries, up to two seconds) before any page is marked.

        Otherwise a process that is killed at its start again and again would put the blame on the best URL, which it leases
        first. The dictionary of Chinese words (33 MB) is loaded only for a topic with Chinese words; else the first Chinese
        text loads it."""
        if not self._warm:
            self._warm = True
            reading = await self._reader.read(FIRST_PAGE, "text/html; charset=utf-8", "http://localhost/")
            segmenter = self._crawl.topic.segmenter
            segmenter.terms(reading.text if segmenter.chinese else reading.title)

    async def _fill(self, page: Page, reading: Reading) -> None:
        set_facts(page, reading, self._crawl.options.robotstxt_user_agent)
        if reading.heavy:
            self._crawl.counting.inc("reading/heavy_count")
        start = thread_time()
        page.words = await terms_of(page.whole, self._crawl.topic.segmenter)
        page.timings["segment"] = 1000 * (thread_time() - start)
        if page.lease.kind == SOFT404_PROBE:
            simhash = self._crawl.dedup.simhash
            page.signature, page.links = signature_of(page.title, page.words, page.whole, simhash), []
        elif self._crawl.options.recrawl_signals:
            page.feeds = [url for url in reading.feeds if not source_rule(self._crawl.job.scope, url)]


def set_facts(page: Page, reading: Reading, agent: str) -> None:
    """Set on `page` what was read from its body, and what its owner forbids.

    Args:
        page: with headers and the time of its fetch.
        reading: without an error.
        agent: our product token in META robots and X-Robots-Tag.
    """
    page.charset, page.language, page.kind = reading.charset, reading.language, reading.kind
    page.title, page.keywords, page.description = reading.title, reading.keywords, reading.description
    page.summary, page.text, page.links = reading.summary, reading.text, reading.links
    page.canonical = reading.canonical
    _add_canonical(page)
    _add_refresh(page)
    page.timings |= reading.timings
    tags = [value for name, value in page.headers if name.lower() == "x-robots-tag"]
    rules = directives(reading.robots, tags, agent, page.fetched_at)
    page.noindex, page.nofollow = rules.noindex, rules.nofollow


def _add_canonical(page: Page) -> None:
    """Note the URL that a header Link names as the page's own, unless the page itself names one."""
    if page.canonical or not (url := canonical_in_headers(page.headers, page.url)):
        return
    page.canonical = url
    known = next((link for link in page.links if link.url == url), None)
    if (link := canonical_link(url, page.url, known)) and link is not known:
        page.links.append(link)


def _add_refresh(page: Page) -> None:
    """Add the target of a header Refresh as the first link, as for a meta refresh."""
    header = next((value for name, value in page.headers if name.lower() == "refresh"), "")
    url = normalize(target, page.url) if (target := refresh_target(header)) else None
    if url and url != page.url and not any(link.url == url for link in page.links):
        page.links.insert(0, Link(url, position="meta", in_site=in_site(host_name(url), host_name(page.url))))


async def terms_of(text: str, segmenter: Segmenter) -> list[str]:
    """The terms of a text. A long one is cut piece by piece, so that the event loop can do other work in between."""
    if len(text) <= PIECE:
        return segmenter.terms(text)
    words: list[str] = []
    for piece in pieces(text):
        words += segmenter.terms(piece)
        await asyncio.sleep(0)
    return words


def pieces(text: str) -> Iterator[str]:
    """A text in pieces of at most `PIECE` characters, which end with a line or a word where possible."""
    at = 0
    while at < len(text):
        end = at + PIECE
        if end < len(text):
            end = max(text.rfind("\n", at + PIECE // 2, end), text.rfind(" ", at + PIECE // 2, end)) + 1 or end
        yield text[at:end]
        at = end


def is_readable(content_type: str, body: bytes, documents: Collection[str] = PACKED, disposition: str = "") -> bool:
    """Whether an answer can be read as a page, or as a document of one of the formats `documents`. That is decided by its first
    bytes, because the Content-Type is often wrong.

    Texts for programs are no pages: references, calendars, feeds, and plain text that browsers are told to save (`disposition`,
    the value of Content-Disposition), unless plain text is wanted."""
    form = format_of(body, content_type)
    if form in PACKED:
        return form in documents
    if is_for_programs(content_type, body) or is_source(body):
        return False
    if disposition.strip().lower().startswith("attachment") and form != "markdown" and not is_html(body):
        return form == "text" and "txt" in documents
    return is_text(content_type, body)


def is_text(content_type: str, body: bytes) -> bool:
    """Whether an answer can be read as a page, by its Content-Type, or by its first bytes where that is missing or wrong."""
    kind = media_type(content_type)
    start = body[:1024]
    # A zero byte means binary data, unless the text is UTF-16: it has a byte order mark, or a `<` of two bytes.
    if b"\0" in start and not start.startswith((b"\xff\xfe", b"\xfe\xff")) and b"<\0" not in start and b"\0<" not in start:
        return start.lstrip()[:1] == b"<"
    if not kind or kind.startswith(TEXT_TYPES) or "html" in kind:
        return True
    if kind in UNDECLARED or "/" not in kind:  # what is no media type counts as none (WHATWG, MIME Sniffing, section 4.4)
        return is_html(body)
    return start.lstrip()[:14].lower().startswith((b"<!doctype html", b"<html"))
