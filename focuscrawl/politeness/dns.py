"""The IP addresses of a host, and how long they hold: a caching resolver that never blocks the event loop.

An answer lives for its TTL, clamped to 60 s - 24 h, or for one hour if it has none; failures live shorter. At most one query
per host is in flight, however many callers wait for it. When no server answers, addresses that were good before are used a
little longer (RFC 8767). All times are epoch seconds.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from focuscrawl.politeness.dns_query import Lookup
from focuscrawl.politeness.dns_sources import Server, ascii_name, loopback_name
from focuscrawl.politeness.ip_literals import literal, plain
from focuscrawl.recent import Recent

AHEAD_AT_ONCE = 8
"""Hosts that are looked up ahead at the same time."""


class LookupFailed(LookupError):
    """No IP address was found for a host; `reason` is `nxdomain`, `nodata`, `servfail`, `timeout` or `badname`."""

    def __init__(self, host: str, reason: str):
        super().__init__(f"{host}: {reason}")
        self.host = host
        self.reason = reason


@dataclass(slots=True, frozen=True)
class HostAddresses:
    """What is known of a host: its IP addresses, IPv4 first, or a problem."""

    host: str
    addresses: tuple[str, ...] = ()
    expires_at: float = 0.0
    good_until: float = 0.0
    """End of the time to live. After it the addresses are stale and used only because no server answers."""
    problem: str = ""
    """One of the reasons of LookupFailed; empty if there are addresses."""


@dataclass(slots=True, frozen=True)
class Lifetimes:
    """Seconds for which answers and failures hold."""

    shortest: float = 60.0
    longest: float = 86_400.0
    without_ttl: float = 3_600.0
    unknown: float = 600.0
    """For NXDOMAIN and for a name without addresses."""
    failed: float = 30.0
    """For SERVFAIL, refusals and timeouts."""
    stale: float = 86_400.0
    """How much longer a good answer may serve after its end, while no server answers."""

    def of(self, ttl: int | None) -> float:
        """Seconds that an answer lives; `ttl` is None if it has none."""
        return self.without_ttl if ttl is None else min(max(float(ttl), self.shortest), self.longest)

    def of_problem(self, problem: str) -> float:
        """Seconds that a failure is remembered."""
        return self.unknown if problem in ("nxdomain", "nodata") else self.failed


class Resolver:
    """Looks up hosts at `servers` and nowhere else. `hosts` gives fixed addresses, and answers for `size` hosts are cached.

    Must be used from one event loop. `counts` holds `hit`, `miss`, `stale`, `ahead` and `failed/REASON`.
    """

    def __init__(
        self,
        servers: Sequence[Server],
        *,
        hosts: Mapping[str, tuple[str, ...]] | None = None,
        timeout: float = 2.0,
        size: int = 20_000,
    ):
        self.counts: Counter[str] = Counter()
        self._lookup = Lookup(servers, timeout)
        self._hosts = dict(hosts or {})
        self._lifetimes = Lifetimes()
        self._cache: Recent[str, HostAddresses] = Recent(size)
        """Answers by ASCII name."""
        self._lookups: dict[str, asyncio.Task[HostAddresses]] = {}

    def known(self, host: str, now: float) -> HostAddresses | None:
        """The answer if it needs no query, because the address is literal, fixed or cached; None if a server must be asked."""
        try:
            address = literal(host)
            name = "" if address else ascii_name(host)
        except ValueError:
            return HostAddresses(host, problem="badname", expires_at=now + self._lifetimes.longest)
        fixed = (str(plain(address)),) if address else loopback_name(name) or self._hosts.get(name, ())
        if fixed:
            return HostAddresses(host, fixed, now + self._lifetimes.without_ttl, now + self._lifetimes.without_ttl)
        answer = self._cache.get(name)
        if answer is None or answer.expires_at <= now:
            return None
        self._cache.note(name, answer)
        return answer

    async def resolve(self, host: str, now: float) -> HostAddresses:
        """Addresses of a host name or literal address. An unknown host is no exception: see `HostAddresses.problem`."""
        answer = self.known(host, now)
        if answer is not None:
            self.counts["hit"] += 1
            return answer
        name = ascii_name(host)  # valid, since `known` has read it
        task = self._lookups.get(name)
        if task is None:
            self.counts["miss"] += 1
            task = asyncio.get_running_loop().create_task(self._ask(name, now))
            self._lookups[name] = task
            task.add_done_callback(lambda _: self._lookups.pop(name, None))
        # A caller that is cancelled must not cancel the query for the others.
        return await asyncio.shield(task)

    async def prefetch(self, hosts: Iterable[str], now: float) -> None:
        """Look up hosts that will be needed soon, a few at a time."""
        unknown = [host for host in dict.fromkeys(hosts) if self.known(host, now) is None]
        self.counts["ahead"] += len(unknown)
        slots = asyncio.Semaphore(AHEAD_AT_ONCE)

        async def one(host: str) -> None:
            async with slots:
                await self.resolve(host, now)

        await asyncio.gather(*(one(host) for host in unknown))

    def prefer(self, host: str, ip_address: str) -> None:
        """Put the address that has just answered first, for as long as the cached answer lives."""
        name = host.lower().removesuffix(".")
        answer = self._cache.get(name)
        if answer and ip_address in answer.addresses[1:]:
            rest = tuple(other for other in answer.addresses if other != ip_address)
            self._cache[name] = replace(answer, addresses=(ip_address, *rest))

    async def close(self) -> None:
        """Cancel the queries in flight."""
        tasks = list(self._lookups.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _ask(self, name: str, now: float) -> HostAddresses:
        found = await self._lookup.addresses(name, now)
        if found.problem:
            self.counts[f"failed/{found.problem}"] += 1
            answer = self._failure(name, found.problem, now)
        else:
            end = now + self._lifetimes.of(found.ttl)
            answer = HostAddresses(name, found.addresses, end, end)
        self._cache.note(name, answer)
        return answer

    def _failure(self, name: str, problem: str, now: float) -> HostAddresses:
        """What is known after a failed look-up. If no server answered, addresses that were good before serve a little longer.
        That a name does not exist, or has no addresses, is an answer, so that they do not."""
        end = now + self._lifetimes.of_problem(problem)
        old = self._cache.get(name)
        unanswered = problem in ("servfail", "timeout")
        if unanswered and old and old.addresses and now <= old.good_until + self._lifetimes.stale:
            self.counts["stale"] += 1
            return replace(old, expires_at=end)
        return HostAddresses(name, problem=problem, expires_at=end)
