"""Fingerprint features as the store keeps them."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Sequence


def to_bytes(features: Sequence[int]) -> bytes:
    """Unsigned 64-bit values, 8 bytes each, least significant byte first on every machine."""
    values = array("Q", features)
    if sys.byteorder == "big":
        values.byteswap()
    return values.tobytes()


def from_bytes(data: bytes) -> tuple[int, ...]:
    """The inverse of `to_bytes`; ValueError when the length is no multiple of 8."""
    values = array("Q")
    values.frombytes(data)
    if sys.byteorder == "big":
        values.byteswap()
    return tuple(values)
