"""DNS queries for the resolver: one query to one server (RFC 1035), and a look-up of both address families over all servers.

dnspython makes the messages and sends them: over UDP, then TCP if the answer does not fit (RFC 7766). It ignores answers with
a wrong id or question. Each query has a socket of its own, and so a random source port. The rotation among the servers, the
memory of silent ones and the race of both families are our code, because `dns.asyncresolver` asks for one family at a time and
begins every look-up with the same server, even a dead one.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import dns.asyncbackend
import dns.asyncquery
import dns.exception
import dns.message
import dns.rcode
import dns.rdatatype

from focuscrawl.politeness.dns_sources import Server

_KNOWN = ("NOERROR", "NXDOMAIN")
"""Codes of replies that say what there is of a name. After any other the next server is asked."""
_ROUNDS = 2
"""How often each server is asked."""


class NoReply(Exception):
    """The server did not answer in time, or not in a usable way."""


@dataclass(slots=True, frozen=True)
class Reply:
    """The answer of one server for one name and record type."""

    rcode: str = ""
    """`NOERROR`, `NXDOMAIN`, `SERVFAIL`, ..."""
    addresses: tuple[str, ...] = ()
    ttl: int | None = None
    """The smallest TTL, in seconds, among the records that lead to the addresses or alias; None if there is neither."""
    alias: str = ""
    """The last name of a chain of CNAMEs whose addresses are not in this answer; empty if there is none."""


async def ask(server: Server, name: str, kind: str, timeout: float) -> Reply:
    """Ask one server for the addresses of a host.

    Args:
        name: ASCII host name, without the final dot.
        kind: `A` or `AAAA`.
        timeout: Seconds for the whole exchange, over TCP too.

    Raises:
        NoReply: After `timeout`, on a network error, and if the answer cannot be read.
    """
    try:
        query = dns.message.make_query(name + ".", kind)
        async with asyncio.timeout(timeout):
            try:
                reply = await _over_udp(server, query)
            except dns.message.Truncated:
                reply = await dns.asyncquery.tcp(query, server[0], port=server[1], ignore_trailing=True)
    except (TimeoutError, OSError, EOFError, ValueError, dns.exception.DNSException) as error:
        raise NoReply(f"{server[0]}:{server[1]}: {error or type(error).__name__}") from None
    return _read(reply, dns.rdatatype.from_text(kind))


async def _over_udp(server: Server, query: dns.message.Message) -> dns.message.Message:
    """The answer over UDP. The socket is connected, which dnspython would not do by itself: the kernel then drops datagrams
    from other hosts, and reports a closed port at once instead of after the timeout."""
    address, port = server
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    backend: Any = dns.asyncbackend.get_default_backend()
    async with await backend.make_socket(family, socket.SOCK_DGRAM, 0, None, server) as connected:
        return await dns.asyncquery.udp(
            query, address, port=port, sock=connected, ignore_trailing=True, ignore_errors=True, raise_on_truncation=True
        )


def _read(reply: dns.message.Message, kind: dns.rdatatype.RdataType) -> Reply:
    rcode = dns.rcode.to_text(reply.rcode())
    if rcode not in _KNOWN or not isinstance(reply, dns.message.QueryMessage):
        return Reply(rcode=rcode)
    try:
        chain = reply.resolve_chaining()
    except dns.exception.DNSException:  # a CNAME loop, or an answer that contradicts itself
        return Reply(rcode="SERVFAIL")
    if chain.answer is None or chain.answer.rdtype != kind:
        if not chain.cnames:
            return Reply(rcode=rcode)
        return Reply(rcode, (), chain.minimum_ttl, chain.canonical_name.to_text(omit_final_dot=True).lower())
    return Reply(rcode=rcode, addresses=tuple(str(item) for item in chain.answer), ttl=chain.minimum_ttl)


MAX_ALIASES = 8
"""How many CNAMEs are followed over several answers; longer chains are given up."""
_GRACE = 0.3
"""Seconds to wait for the slower address family once the other has addresses."""
_AT_ONCE = 100
"""Hosts looked up at a time. More datagrams at once overflow the socket buffers of small servers, and are lost."""
_SILENT_FOR = 30.0
"""Seconds for which a silent server is asked last."""


@dataclass(slots=True, frozen=True)
class Addresses:
    """Addresses, IPv4 first, or a problem: `nxdomain`, `nodata`, `servfail` or `timeout`."""

    addresses: tuple[str, ...] = ()
    ttl: int | None = None
    problem: str = ""


class Lookup:
    """Asks `servers` in rotation. If one is silent or fails, the next is asked, up to _ROUNDS times each.

    timeout: seconds for one query to one server.
    """

    def __init__(self, servers: Sequence[Server], timeout: float = 2.0):
        self.servers = tuple(servers)
        self._timeout = timeout
        self._turn = 0
        self._silent_until: dict[Server, float] = {}
        self._slots = asyncio.Semaphore(_AT_ONCE)

    async def addresses(self, name: str, now: float) -> Addresses:
        """Addresses of an ASCII host name, following at most MAX_ALIASES aliases that the servers did not follow."""
        target, seen, ttls = name, {name}, set[int]()
        for _ in range(MAX_ALIASES):
            async with self._slots:
                v4, v6 = await self._both(target, now)
            ttls |= {reply.ttl for reply in (v4, v6) if reply.ttl is not None}
            if v4.addresses or v6.addresses:
                return Addresses(v4.addresses + v6.addresses, min(ttls, default=None))
            target = v4.alias or v6.alias
            if not target or target in seen:
                return Addresses(problem=_problem(v4, v6))
            seen.add(target)
        return Addresses(problem="servfail")

    async def _both(self, name: str, now: float) -> tuple[Reply, Reply]:
        """Replies for A and AAAA. If one family lags behind the other, which has addresses, its Reply is empty."""
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
        """The first usable reply; if there is none, the last unusable one, or an empty Reply if nobody answered."""
        last = Reply()
        for server in self._order(now) * _ROUNDS:
            try:
                reply = await ask(server, name, kind, self._timeout)
            except NoReply:
                self._silent_until[server] = now + _SILENT_FOR
                continue
            self._silent_until.pop(server, None)
            if reply.rcode in _KNOWN:
                return reply
            last = reply
        return last

    def _order(self, now: float) -> list[Server]:
        """All servers, another one first at each call, and those last that were silent."""
        self._turn = (self._turn + 1) % len(self.servers)
        turned = self.servers[self._turn :] + self.servers[: self._turn]
        return sorted(turned, key=lambda server: self._silent_until.get(server, 0.0) > now)


def _problem(v4: Reply, v6: Reply) -> str:
    """Why neither family has an address. An empty rcode means that no server replied."""
    codes = (v4.rcode, v6.rcode)
    if any(code not in _KNOWN for code in codes):
        return "timeout" if "" in codes else "servfail"
    return "nxdomain" if "NXDOMAIN" in codes else "nodata"
