"""A small HTTP/1.1 server protocol for loopback: keep-alive, one request at a time, raw control over every byte."""

from __future__ import annotations

import asyncio
import socket
import struct
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import cast

LONGEST_HEAD = 131_072
REASONS = {
    200: "OK", 206: "Partial Content", 301: "Moved Permanently", 302: "Found", 304: "Not Modified", 404: "Not Found",
    405: "Method Not Allowed", 410: "Gone", 421: "Misdirected Request", 429: "Too Many Requests",
    500: "Internal Server Error", 503: "Service Unavailable",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Request:
    """A request without body."""

    method: str
    host: str
    """Host field in lower case, port removed."""
    target: str
    fields: dict[str, str]
    address: str
    """Own address of the connection."""
    keep: bool


@dataclass(slots=True)
class Reply:
    """What to send: all of `blob` after `delay` seconds, or whatever `script` writes."""

    blob: bytes = b""
    delay: float = 0.0
    end: str = "keep"
    """keep, close, reset (RST) or hang (say nothing more)."""
    script: Callable[[Wire], Awaitable[None]] | None = None
    done: Callable[[], None] = field(default=lambda: None)
    """Called once when the reply is out or the connection is gone."""


Respond = Callable[[Request], Reply]


def head(status: int, headers: tuple[tuple[str, str], ...], length: int | None) -> bytes:
    """Status line and header fields; no Content-Length if `length` is None."""
    lines = [f"HTTP/1.1 {status} {REASONS.get(status, 'Status')}"]
    lines += [f"{name}: {value}" for name, value in headers]
    if length is not None:
        lines.append(f"Content-Length: {length}")
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1", "replace")


class Wire(asyncio.Protocol):
    """One connection of a client."""

    def __init__(self, respond: Respond) -> None:
        self.respond = respond
        self.buffer = b""
        self.busy = False
        self.transport: asyncio.Transport = cast("asyncio.Transport", None)
        self.timer: asyncio.TimerHandle | None = None
        self.task: asyncio.Task[None] | None = None
        self.reply = Reply()
        self.writable = asyncio.Event()
        self.writable.set()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Asyncio calls this first."""
        self.transport = cast("asyncio.Transport", transport)
        self.address = transport.get_extra_info("sockname")[0]

    def connection_lost(self, exc: Exception | None) -> None:
        """The client went away or we closed."""
        self.writable.set()
        if self.timer:
            self.timer.cancel()
        if self.task:
            self.task.cancel()
        if self.busy:
            self.busy = False
            self.reply.done()

    def pause_writing(self) -> None:
        """The client reads too slowly."""
        self.writable.clear()

    def resume_writing(self) -> None:
        """The client has caught up."""
        self.writable.set()

    def data_received(self, data: bytes) -> None:
        """Bytes of requests; a further request waits until the one before is answered."""
        self.buffer += data
        if len(self.buffer) > LONGEST_HEAD:
            self.transport.abort()
        elif not self.busy:
            self.next_request()

    def next_request(self) -> None:
        """Answer the next complete request in the buffer."""
        while not self.busy and not self.transport.is_closing():
            end = self.buffer.find(b"\r\n\r\n")
            if end < 0:
                return
            text, self.buffer = self.buffer[:end].decode("latin-1"), self.buffer[end + 4 :]
            request = self.parse(text)
            if request is None:
                self.transport.abort()
                return
            self.busy = True
            self.reply = reply = self.respond(request)
            if not request.keep and reply.end == "keep":
                reply.end = "close"
            self.start(reply)

    def parse(self, text: str) -> Request | None:
        """Read a request; None if it is none. Absolute targets (as sent to a proxy) name the host themselves."""
        lines = text.split("\r\n")
        words = lines[0].split(" ")
        if len(words) != 3:
            return None
        method, target, version = words
        pairs = (line.partition(":") for line in lines[1:])
        fields = {name.strip().lower(): value.strip() for name, _, value in pairs}
        host = fields.get("host", "")
        if target.startswith("http://"):
            host, slash, rest = target[7:].partition("/")
            target = slash + rest or "/"
        close = fields.get("connection", "").lower() == "close" or version == "HTTP/1.0"
        return Request(method, host.rpartition(":")[0] or host, target, fields, self.address, not close)

    def start(self, reply: Reply) -> None:
        """Send a reply now, later, by script, or never."""
        if reply.script:
            self.task = asyncio.get_running_loop().create_task(self.play(reply))
        elif reply.delay:
            self.timer = asyncio.get_running_loop().call_later(reply.delay, self.send, reply)
        else:
            self.send(reply)

    async def play(self, reply: Reply) -> None:
        """Let a script write."""
        if reply.script:
            await reply.script(self)
        self.send(reply)

    async def write(self, data: bytes) -> bool:
        """Write with flow control; False when the client is gone."""
        await self.writable.wait()
        if self.transport.is_closing():
            return False
        self.transport.write(data)
        return True

    def send(self, reply: Reply) -> None:
        """Write the blob and end as the reply says."""
        self.timer = None
        if self.transport.is_closing():
            return
        if reply.blob:
            self.transport.write(reply.blob)
        if reply.end == "hang":
            return
        self.busy = False
        reply.done()
        if reply.end == "reset":
            sock = self.transport.get_extra_info("socket")
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.transport.abort()
        elif reply.end == "close":
            self.transport.close()
        elif self.buffer:
            asyncio.get_running_loop().call_soon(self.next_request)
