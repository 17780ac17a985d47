"""The guard against connections to internal networks: refuses addresses that are not public and ports without web servers.

It checks the IP address that the connection will use, never the text of a URL, because names, numbers in odd bases and answers
that change between two look-ups all end as one address. The ranges are IANA's special-purpose registries (RFC 6890 and its
updates). They are kept here because the answer of `ipaddress.is_global` differs between patch releases.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from focuscrawl.errors import BadInput
from focuscrawl.politeness.ip_literals import Address

Network = IPv4Network | IPv6Network

MOST_JUDGED = 20_000
"""How many addresses a guard remembers with their verdicts, before it forgets all of them."""
DEFAULT_PORTS = ("80", "443", "81", "88", "8000", "8008", "8080", "8081", "8088", "8443", "8888")
"""The ports on which web servers usually listen."""

_REFUSED_V4 = {
    "metadata service": ("169.254.169.254/32", "168.63.129.16/32", "100.100.100.200/32", "192.0.0.192/32"),
    "loopback": ("127.0.0.0/8",),
    "this network": ("0.0.0.0/8",),
    "private": ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"),
    "shared by a carrier": ("100.64.0.0/10",),
    "link-local": ("169.254.0.0/16",),
    "protocol assignments": ("192.0.0.0/24",),
    "documentation": ("192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24"),
    "6to4 relay": ("192.88.99.0/24",),
    "benchmarking": ("198.18.0.0/15",),
    "multicast": ("224.0.0.0/4",),
    "reserved": ("240.0.0.0/4",),
}
_REFUSED_V6 = {
    "metadata service": ("fd00:ec2::254/128", "fd20:ce::254/128"),
    "loopback": ("::1/128",),
    "this network": ("::/128",),
    "IPv4-mapped": ("::ffff:0:0/96",),
    "IPv4-compatible": ("::/96",),
    "IPv4-translated": ("::ffff:0:0:0/96",),
    "NAT64": ("64:ff9b::/96", "64:ff9b:1::/48"),
    "6to4": ("2002::/16",),
    "Teredo": ("2001::/32",),
    "protocol assignments": ("2001::/23",),
    "documentation": ("2001:db8::/32", "3fff::/20"),
    "private": ("fc00::/7",),
    "link-local": ("fe80::/10",),
    "site-local": ("fec0::/10",),
    "multicast": ("ff00::/8",),
}


def _table(ranges: dict[str, tuple[str, ...]]) -> list[tuple[Network, str]]:
    """The networks with their names, narrow ones first, because some lie in others (`metadata service` in `link-local`)."""
    rows = [(ip_network(text), name) for name, texts in ranges.items() for text in texts]
    return sorted(rows, key=lambda row: -row[0].prefixlen)


_TABLES = {4: _table(_REFUSED_V4), 6: _table(_REFUSED_V6)}
_UNICAST_V6 = IPv6Network("2000::/3")
"""Global unicast, the only IPv6 range of public addresses."""


class AddressRefused(ValueError):
    """The guard refuses to connect to a host; `reason` is a few words on why."""

    def __init__(self, host: str, reason: str):
        super().__init__(f"{host}: {reason}")
        self.host = host
        self.reason = reason


@dataclass(slots=True, frozen=True)
class Guard:
    """The operator's exceptions to "public addresses and web ports only"."""

    networks: tuple[Network, ...] = ()
    ports: frozenset[int] = frozenset(int(port) for port in DEFAULT_PORTS)
    _judged: dict[str, str] = field(default_factory=dict, init=False, compare=False, repr=False)
    """`address_problem` by address as written, remembered because each is asked for three times a page."""

    @classmethod
    def of(cls, networks: Iterable[str] = (), ports: Iterable[str | int] = ()) -> Guard:
        """The guard for the values of GUARD_ALLOW_NETWORKS and GUARD_ALLOW_PORTS (`443`, `8000-8100`).

        Without any ports DEFAULT_PORTS hold. Raises BadInput if a value cannot be read.
        """
        allowed: set[int] = set()
        for text in [text for port in ports if (text := str(port).strip())] or DEFAULT_PORTS:
            allowed |= _ports(text)
        return cls(tuple(_network(text.strip()) for text in networks if text.strip()), frozenset(allowed))

    def address_problem(self, address: str | Address) -> str:
        """Why this address is refused, in a few words; empty if it is allowed."""
        if not isinstance(address, str):
            return self._problem(address)
        problem = self._judged.get(address)
        if problem is None:
            if len(self._judged) >= MOST_JUDGED:
                self._judged.clear()
            problem = self._judged[address] = self._problem(address)
        return problem

    def _problem(self, address: str | Address) -> str:
        try:
            found = ip_address(address)
        except ValueError:
            return "not an address"
        inner = _embedded(found)
        if inner is not None:
            # The packet arrives at the inner address, so that address must be allowed, and the outer form as well.
            wrapped = self._wrapped(found, inner)
            return wrapped or self.address_problem(inner)
        if self._allows(found):
            return ""
        if isinstance(found, IPv6Address) and found.scope_id:
            return "link-local"
        return _special(found)

    def port_problem(self, port: int, address: str | Address | None = None) -> str:
        """Why this port is refused; empty if it is allowed. Within the allowed networks every port is.

        Without an address the answer is final only if no networks are allowed: see `decides_by_port`.
        """
        if not 0 < port < 65_536:
            return f"port {port} does not exist"
        if port in self.ports or (address is not None and self._allows(_innermost(address))):
            return ""
        return f"port {port} is not in GUARD_ALLOW_PORTS"

    def problem(self, address: str | Address, port: int) -> str:
        """Why this address and port are refused: `address_problem`, or if that is empty `port_problem`."""
        return self.address_problem(address) or self.port_problem(port, address)

    @property
    def decides_by_port(self) -> bool:
        """Whether a port can be refused before the address is known."""
        return not self.networks

    def _allows(self, address: Address) -> bool:
        return any(address in network for network in self.networks)

    def _wrapped(self, outer: Address, inner: IPv4Address) -> str:
        """Why the outer form of an embedded address is refused; empty if it is allowed. A mapped address is only another
        spelling of the inner one, so an allowed network that holds the inner one allows both."""
        mapped = isinstance(outer, IPv6Address) and outer.ipv4_mapped is not None
        return "" if self._allows(outer) or (mapped and self._allows(inner)) else _special(outer)


