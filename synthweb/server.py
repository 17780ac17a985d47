"""Serves a synthetic web on the loopback addresses of its hosts, with faults and latency as the plan says."""

from __future__ import annotations

import asyncio
import gzip
import socket
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial

from synthweb.accesslog import Access, AccessLog
from synthweb.addresses import clean_target
from synthweb.faults import Fault, fault_of, in_burst
from synthweb.hosts import Host
from synthweb.web import Answer, Headers, SyntheticWeb
from synthweb.wire import Reply, Request, Respond, Wire, head

CACHE_BYTES = 64 * 1024 * 1024
BACKLOG = 1024
PORT_TRIES = 50
BUSY = {"error500": 500, "busy503": 503, "limit429": 429}


def open_sockets(addresses: Iterable[str], port: int) -> tuple[int, list[socket.socket]]:
    """Listen on one port of each address, which must be in 127.0.0.0/8; port 0 looks for one that is free on all.

    Raises ValueError for an address outside loopback and OSError when there is no such port.
    """
    unique = sorted(set(addresses))
    outside = [address for address in unique if not address.startswith("127.")]
    if outside:
        raise ValueError(f"not a loopback address: {outside[0]}")
    for attempt in range(PORT_TRIES):
        sockets: list[socket.socket] = []
        chosen = port
        try:
            for address in unique:
                sockets.append(listen(address, chosen))
                chosen = sockets[0].getsockname()[1]
        except OSError:
            for sock in sockets:
                sock.close()
            if port or attempt == PORT_TRIES - 1:
                raise
        else:
            return chosen, sockets
    raise OSError("no free port")


def listen(address: str, port: int) -> socket.socket:
    """A listening socket."""
    sock = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind((address, port))
        sock.listen(BACKLOG)
    except OSError:
        sock.close()
        raise
    return sock


async def serve(sockets: Iterable[socket.socket], respond: Respond) -> list[asyncio.Server]:
    """Answer requests on the sockets."""
    loop = asyncio.get_running_loop()
    return [await loop.create_server(partial(Wire, respond), sock=sock, backlog=BACKLOG) for sock in sockets]


@dataclass(frozen=True, slots=True)
class Ready:
    """An answer made ready for the wire."""

    status: int
    etag: str
    modified: str
    headers: tuple[tuple[str, str], ...]
    body: bytes
    packed: bytes
    """Gzip-encoded body; empty where the host does not compress."""
    plain_head: bytes
    packed_head: bytes

    @property
    def size(self) -> int:
        """Bytes held, about."""
        return len(self.body) + len(self.packed) + 1000


