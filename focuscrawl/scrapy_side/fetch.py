"""Pages fetched now, outside any crawl: through our resolver and its guard, without frontier, pipelines or store.

`OnePage` is the spider of `scrapy trace --fetch`, which shows each step. `fetch_batch` fetches a few pages for `scrapy topic`,
by robots.txt, one at a time from each host. It does so in a process of its own, because a reactor can be run only once in a
process and the caller may want pages again and again: the child is `python -m focuscrawl.scrapy_side.fetch`, which reads a job
as JSON from standard input and writes one answer a line to standard output.
"""

from __future__ import annotations

import asyncio
import base64
import json
import os
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any
from urllib.parse import urlsplit

from scrapy import Request, Spider
from scrapy.http import Response
from scrapy.settings import BaseSettings, Settings

from focuscrawl.errors import BadInput
from focuscrawl.politeness.dns import LookupFailed
from focuscrawl.politeness.guard import AddressRefused
from focuscrawl.politeness.robots import MAX_BYTES, RobotsFile
from focuscrawl.politeness.robots_state import RobotsAnswer, decide
from focuscrawl.scrapy_side.failures import PROBLEMS, error_name, failure_of
from focuscrawl.scrapy_side.resolver import GuardedResolver
from focuscrawl.scrapy_side.responses import (
    HOPS,
    MOST_BYTES,
    MOST_REDIRECTS,
    REDIRECTS,
    fields_of,
    redirect_target,
    robots_answer,
    robots_redirect,
)
from focuscrawl.url.authority import port_of
from focuscrawl.url.normalize import join, split

ALONE: dict[str, Any] = {
    "SCHEDULER": "scrapy.core.scheduler.Scheduler",
    "DOWNLOADER_MIDDLEWARES_BASE": {
        "scrapy.downloadermiddlewares.defaultheaders.DefaultHeadersMiddleware": 400,
        "focuscrawl.scrapy_side.contact.ContactMiddleware": 410,
        "middlewares.body.BodyMiddleware": 590,
    },
    "DOWNLOAD_HANDLERS_BASE": {
        "http": "focuscrawl.scrapy_side.download_handler.BoundedHandler",
        "https": "focuscrawl.scrapy_side.download_handler.BoundedHandler",
    },
    "SPIDER_MIDDLEWARES_BASE": {},
    "EXTENSIONS_BASE": {},
    "ITEM_PIPELINES_BASE": {},
    "DOWNLOAD_DELAY": 0,
}
"""Settings under which a crawler fetches what its spider asks for, and nothing else."""
MOST_SECONDS = 300.0
"""Time limit of the child."""
PASSED_ON = (
    "USER_AGENT", "CONTACT", "DNS_SERVERS", "DNS_QUERY_TIMEOUT", "DNS_CACHE_SIZE", "GUARD_ALLOW_NETWORKS", "GUARD_ALLOW_PORTS",
    "TLS_POLICY", "DOWNLOAD_TIMEOUT", "DOWNLOAD_MAXSIZE", "ROBOTSTXT_OBEY", "ROBOTSTXT_USER_AGENT", "POLITENESS_DELAY",
)  # fmt: skip


def stand_alone(settings: BaseSettings) -> None:
    """Make a crawl of these settings fetch what its spider asks for, and nothing else."""
    for name, value in ALONE.items():
        settings.set(name, value, priority="cmdline")


def _resolver() -> GuardedResolver:
    from twisted.internet import reactor

    resolver = getattr(reactor, "nameResolver", None)
    assert isinstance(resolver, GuardedResolver), "TWISTED_DNS_RESOLVER must be ours: nothing would be guarded"
    return resolver


async def ip_addresses_of(url: str) -> tuple[str, ...]:
    """The IP addresses of the host of `url` that the guard allows. Raises LookupFailed or AddressRefused."""
    parts = urlsplit(url)
    return await _resolver().addresses(parts.hostname or "", port_of(parts))


# One page, step by step, in the crawler process of the command.


@dataclass(slots=True)
class Fetched:
    """The answer, or what failed."""

    status: int = 0
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
    ip_address: str = ""
    seconds: float = 0.0
    error: str = ""
    cut: bool = False
    """Whether it broke off."""


