"""Winnowing (Schleimer, Wilkerson, Aiken, SIGMOD 2003): a few hashes of a text, by which every longer match is found.

The text is reduced to letters and digits, and each run of `GRAM` characters is hashed. Of every `WINDOW` hashes in a row the
smallest is kept, of equal ones the rightmost. So two texts that share a run of at least `GRAM + WINDOW - 1` characters share a
kept hash.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from focuscrawl.dedup.grams import Hashes, grams, mix
from focuscrawl.dedup.tokens import normalized

GRAM = 8
"""Characters in a hashed run: one or two English words, four or five Chinese ones."""
WINDOW = 24
"""Hashes in a window. About 2 / (WINDOW + 1) of all hashes are kept."""
MOST_FEATURES = 256
"""Most features of one text. The smallest are kept, which are a fair sample of all (Broder's bottom sketch)."""

_NO_LETTER_OR_DIGIT = re.compile(r"[\W_]+")


def plain(text: str) -> str:
    """Only the letters and digits of the normalized text."""
    return _NO_LETTER_OR_DIGIT.sub("", normalized(text))


def gram_hashes(characters: str, gram: int = GRAM) -> Hashes:
    """The hash of every run of `gram` characters, in order. A shorter text is one run, an empty one has none."""
    points = np.frombuffer(characters.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    return grams(mix(points.astype(np.uint64) + np.uint64(1)), gram)


def chosen(hashes: Hashes, window: int = WINDOW) -> NDArray[np.intp]:
    """The indices, ascending, of the hashes that winnowing keeps: the rightmost minimum of every window.

    If there are fewer hashes than `window`, they are one window.
    """
    if not len(hashes):
        return np.empty(0, dtype=np.intp)
    window = min(window, len(hashes))
    backwards = sliding_window_view(hashes, window)[:, ::-1]
    ends = np.arange(window - 1, len(hashes), dtype=np.intp)
    return np.unique(ends - backwards.argmin(axis=1))


def features(text: str) -> Hashes:
    """The kept hashes of a text as a sorted set, at most `MOST_FEATURES` of them."""
    hashes = gram_hashes(plain(text))
    return np.unique(hashes[chosen(hashes)])[:MOST_FEATURES]


def similarity(a: tuple[int, ...], b: tuple[int, ...]) -> float:
    """The resemblance of two feature sets, each ascending; 0 if one is empty.

    If a set was cut at `MOST_FEATURES`, only features up to the smaller of the two ends are compared, where both are complete.
    """
    if not a or not b:
        return 0.0
    ends = [features[-1] for features in (a, b) if len(features) >= MOST_FEATURES]
    end = min(ends, default=max(a[-1], b[-1]))
    left = {value for value in a if value <= end}
    right = {value for value in b if value <= end}
    return len(left & right) / len(left | right)
