"""The only place that turns a host into an address to connect to: DNS cache, then guard, then Twisted.

Scrapy's TWISTED_DNS_RESOLVER. Twisted asks it for every connection, for literal addresses too, and connects to nothing
but the addresses it hands out, so a refused address never gets a socket, however it was spelled and whatever a second
look-up says. Twisted's interface has no way to say why there is no address; `addresses` has, and the DNS middleware
asks it before each request.

`Prefetch` has names looked up before their URLs are leased.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Protocol

from twisted.internet.address import IPv4Address, IPv6Address
from twisted.internet.defer import Deferred
from twisted.internet.interfaces import IHostnameResolver, IHostResolution
from zope.interface import implementer

from focuscrawl.politeness.dns import HostAddresses, LookupFailed, Resolver
from focuscrawl.politeness.dns_sources import servers_of, system_hosts, system_servers
from focuscrawl.politeness.guard import AddressRefused, Guard
from focuscrawl.politeness.ip_literals import plain
from focuscrawl.recent import Recent
from focuscrawl.store.frontier.discover import DiscoveredUrl
from focuscrawl.url.hosts import host_name

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings

_log = logging.getLogger(__name__)
_MAX_ADDRESSES = 6

_AddressType = type[IPv4Address] | type[IPv6Address]
LINKS = 8
"""Best links of a page whose hosts are looked up."""
REMEMBERED = 4096
"""Hosts that are not asked for again; the resolver's cache knows how long their addresses are valid."""


class Receiver(Protocol):
    """Twisted's IResolutionReceiver, whose zope form type checkers cannot read. The names are Twisted's."""

    def resolutionBegan(self, resolution: object) -> None: ...  # noqa: N802

    def addressResolved(self, address: IPv4Address | IPv6Address) -> None: ...  # noqa: N802

    def resolutionComplete(self) -> None: ...  # noqa: N802


class Reactor(Protocol):
    """The part of Twisted's IReactorPluggableNameResolver that is used."""

    def installNameResolver(self, resolver: Any) -> object: ...  # noqa: N802

    def addSystemEventTrigger(self, phase: str, event: str, work: Callable[[], Any]) -> object: ...  # noqa: N802


@implementer(IHostResolution)
class _Resolution:
    """What Twisted wants to hold during a look-up; look-ups are shared, so nothing is cancelled."""

    def __init__(self, name: str):
        self.name = name

    def cancel(self) -> None:
        """Part of the interface; Twisted's own resolver cannot cancel either."""


