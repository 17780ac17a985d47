"""Cuts texts and queries for the index into terms, by which pages are ranked, and sequences, in which phrases are found.

Both are lower-cased, simplified and stemmed by the project's segmenter. Terms are words without stop words; a long Chinese word
gives its parts, too (搜索引擎: 搜索, 引擎, 搜索引擎), so that the parts find it. A sequence has all tokens of the text in
order, including stop words. A run of Han characters is in it as overlapping pairs (搜索, 索引, 引擎), so that characters are
found wherever they are side by side, however the text around them was cut, and pairs are rare enough to be found fast. Single
characters are kept in a field of their own.
"""

from __future__ import annotations

import re
from itertools import pairwise

from focuscrawl.text.chinese import HAN, simplified
from focuscrawl.text.segment import TOKENS, Segmenter, halfwidth
from focuscrawl.text.stems import stemmer

LONGEST_TOKEN = 40
"""Characters. Longer tokens are code or broken text, and are cut."""
_runs = re.compile(f"[{HAN}]+")
_between_runs = re.compile(rf"(?<=[{HAN}])\s+(?=[{HAN}])")


def folded(text: str) -> str:
    """`text` in lower case, simplified characters, and ASCII letters in place of full-width ones. It keeps its length, so that
    positions stay the same."""
    text = halfwidth(text)
    lower = text.lower()
    if len(lower) != len(text):  # İ and a few others become two characters
        lower = "".join(low if len(low := char.lower()) == 1 else char for char in text)
    return simplified(lower)


class Analyzer:
    """Cuts texts for the index and queries alike. Not safe for use from two threads at once."""

    def __init__(self) -> None:
        self._segmenter = Segmenter(parts=True)
        self._stem = stemmer()

    @property
    def name(self) -> str:
        """Name of what cuts, folds and stems. An index that was made by another analyzer is made again."""
        return f"{self._segmenter.name}, half width"

    def terms(self, text: str) -> list[str]:
        """The terms that rank pages, in the order of the text."""
        return self._segmenter.terms(text)

    def sequence(self, text: str) -> list[str]:
        """All tokens in order, for phrases."""
        return [token for found in TOKENS.findall(folded(text)) for token in self._pairs(found)]

    def characters(self, text: str) -> list[str]:
        """The Han characters of the text, one by one."""
        return list("".join(_runs.findall(folded(text))))

    def runs(self, text: str) -> list[str]:
        """The runs of two or more Han characters."""
        return [run for run in _runs.findall(folded(text)) if len(run) > 1]

    def neighbors(self, text: str) -> list[list[str]]:
        """The pairs of neighbors in a text, as short sequences: two words, or two Han characters, with or without blanks
        between them."""
        tokens = self.sequence(_between_runs.sub("", text))
        han = [[token] for token in tokens if is_han(token) and len(token) > 1]
        return han + [[one, other] for one, other in pairwise(tokens) if not (is_han(one) and is_han(other))]

    def places(self, text: str, wanted: frozenset[str]) -> list[tuple[int, int, str]]:
        """(start, end, token) where the text has one of these tokens of sequences or Han words, in order, without overlaps."""
        if not wanted:
            return []
        # The longest first, because a pattern takes the first alternative that matches.
        heads = sorted((re.escape(_head(token)) for token in wanted), key=len, reverse=True)
        latin, han = [head for head in heads if not is_han(head)], [head for head in heads if is_han(head)]
        pattern = "|".join([*han, *([rf"(?<![^\W_{HAN}])(?:{'|'.join(latin)})[^\W_{HAN}]*(?:\+\+|#)?"] if latin else [])])
        found = ((match.start(), match.end(), self._token(match[0])) for match in re.finditer(pattern, folded(text)))
        return [place for place in found if place[2] in wanted]

    def _pairs(self, token: str) -> list[str]:
        """A token as it is in sequences: a run of Han characters as its overlapping pairs."""
        if is_han(token) and len(token) > 1:
            return [token[place : place + 2] for place in range(len(token) - 1)]
        return [self._token(token)]

    def _token(self, token: str) -> str:
        """A word as it is in sequences: stemmed if it is ASCII, and cut."""
        return self._stem(token[:LONGEST_TOKEN]) if token.isascii() else token[:LONGEST_TOKEN]


def is_han(token: str) -> bool:
    """Whether a token consists of Han characters."""
    return _runs.match(token) is not None


def _head(token: str) -> str:
    """The beginning of every word with this stem. The last letter is left open, because `galaxi` is the stem of `galaxy`."""
    return token[:-1] if token.isascii() and token.isalpha() and len(token) > 2 else token
