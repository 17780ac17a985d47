"""A stub name server on loopback: A records of the synthetic web's hosts, nothing else exists (RFC 1035)."""

from __future__ import annotations

import asyncio
import struct
import time
from collections import deque
from collections.abc import Mapping
from typing import cast

A = 1
QR_AA_RD_RA = 0x8580
NO_ERROR, SERVER_FAILURE, NO_NAME = 0, 2, 3
KEPT = 200_000


class StubDns(asyncio.DatagramProtocol):
    """Answers A with one address and TTL, other types with an empty answer, unknown names with NXDOMAIN."""

    def __init__(self, addresses: Mapping[str, str], ttl: int, failing: frozenset[str] = frozenset()) -> None:
        self.addresses = addresses
        self.ttl = ttl
        self.failing = failing
        """Names that get SERVFAIL."""
        self.queries: deque[tuple[float, str, int]] = deque(maxlen=KEPT)
        """(monotonic seconds, name, type) of each question."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Asyncio calls this first."""
        self.transport = cast("asyncio.DatagramTransport", transport)

    def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
        """One question; what is not understood gets no answer."""
        answer = self.answer(data)
        if answer:
            self.transport.sendto(answer, addr)

    def answer(self, data: bytes) -> bytes:
        """The answer to a query; empty for bytes that are none."""
        try:
            name, kind, end = read_question(data)
        except (IndexError, struct.error, UnicodeDecodeError):
            return b""
        self.queries.append((time.monotonic(), name, kind))
        code = SERVER_FAILURE if name in self.failing else NO_ERROR if name in self.addresses else NO_NAME
        record = b""
        if code == NO_ERROR and kind == A:
            octets = bytes(map(int, self.addresses[name].split(".")))
            record = b"\xc0\x0c" + struct.pack("!HHIH", A, 1, self.ttl, 4) + octets
        header = data[:2] + struct.pack("!HHHHH", QR_AA_RD_RA | code, 1, bool(record), 0, 0)
        return header + data[12:end] + record


def read_question(data: bytes) -> tuple[str, int, int]:
    """Name in lower case, type, and where the question ends."""
    if len(data) < 17 or data[2] & 0x80:
        raise IndexError("not a query")
    at, labels = 12, []
    while data[at]:
        labels.append(data[at + 1 : at + 1 + data[at]].decode("ascii"))
        at += data[at] + 1
    (kind,) = struct.unpack("!H", data[at + 1 : at + 3])
    return ".".join(labels).lower(), kind, at + 5


async def serve_dns(port: int, dns: StubDns) -> tuple[asyncio.DatagramTransport, int]:
    """Listen on 127.0.0.1; port 0 takes a free one. Returns the transport and the port."""
    loop = asyncio.get_running_loop()
    transport, _ = await loop.create_datagram_endpoint(lambda: dns, local_addr=("127.0.0.1", port))
    return transport, transport.get_extra_info("sockname")[1]
