"""Checks the disk, the clock, the limit of open files and the name servers of this machine."""

from __future__ import annotations

import os
import shutil
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from focuscrawl.command_line.doctor.finding import Finding, ok, problem, warning

FULL_BYTES, SCARCE_BYTES = 256 << 20, 5 << 30
"""Free bytes below which there is a problem, or a warning. A page takes some 20 kB in store and WARC, so 5 GB are 250 000
pages."""
FEW_INODES = 10_000
FILES_NEEDED, FILES_WANTED = 128, 1024
EARLIEST = 1_735_689_600.0
"""2025-01-01; a clock that shows an earlier time is wrong."""
CLOCK_SECONDS, SERVER_SECONDS = 0.05, 2.0
DNS_SECONDS = 2.0
QUERY = b"\x12\x34\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\x01"
"""A DNS query that every name server can answer: the name servers of the root zone."""


def disk(folder: Path) -> Iterator[Finding]:
    """Check the free space and the free inodes for CRAWLS_DIR."""
    there = next(part for part in (folder.resolve(), *folder.resolve().parents) if part.exists())
    if not os.access(there, os.W_OK):
        yield problem("disk", f"{there} cannot be written to", "change its owner, or set CRAWLS_DIR")
        return
    free, files = shutil.disk_usage(there).free, os.statvfs(there)
    text = f"{free / 1e9:,.1f} GB free at {there}"
    if free < FULL_BYTES:
        yield problem("disk", text, "make room: a crawl waits as soon as it cannot write")
    elif files.f_files and files.f_favail < FEW_INODES:
        yield problem("disk", f"{files.f_favail:,} files can still be made at {there}", "remove files that nobody needs")
    elif free < SCARCE_BYTES:
        yield warning("disk", text, "make room: 100 000 pages take about 2 GB")
    else:
        yield ok("disk", text)


def clock(server: Callable[[], float] | None = None, wall: Callable[[], float] = time.time) -> Iterator[Finding]:
    """Compare the wall clock with the monotonic clock, and with that of the PostgreSQL server if there is one."""
    began, counted = wall(), time.monotonic()
    time.sleep(0.2)
    drift = abs((wall() - began) - (time.monotonic() - counted))
    if began < EARLIEST:
        yield problem("clock", f"it says {time.strftime('%Y-%m-%d', time.gmtime(began))}", "set it, by NTP")
    elif drift > CLOCK_SECONDS:
        yield warning(
            "clock", f"it jumped by {drift:.2f} s within 0.2 s", "let NTP set it; crawls go by a clock that is never set"
        )
    else:
        yield from _against(server, wall)


def _against(server: Callable[[], float] | None, wall: Callable[[], float]) -> Iterator[Finding]:
    if server is None:
        yield ok("clock", f"{time.strftime('%Y-%m-%d %H:%M:%S UTC', time.gmtime(wall()))}, steady")
        return
    before, theirs, after = wall(), server(), wall()
    apart = theirs - (before + after) / 2
    if abs(apart) > SERVER_SECONDS + (after - before):
        yield warning(
            "clock", f"the PostgreSQL server's clock is {abs(apart):.1f} s {'ahead' if apart > 0 else 'behind'}",
            "let NTP set both; the crawl goes by the server's",
        )  # fmt: skip
    else:
        yield ok("clock", f"steady, {abs(apart):.2f} s apart from the PostgreSQL server's")


def open_files(limit: int | None = None) -> Iterator[Finding]:
    """Check the limit of file descriptors. `limit`: the limit; None reads the process's own."""
    if limit is None:
        try:
            import resource
        except ImportError:  # not POSIX
            return
        limit = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
        limit = 1 << 20 if limit == resource.RLIM_INFINITY else limit
    text = f"{limit:,} may be open"
    if limit < FILES_NEEDED:
        yield problem("open files", text, f"ulimit -n {FILES_WANTED}")
    elif limit < FILES_WANTED:
        yield warning("open files", text, f"ulimit -n {FILES_WANTED}; a crawl of 16 requests takes about 100")
    else:
        yield ok("open files", text)


def name_servers(servers: Sequence[tuple[str, int]]) -> Iterator[Finding]:
    """Check which of these name servers answer: those of DNS_SERVERS, or of the system if it is empty."""
    if not servers:
        yield problem("name servers", "there is none in /etc/resolv.conf", "set DNS_SERVERS")
        return
    silent = [f"{address}:{port}" for address, port in servers if not _answers(address, port)]
    if len(silent) == len(servers):
        yield problem("name servers", f"no answer from {', '.join(silent)}", "check the network, or set DNS_SERVERS")
    elif silent:
        yield warning("name servers", f"no answer from {', '.join(silent)}", "take it out of DNS_SERVERS or /etc/resolv.conf")
    else:
        yield ok("name servers", ", ".join(f"{address}:{port}" for address, port in servers))


def _answers(ip_address: str, port: int) -> bool:
    family = socket.AF_INET6 if ":" in ip_address else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as asked:
            asked.settimeout(DNS_SECONDS)
            asked.connect((ip_address, port))
            asked.send(QUERY)
            return asked.recv(4096)[:2] == QUERY[:2]
    except OSError:
        return False
