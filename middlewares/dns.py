"""Looks up the host's IP address before the request: for politeness by IP address, and to say why a host cannot be asked."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Protocol, cast

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import Response
from scrapy.statscollectors import StatsCollector
from scrapy.utils.httpobj import urlparse_cached
from scrapy.utils.misc import load_object

from focuscrawl.politeness.dns import LookupFailed
from focuscrawl.politeness.guard import AddressRefused
from focuscrawl.scrapy_side.crawl_runner import crawl_of, has_crawl
from focuscrawl.scrapy_side.failures import Aborted, Refused
from focuscrawl.scrapy_side.responses import IP_ADDRESS
from focuscrawl.url.authority import port_of

SHOWN = ("hit", "miss", "stale", "ahead", "mixed")
"""The resolver's counters that become stats."""


class AddressSource(Protocol):
    """The guarded resolver."""

    @property
    def counts(self) -> Mapping[str, int]:
        """Counters of the process."""

    async def addresses(self, host: str, port: int) -> tuple[str, ...]:
        """Checked addresses; LookupFailed or AddressRefused where there are none."""

    def knows(self, host: str) -> bool:
        """Whether `addresses` answers at once."""

    def prefer(self, host: str, ip_address: str) -> None:
        """Note that `ip_address` has answered for `host`, so that it is tried first from now on."""


class DnsMiddleware:
    """Looks the host up, by the resolver that will be asked again when the connection is made.

    Counts `dns/failed_count/REASON` and `dns/refused_count` of requests, and shows the resolver's own counters as
    `dns/hit_count`, `dns/miss_count`, `dns/stale_count`, `dns/ahead_count`, `dns/mixed_count`.
    """

    def __init__(
        self,
        source: Callable[[], AddressSource],
        stats: StatsCollector,
        aborting: asyncio.Event | None = None,
        waiting: Callable[[], AbstractContextManager[None]] = nullcontext,
    ):
        """`aborting`: set when what is in flight is not waited for any longer. `waiting`: wrapped around a look-up, so that a
        slow one lends its place to others."""
        self._source = source
        self.stats = stats
        self._aborting = aborting or asyncio.Event()
        self._waiting = waiting

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> DnsMiddleware:
        assert crawler.stats is not None
        if not has_crawl(crawler):
            return cls(lambda: installed_resolver(crawler), crawler.stats)
        crawl = crawl_of(crawler)
        return cls(
            lambda: installed_resolver(crawler), crawler.stats, crawl.stopping.aborting, crawl.long_work.waiting_for_answer
        )

    async def process_request(self, request: Request) -> None:
        parts = urlparse_cached(request)
        source, host = self._source(), parts.hostname or ""
        try:
            look_up = source.addresses(host, port_of(parts))
            addresses = await (look_up if source.knows(host) else self._unless_aborting(look_up))
        except LookupFailed as failed:
            self.stats.inc_value(f"dns/failed_count/{failed.reason}")
            raise Refused("dns", failed.reason) from None
        except AddressRefused as refused:
            self.stats.inc_value("dns/refused_count")
            raise Refused("port" if refused.reason.startswith("port") else "address", refused.reason) from None
        finally:
            for name in SHOWN:
                self.stats.set_value(f"dns/{name}_count", source.counts.get(name, 0))
        request.meta[IP_ADDRESS] = addresses[0]

    async def _unless_aborting(self, look_up: Awaitable[tuple[str, ...]]) -> tuple[str, ...]:
        """The result of a look-up, which may take a dozen seconds while name servers are silent. Raises Aborted."""
        found, abort = asyncio.ensure_future(look_up), asyncio.ensure_future(self._aborting.wait())
        try:
            with self._waiting():
                await asyncio.wait({found, abort}, return_when=asyncio.FIRST_COMPLETED)
            if not found.done():
                raise Aborted
            return found.result()
        finally:
            found.cancel()
            abort.cancel()

    def process_response(self, request: Request, response: Response) -> Response:
        if response.ip_address is not None:
            address = str(response.ip_address)
            if address != request.meta.get(IP_ADDRESS):
                self._source().prefer(urlparse_cached(request).hostname or "", address)
                request.meta[IP_ADDRESS] = address
        return response


def installed_resolver(crawler: Crawler) -> AddressSource:
    """The reactor's resolver, which TWISTED_DNS_RESOLVER must have made ours: without it nothing is guarded. Scrapy's processes
    install it before they start, its runners do not: there, the first request does."""
    from twisted.internet import reactor

    resolver = getattr(reactor, "nameResolver", None)
    if not hasattr(resolver, "addresses"):
        wanted = load_object(crawler.settings["TWISTED_DNS_RESOLVER"])
        if not hasattr(wanted, "addresses"):
            raise RuntimeError(
                "TWISTED_DNS_RESOLVER must be focuscrawl.scrapy_side.resolver.GuardedResolver: nothing is guarded"
            )
        resolver = wanted.from_crawler(crawler, reactor)
        resolver.install_on_reactor()
    return cast("AddressSource", resolver)
