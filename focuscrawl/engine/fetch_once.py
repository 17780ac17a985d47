"""One URL fetched now, through our resolver and its guard, without frontier, pipelines or store: for `scrapy trace --fetch`."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from scrapy import Request, Spider
from scrapy.http import Response
from scrapy.settings import BaseSettings

from focuscrawl.engine.failures import error_name
from focuscrawl.engine.resolver import GuardedResolver
from focuscrawl.politeness.dns import LookupFailed
from focuscrawl.politeness.guard import AddressRefused

ALONE: dict[str, Any] = {
    "SCHEDULER": "scrapy.core.scheduler.Scheduler",
    "DOWNLOADER_MIDDLEWARES_BASE": {
        "scrapy.downloadermiddlewares.defaultheaders.DefaultHeadersMiddleware": 400,
        "scrapy.downloadermiddlewares.useragent.UserAgentMiddleware": 410,
        "scrapy.downloadermiddlewares.httpcompression.HttpCompressionMiddleware": 590,
    },
    "DOWNLOAD_HANDLERS_BASE": {
        "http": "scrapy.core.downloader.handlers.http11.HTTP11DownloadHandler",
        "https": "scrapy.core.downloader.handlers.http11.HTTP11DownloadHandler",
    },
    "SPIDER_MIDDLEWARES_BASE": {},
    "EXTENSIONS_BASE": {},
    "ITEM_PIPELINES": {},
}


@dataclass(slots=True)
class Fetched:
    """The answer, or what failed."""

    status: int = 0
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
    address: str = ""
    seconds: float = 0.0
    error: str = ""


@dataclass(slots=True)
class Fetches:
    """What became of the look-up and of each request."""

    answers: dict[str, Fetched] = field(default_factory=dict)
    """By URL."""
    addresses: tuple[str, ...] = ()
    """Of the host; only those that the guard allows."""
    problem: str = ""
    """Why there is none."""
    lookup_seconds: float = 0.0


def stand_alone(settings: BaseSettings) -> None:
    """Make a crawl of these settings fetch what its spider asks for, and nothing else."""
    for name, value in ALONE.items():
        settings.set(name, value, priority="cmdline")


def _resolver() -> GuardedResolver:
    from twisted.internet import reactor

    resolver = getattr(reactor, "nameResolver", None)
    assert isinstance(resolver, GuardedResolver), "TWISTED_DNS_RESOLVER must be ours: nothing would be guarded"
    return resolver


async def addresses_of(url: str) -> tuple[str, ...]:
    """Where the host of `url` may be asked. Raises LookupFailed or AddressRefused."""
    parts = urlsplit(url)
    return await _resolver().addresses(parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80))


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
        if await self._look_up():
            yield self._request(self._robots or self._url)

    async def _look_up(self) -> bool:
        began = time.monotonic()
        try:
            self._fetches.addresses = await addresses_of(self._url)
        except (LookupFailed, AddressRefused) as problem:
            self._fetches.problem = str(problem)
        self._fetches.lookup_seconds = time.monotonic() - began
        return bool(self._fetches.addresses)

    def _request(self, url: str) -> Request:
        meta = {"asked": url, "began": time.monotonic()}
        return Request(url, self.parse, errback=self.failed, meta=meta, dont_filter=True)

    async def parse(self, response: Response) -> AsyncIterator[Any]:
        """An answer of any status; redirects are not followed."""
        headers = tuple(
            (name.decode("latin-1"), value.decode("latin-1")) for name, values in response.headers.items() for value in values
        )
        address = str(response.ip_address or "")
        self._note(response.meta, Fetched(response.status, headers, response.body, address))
        for request in self._next(response.meta["asked"]):
            yield request

    async def failed(self, failure: Any) -> AsyncIterator[Any]:
        self._note(failure.request.meta, Fetched(error=error_name(failure.value)))
        for request in self._next(failure.request.meta["asked"]):
            yield request

    def _note(self, meta: dict[str, Any], fetched: Fetched) -> None:
        fetched.seconds = time.monotonic() - meta["began"]
        self._fetches.answers[meta["asked"]] = fetched

    def _next(self, asked: str) -> list[Request]:
        return [self._request(self._url)] if asked != self._url and self._may_fetch(self._fetches.answers[asked]) else []
