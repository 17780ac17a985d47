"""Texts and queries to what the index holds: terms, by which pages are ranked, and sequences, in which phrases are found.

Both are lower-cased, simplified and stemmed by the project's segmenter. Terms are words without stop words; a long Chinese
word gives its parts, too (搜索引擎: 搜索, 引擎, 搜索引擎), so that the parts find it. A sequence is the text token by token,
stop words included and every Han character by itself: wherever characters stand side by side they are found, however the text
around them was cut.
"""

from __future__ import annotations

import re

import Stemmer

from focuscrawl.text.chinese import simplified
from focuscrawl.text.segment import HAN, Segmenter

LONGEST_TOKEN = 40
"""Characters; what is longer is code or broken text, and is cut."""
STEMS_KEPT = 200_000
_tokens = re.compile(rf"[^\W_{HAN}]+(?:\+\+|#)?|[{HAN}]")
_runs = re.compile(f"[{HAN}]+")


def folded(text: str) -> str:
    """`text` in lower case and simplified characters, as long as it was: place for place the same characters."""
    lower = text.lower()
    if len(lower) != len(text):  # İ and a few others become two
        lower = "".join(low if len(low := char.lower()) == 1 else char for char in text)
    return simplified(lower)


class Analyzer:
    """Cuts texts for the index and queries alike. Not safe for use from two threads at once."""

    def __init__(self) -> None:
        self._segmenter = Segmenter(parts=True)
        self._stem = Stemmer.Stemmer("english", STEMS_KEPT).stemWord

    @property
    def name(self) -> str:
        """Of what cuts, folds and stems: an index that was made by another one is made anew."""
        return self._segmenter.name

    def terms(self, text: str) -> list[str]:
        """Words that are ranked by, in their order."""
        return self._segmenter.terms(text)

    def sequence(self, text: str) -> list[str]:
        """Every token in its order, for phrases."""
        return [self._token(token) for token in _tokens.findall(folded(text))]

    def runs(self, text: str) -> list[list[str]]:
        """The runs of two or more Han characters, each as its sequence."""
        return [list(run) for run in _runs.findall(folded(text)) if len(run) > 1]

    def places(self, text: str, wanted: frozenset[str]) -> list[tuple[int, int, str]]:
        """(start, end, token) where the text has one of these tokens of sequences or Han words, in order, without overlaps."""
        if not wanted:
            return []
        heads = sorted((re.escape(_head(token)) for token in wanted), key=len, reverse=True)
        latin, han = [head for head in heads if not _runs.match(head)], [head for head in heads if _runs.match(head)]
        pattern = "|".join([*han, *([rf"(?<![^\W_{HAN}])(?:{'|'.join(latin)})[^\W_{HAN}]*(?:\+\+|#)?"] if latin else [])])
        found = ((match.start(), match.end(), self._token(match[0])) for match in re.finditer(pattern, folded(text)))
        return [place for place in found if place[2] in wanted]

    def _token(self, token: str) -> str:
        return self._stem(token[:LONGEST_TOKEN]) if token.isascii() else token[:LONGEST_TOKEN]


def _head(token: str) -> str:
    """What every word with this stem begins with: `galaxi` is the stem of `galaxy`, so that the last letter is left open."""
    return token[:-1] if token.isascii() and token.isalpha() and len(token) > 2 else token
