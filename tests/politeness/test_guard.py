"""The guard: no address that is not public, in whatever form."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_address

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from focuscrawl.errors import BadInput
from focuscrawl.politeness.guard import Guard

_GUARD = Guard.of()
_LOCAL = Guard.of(["127.0.0.0/8"])

_REFUSED_V4 = [
    "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.100.100.200", "100.127.255.255", "127.0.0.1",
    "127.255.255.254", "168.63.129.16", "169.254.0.1", "169.254.169.254", "169.254.170.2", "172.16.0.1",
    "172.31.255.255",
    "192.0.0.1", "192.0.0.170", "192.0.0.192", "192.0.2.1", "192.88.99.1", "192.168.0.1", "192.168.255.255",
    "198.18.0.1",
    "198.19.255.255", "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255",
]  # fmt: skip
_REFUSED_V6 = [
    "::", "::1", "::2", "64:ff9b:1::1", "100::1", "2001::1", "2001:2::1", "2001:10::1", "2001:20::1", "2001:db8::1",
    "2001:db8:1::1", "3fff::1", "5f00::1", "fc00::1", "fd00:ec2::254", "fd20:ce::254", "fdff::1", "fe80::1",
    "fe80::1%eth0",
    "febf::1", "fec0::1", "ff02::1", "ff0e::1", "4000::1", "1000::1", "::1:0", "e000::1",
]  # fmt: skip
_PUBLIC = [
    "1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.0",
    "172.15.255.255", "172.32.0.0", "192.0.1.0", "192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0",
    "223.255.255.255", "2001:200::1", "2001:4860:4860::8888", "2400:cb00::1", "2606:4700::1111", "2a00:1450::1",
    "2620::1",
]  # fmt: skip


def _forms(address: str) -> list[str]:
    """All IPv6 forms that carry an IPv4 address."""
    number = int(IPv4Address(address))
    high, low = number >> 16, number & 0xFFFF
    teredo = (0x2001 << 112) | (number ^ 0xFFFF_FFFF)
    return [
        f"::ffff:{address}",
        f"0:0:0:0:0:ffff:{high:x}:{low:x}",
        f"::ffff:0:{address}",
        f"::{address}",
        f"2002:{high:x}:{low:x}::",
        f"2002:{high:x}:{low:x}::1",
        f"64:ff9b::{address}",
        f"64:ff9b:1::{address}",
        str(IPv6Address(teredo)),
    ]


@pytest.mark.parametrize("address", _REFUSED_V4 + _REFUSED_V6)
def test_refused(address: str) -> None:
    assert _GUARD.address_problem(address)
    assert _GUARD.problem(address, 80)


@pytest.mark.parametrize("address", _PUBLIC)
def test_public(address: str) -> None:
    assert _GUARD.address_problem(address) == ""
    assert _LOCAL.problem(address, 443) == ""


@pytest.mark.parametrize("form", [form for address in [*_REFUSED_V4, "8.8.8.8"] for form in _forms(address)])
def test_ipv4_inside_ipv6(form: str) -> None:
    """With the public one too: nobody's site has such an address, so it is a trick or a mistake."""
    assert _GUARD.address_problem(form)


@pytest.mark.parametrize("text", ["", "example.com", "127.1", "1.2.3", "999.1.1.1", "[::1]", "::g"])
def test_not_an_address(text: str) -> None:
    assert _GUARD.address_problem(text) == "not an address"


def test_reasons_are_named() -> None:
    assert _GUARD.address_problem("169.254.169.254") == "metadata service"
    assert _GUARD.address_problem("127.0.0.1") == "loopback"
    assert _GUARD.address_problem("::ffff:8.8.8.8") == "IPv4-mapped"
    assert _GUARD.address_problem("2002:7f00:1::") == "6to4"
    assert _GUARD.address_problem("64:ff9b::127.0.0.1") == "NAT64"


def test_allowed_network() -> None:
    assert _LOCAL.address_problem("127.5.6.7") == ""
    assert _LOCAL.address_problem("::ffff:127.0.0.1") == ""
    for address in ("::1", "10.0.0.1", "2002:7f00:1::", "64:ff9b::7f00:1", "::127.0.0.1"):
        assert _LOCAL.address_problem(address), address


def test_a_network_of_transition_does_not_open_what_it_wraps() -> None:
    guard = Guard.of(["64:ff9b::/96"])
    assert guard.address_problem("64:ff9b::8.8.8.8") == ""
    assert guard.address_problem("64:ff9b::127.0.0.1") == "loopback"
    assert Guard.of(["64:ff9b::/96", "127.0.0.0/8"]).address_problem("64:ff9b::127.0.0.1") == ""


def test_ports() -> None:
    assert _GUARD.port_problem(80) == ""
    assert _GUARD.port_problem(443, "8.8.8.8") == ""
    for port in (22, 25, 3306, 6379, 9200, 11_211):
        assert _GUARD.port_problem(port, "8.8.8.8")
        assert _LOCAL.port_problem(port, "8.8.8.8")
        assert _LOCAL.port_problem(port, "127.0.0.1") == ""
        assert _LOCAL.port_problem(port, "::ffff:127.0.0.1") == ""
    for port in (0, -1, 65_536):
        assert _LOCAL.port_problem(port, "127.0.0.1")
    assert _GUARD.decides_by_port
    assert not _LOCAL.decides_by_port


def test_settings() -> None:
    guard = Guard.of(["10.1.2.3/8", " ::1 ", ""], ["443", "8000-8002"])
    assert [str(network) for network in guard.networks] == ["10.0.0.0/8", "::1/128"]
    assert guard.ports == {443, 8000, 8001, 8002}
    assert Guard.of([], [""]) == Guard.of() == Guard()


@pytest.mark.parametrize("text", ["abc", "10.0.0.0/33", "10.0.0", "1.2.3.4-5", "localhost"])
def test_bad_networks(text: str) -> None:
    with pytest.raises(BadInput, match="GUARD_ALLOW_NETWORKS"):
        Guard.of([text])


@pytest.mark.parametrize("text", ["http", "0", "65536", "-1", "9-8", "80-", "1.5"])
def test_bad_ports(text: str) -> None:
    with pytest.raises(BadInput, match="GUARD_ALLOW_PORTS"):
        Guard.of([], [text])


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_at_least_as_strict_as_the_standard_library_on_ipv4(number: int) -> None:
    address = ip_address(number)
    if not address.is_global or address.is_multicast:
        assert _GUARD.address_problem(address)
    assert all(_GUARD.address_problem(form) for form in _forms(str(address)))


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(st.integers(0, 2**128 - 1) | st.integers(0x2001 << 112, (0x2003 << 112) - 1))
def test_at_least_as_strict_as_the_standard_library_on_ipv6(number: int) -> None:
    address = IPv6Address(number)
    if not address.is_global or address.is_multicast:
        assert _GUARD.address_problem(address)
