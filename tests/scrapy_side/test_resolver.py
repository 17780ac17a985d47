"""The guarded resolver: alone, and in a real crawl in a process of its own against a server that counts connections."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from scrapy.settings import Settings
from twisted.internet.address import IPv4Address, IPv6Address

from focuscrawl.errors import BadInput
from focuscrawl.politeness.dns import LookupFailed, Resolver
from focuscrawl.politeness.guard import AddressRefused, Guard
from focuscrawl.scrapy_side.resolver import LINKS, GuardedResolver, Prefetch, guard_of
from focuscrawl.store.frontier.discover import DiscoveredUrl
from tests import forked
from tests.patience import PATIENCE

_HOSTS = {
    "site.test": ("93.184.215.14", "2606:2800::1"),
    "inside.test": ("10.0.0.1",),
    "mixed.test": ("127.0.0.1", "93.184.215.14"),
}


class _Reactor:
    installed: object = None

    def installNameResolver(self, resolver: object) -> None:  # noqa: N802
        self.installed = resolver

    def addSystemEventTrigger(self, phase: str, event: str, work: object) -> None:  # noqa: N802
        assert (phase, event) == ("before", "shutdown")


class _Receiver:
    """Collects what Twisted would be told."""

    def __init__(self) -> None:
        self.addresses: list[IPv4Address | IPv6Address] = []
        self.completed = asyncio.Event()

    def resolutionBegan(self, resolution: Any) -> None:  # noqa: N802
        self.resolution = resolution

    def addressResolved(self, address: IPv4Address | IPv6Address) -> None:  # noqa: N802
        self.addresses.append(address)

    def resolutionComplete(self) -> None:  # noqa: N802
        assert not self.completed.is_set()
        self.completed.set()


def _resolver(guard: Guard | None = None) -> GuardedResolver:
    # Nothing listens on port 1: unknown names fail at once.
    resolver = Resolver([("127.0.0.1", 1)], hosts=_HOSTS, timeout=0.2)
    return GuardedResolver(_Reactor(), resolver, guard or Guard.of(), clock=lambda: 1_000.0)


def _announced(host: str, guard: Guard | None = None, port: int = 80, types: Any = None) -> list[Any]:
    async def main() -> list[Any]:
        receiver = _Receiver()
        resolution = _resolver(guard).resolveHostName(receiver, host, port, types)
        assert resolution.name == host
        resolution.cancel()
        await asyncio.wait_for(receiver.completed.wait(), PATIENCE)
        return receiver.addresses

    return asyncio.run(main())


def _addresses(host: str, port: int = 80) -> tuple[str, ...]:
    return asyncio.run(_resolver().addresses(host, port))


def test_addresses_are_announced_with_their_port_and_family() -> None:
    v4, v6 = IPv4Address("TCP", "93.184.215.14", 443), IPv6Address("TCP", "2606:2800::1", 443)
    assert _announced("site.test", port=443) == [v4, v6]
    assert _announced("site.test", port=443, types=[IPv6Address]) == [v6]


@pytest.mark.parametrize(
    "host",
    [
        "inside.test", "127.0.0.1", "0x7f.1", "::1", "::ffff:127.0.0.1", "0", "localhost", "a..b",
        pytest.param("none.test", marks=pytest.mark.system),
    ],
)  # fmt: skip
def test_nothing_is_announced_for_the_refused_and_the_unknown(host: str) -> None:
    assert _announced(host) == []


def test_of_mixed_answers_only_the_public_part_is_used() -> None:
    assert [address.host for address in _announced("mixed.test")] == ["93.184.215.14"]
    assert _addresses("mixed.test") == ("93.184.215.14",)


def test_ports() -> None:
    assert _announced("site.test", port=22) == []
    assert len(_announced("127.0.0.1", Guard.of(["127.0.0.0/8"]), port=22)) == 1
    with pytest.raises(AddressRefused, match="GUARD_ALLOW_PORTS"):
        _addresses("site.test", 22)


@pytest.mark.system
def test_why_there_is_no_address() -> None:
    with pytest.raises(AddressRefused, match=r"private address 10\.0\.0\.1"):
        _addresses("inside.test")
    for host, reason in (("none.test", "timeout"), ("a..b", "badname")):
        with pytest.raises(LookupFailed) as failed:
            _addresses(host)
        assert failed.value.reason == reason


def test_installs_itself_from_settings() -> None:
    class Process:
        settings = Settings({"DNS_SERVERS": "127.0.0.1:5353,[::1]:54", "GUARD_ALLOW_NETWORKS": "127.0.0.0/8"})

    reactor = _Reactor()
    resolver = GuardedResolver.from_crawler(Process(), reactor)  # type: ignore[arg-type]
    resolver.install_on_reactor()
    assert reactor.installed is resolver
    assert resolver.guard.problem("127.0.0.1", 5_000) == ""


@pytest.mark.parametrize(("name", "value"), [("GUARD_ALLOW_NETWORKS", "127.0.0.0/99"), ("GUARD_ALLOW_PORTS", "http")])
def test_bad_settings(name: str, value: str) -> None:
    with pytest.raises(BadInput, match=name):
        guard_of(Settings({name: value}))


class _Server(ThreadingHTTPServer):
    connections = 0

    def get_request(self) -> Any:
        self.connections += 1
        return super().get_request()


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"ok")

    def log_message(self, *args: object) -> None:
        """Quiet."""


@pytest.fixture
def server() -> Iterator[_Server]:
    with _Server(("127.0.0.1", 0), _Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        yield server
        server.shutdown()
        thread.join()


_FORMS = ["127.0.0.1", "2130706433", "0x7f.1", "0177.0.0.1", "127.1", "[::ffff:127.0.0.1]", "localhost", "a.localhost"]
_GUARDED = [*_FORMS, "0", "[::1]", "[::]", "169.254.169.254", "10.0.0.1", "[64:ff9b::7f00:1]", "１２７.0.0.1"]
_OURS = {"middlewares.guard.GuardMiddleware": 100, "middlewares.dns.DnsMiddleware": 300}


def _fetch(hosts: list[str], port: int, **settings: Any) -> dict[str, list[Any]]:
    wiring = {
        "TWISTED_DNS_RESOLVER": "focuscrawl.scrapy_side.resolver.GuardedResolver",
        "LOG_LEVEL": "ERROR",
        "TELNETCONSOLE_ENABLED": False,
        "REMOTE_CONTROL_ENABLED": False,
        "RETRY_ENABLED": False,
        "HTTPPROXY_ENABLED": False,
        "DNS_SERVERS": "127.0.0.1:1",
        **settings,
    }
    urls = {f"http://{host}:{port}/": host for host in hosts}
    done = forked.run("tests.scrapy_side.fetch_urls", json.dumps(wiring), *urls, env={"PATH": "/usr/bin:/bin"})
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr, done.stderr
    return {urls[url]: rest for url, *rest in json.loads(done.stdout)}


@pytest.mark.system
def test_a_crawl_opens_no_socket_to_guarded_addresses(server: _Server) -> None:
    port = server.server_port
    results = _fetch(_GUARDED, port, DOWNLOADER_MIDDLEWARES=_OURS, GUARD_ALLOW_PORTS=str(port))
    assert {host: (kind, rule) for host, (kind, rule, _) in results.items()} == dict.fromkeys(_GUARDED, ("Refused", "address"))
    assert server.connections == 0


@pytest.mark.system
def test_the_resolver_alone_opens_no_socket_either(server: _Server) -> None:
    port = server.server_port
    results = _fetch(_GUARDED, port, GUARD_ALLOW_PORTS=str(port))
    assert {kind for kind, *_ in results.values()} == {"CannotResolveHostError"}
    assert set(results) == set(_GUARDED)
    assert server.connections == 0


@pytest.mark.system
def test_allowed_networks_are_reached_on_any_port_and_the_rest_is_not(server: _Server) -> None:
    names = ["10.0.0.1", "[::1]", "unknown.test", "a_-.b..c"]
    results = _fetch([*_FORMS, *names], server.server_port, DOWNLOADER_MIDDLEWARES=_OURS, GUARD_ALLOW_NETWORKS="127.0.0.0/8")
    assert {host: results[host] for host in _FORMS} == {host: ["answer", 200, "127.0.0.1"] for host in _FORMS}
    assert [results[host][:2] for host in names] == [
        ["Refused", "address"],
        ["Refused", "address"],
        ["Refused", "dns"],
        ["Refused", "dns"],
    ]
    assert [results[host][2] for host in names[2:]] == ["timeout", "badname"]
    assert server.connections >= 1


def test_hosts_of_the_best_links_are_looked_up_once() -> None:
    asked: list[str] = []
    prefetch = Prefetch(asked.extend)
    prefetch(
        [DiscoveredUrl("http://a.test/1", 0.2), DiscoveredUrl("http://b.test:81/1", 0.9), DiscoveredUrl("http://a.test/2", 0.1)]
    )
    assert asked == ["b.test", "a.test"]
    prefetch([DiscoveredUrl("https://a.test/3", 0.8), DiscoveredUrl("http://c.test/", 0.1)])
    assert asked == ["b.test", "a.test", "c.test"]


def test_only_the_best_links_count() -> None:
    asked: list[str] = []
    Prefetch(asked.extend)([DiscoveredUrl(f"http://h{number}.test/", number / 100) for number in range(50)])
    assert asked == [f"h{number}.test" for number in range(49, 49 - LINKS, -1)]
