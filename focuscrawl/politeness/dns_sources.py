"""The name servers to ask (DNS_SERVERS, resolv.conf), and the names that need no query (the hosts file, localhost)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from focuscrawl.errors import BadInput
from focuscrawl.politeness.ip_literals import is_address
from focuscrawl.url.authority import normal_host

Server = tuple[str, int]
"""IP address and port."""

_LABEL = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_-])?")
_LOOPBACK = ("127.0.0.1", "::1")


def servers_of(values: Iterable[str]) -> tuple[Server, ...]:
    """DNS_SERVERS (`8.8.8.8`, `127.0.0.1:5353`, `[::1]:53`) as (IP address, port). Raises BadInput if one cannot be read."""
    return tuple(_server(text.strip()) for text in values if text.strip())


def system_servers(path: str = "/etc/resolv.conf") -> tuple[Server, ...]:
    """The name servers of this machine; 127.0.0.1 if none is named, as in the C library."""
    found: list[Server] = []
    for line in _lines(path):
        words = line.split()
        if len(words) >= 2 and words[0] == "nameserver" and is_address(words[1].partition("%")[0]):
            found.append((words[1], 53))
    return tuple(found) or (("127.0.0.1", 53),)


def system_hosts(path: str = "/etc/hosts") -> dict[str, tuple[str, ...]]:
    """The IP addresses of each name in the hosts file."""
    found: dict[str, tuple[str, ...]] = {}
    for line in _lines(path):
        address, *names = line.split("#")[0].split() or [""]
        if is_address(address):
            for name in names:
                found[name.lower()] = (*found.get(name.lower(), ()), address)
    return found


def loopback_name(name: str) -> tuple[str, ...]:
    """Loopback addresses if the name is `localhost` or below it, which no server is asked for (RFC 6761); else none."""
    return _LOOPBACK if name == "localhost" or name.endswith(".localhost") else ()


def ascii_name(host: str) -> str:
    """The host name as DNS knows it: lower case, punycode, no final dot. Raises ValueError if it cannot be a host name."""
    name = host.strip().lower().removesuffix(".")
    if not name.isascii():
        name = normal_host(name) or ""
    labels = name.split(".")
    if len(name) > 253 or not all(len(label) <= 63 and _LABEL.fullmatch(label) for label in labels):
        raise ValueError(f"{host[:80]!r} is no host name")
    return name


def _server(text: str) -> Server:
    found = re.fullmatch(r"\[([0-9a-fA-F:.]+)\](?::(\d{1,5}))?|([0-9.]+)(?::(\d{1,5}))?|([0-9a-fA-F:]+)", text)
    address = (found[1] or found[3] or found[5]) if found else ""
    port = int((found[2] or found[4] or "53") if found else 0)
    if not is_address(address) or not 0 < port < 65_536:
        raise BadInput(f"DNS_SERVERS: {text!r} is not an address (write 192.0.2.1, 127.0.0.1:5353 or [::1]:53)")
    return address, port


def _lines(path: str) -> list[str]:
    try:
        return Path(path).read_text("utf-8", "replace").splitlines()
    except OSError:
        return []
