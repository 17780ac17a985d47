"""Host names that spell an IP address, read as browsers do (WHATWG URL, section 3.5 "host parsing").

`2130706433`, `0x7f.1`, `0177.0.0.1` and full-width digits all mean 127.0.0.1 to a browser and to getaddrinfo.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address

from focuscrawl.url.authority import NUMBER, ipv4_of

Address = IPv4Address | IPv6Address

_DOTS = str.maketrans("。．｡", "...")
"""The ideographic full stops that IDNA takes for dots."""


@lru_cache(maxsize=4096)
def literal(host: str) -> Address | None:
    """The IP address that `host` spells, None for a name. Raises ValueError if it ends in a number but is not an address."""
    text = unicodedata.normalize("NFKC", host).translate(_DOTS).strip().lower()
    if ":" in text or text.startswith("["):
        return IPv6Address(_without_brackets(text))
    parts = text.split(".")
    if len(parts) > 1 and not parts[-1]:
        parts.pop()
    return ipv4_of(parts) if NUMBER.fullmatch(parts[-1]) else None


@lru_cache(maxsize=4096)
def plain(address: str | Address) -> Address:
    """The IP address as an object; an IPv4-mapped one (`::ffff:1.2.3.4`) as the IPv4 address to which packets go."""
    found = ip_address(address)
    mapped = found.ipv4_mapped if isinstance(found, IPv6Address) else None
    return mapped or found


def is_address(text: str) -> bool:
    """Whether a text is an IP address as it is usually written: `192.0.2.1`, `::1`."""
    try:
        ip_address(text)
    except ValueError:
        return False
    return True


def _without_brackets(text: str) -> str:
    inner = text[1:-1] if text.startswith("[") and text.endswith("]") else text
    if "%" in inner:
        raise ValueError("an address with a zone is local to this machine")
    return inner