@implementer(IHostnameResolver)
class GuardedResolver:
    """Hands out the checked addresses of a host. One per process, shared by its crawls."""

    def __init__(self, reactor: Reactor, resolver: Resolver, guard: Guard, clock: Callable[[], float] = time.time):
        self.resolver = resolver
        self.guard = guard
        self._reactor = reactor
        self._clock = clock
        self._tasks: set[asyncio.Task[None]] = set()

    @classmethod
    def from_crawler(cls, crawler: Crawler, reactor: Reactor) -> GuardedResolver:
        """Reads DNS_SERVERS, DNS_QUERY_TIMEOUT, DNS_CACHE_SIZE and GUARD_*; BadInput if they cannot be read."""
        return cls(reactor, _resolver(crawler.settings), guard_of(crawler.settings))

    def install_on_reactor(self) -> None:
        """Every connection by name from now on asks this resolver."""
        self._reactor.installNameResolver(self)
        self._reactor.addSystemEventTrigger("before", "shutdown", self._close)

    @property
    def counts(self) -> Mapping[str, int]:
        """Counters of the process: `hit`, `miss`, `stale`, `ahead`, `mixed`, `failed/REASON`."""
        return self.resolver.counts

    async def addresses(self, host: str, port: int) -> tuple[str, ...]:
        """Addresses of `host` that may be connected to on `port`, the one to try first in front.

        Raises LookupFailed where there is no address and AddressRefused where the guard refuses all of them.
        """
        return self._checked(host, port, await self.resolver.resolve(host, self._clock()))

    def knows(self, host: str) -> bool:
        """Whether `addresses` answers at once."""
        return self.resolver.known(host, self._clock()) is not None

    def prefetch(self, hosts: Iterable[str]) -> None:
        """Start looking up hosts that will be needed soon; returns at once."""
        self._start(self.resolver.prefetch(list(hosts), self._clock()))

    def prefer(self, host: str, ip_address: str) -> None:
        """`ip_address` has answered for `host`."""
        self.resolver.prefer(host, ip_address)

    def resolveHostName(  # noqa: N802 - the name is Twisted's
        self,
        resolutionReceiver: Receiver,  # noqa: N803
        hostName: str,  # noqa: N803
        portNumber: int = 0,  # noqa: N803
        addressTypes: Sequence[_AddressType] | None = None,  # noqa: N803
        transportSemantics: str = "TCP",  # noqa: N803
    ) -> _Resolution:
        """See twisted.internet.interfaces.IHostnameResolver; no address is announced where there is a problem."""
        resolution = _Resolution(hostName)
        resolutionReceiver.resolutionBegan(resolution)
        types = tuple(addressTypes or (IPv4Address, IPv6Address))
        known = self.resolver.known(hostName, self._clock())
        if known is not None:
            self._announce(resolutionReceiver, known, portNumber, types)
        else:
            self._start(self._resolve_and_announce(resolutionReceiver, hostName, portNumber, types))
        return resolution

    async def _resolve_and_announce(self, receiver: Receiver, host: str, port: int, types: tuple[_AddressType, ...]) -> None:
        answer = HostAddresses(host, problem="timeout")
        try:
            answer = await self.resolver.resolve(host, self._clock())
        except asyncio.CancelledError:
            _log.debug("Look-up of %s given up", host)
        finally:
            # Whatever happens, the connection attempt that waits for this must end.
            self._announce(receiver, answer, port, types)

    def _announce(self, receiver: Receiver, answer: HostAddresses, port: int, types: tuple[_AddressType, ...]) -> None:
        try:
            addresses = self._checked(answer.host, port, answer)
        except (LookupFailed, AddressRefused) as problem:
            _log.debug("No address to connect to: %s", problem)
            addresses = ()
        for address in addresses:
            kind: _AddressType = IPv4Address if plain(address).version == 4 else IPv6Address
            if kind in types:
                receiver.addressResolved(kind("TCP", address, port))
        receiver.resolutionComplete()

    def _checked(self, host: str, port: int, answer: HostAddresses) -> tuple[str, ...]:
        if not answer.addresses:
            raise LookupFailed(host, answer.problem or "nodata")
        problems = {address: self.guard.problem(address, port) for address in answer.addresses}
        good = tuple(address for address, problem in problems.items() if not problem)
        if not good:
            address, problem = next(iter(problems.items()))
            raise AddressRefused(host, problem if problem.startswith("port") else f"{problem} address {address}")
        if len(good) < len(problems):
            self.resolver.counts["mixed"] += 1
        return good[:_MAX_ADDRESSES]

    def _close(self) -> Deferred[None]:
        return Deferred.fromFuture(asyncio.ensure_future(self.resolver.close()))

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def guard_of(settings: BaseSettings) -> Guard:
    """The guard that GUARD_ALLOW_NETWORKS and GUARD_ALLOW_PORTS describe; BadInput if they cannot be read."""
    return Guard.of(settings.getlist("GUARD_ALLOW_NETWORKS"), settings.getlist("GUARD_ALLOW_PORTS"))


def _resolver(settings: BaseSettings) -> Resolver:
    servers = servers_of(str(value) for value in settings.getlist("DNS_SERVERS"))
    return Resolver(
        servers or system_servers(),
        hosts={} if servers else system_hosts(),
        timeout=settings.getfloat("DNS_QUERY_TIMEOUT", 2.0),
        size=settings.getint("DNS_CACHE_SIZE", 20_000),
    )


class Prefetch:
    """Looks up the hosts of the best links on relevant pages. `look_up` starts to look up names and returns at once; by default
    the process's resolver does it."""

    def __init__(self, look_up: Callable[[Iterable[str]], None] | None = None) -> None:
        self._look_up = look_up or _installed
        self._known: Recent[str, bool] = Recent(REMEMBERED)

    def __call__(self, found: Sequence[DiscoveredUrl]) -> None:
        """Look up the hosts of the best of these URLs."""
        best = sorted(found, key=attrgetter("priority"), reverse=True)[:LINKS]
        names = dict.fromkeys(map(host_name, dict.fromkeys([item.key.origin for item in best])))
        new = [name for name in names if name not in self._known]
        for name in new:
            self._known.note(name, True)
        if new:
            self._look_up(new)


def _installed(names: Iterable[str]) -> None:
    from twisted.internet import reactor

    resolver: object = getattr(reactor, "nameResolver", None)
    if isinstance(resolver, GuardedResolver):
        resolver.prefetch(names)
