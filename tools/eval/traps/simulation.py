"""A whole crawl in one process without a network: leases, reading, judging and commits are the crawl's own (`CrawlProcess`,
spider and pipelines), only the answers come from a synthetic web, at once and in the order in which they were asked for."""

from __future__ import annotations

import asyncio
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from scrapy.exceptions import DropItem
from scrapy.http import HtmlResponse, Request, Response
from scrapy.settings import Settings

from focuscrawl.config.arguments import parse_arguments
from focuscrawl.config.job import job_of
from focuscrawl.config.options import read_options
from focuscrawl.crawl.process import CrawlProcess
from focuscrawl.crawl.runner import Answer
from focuscrawl.frontier.barrenness import Barren
from focuscrawl.items import Lease, Page
from focuscrawl.politeness.pace import RequestOutcome
from focuscrawl.url.normalize import split
from pipelines.archive import ArchivePipeline
from pipelines.dedup import DedupPipeline
from pipelines.link_scorer import LinkScorerPipeline
from pipelines.relevance import RelevancePipeline
from spiders.topic import TopicSpider
from synthweb.farms import TrappedWeb
from synthweb.topic_file import topic_file

SETTINGS: dict[str, Any] = {
    "POLITENESS_DELAY": 0.0,
    "POLITENESS_CONCURRENCY": 4,
    "POLITENESS_ADDRESS_DELAY": 0.0,
    "CONCURRENT_REQUESTS": 16,
    "FRONTIER_IDLE_STOP": 0.0,
    "FRONTIER_RETRY_DELAYS": [],
    "RELEVANCE_BEST_TEXT": False,
    "SEARCH_INDEX": False,
    "RECRAWL_SIGNALS": False,
    "CONTACT": "mailto:nobody@example.org",
}
"""Nothing waits, and nothing runs beside the crawl; what decides is as it comes."""
HUNG = 20.0
"""Seconds without a lease after which a simulation ends: then it does not hang."""


@dataclass
class Crawled:
    """What a simulated crawl asked for."""

    requests: list[str] = field(default_factory=list)
    """URLs, robots.txt too, in the order of the requests."""
    relevant: set[str] = field(default_factory=set)
    """Pages that were stored as relevant."""
    counters: Counter[str] = field(default_factory=Counter)
    barren: list[Barren] = field(default_factory=list)
    """Parts that proved barren."""
    reason: str = ""
    """Why the crawl ended, where it did before its requests were spent."""


class SimulatedRunner:
    """Implements `focuscrawl.crawl.runner.Runner`."""

    def __init__(self, crawled: Crawled) -> None:
        self._crawled = crawled
        self.woken, self.closed = asyncio.Event(), False

    def count(self, name: str, count: int) -> None:
        self._crawled.counters[name] += count

    def note(self, name: str, value: float) -> None:
        self._crawled.counters[name] = int(value)

    def figures(self) -> Mapping[str, Any]:
        return dict(self._crawled.counters)

    def wake(self) -> None:
        self.woken.set()

    def widen(self, requests: int) -> None:
        """Nothing: answers come one by one."""

    async def ask(self, url: str) -> Answer:
        """Nobody is there but the web."""
        return Answer(error="no connection")

    def close(self, reason: str) -> None:
        self._crawled.reason, self.closed = reason, True
        self.woken.set()


def crawl(
    web: TrappedWeb, strategy: str, requests: int, at_edge: str = "go-on", more_seeds: Sequence[str] = (), **settings: Any
) -> Crawled:
    """Spend so many requests on this web, fewer where the crawl ends at its edge."""
    with tempfile.TemporaryDirectory() as folder:
        topic = Path(folder, "topic.toml")
        topic.write_text(topic_file(web.web, web.web.plan.topic, more_seeds=more_seeds), "utf-8")
        arguments = {"seeds": str(topic), "strategy": strategy, "at_edge": at_edge}
        return asyncio.run(_crawl(web, arguments, requests, Path(folder), settings))


