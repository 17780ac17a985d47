"""The three ways to find near-duplicates behind one protocol: `DEDUP_METHOD = simhash | shingles | winnowing`.

All make an exact digest and a SimHash, by which recrawling compares versions. They differ in what finds the candidates. To find
near-duplicates, `keys` read rows from the index, `ranked` sorts them, and `confirm.same_page` decides by the texts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

import numpy as np

from focuscrawl.dedup import bands, shingles, winnowing
from focuscrawl.dedup.simhash import SIMHASHERS, SimHasher, distance, simhash64
from focuscrawl.dedup.tokens import digest
from focuscrawl.items import Fingerprint

MOST_CHECKED = 8
"""Most candidates of one page whose texts are read."""


class DedupMethod(Protocol):
    """A way to find near-duplicates."""

    name: str
    simhash: SimHasher
    """Computes the SimHashes of fingerprints and page signatures."""
    threshold: float
    """Least similarity of two fingerprints whose texts are worth reading."""

    def fingerprint(self, text: str, words: Sequence[str]) -> Fingerprint:
        """The fingerprint of a page: its main text and the terms of it in order."""
        ...

    def keys(self, fingerprint: Fingerprint) -> list[int]:
        """The page's keys in the banded index, each a signed 64-bit integer of at least 0; none for an empty page."""
        ...

    def similar(self, a: Fingerprint, b: Fingerprint) -> float:
        """How alike two fingerprints are, 0 to 1."""
        ...


class _Method:
    """What the three have in common."""

    def __init__(self, simhash: SimHasher = simhash64) -> None:
        self.simhash = simhash


class SimhashMethod(_Method):
    """One 64-bit number per page: the smallest and fastest method."""

    name = "simhash"
    threshold = 1 - 8 / 64  # at most 8 different bits

    def fingerprint(self, text: str, words: Sequence[str]) -> Fingerprint:
        """The digest and the SimHash, without features."""
        return Fingerprint(digest(text), self.simhash(words))

    def keys(self, fingerprint: Fingerprint) -> list[int]:
        """The SimHash's four 16-bit blocks. A SimHash of 0 means a page without words."""
        return bands.simhash_keys(fingerprint.simhash) if fingerprint.simhash else []

    def similar(self, a: Fingerprint, b: Fingerprint) -> float:
        """1 - (Hamming distance) / 64."""
        return 1 - distance(a.simhash, b.simhash) / 64


class ShinglesMethod(_Method):
    """A MinHash sketch of the three-word runs. It finds short near-duplicates that SimHash misses, but takes 8 times the
    space."""

    name = "shingles"
    threshold = 0.6

    def fingerprint(self, text: str, words: Sequence[str]) -> Fingerprint:
        """The digest, the SimHash and a sketch of `shingles.SKETCH_SIZE` features."""
        return Fingerprint(digest(text), self.simhash(words), shingles.sketch(shingles.shingles(words)))

    def keys(self, fingerprint: Fingerprint) -> list[int]:
        """Twelve bands of five. Pages of resemblance 0.8 share a key with a probability of 99 %, 0.66 with 80 %, 0.45 with
        20 %."""
        return bands.sketch_keys(fingerprint.features, bands=12, rows=5, family=1)

    def similar(self, a: Fingerprint, b: Fingerprint) -> float:
        """The estimated resemblance."""
        return shingles.estimated_resemblance(a.features, b.features)


class WinnowingMethod(_Method):
    """A sample of hashes of character runs; needs no words, so it also serves languages that we cannot cut."""

    name = "winnowing"
    threshold = 0.5

    def fingerprint(self, text: str, words: Sequence[str]) -> Fingerprint:
        """The digest, the SimHash and up to `winnowing.MOST_FEATURES` kept hashes, ascending."""
        return Fingerprint(digest(text), self.simhash(words), tuple(winnowing.features(text).tolist()))

    def keys(self, fingerprint: Fingerprint) -> list[int]:
        """Twelve bands of five over a sketch of the kept hashes."""
        sketch = shingles.sketch(np.array(fingerprint.features, dtype=np.uint64))
        return bands.sketch_keys(sketch, bands=12, rows=5, family=2)

    def similar(self, a: Fingerprint, b: Fingerprint) -> float:
        """The resemblance of the kept hashes, for a long text of the sample of them."""
        return winnowing.similarity(a.features, b.features)


_METHODS = {each.name: each for each in (SimhashMethod, ShinglesMethod, WinnowingMethod)}
METHOD_NAMES = tuple(_METHODS)


def method(name: str, simhash: str = "numpy") -> DedupMethod:
    """The method of that name.

    Args:
        name: As in the setting DEDUP_METHOD.
        simhash: The SimHash implementation, as in the setting DEDUP_SIMHASH.

    Raises:
        ValueError: For an unknown name; the message lists the valid ones.
    """
    if name not in _METHODS:
        raise ValueError(f"unknown DEDUP_METHOD {name!r}: use one of {', '.join(METHOD_NAMES)}")
    return _METHODS[name](SIMHASHERS[simhash])


def ranked(chosen: DedupMethod, page: Fingerprint, rows: Iterable[tuple[int, Fingerprint]]) -> list[tuple[int, float]]:
    """The candidates worth reading as (page id, similarity), most similar first; among equals the older one (smaller id) first.

    `rows`: what the index returned for the page's keys. A page may occur more than once.
    """
    found = ((page_id, chosen.similar(page, other)) for page_id, other in dict(rows).items())
    near = [(page_id, similarity) for page_id, similarity in found if similarity >= chosen.threshold]
    return sorted(near, key=lambda each: (-each[1], each[0]))[:MOST_CHECKED]