@dataclass(slots=True)
class Fetches:
    """What became of the look-up and of each request."""

    answers: dict[str, Fetched] = field(default_factory=dict)
    """By URL."""
    ip_addresses: tuple[str, ...] = ()
    """Those of the host that the guard allows."""
    problem: str = ""
    """Why there is no IP address."""
    lookup_seconds: float = 0.0


class OnePage(Spider):
    """Looks the host up, asks for robots.txt if `robots` names it, then for the page unless `may_fetch` says no."""

    name = "one-page"

    def __init__(self, url: str, robots: str, may_fetch: Any, fetches: Fetches, **arguments: Any) -> None:
        super().__init__(**arguments)
        self._url = url
        self._robots = robots
        self._may_fetch = may_fetch
        self._fetches = fetches

    async def start(self) -> AsyncIterator[Any]:
        if await self._resolve():
            yield self._request(self._robots or self._url)

    async def _resolve(self) -> bool:
        began = time.monotonic()
        try:
            self._fetches.ip_addresses = await ip_addresses_of(self._url)
        except (LookupFailed, AddressRefused) as problem:
            self._fetches.problem = str(problem)
        self._fetches.lookup_seconds = time.monotonic() - began
        return bool(self._fetches.ip_addresses)

    def _request(self, url: str, target: str = "", hops: int = 0) -> Request:
        meta = {"asked": url, "began": time.monotonic(), HOPS: hops} | ({MOST_BYTES: MAX_BYTES} if url == self._robots else {})
        return Request(target or url, self.parse, errback=self.failed, meta=meta, dont_filter=True)

    async def parse(self, response: Response) -> AsyncIterator[Any]:
        """An answer of any status; only redirects of robots.txt are followed."""
        headers = fields_of(response.headers)
        ip_address = str(response.ip_address or "")
        if response.meta["asked"] == self._robots:
            if target := robots_redirect(response):
                yield self._request(self._robots, target, response.meta.get(HOPS, 0) + 1)
                return
            answer = robots_answer(response)
            fetched = Fetched(answer.status, headers, answer.body, ip_address, cut=answer.cut)
        else:
            fetched = Fetched(response.status, headers, response.body, ip_address)
        self._note(response.meta, fetched)
        for request in self._next(response.meta["asked"]):
            yield request

    async def failed(self, failure: Any) -> AsyncIterator[Any]:
        failed, error = failure_of(failure)
        self._note(failed.meta, Fetched(error=error))
        for request in self._next(failed.meta["asked"]):
            yield request

    def _note(self, meta: dict[str, Any], fetched: Fetched) -> None:
        fetched.seconds = time.monotonic() - meta["began"]
        self._fetches.answers[meta["asked"]] = fetched

    def _next(self, asked: str) -> list[Request]:
        return [self._request(self._url)] if asked != self._url and self._may_fetch(self._fetches.answers[asked]) else []


# A few pages, in a process of their own.


@dataclass(slots=True, frozen=True)
class BatchAnswer:
    """What became of one URL. `error`: the short name of a failure, or the guard's sentence; empty when an answer came."""

    url: str
    final: str = ""
    """Where redirects led; normal."""
    status: int = 0
    content_type: str = ""
    body: bytes = b""
    error: str = ""


def fetch_batch(
    urls: Sequence[str], settings: BaseSettings, *, robots: bool = True, on_answer: Callable[[BatchAnswer], None] | None = None
) -> list[BatchAnswer]:
    """Fetch these normal URLs. `robots=False`: the user named this very URL, as one does with an API of his own.

    `on_answer` is called as each answer comes. Raises BadInput when the fetching process cannot work.
    """
    job = {"urls": list(urls), "robots": robots, "settings": {name: settings.get(name) for name in PASSED_ON}}
    command = [sys.executable, "-m", "focuscrawl.scrapy_side.fetch"]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(path or os.getcwd() for path in sys.path)}
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env)
    assert child.stdin is not None
    assert child.stdout is not None
    assert child.stderr is not None
    answers: dict[str, BatchAnswer] = {}
    try:
        child.stdin.write(json.dumps(job))
        child.stdin.close()
        for line in child.stdout:
            row = json.loads(line)
            answer = BatchAnswer(**{**row, "body": base64.b64decode(row["body"])})
            answers[answer.url] = answer
            if on_answer:
                on_answer(answer)
        problem = child.stderr.read().strip().rpartition("\n")[2]
        if child.wait() and not answers:
            raise BadInput(f"Nothing can be fetched: {problem or f'the fetching process ended with {child.returncode}'}")
    finally:
        child.kill()
        child.wait()
        child.stdout.close()
        child.stderr.close()
    return [answers.get(url, BatchAnswer(url, error="no answer")) for url in urls]


