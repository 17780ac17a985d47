"""The normal form of the `host[:port]` part of a URL, or None if it has none.

Follows the WHATWG URL standard's host parser (section 3.5), because links are written for browsers: percent-decoding,
UTS #46 mapping, numbers in odd bases as IPv4 addresses. Stricter in two points: labels hold only letters, digits, `-`
and `_`, and a trailing dot is dropped, since both forms name the same server.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from ipaddress import AddressValueError, IPv4Address, IPv6Address
from urllib.parse import ParseResult, SplitResult, unquote_to_bytes

import idna

_LONGEST = 1024
"""Characters of a raw authority; a host name has at most 253 octets, but each may be percent-encoded."""
_LABEL = re.compile(r"[a-z0-9_-]{1,63}", re.ASCII)
_PLAIN_HOST = re.compile(r"(?:[a-z0-9_-]{1,63}\.)*[a-z_-][a-z0-9_-]{0,62}", re.ASCII)
"""A lower-case ASCII name whose last label cannot be a number. It is normal as it stands."""
_JOINERS = "\u200c\u200d"
_RIGHT_TO_LEFT = frozenset({"R", "AL", "AN"})
NUMBER = re.compile(r"0x[0-9a-f]*|[0-9]+", re.ASCII)
"""Matches a part of an IPv4 address. A host whose last label it matches is one, or is invalid."""
SCHEME_PORTS = {"http": 80, "https": 443}
"""The schemes that are crawled, each with its default port, which normal URLs leave out."""


def port_of(parts: SplitResult | ParseResult) -> int:
    """The port of a URL, by default that of its scheme. Raises KeyError for a scheme that is not crawled, ValueError for an
    invalid port."""
    return SCHEME_PORTS[parts.scheme] if parts.port is None else parts.port


@lru_cache(maxsize=4096)
def normal_authority(scheme: str, raw: str) -> str | None:
    """`User@EXAMPLE.com.:80` -> `example.com`: without userinfo, default port, trailing dot; None if it is invalid."""
    host, port = _host_and_port(raw.rpartition("@")[2])
    number = _port_number(port)
    if number is None:
        return None
    name = normal_host(host)
    if name is None or number in (0, SCHEME_PORTS[scheme]):
        return name
    return f"{name}:{number}"


def normal_host(raw: str) -> str | None:
    """A host name in ASCII, a dotted quad, or an IPv6 address in brackets; None if no resolver would accept it."""
    if len(raw) > _LONGEST:
        return None
    if raw.startswith("["):
        return _ipv6(raw)
    try:
        text = unquote_to_bytes(raw).decode("utf-8") if "%" in raw else raw
        name = (text if text.isascii() else idna.uts46_remap(text, std3_rules=False)).lower().removesuffix(".")
    except UnicodeError:  # lone surrogates, too
        return None
    in_ascii = text.isascii()
    return name if in_ascii and len(name) <= 253 and _PLAIN_HOST.fullmatch(name) else _name_or_quad(name, in_ascii)


def _host_and_port(text: str) -> tuple[str, str]:
    """An authority without userinfo as (host, digits of the port or empty)."""
    head, colon, tail = text.rpartition(":")
    if not colon or "]" in tail:  # the colon is one of an IPv6 address
        return text, ""
    return head, tail


def _port_number(text: str) -> int | None:
    """The port; 0 if none is given, None if it is invalid."""
    if not text:
        return 0
    if not (text.isascii() and text.isdigit()):
        return None
    digits = text.lstrip("0")
    return int(digits) if 0 < len(digits) <= 5 and int(digits) <= 65535 else None


def _name_or_quad(name: str, in_ascii: bool) -> str | None:
    """A host name or a dotted quad in normal form. `in_ascii`: whether it was written in ASCII."""
    labels = name.split(".")
    if NUMBER.fullmatch(labels[-1]):
        try:
            return str(ipv4_of(labels))
        except ValueError:
            return None
    try:
        labels = labels if in_ascii else list(_ascii_labels(labels))
    except UnicodeError:  # idna's errors are UnicodeErrors too
        return None
    whole = ".".join(labels)
    return whole if len(whole) <= 253 and all(map(_LABEL.fullmatch, labels)) else None


# Internationalized names as browsers read them: UTS #46, non-transitional, without IDNA 2008's rule about the letters of a
# name, so that emoji and symbols are allowed (WHATWG URL, section 3.3, with beStrict false). A name written in ASCII is
# accepted whatever its `xn--` stands for, because such names are registered (the same section, since June 2026).


def _ascii_labels(labels: list[str]) -> Iterator[str]:
    """The labels, as DNS knows them, of a name that was not written in ASCII. Raises UnicodeError for a label that no browser
    accepts."""
    texts = [_text_of(label) for label in labels]
    if any(unicodedata.bidirectional(character) in _RIGHT_TO_LEFT for text in texts for character in text):
        for text in texts:
            if not text.isascii():  # browsers accept `1.` before an Arabic name
                idna.check_bidi(text, check_ltr=True)
    for label, text in zip(labels, texts, strict=True):
        ascii_label = text if text.isascii() else "xn--" + text.encode("punycode").decode("ascii")
        if label.isascii() and ascii_label != label:  # there is one punycode for a text, which this is not
            raise UnicodeError("not a label in punycode")
        yield ascii_label


def _text_of(label: str) -> str:
    """The label in Unicode, valid by UTS #46 section 4.1. Raises UnicodeError if it is not valid."""
    if not label.startswith("xn--"):
        text = label
    else:
        text = label[4:].encode("ascii").decode("punycode")
        if text.isascii() or idna.uts46_remap(text, std3_rules=False) != text:
            raise UnicodeError("not a label in punycode")
    if text.isascii():
        return text
    if text.startswith("xn--") or unicodedata.category(text[0]).startswith("M"):
        raise UnicodeError("a label cannot begin like this")
    if not all(idna.valid_contextj(text, at) for at, character in enumerate(text) if character in _JOINERS):
        raise UnicodeError("a joiner that joins nothing")
    return text


def ipv4_of(parts: list[str]) -> IPv4Address:
    """`0x7f.1`, `2130706433`, `0177.0.0.1` -> `127.0.0.1` (WHATWG IPv4 parser), of the parts between the dots. Raises
    ValueError if they are no address."""
    values = [_ipv4_number(part) for part in parts]
    if len(values) > 4 or any(value > 255 for value in values[:-1]) or values[-1] >= 256 ** (5 - len(values)):
        raise ValueError("a number is out of range, or there are more than four")
    return IPv4Address(values[-1] + sum(value << (24 - 8 * i) for i, value in enumerate(values[:-1])))


def _ipv4_number(part: str) -> int:
    """The value of one part. Raises ValueError if it is not a number, as 08 and 09, which look octal."""
    if not NUMBER.fullmatch(part) or len(part) > 64:
        raise ValueError(part)
    if part.startswith("0x"):
        return int(part[2:] or "0", 16)
    return int(part, 8) if len(part) > 1 and part.startswith("0") else int(part)


def _ipv6(raw: str) -> str | None:
    """The normal form of an IPv6 address in brackets."""
    if not raw.endswith("]") or "%" in raw:  # a zone is local to one machine
        return None
    try:
        address = IPv6Address(raw[1:-1])
    except AddressValueError:
        return None
    mapped = address.ipv4_mapped
    if mapped is not None:  # how Python writes these differs between releases
        return f"[::ffff:{int(mapped) >> 16:x}:{int(mapped) & 0xFFFF:x}]"
    return f"[{address.compressed}]"
