"""The page that `scrapy trace` takes through the stages, either from the crawl's archive or fetched now."""

from __future__ import annotations

import time
from dataclasses import dataclass

from scrapy.crawler import CrawlerProcessBase

from focuscrawl.command_line.context import Context
from focuscrawl.config.options import read_options
from focuscrawl.errors import BadInput
from focuscrawl.inspect import trace as stages
from focuscrawl.items import Link, Page
from focuscrawl.politeness.robots_state import RobotsAnswer, RobotsState, decide
from focuscrawl.report.trace import Trace, TraceEnded
from focuscrawl.report.why import sentence
from focuscrawl.scrapy_side.fetch import Fetched, Fetches, OnePage
from focuscrawl.scrapy_side.resolver import guard_of
from focuscrawl.store.crawls import Crawl
from focuscrawl.store.engines.database import Database
from focuscrawl.store.explain import Explanation, connection_of, explain
from focuscrawl.store.pages.links import stored_links
from focuscrawl.store.warc.file import read_record
from focuscrawl.url.normalize import join, split


@dataclass(slots=True, frozen=True)
class TracedPage:
    """One URL, and what the crawl's store knows about it."""

    url: str
    crawl: Crawl
    db: Database
    tools: stages.Tools
    facts: Explanation

    @classmethod
    def of(cls, context: Context, crawl: Crawl, url: str, *, fetch: bool) -> TracedPage:
        """Read what the crawl knows about the URL. Raises BadInput if the crawl has no topic yet, or if the page is neither
        archived nor to be fetched."""
        db = crawl.open()
        tools = stages.tools_of(crawl, db, read_options(context.settings), guard_of(context.settings))
        facts = explain(db, url)
        if not fetch and not (facts.page and facts.page.warc):
            explanation = sentence(facts, time.time(), tools.agent)
            raise BadInput(f"crawl {crawl.name!r} has not archived {url}; --fetch fetches it now. {explanation}")
        return cls(url, crawl, db, tools, facts)

    def trace(self, process: CrawlerProcessBase | None) -> tuple[Trace, int]:
        """Run every stage. Returns the trace and the exit code, which is 1 if a stage failed. `process` fetches the page; None
        reads it from the archive."""
        name = self.crawl.name
        trace = Trace(self.url, f"fetched now, judged by crawl {name}" if process else f"from the archive of crawl {name}")
        try:
            page = self._fetched(trace, process) if process else self._archived(trace)
            stages.run(trace, self.tools, page, self._recorded_links())
        except TraceEnded as end:
            return trace, int(end.__cause__ is not None)
        return trace, 0

    def _archived(self, trace: Trace) -> Page:
        facts = self.facts.page
        assert facts is not None
        path = self.crawl.directory / "warc" / facts.warc
        ip_address, latency = connection_of(self.db, facts.page_id)
        stages.admit_url(trace, self.tools, self.url, facts.fetched_at, archived=True)
        trace.note("dns", f"{ip_address or 'IP address unknown'} when it was fetched")
        if ip_address:
            stages.admit_address(trace, self.tools, self.url, ip_address)
        stages.admit_robots(trace, self.tools, self.url, self.facts.robots, archived=True)
        record = trace.step("archive", lambda: read_record(path, facts.warc_offset), lambda _: path.name)
        size = f"{len(record.body):,} bytes"
        trace.note("fetch", f"status {record.status}, {size} in {1000 * latency:.0f} ms, when it was fetched")
        return stages.page_of(self.facts, record.status, record.headers, record.body, record.fetched_at)

    def _fetched(self, trace: Trace, process: CrawlerProcessBase) -> Page:
        fetches, tools, url, now = Fetches(), self.tools, self.url, time.time()
        robots_url, robots = join(split(url)[0], "/robots.txt"), self.facts.robots
        known = robots if robots and robots.expires_at > now else None

        def may_fetch(answer: Fetched) -> bool:
            return stages.allowed_by(_robots_of(answer, now), url, tools.agent)[0]

        stages.admit_url(trace, tools, url, now)
        if known:
            stages.admit_robots(trace, tools, url, known)
        first = "" if known else robots_url
        process.crawl(OnePage, url=url, robots=first, may_fetch=may_fetch, fetches=fetches)
        process.start()
        trace.note("dns and guard", fetches.problem or ", ".join(fetches.ip_addresses), 1000 * fetches.lookup_seconds)
        if fetches.problem:
            raise trace.end("end", "no connection is made to it")
        if asked := fetches.answers.get(robots_url):
            trace.note("robots.txt", asked.error or f"status {asked.status}", 1000 * asked.seconds)
            stages.admit_robots(trace, tools, url, _robots_of(asked, now))
        got = fetches.answers.get(url, Fetched(error="no answer"))
        trace.note("fetch", got.error or f"status {got.status}, {len(got.body):,} bytes", 1000 * got.seconds)
        if got.error or got.status != 200:
            raise trace.end("end", "there is no page to read")
        return stages.page_of(self.facts, got.status, got.headers, got.body, now)

    def _recorded_links(self) -> list[Link]:
        return stored_links(self.db, self.facts.page.page_id) if self.facts.page else []


def _robots_of(answer: Fetched, now: float) -> RobotsState:
    return decide(RobotsAnswer(answer.status, answer.body, cut=answer.cut), now)
