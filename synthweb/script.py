"""Traditional Chinese for the Big5 pages, by the pairs of characters that the lexicon needs."""

from __future__ import annotations

from functools import cache

from synthweb.words import read_lines


@cache
def table() -> dict[int, str]:
    """Simplified to traditional, for `str.translate`."""
    pairs = dict(read_lines("traditional.txt"))["pairs"].split()
    return {ord(pair[0]): pair[1] for pair in pairs}


def to_traditional(text: str) -> str:
    """Simplified text in traditional characters, one for one."""
    return text.translate(table())
