"""How much of a text was said before? Sentences are remembered as bits of one table, whoever said them.

A page of a farm is put together from a stock of sentences, or from other people's paragraphs: its text as a whole is new, its
sentences are not. A sentence counts by its length; short ones (headings, labels, "back to top") do not count at all.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator

BITS = 1 << 26
"""Of a table: 8 MB. With a million sentences in it, 1.5 in 100 new ones are taken for known."""
MOST_KNOWN = 1 << 22
"""Sentences in a table; then a second one begins, and when that is as full the first is forgotten."""
SHORTEST = 24
"""Characters of a sentence that counts, a Chinese one as two."""
MOST_SENTENCES = 2000
"""Of one text that are looked at."""
_ends = re.compile(r"[.!?。！？；\n]+\s*")
_wide = re.compile("[\u3400-\u9fff]")


class Novelty:
    """What one process has read. 0.1 ms for a text of 600 words."""

    def __init__(self, bits: int = BITS, most: int = MOST_KNOWN) -> None:
        self._bits, self._most = bits, most
        self._now, self._before = bytearray(bits // 8), bytearray(0)
        self._count = 0

    def known_share(self, text: str) -> float:
        """Of the text's sentences by length, those that an earlier text had, 0 to 1; from now on all of them are known. 0 for
        a text without a sentence that counts."""
        whole = known = 0
        marks: dict[int, int] = {}
        for sentence in _sentences(text):
            marks[zlib.crc32(sentence.encode("utf-8", "replace")) % self._bits] = len(sentence)
        for mark, length in marks.items():
            whole += length
            known += length if self._knows(mark) else 0
        for mark in marks:
            self._add(mark)
        return known / whole if whole else 0.0

    def _knows(self, mark: int) -> bool:
        place, bit = mark >> 3, 1 << (mark & 7)
        return bool(self._now[place] & bit) or bool(self._before and self._before[place] & bit)

    def _add(self, mark: int) -> None:
        self._now[mark >> 3] |= 1 << (mark & 7)
        self._count += 1
        if self._count >= self._most:
            self._before, self._now, self._count = self._now, bytearray(self._bits // 8), 0


def _sentences(text: str) -> Iterator[str]:
    """Those that count, white space evened out."""
    for number, piece in enumerate(_ends.split(text)):
        if number >= MOST_SENTENCES:
            return
        sentence = " ".join(piece.split()).lower()
        if len(sentence) + len(_wide.findall(sentence)) >= SHORTEST:
            yield sentence
