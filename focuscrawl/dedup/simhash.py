"""SimHash (Charikar, STOC 2002; Manku, Jain, Das Sarma, WWW 2007): similar texts get values that differ in few bits.

The features are single words, weighted by how often they occur. Runs of two or three words are worse: every edit changes
several of them and all weigh the same, so near-duplicates drift apart (on the data of tools/eval/dedup 78, 48 and 40 % of the
copies stay within 3 bits for runs of one, two and three words; 97, 90 and 86 % within 8). The comparison of the texts
(confirm.py) rejects pairs that single words cannot tell apart.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from focuscrawl.dedup.tokens import word_bytes

_WORDS_AT_ONCE = 1 << 14
"""Words that are processed at a time, which bounds the memory for one text: 64 bytes a word."""


def simhash64(words: Sequence[str]) -> int:
    """The unsigned 64-bit SimHash of the words; 0 for no words.

    Bit for bit the value of `simhash.Simhash(words, f=64)`, several times faster.
    """
    import numpy as np  # imported here, to save 0.1 s if SimHashes are only compared, as in `scrapy why`

    data = np.frombuffer(word_bytes(words), dtype=np.uint8).reshape(-1, 8)
    ones = np.zeros(64, dtype=np.int64)
    for start in range(0, len(data), _WORDS_AT_ONCE):
        bits = np.unpackbits(data[start : start + _WORDS_AT_ONCE], axis=1)
        ones += bits.sum(axis=0, dtype=np.int64)
    # A bit is set if more than half of the words have it.
    return int.from_bytes(np.packbits(2 * ones > len(words)).tobytes(), "big")


def reference_simhash64(words: Sequence[str]) -> int:
    """The same value by the `simhash` package: the reference that `simhash64` is tested against, and that a setting selects."""
    from simhash import Simhash

    # A list of words, never a dict of counts: the package's weighted path overflows with NumPy 2 above 255.
    return int(Simhash(list(words), f=64).value)


SimHasher = Callable[[Sequence[str]], int]
"""Computes the unsigned 64-bit SimHash of words."""
SIMHASHERS: dict[str, SimHasher] = {"numpy": simhash64, "simhash": reference_simhash64}
"""The implementations by the values of DEDUP_SIMHASH. Both give the same results; docs/settings.md says what the package costs
per page."""


def distance(a: int, b: int) -> int:
    """The number of bits, 0 to 64, in which two SimHashes differ."""
    return (a ^ b).bit_count()
