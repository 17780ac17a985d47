"""Words and runs of words as arrays of 64-bit numbers, whose bits are scattered evenly."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from focuscrawl.dedup.tokens import word_bytes

Hashes = NDArray[np.uint64]
GOLDEN = np.uint64(0x9E3779B97F4A7C15)
"""2^64 divided by the golden ratio, which is SplitMix64's increment (see `mix`). Stored fingerprints depend on it: it must
never change."""


def word_hashes(words: Sequence[str]) -> Hashes:
    """The words' hashes in order as unsigned 64-bit integers, shape (len(words),)."""
    return np.frombuffer(word_bytes(words), dtype=">u8").astype(np.uint64)


def distinct(values: Hashes) -> Hashes:
    """The different values, sorted. In a seventh of the time of `np.unique`, which also loads `numpy.ma` (1.7 MB)."""
    ordered = np.sort(values)
    different: Hashes = ordered[np.append(True, ordered[1:] != ordered[:-1])[: len(ordered)]]
    return different


def mix(values: Hashes) -> Hashes:
    """Scatter 64-bit values so that every bit of the result depends on every bit of the value.

    The finalizer of SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014).
    It is a bijection: different values stay different.
    """
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))


def grams(values: Hashes, width: int) -> Hashes:
    """One hash for every run of `width` neighboring values, in order, shape (len(values) - width + 1,).

    If there are fewer values than `width`, all of them are one run; without values there is no run.
    """
    if not len(values):
        return values
    width = min(width, len(values))
    count = len(values) - width + 1
    total = np.zeros(count, dtype=np.uint64)
    for start in range(width):
        total = total * GOLDEN + values[start : start + count]
    return mix(total)
