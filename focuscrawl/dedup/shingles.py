"""Shingling (Broder 1997): two texts are as similar as their sets of word runs.

Sketches of fixed size give an estimate of the resemblance of two texts without the texts; bands of the sketches find the pairs
worth comparing. Broder, "On the resemblance and containment of documents"; Indyk and Motwani for the bands.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from focuscrawl.dedup.grams import GOLDEN, Hashes, distinct, grams, mix, word_hashes

WIDTH = 3
"""Words in a shingle."""
SKETCH_SIZE = 64
"""Values in a sketch: the standard error of an estimated resemblance of 0.8 is sqrt(0.8 * 0.2 / 64) = 0.05."""

_SHINGLES_AT_ONCE = 1 << 12
"""Shingles that are sketched at a time, which bounds the memory for one text: 512 bytes a shingle."""
_BIN_SHIFT = np.uint64(64 - (SKETCH_SIZE - 1).bit_length())
_BYTES = 255
"""Different values of a byte of a short sketch, besides 0."""


def _constants(count: int, stream: int) -> Hashes:
    """A fixed sequence of 64-bit constants. Stored sketches depend on it: it must never change."""
    start = np.arange(1, count + 1, dtype=np.uint64) + np.uint64(stream << 32)
    return mix(start * GOLDEN)


_FACTORS = _constants(SKETCH_SIZE, 1) | np.uint64(1)
_SUMMANDS = _constants(SKETCH_SIZE, 2)


def shingles(words: Sequence[str], width: int = WIDTH) -> Hashes:
    """S(A, w): the set of hashes of all runs of `width` words, sorted. A text with fewer words is one shingle."""
    return distinct(grams(word_hashes(words), width))


def common(a: Hashes, b: Hashes) -> int:
    """The size of the intersection of two sets of hashes."""
    return len(np.intersect1d(a, b, assume_unique=True))


def resemblance(a: Hashes, b: Hashes) -> float:
    """r(A, B) = |A intersection B| / |A union B| of two sets; 0 if both are empty."""
    both = common(a, b)
    union = len(a) + len(b) - both
    return both / union if union else 0.0


def containment(a: Hashes, b: Hashes) -> float:
    """c(A, B) = |A intersection B| / |A|: the share of A that is in B, too; 0 if A is empty."""
    return common(a, b) / len(a) if len(a) else 0.0


def sketch(hashes: Hashes) -> tuple[int, ...]:
    """The smallest value of the set under each of `SKETCH_SIZE` random orders (MinHash); empty for an empty set."""
    if not len(hashes):
        return ()
    smallest = np.full(SKETCH_SIZE, np.iinfo(np.uint64).max, dtype=np.uint64)
    for start in range(0, len(hashes), _SHINGLES_AT_ONCE):
        part = hashes[start : start + _SHINGLES_AT_ONCE]
        ordered = _FACTORS[:, None] * part[None, :] + _SUMMANDS[:, None]
        smallest = np.minimum(smallest, ordered.min(axis=1))
    return tuple(smallest.tolist())


def estimated_resemblance(a: Sequence[int], b: Sequence[int]) -> float:
    """The share of positions at which two sketches are equal: an unbiased estimate of the resemblance of the sets."""
    if not a or len(a) != len(b):
        return 0.0
    return sum(x == y for x, y in zip(a, b, strict=True)) / len(a)


def short_sketch(hashes: Hashes) -> bytes:
    """A sketch of `SKETCH_SIZE` bytes, to save memory. The values are put into as many bins by their highest bits, and one byte
    of the smallest value in each bin is kept, 1 to 255; 0: the bin is empty. The values may repeat.

    One permutation hashing (Li, Owen and Zhang, NIPS 2012) with b-bit minwise hashing (Li and Koenig, WWW 2010). Stored
    sketches depend on it: it must never change. O(n log n).
    """
    bins = np.arange(SKETCH_SIZE, dtype=np.uint64)
    ordered = np.append(np.sort(hashes), np.uint64(0))  # the last one is for bins above the largest value
    first = ordered[np.searchsorted(ordered[:-1], bins << _BIN_SHIFT)]
    there = first >> _BIN_SHIFT == bins
    there[0] &= len(hashes) > 0
    return np.where(there, 1 + first % np.uint64(_BYTES), 0).astype(np.uint8).tobytes()


def short_resemblance(a: bytes, b: bytes) -> float:
    """An estimate of the resemblance of two sets, in [0, 1], from their short sketches: the share of equal bins among those
    that are not empty in both, less what is equal by chance."""
    used = sum(x > 0 or y > 0 for x, y in zip(a, b, strict=True))
    equal = sum(x == y > 0 for x, y in zip(a, b, strict=True))
    return max((_BYTES * equal / used - 1) / (_BYTES - 1), 0.0) if used else 0.0
