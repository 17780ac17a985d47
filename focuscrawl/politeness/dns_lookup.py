"""What the name servers say about a host: both address families, aliases, and the next server for a silent one."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from focuscrawl.politeness.dns_query import NoReply, Reply, Server, ask

MAX_ALIASES = 8
_KNOWN = ("NOERROR", "NXDOMAIN")
_GRACE = 0.3
"""Seconds that the slower address family is waited for once the other has addresses."""
_AT_ONCE = 100
"""Hosts looked up at a time: more datagrams at once overflow the socket buffers of small servers, and are lost."""
_REST = 30.0
"""Seconds that a silent server is asked last."""


@dataclass(slots=True, frozen=True)
class Found:
    """Addresses, IPv4 first, or a problem: `nxdomain`, `nodata`, `servfail` or `timeout`."""

    addresses: tuple[str, ...] = ()
    ttl: int | None = None
    problem: str = ""


class Lookup:
    """Asks `servers` in rotation; a silent or failing one is passed over for the next, `rounds` times around.

    timeout: seconds for one question to one server.
    """

    def __init__(self, servers: Sequence[Server], timeout: float = 2.0, rounds: int = 2):
        self.servers = tuple(servers)
        self._timeout = timeout
        self._rounds = rounds
        self._turn = 0
        self._silent_until: dict[Server, float] = {}
        self._places = asyncio.Semaphore(_AT_ONCE)

    async def addresses(self, name: str, now: float) -> Found:
        """Addresses of an ASCII host name, following at most MAX_ALIASES aliases that the servers did not follow."""
        target, seen, ttls = name, {name}, set[int]()
        for _ in range(MAX_ALIASES):
            async with self._places:
                v4, v6 = await self._both(target, now)
            ttls |= {reply.ttl for reply in (v4, v6) if reply.ttl is not None}
            if v4.addresses or v6.addresses:
                return Found(v4.addresses + v6.addresses, min(ttls, default=None))
            target = v4.alias or v6.alias
            if not target or target in seen:
                return Found(problem=_problem(v4, v6))
            seen.add(target)
        return Found(problem="servfail")

    async def _both(self, name: str, now: float) -> tuple[Reply, Reply]:
        """Replies for A and AAAA; a family that lags behind a successful one is given up: its Reply is empty."""
        tasks = [asyncio.ensure_future(self._ask(name, kind, now)) for kind in ("A", "AAAA")]
        try:
            done, late = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            if late:
                await asyncio.wait(late, timeout=_GRACE if any(task.result().addresses for task in done) else None)
            v4, v6 = (task.result() if task.done() else Reply() for task in tasks)
            return v4, v6
        finally:
            for task in tasks:
                task.cancel()

    async def _ask(self, name: str, kind: str, now: float) -> Reply:
        """The first usable reply; the last unusable one, or an empty Reply, if there is none."""
        last = Reply()
        for server in self._order(now) * self._rounds:
            try:
                reply = await ask(server, name, kind, self._timeout)
            except NoReply:
                self._silent_until[server] = now + _REST
                continue
            self._silent_until.pop(server, None)
            if reply.rcode in _KNOWN:
                return reply
            last = reply
        return last

    def _order(self, now: float) -> list[Server]:
        self._turn = (self._turn + 1) % len(self.servers)
        turned = self.servers[self._turn :] + self.servers[: self._turn]
        return sorted(turned, key=lambda server: self._silent_until.get(server, 0.0) > now)


def _problem(v4: Reply, v6: Reply) -> str:
    codes = (v4.rcode, v6.rcode)
    if any(code not in _KNOWN for code in codes):
        return "timeout" if "" in codes else "servfail"
    return "nxdomain" if "NXDOMAIN" in codes else "nodata"