class BatchSpider(Spider):
    """Fetches each URL once, hosts side by side."""

    name = "batch"

    def __init__(self, urls: Sequence[str], robots: bool, delay: float, agent: str, **arguments: Any) -> None:
        super().__init__(**arguments)
        self._urls = urls
        self._delay = delay
        self._agent = agent
        self._obey = robots
        self._rules: dict[str, Callable[[str], bool]] = {}
        self._hosts: dict[str, asyncio.Lock] = {}

    async def start(self) -> AsyncIterator[Any]:
        await asyncio.wait_for(asyncio.gather(*map(self._one, self._urls)), MOST_SECONDS)
        return
        yield  # what makes it the generator that Scrapy wants

    async def _one(self, url: str) -> None:
        answer = await self._answer(url)
        print(json.dumps(asdict(answer) | {"body": base64.b64encode(answer.body).decode()}), flush=True)

    async def _answer(self, url: str) -> BatchAnswer:
        target = url
        for _ in range(MOST_REDIRECTS + 1):
            origin = split(target)[0]
            async with self._hosts.setdefault(origin, asyncio.Lock()):
                try:
                    await ip_addresses_of(target)
                    if not await self._allowed(origin, target):
                        return BatchAnswer(url, target, error="robots")
                    response = await self._get(target)
                except (LookupFailed, AddressRefused) as problem:
                    return BatchAnswer(url, target, error=str(problem))
                except PROBLEMS as problem:
                    return BatchAnswer(url, target, error=error_name(problem))
            if response.status not in REDIRECTS or not response.headers.get("Location"):
                kind = (response.headers.get("Content-Type") or b"").decode("latin-1")
                return BatchAnswer(url, target, response.status, kind, response.body)
            target = redirect_target(response)
            if not target:
                return BatchAnswer(url, error="redirect")
        return BatchAnswer(url, target, error="redirects")

    async def _allowed(self, origin: str, url: str) -> bool:
        if not self._obey:
            return True
        if origin not in self._rules:
            self._rules[origin] = await self._robots(join(origin, "/robots.txt"))
        return self._rules[origin](url)

    async def _robots(self, url: str) -> Callable[[str], bool]:
        try:
            state = decide(await self._robots_answer(url), time.time())
        except PROBLEMS:  # no answer: the origin must not be asked
            return lambda url: False
        if state.state != "rules":
            return lambda url: state.state == "allow"
        file = RobotsFile.parse(state.body)
        return lambda url: file.allowed(url, self._agent)

    async def _robots_answer(self, url: str) -> RobotsAnswer:
        """The answer to a request for robots.txt, behind its redirects."""
        response = await self._get(url, {MOST_BYTES: MAX_BYTES})
        while target := robots_redirect(response):
            response = await self._get(target, {MOST_BYTES: MAX_BYTES, HOPS: response.meta.get(HOPS, 0) + 1})
        return robots_answer(response)

    async def _get(self, url: str, meta: dict[str, Any] | None = None) -> Response:
        assert self.crawler.engine is not None
        response = await self.crawler.engine.download_async(Request(url, dont_filter=True, meta=meta))
        await asyncio.sleep(self._delay)
        return response


def main() -> None:
    """The child: one job."""
    from scrapy.crawler import AsyncCrawlerProcess

    job = json.loads(sys.stdin.read())
    settings = Settings()
    settings.setmodule("focuscrawl.settings", "project")
    for name, value in job["settings"].items():
        settings.set(name, value, "cmdline")
    settings.set("LOG_ENABLED", False, "cmdline")
    stand_alone(settings)
    process = AsyncCrawlerProcess(settings, install_root_handler=False)
    process.crawl(
        BatchSpider,
        urls=job["urls"],
        robots=job["robots"] and settings.getbool("ROBOTSTXT_OBEY"),
        delay=min(settings.getfloat("POLITENESS_DELAY"), 5.0),
        agent=str(settings.get("ROBOTSTXT_USER_AGENT") or "focuscrawl"),
    )
    process.start()
    sys.exit(int(process.bootstrap_failed))


if __name__ == "__main__":
    main()
