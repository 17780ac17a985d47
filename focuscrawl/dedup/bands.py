"""Keys of the banded index, which finds the stored pages that are worth comparing with a page.

A fingerprint has a few integer keys, and two pages are compared only if they share one. Keys fit a signed 64-bit integer
column. Each method's keys have a range of their own, so that a crawl may change its method.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from focuscrawl.dedup.grams import GOLDEN, mix

BAND_BITS = 16
BANDS = 64 // BAND_BITS
MOST_ROWS = 256
"""Most rows that are read from the index for one key, so that a look-up stays bounded however many pages share a key."""


def simhash_keys(simhash: int) -> list[int]:
    """Four keys `band << 16 | bits`, one for each 16-bit block of a SimHash.

    By the pigeonhole principle two values that differ in at most 3 bits share a key. Values that differ in 4, 5, 6, 7 or 8 bits
    share one with a probability of 90, 74, 58, 44, 33 %, at no cost. With a million random pages, 15 share a key, most of which
    the other 48 bits rule out. Other blocks would cost more rows: every three of six (20 rows a page) pay from some hundred
    million pages on; every two of eight (28 rows) raise the recall on the data of tools/eval/dedup from 0.91 to 0.95.
    """
    mask = (1 << BAND_BITS) - 1
    return [band << BAND_BITS | (simhash >> (band * BAND_BITS)) & mask for band in range(BANDS)]


def sketch_keys(sketch: Sequence[int], bands: int, rows: int, family: int) -> list[int]:
    """One key for each of `bands` groups of `rows` sketch values; empty for an empty sketch.

    Texts of resemblance r share a key with probability 1 - (1 - r**rows)**bands. `family` (1 to 3) separates the methods: it is
    in bits 60 and 61, above every SimHash key.
    """
    if len(sketch) < bands * rows:
        return []
    table = np.array(sketch[: bands * rows], dtype=np.uint64).reshape(bands, rows)
    keys = np.arange(1, bands + 1, dtype=np.uint64)
    for column in range(rows):
        keys = mix(keys * GOLDEN + table[:, column])
    keys = keys >> np.uint64(4) | np.uint64(family << 60)
    return [int(key) for key in keys]
