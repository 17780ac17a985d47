"""Confirms near-duplicates by their texts: fingerprints only suggest candidates.

Different pages can have equal SimHashes, by chance or because they have the same words in another order, and pages of one
reference manual often differ in little but the name they explain. No such page may be lost as a duplicate.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from focuscrawl.dedup.quotes import unquoted
from focuscrawl.dedup.shingles import common, containment, resemblance, shingles
from focuscrawl.dedup.tokens import plain_words

THRESHOLD = 0.8
"""Least similarity of two texts that are the same page."""
LENGTH_RATIO = 0.75
"""Two texts are compared by containment if the smaller has at least this share of the larger."""
SPREAD = 10
"""A word belongs to the page, not to an advertisement in it, if two of its places are this many words apart."""
LEAST_WORDS = 20
"""Shorter texts are the same only if they are equal, because a few common words prove nothing."""
MORE = 4
"""See `says_more`."""
_SITE = re.compile(r"\s[-–—·]\s|\||::|_(?=[^\x00-\x7f])")
"""Between the title of a page and the name of its site."""
_NUMBER = re.compile(r"[0-9]+")


def same_page(text_a: str, text_b: str) -> float:
    """Similarity of two pages by their titles and texts, 0 to 1.

    Two pages that quote the same and say different things themselves are not the same: each reply in a mailing list's archive
    has most of the one before. Chinese is compared by single characters, which takes no segmenter.
    """
    similarity = same_text(plain_words(text_a), plain_words(text_b))
    own_a, own_b = unquoted(text_a), unquoted(text_b)
    if similarity < THRESHOLD or (own_a == text_a and own_b == text_b):
        return similarity
    words_a, words_b = plain_words(own_a), plain_words(own_b)
    if min(len(words_a), len(words_b)) < LEAST_WORDS:
        return similarity
    return min(similarity, same_text(words_a, words_b))


def same_text(words_a: Sequence[str], words_b: Sequence[str]) -> float:
    """Similarity of two texts, 0 to 1: what they share, halved if their subjects differ."""
    similarity = shared(words_a, words_b)
    if similarity >= THRESHOLD and different_subjects(words_a, words_b):
        return similarity / 2
    return similarity


def shared(words_a: Sequence[str], words_b: Sequence[str]) -> float:
    """The share that two texts have in common, 0 to 1, from their sets of three-word runs (Broder 1997).

    For texts of about the same size it is the containment of the smaller in the larger, so that a date, an ad or a share bar
    that only one of them has does not count. Otherwise it is the resemblance, because a quotation is not a copy. On generated
    pages, 97 % of the copies of articles reach 0.93, and 97 % of the pages that merely share a template or half of their
    paragraphs stay below 0.66.
    """
    smaller, larger = sorted((shingles(words_a), shingles(words_b)), key=len)
    if len(smaller) >= LENGTH_RATIO * len(larger):
        return containment(smaller, larger)
    return resemblance(smaller, larger)


def says_more(text: str, other: str) -> bool:
    """Whether a page has all that the other one says, and more: notes on releases that repeat those before, a version of a
    manual with a further paragraph.

    What a copy lacks and what it has in addition, such as other links to related pages, is about as much. So the page must have
    `LEAST_WORDS` runs of its own, and `MORE` times as many as the other one.
    """
    ours, theirs = shingles(plain_words(text)), shingles(plain_words(other))
    both = common(ours, theirs)
    return len(ours) - both >= max(LEAST_WORDS, MORE * (len(theirs) - both))


def different_subjects(words_a: Sequence[str], words_b: Sequence[str]) -> bool:
    """Whether each text repeats a word, at places far apart, that the other does not have at all.

    This is so for the manual pages of two functions. Numbers do not count, because copies differ in dates and counters. Of the
    71 pairs of recorded pages that `shared` takes for copies it separates 22; of 2 460 made copies it separates none.
    """
    return _comes_back(words_a, set(words_b)) and _comes_back(words_b, set(words_a))


def different_numbers(text_a: str, text_b: str) -> bool:
    """Whether two pages have the same title but for numbers that each of them says again in its text, and the other one does
    not say at all: two offers of one agency, the functions `log2` and `log10`.

    Both texts begin with the line of their title. The name of the site does not count, because it may have a version. This
    tells pages of one directory apart. Versions of a page, which lie in several, may have the version's number in the title."""
    title_a, title_b = (_SITE.split(text.partition("\n")[0])[0] for text in (text_a, text_b))
    if title_a == title_b or _NUMBER.sub("0", title_a) != _NUMBER.sub("0", title_b):
        return False
    return _says_own_number(title_a, text_a, text_b) and _says_own_number(title_b, text_b, text_a)


def _says_own_number(title: str, text: str, other: str) -> bool:
    """Whether a number of the title is said again below it, and not by the other text."""
    numbers = set(_NUMBER.findall(title)) - set(_NUMBER.findall(other))
    return not numbers.isdisjoint(_NUMBER.findall(text.partition("\n")[2]))


def _comes_back(words: Sequence[str], others: set[str]) -> bool:
    """Whether a word that is not among `others` occurs at two places at least `SPREAD` words apart."""
    first: dict[str, int] = {}
    for place, word in enumerate(words):
        if word not in others:
            start = first.setdefault(word, place)
            if place - start >= SPREAD and not any(map(str.isdigit, word)):
                return True
    return False