async def _crawl(
    web: TrappedWeb, arguments: Mapping[str, str], requests: int, folder: Path, given: Mapping[str, Any]
) -> Crawled:
    settings = Settings()
    settings.setmodule("focuscrawl.settings")
    for name, value in {**SETTINGS, "CRAWLS_DIR": str(folder / "crawls"), **given}.items():
        settings.set(name, value)
    job = job_of(parse_arguments(arguments))
    crawled = Crawled()
    runner = SimulatedRunner(crawled)
    crawl = CrawlProcess(runner, job, read_options(settings))
    await crawl.open()
    simulation = Simulation(web, crawl, crawled, runner)
    try:
        await simulation.run(requests)
    finally:
        await crawl.close("requests")
    crawled.barren = crawl.yields.barren()
    return crawled


class Simulation:
    """Takes leases as a scheduler does, and sends their pages through the pipelines."""

    def __init__(self, web: TrappedWeb, crawl: CrawlProcess, crawled: Crawled, runner: SimulatedRunner) -> None:
        self._web, self._crawl, self._crawled, self._runner = web, crawl, crawled, runner
        self._spider = TopicSpider(crawl)
        self._agent = crawl.options.robotstxt_user_agent
        self._pipelines = (
            RelevancePipeline(crawl.topic, crawl.leases.turns),
            DedupPipeline(crawl),
            LinkScorerPipeline(crawl),
            ArchivePipeline(crawl),
        )

    async def run(self, requests: int) -> None:
        """Until the requests are spent, or the crawl ends."""
        started = asyncio.ensure_future(self._start())
        while len(self._crawled.requests) < requests and not self._runner.closed:
            lease = self._crawl.leases.next()
            if lease is None:
                self._runner.woken.clear()
                try:
                    await asyncio.wait_for(self._runner.woken.wait(), HUNG)
                except TimeoutError:
                    self._crawled.reason = self._crawled.reason or "hung"
                    break
                continue
            await self._fetch(lease)
        started.cancel()

    async def _start(self) -> None:
        async for page in self._spider.start():
            await self._end(page)

    async def _fetch(self, lease: Lease) -> None:
        request = Request(lease.url, meta={"lease": lease})
        if not lease.robots and not self._allowed(lease.url):
            await self._end(Page(lease, lease.url, fetched_at=self._crawl.store.clock(), error="robots"))
            return
        self._crawled.requests.append(lease.url)
        answer = self._web.answer(lease.url)
        now = self._crawl.store.clock()
        if answer is None:
            self._crawl.report(lease, RequestOutcome(error="dns"))
            if lease.robots:
                await self._spider.robots.unreachable(request, "dns")
            else:
                await self._end(Page(lease, lease.url, fetched_at=now, error="dns"))
            return
        self._crawl.report(lease, RequestOutcome(latency=0.0, status=answer.status))
        headers = {name: [value] for name, value in answer.headers}
        response = HtmlResponse(lease.url, answer.status, headers, answer.body, request=request)
        if lease.robots:
            await self._robots(response)
            return
        async for page in self._spider.parse(response):
            await self._end(page)

    async def _robots(self, response: Response) -> None:
        async for further in self._spider.parse_robots(response):
            self._crawled.requests.append(further.url)
            answer = self._web.answer(further.url)
            self._crawl.report(further.meta["lease"], RequestOutcome(status=answer.status if answer else 404))
            body, status = (answer.body, answer.status) if answer else (b"", 404)
            await self._robots(HtmlResponse(further.url, status, body=body, request=further))

    def _allowed(self, url: str) -> bool:
        rules = self._crawl.robots.rules(split(url)[0])
        return rules is None or rules.allowed(url, self._agent)

    async def _end(self, item: Any) -> None:
        """The way of a page through the pipelines."""
        page: Page = item
        try:
            for pipeline in self._pipelines:
                ended = pipeline.process_item(item)
                item = await ended if asyncio.iscoroutine(ended) else ended
        except DropItem:
            return
        if page.verdict and page.verdict.relevant and page.duplicate is None:
            self._crawled.relevant.add(page.url)
