"""Numbers out of numbers: everything in the synthetic web is a pure function of the seed and these hashes."""

from __future__ import annotations

import hashlib

MASK = (1 << 64) - 1


def mix(*parts: int) -> int:
    """Hash integers to 64 bits (splitmix64 over the parts); the order of the parts counts."""
    state = 0x9E3779B97F4A7C15
    for part in parts:
        state = (state ^ (part & MASK)) + 0x9E3779B97F4A7C15 & MASK
        state = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 & MASK
        state = (state ^ state >> 27) * 0x94D049BB133111EB & MASK
        state ^= state >> 31
    return state


def unit(*parts: int) -> float:
    """A number in [0, 1) from integers."""
    return mix(*parts) / 18446744073709551616.0


def number_of(text: str) -> int:
    """64 bits from a text, the same in every process."""
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8"), digest_size=8).digest(), "big")