class Responder:
    """Turns requests into replies and logs them; rendered pages are kept up to `cache_bytes` (LRU)."""

    def __init__(
        self, web: SyntheticWeb, log: AccessLog, cache_bytes: int = CACHE_BYTES, clock: Callable[[], float] = time.time
    ) -> None:
        self.web = web
        self.log = log
        self.clock = clock
        """Of a living web, which is rendered anew for each request."""
        self.cache: OrderedDict[tuple[int, str], Ready] = OrderedDict()
        self.cache_bytes = cache_bytes
        self.cached = 0
        self.tries: Counter[str] = Counter()
        self.others: dict[str, Respond] = {}
        """Responders of hosts outside the plan, by name."""

    def __call__(self, request: Request) -> Reply:
        """The reply to a request."""
        host = self.web.layout.by_name.get(request.host)
        if request.host in self.others:
            return self.others[request.host](request)
        if host is None:
            self.record(request, 421)
            return Reply(head(421, (), 0))
        fault = self.fault(host, request)
        if fault.kind:
            return self.failure(host, request, fault)
        reply, status = self.healthy(host, request)
        self.count_in(request, reply)
        reply.delay = host.role.latency + self.web.plan.latency
        self.record(request, status)
        return reply

    def count_in(self, request: Request, reply: Reply) -> None:
        """Count a request as in flight until its reply is out."""
        flying = self.log.in_flight
        flying[request.host] += 1
        reply.done = partial(flying.subtract, {request.host: 1})

    def record(self, request: Request, status: int, fault: str = "") -> None:
        """Write the access log."""
        name, agent = request.host, request.fields.get("user-agent", "")
        flying = self.log.in_flight[name]
        self.log.add(
            Access(time.monotonic(), name, request.target, status, agent, request.address, flying, request.method, fault)
        )

    def fault(self, host: Host, request: Request) -> Fault:
        """The failure due now, if any."""
        if self.web.living and self.web.living.life.down(host, self.clock()):
            return Fault(host.role.outage, 1)
        if not host.role.faults or request.target == "/robots.txt":
            return Fault()
        if in_burst(host, self.log.counts[host.name]):
            return Fault("busy503", 1, 1)
        target = clean_target(request.target)
        fault = fault_of(self.web.plan.seed, host, target)
        self.tries[host.name + target] += 1
        return fault if self.tries[host.name + target] <= fault.times else Fault()

    def failure(self, host: Host, request: Request, fault: Fault) -> Reply:
        """A failed reply."""
        status = BUSY.get(fault.kind, 0)
        if status:
            wait = (("Retry-After", str(fault.retry_after)),) if fault.retry_after else ()
            body = b"<title>error</title>please come back later"
            reply = Reply(head(status, (("Content-Type", "text/html"), *wait), len(body)) + body)
        elif fault.kind == "cut":
            reply, status = self.cut(host, request)
        else:
            reply = Reply(end=fault.kind)
        self.count_in(request, reply)
        self.record(request, status, fault.kind)
        return reply

    def cut(self, host: Host, request: Request) -> tuple[Reply, int]:
        """A gzip body that breaks off though its length is right, or a plain one that is shorter than announced."""
        ready = self.ready(host, request.target)
        body = ready.packed if self.wants_gzip(request) and ready.packed else ready.body
        half = body[: len(body) // 2]
        if body is ready.packed:
            return Reply(head(ready.status, (*ready.headers, ("Content-Encoding", "gzip")), len(half)) + half), ready.status
        return Reply(head(ready.status, ready.headers, len(body)) + half, end="close"), ready.status

    @staticmethod
    def wants_gzip(request: Request) -> bool:
        """Whether the client takes gzip."""
        return "gzip" in request.fields.get("accept-encoding", "")

    def healthy(self, host: Host, request: Request) -> tuple[Reply, int]:
        """The page, 304, or the head alone."""
        if request.method not in ("GET", "HEAD"):
            return Reply(head(405, (("Allow", "GET, HEAD"),), 0)), 405
        ready = self.ready(host, request.target)
        if (ready.etag or ready.modified) and self.unchanged(ready, request.fields) and self.conditional(host):
            return Reply(head(304, (("ETag", ready.etag),) if ready.etag else (), None)), 304
        packed = bool(ready.packed) and self.wants_gzip(request)
        start, body = (ready.packed_head, ready.packed) if packed else (ready.plain_head, ready.body)
        return Reply(start if request.method == "HEAD" else start + body), ready.status

    def conditional(self, host: Host) -> bool:
        """Whether the host ever answers 304."""
        return not self.web.living or host.role.validation != "ignored"

    @staticmethod
    def unchanged(ready: Ready, fields: dict[str, str]) -> bool:
        """RFC 9110 section 13: If-None-Match counts before If-Modified-Since."""
        if "if-none-match" in fields:
            return bool(ready.etag) and ready.etag in fields["if-none-match"]
        return bool(ready.modified) and fields.get("if-modified-since") == ready.modified

    def ready(self, host: Host, target: str) -> Ready:
        """The answer to an address, rendered or from the cache."""
        if self.web.living:
            return self.make_living(host, target)
        key = host.index, target
        ready = self.cache.get(key)
        if ready is not None:
            self.cache.move_to_end(key)
            return ready
        ready = self.make_ready(host, target)
        self.cache[key] = ready
        self.cached += ready.size
        while self.cached > self.cache_bytes:
            self.cached -= self.cache.popitem(last=False)[1].size
        return ready

    def make_ready(self, host: Host, target: str) -> Ready:
        """Render an answer."""
        answer = self.web.answer(host, target)
        page = answer.status == 200 and target != "/robots.txt"
        etag = answer.etag if page and host.role.validators else ""
        headers = (*answer.headers, ("ETag", etag)) if etag else answer.headers
        modified = dict(answer.headers).get("Last-Modified", "") if etag else ""
        return self.packed(host, answer, headers, etag, modified, page)

    def make_living(self, host: Host, target: str) -> Ready:
        """Render an answer of a living web as it is now."""
        answer = self.web.answer(host, target, self.clock())
        page, headers = answer.status == 200 and target != "/robots.txt", answer.headers
        if page and host.role.validation == "shifting":
            headers = (*headers, ("ETag", f'"{self.log.counts.total()}"'))
        told = dict(headers)
        return self.packed(host, answer, headers, told.get("ETag", ""), told.get("Last-Modified", ""), page)

    @staticmethod
    def packed(host: Host, answer: Answer, headers: Headers, etag: str, modified: str, page: bool) -> Ready:
        """An answer with its heads for the wire."""
        packed = gzip.compress(answer.body, 1, mtime=0) if host.role.gzip and page else b""
        return Ready(
            status=answer.status,
            etag=etag,
            modified=modified,
            headers=headers,
            body=answer.body,
            packed=packed,
            plain_head=head(answer.status, headers, len(answer.body)),
            packed_head=head(answer.status, (*headers, ("Content-Encoding", "gzip"), ("Vary", "Accept-Encoding")), len(packed)),
        )
