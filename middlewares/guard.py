"""Lets out only plain GET and HEAD requests to web ports, over our own connections.

IP addresses are judged in the resolver, which alone sees them. Here stand the rules that need nothing but the request, and a
last check of the IP address that answered, in case a download handler has a resolver of its own.
"""

from __future__ import annotations

import re

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import Response
from scrapy.statscollectors import StatsCollector
from scrapy.utils.httpobj import urlparse_cached

from focuscrawl.politeness.guard import Guard
from focuscrawl.politeness.ip_literals import literal
from focuscrawl.scrapy_side.failures import Refused
from focuscrawl.scrapy_side.resolver import guard_of
from focuscrawl.url.authority import SCHEME_PORTS, port_of

_INJECTION = re.compile(rb"[\r\n\x00]")


class GuardMiddleware:
    """Refuses what the guard's rules forbid; counts `guard/refused_count/RULE`."""

    def __init__(self, guard: Guard, stats: StatsCollector):
        self.guard = guard
        self.stats = stats

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> GuardMiddleware:
        assert crawler.stats is not None
        return cls(guard_of(crawler.settings), crawler.stats)

    def process_request(self, request: Request) -> None:
        refused = self._problem(request)
        if refused is not None:
            self._count(refused)
            raise refused

    def process_response(self, request: Request, response: Response) -> Response:
        if response.ip_address is not None:
            problem = self.guard.address_problem(str(response.ip_address))
            if problem:
                refused = Refused("address", f"{problem} address {response.ip_address}")
                self._count(refused)
                raise refused
        return response

    def _problem(self, request: Request) -> Refused | None:
        if request.method not in ("GET", "HEAD"):
            return Refused("method", request.method)
        if request.meta.get("proxy"):
            return Refused("proxy", "a proxy would connect for us, past the guard")
        if _injects(request):
            return Refused("header", "line break or NUL")
        return self._target_problem(request)

    def _target_problem(self, request: Request) -> Refused | None:
        parts = urlparse_cached(request)
        if parts.scheme not in SCHEME_PORTS:
            return Refused("scheme", parts.scheme)
        try:
            port = port_of(parts)
            address = literal(parts.hostname or "")
        except ValueError as error:
            return Refused("host", str(error)[:100])
        if not parts.hostname:
            return Refused("host", "no host name")
        if address is not None:
            problem = self.guard.address_problem(address)
            if problem:
                return Refused("address", f"{problem} address {address}")
        if address is not None or self.guard.decides_by_port:
            problem = self.guard.port_problem(port, address)
            return Refused("port", problem) if problem else None
        return None

    def _count(self, refused: Refused) -> None:
        self.stats.inc_value(f"guard/refused_count/{refused.rule}")


def _injects(request: Request) -> bool:
    if _INJECTION.search(request.url.encode("utf-8", "replace")):
        return True
    return any(
        _INJECTION.search(name) or any(_INJECTION.search(value) for value in values) for name, values in request.headers.items()
    )
