"""Is a candidate really the same text? Fingerprints only suggest; the texts decide.

Two different pages can have equal SimHashes, by chance or by holding the same words in another order, and pages of one
reference manual often differ in little but the name they explain. None of them must be lost.
"""

from __future__ import annotations

from collections.abc import Sequence

from focuscrawl.dedup.shingles import common, shingles

THRESHOLD = 0.8
"""At or above it two texts are the same page (`DEDUP_THRESHOLD`)."""
LENGTH_RATIO = 0.75
"""Texts of which the smaller has at least this share of the larger are compared by containment."""
SPREAD = 10
"""Words between two places of a word that make it a word of the page, not of an advertisement in it."""


def same_text(words_a: Sequence[str], words_b: Sequence[str]) -> float:
    """How far two texts are the same page, 0 to 1: what they share, halved when their subjects differ."""
    similarity = shared(words_a, words_b)
    if similarity >= THRESHOLD and different_subjects(words_a, words_b):
        return similarity / 2
    return similarity


def shared(words_a: Sequence[str], words_b: Sequence[str]) -> float:
    """What two texts share, 0 to 1, from their sets of three-word runs (Broder 1997).

    For texts of about the same size it is the containment of the smaller in the larger, so that a date, an ad or
    a share bar that only one of them has does not count. Otherwise it is the resemblance: a quotation is not a copy.
    Measured on generated pages, 97 % of the copies of articles reach 0.93, and 97 % of the pages that merely share a
    template or half of their paragraphs stay below 0.66.
    """
    a, b = shingles(words_a), shingles(words_b)
    if not len(a) or not len(b):
        return 0.0
    both = common(a, b)
    smaller, larger = sorted((len(a), len(b)))
    if smaller >= LENGTH_RATIO * larger:
        return both / smaller
    return both / (smaller + larger - both)


def different_subjects(words_a: Sequence[str], words_b: Sequence[str]) -> bool:
    """Whether each text keeps coming back to a word that the other does not have at all.

    So do the manual pages of two functions. Numbers do not count: copies differ in dates and counters. Among
    recorded pages it separates 22 of 71 pairs that `shared` takes for copies, wrongly none of 2 460 made copies.
    """
    return _comes_back(words_a, set(words_b)) and _comes_back(words_b, set(words_a))


def _comes_back(words: Sequence[str], others: set[str]) -> bool:
    first: dict[str, int] = {}
    for place, word in enumerate(words):
        if word not in others:
            start = first.setdefault(word, place)
            if place - start >= SPREAD and not any(map(str.isdigit, word)):
                return True
    return False