def _special(address: Address) -> str:
    """The name of the special-purpose range in which the address lies; empty if it is public."""
    for network, name in _TABLES[address.version]:
        if address in network:
            return name
    return "" if address.version == 4 or address in _UNICAST_V6 else "reserved"


def _innermost(address: str | Address) -> Address:
    """The address at which packets arrive."""
    found = ip_address(address)
    return _embedded(found) or found


def _embedded(address: Address) -> IPv4Address | None:
    """The IPv4 address that an IPv6 transition address carries; None if it carries none."""
    if isinstance(address, IPv4Address) or int(address) <= 1:  # :: and ::1 lie in the range of IPv4-compatible addresses
        return None
    if address.ipv4_mapped or address.sixtofour:
        return address.ipv4_mapped or address.sixtofour
    if address.teredo:
        return address.teredo[1]
    if _special(address) in ("IPv4-compatible", "IPv4-translated", "NAT64"):
        return IPv4Address(int(address) & 0xFFFF_FFFF)
    return None


def _network(text: str) -> Network:
    try:
        return ip_network(text, strict=False)
    except ValueError:
        raise BadInput(f"GUARD_ALLOW_NETWORKS: {text!r} is not a network (write 10.0.0.0/8 or 192.0.2.7)") from None


def _ports(text: str) -> set[int]:
    first, dash, last = text.partition("-")
    try:
        low = int(first)
        high = int(last) if dash else low
    except ValueError:
        low, high = 0, 0
    if not 0 < low <= high < 65_536:
        raise BadInput(f"GUARD_ALLOW_PORTS: {text!r} is not a port (write 8080 or 8000-8100)")
    return set(range(low, high + 1))
