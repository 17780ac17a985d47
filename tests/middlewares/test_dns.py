"""The DNS middleware against a scripted resolver."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from ipaddress import ip_address
from types import SimpleNamespace

import pytest
from scrapy import Request
from scrapy.http import Response
from scrapy.utils.test import get_crawler

from focuscrawl.crawl import long_work
from focuscrawl.crawl.long_work import LongWork
from focuscrawl.politeness.dns import LookupFailed
from focuscrawl.politeness.guard import AddressRefused
from focuscrawl.scrapy_side.failures import Aborted, Refused
from middlewares import dns
from middlewares.dns import DnsMiddleware
from tests.patience import PATIENCE


class _Addresses:
    """Knows a.test and refuses the rest in different ways."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, int]] = []
        self.preferred: list[tuple[str, str]] = []
        self.counts = {"hit": 3, "failed/nxdomain": 1}

    async def addresses(self, host: str, port: int) -> tuple[str, ...]:
        self.asked.append((host, port))
        await asyncio.sleep(0)
        if host == "inside.test":
            raise AddressRefused(host, "private address 10.0.0.1")
        if port == 22:
            raise AddressRefused(host, "port 22 is not in GUARD_ALLOW_PORTS")
        if host != "a.test":
            raise LookupFailed(host, "nxdomain")
        return ("9.9.9.9", "9.9.9.8")

    def knows(self, host: str) -> bool:
        return host == "a.test"

    def prefetch(self, hosts: Iterable[str]) -> None:
        """Not used here."""

    def prefer(self, host: str, address: str) -> None:
        self.preferred.append((host, address))


def _middleware(source: _Addresses) -> DnsMiddleware:
    stats = get_crawler().stats
    assert stats is not None
    return DnsMiddleware(lambda: source, stats)


def test_the_address_is_noted_and_corrected_by_the_answer() -> None:
    source = _Addresses()
    middleware, request = _middleware(source), Request("https://a.test/x")
    asyncio.run(middleware.process_request(request))
    assert (request.meta["ip_address"], source.asked) == ("9.9.9.9", [("a.test", 443)])
    middleware.process_response(request, Response(request.url, ip_address=ip_address("9.9.9.9")))
    assert source.preferred == []
    middleware.process_response(request, Response(request.url, ip_address=ip_address("9.9.9.8")))
    assert (request.meta["ip_address"], source.preferred) == ("9.9.9.8", [("a.test", "9.9.9.8")])
    middleware.process_response(request, Response(request.url))
    assert request.meta["ip_address"] == "9.9.9.8"


class _Silent(_Addresses):
    """A resolver whose name servers do not answer before `answered` is set."""

    def __init__(self) -> None:
        super().__init__()
        self.answered = asyncio.Event()

    async def addresses(self, host: str, port: int) -> tuple[str, ...]:
        await self.answered.wait()
        raise LookupFailed(host, "timeout")


async def test_a_look_up_that_takes_long_lends_its_place_in_the_crawl(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(long_work, "SLOW_SECONDS", 0.01)
    source, crawler = _Silent(), get_crawler()
    work = LongWork(2, lambda lease, seconds: None, lambda: None, asyncio.Event())
    vars(crawler)["focuscrawl"] = SimpleNamespace(long_work=work, stopping=SimpleNamespace(aborting=work.aborting))
    monkeypatch.setattr(dns, "installed_resolver", lambda crawler: source)
    request = asyncio.ensure_future(DnsMiddleware.from_crawler(crawler).process_request(Request("https://silent.test/")))
    async with asyncio.timeout(PATIENCE):
        while not work.lent:
            await asyncio.sleep(0.01)
    lent = work.lent
    source.answered.set()
    with pytest.raises(Refused):
        await request
    assert [lent, work.lent] == [1, 0]


def test_counters_of_the_resolver_reach_the_stats() -> None:
    middleware = _middleware(_Addresses())
    asyncio.run(middleware.process_request(Request("https://a.test/x")))
    assert (middleware.stats.get_value("dns/hit_count"), middleware.stats.get_value("dns/miss_count")) == (3, 0)


@pytest.mark.parametrize(
    ("url", "rule", "detail", "stat"),
    [
        ("http://none.test/", "dns", "nxdomain", "dns/failed_count/nxdomain"),
        ("http://inside.test/", "address", "private address 10.0.0.1", "dns/refused_count"),
        ("http://a.test:22/", "port", "port 22 is not in GUARD_ALLOW_PORTS", "dns/refused_count"),
    ],
)
def test_problems_are_named(url: str, rule: str, detail: str, stat: str) -> None:
    middleware, request = _middleware(_Addresses()), Request(url)
    with pytest.raises(Refused) as refused:
        asyncio.run(middleware.process_request(request))
    assert (refused.value.rule, refused.value.detail) == (rule, detail)
    assert middleware.stats.get_value(stat) == 1
    assert "ip_address" not in request.meta


def test_a_crawl_that_stops_does_not_wait_for_silent_name_servers() -> None:
    class Silent(_Addresses):
        async def addresses(self, host: str, port: int) -> tuple[str, ...]:
            await asyncio.Event().wait()
            return ()

    async def ask() -> None:
        aborting, stats = asyncio.Event(), get_crawler().stats
        assert stats is not None
        asyncio.get_running_loop().call_later(0.05, aborting.set)
        await DnsMiddleware(Silent, stats, aborting).process_request(Request("http://silent.test/"))

    with pytest.raises(Aborted):
        asyncio.run(asyncio.wait_for(ask(), PATIENCE))
