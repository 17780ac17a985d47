"""Hashes of words, made once and kept: every fingerprint of this room starts from them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b, md5

import numpy as np
from numpy.typing import NDArray

Hashes = NDArray[np.uint64]

_CACHED_WORDS = 1 << 16
"""Distinct words kept; about 10 MB when full. The least recently used goes first."""


@lru_cache(maxsize=_CACHED_WORDS)
def _word_hash(word: str) -> bytes:
    # MD5's last 8 bytes, because the simhash package uses them: our values must equal its values.
    return md5(word.encode("utf-8", "surrogatepass"), usedforsecurity=False).digest()[-8:]


def word_bytes(words: Sequence[str]) -> bytes:
    """The words' hashes in order, 8 bytes each, most significant byte first."""
    return b"".join(map(_word_hash, words))


def word_hashes(words: Sequence[str]) -> Hashes:
    """The words' hashes in order as unsigned 64-bit integers, shape (len(words),)."""
    return np.frombuffer(word_bytes(words), dtype=">u8").astype(np.uint64)


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

    Fewer values than `width` make one run of all of them; none make none.
    """
    if not len(values):
        return values
    width = min(width, len(values))
    count = len(values) - width + 1
    total = np.zeros(count, dtype=np.uint64)
    for start in range(width):
        total = total * np.uint64(0x9E3779B97F4A7C15) + values[start : start + count]
    return mix(total)


# --- the digest of an exact duplicate: case, white space and character variants do not change it ------------------------

_INVISIBLE = re.compile("[\u00ad\u034f\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff]")


def normalized(text: str) -> str:
    """The text in Unicode form NFKC, case folded, without invisible characters, white space as single blanks.

    Digits stay: two pages that differ in a date or a price alone are not exactly equal.
    """
    if not text.isascii():
        text = _INVISIBLE.sub("", unicodedata.normalize("NFKC", text))
    return " ".join(text.casefold().split())


def digest(text: str) -> bytes:
    """16 bytes (BLAKE2b) of the normalized text; empty bytes when the text holds nothing to compare."""
    plain = normalized(text)
    return blake2b(plain.encode("utf-8", "surrogatepass"), digest_size=16).digest() if plain else b""
