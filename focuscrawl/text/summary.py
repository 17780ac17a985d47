"""A page in two lines: the lead sentences of its main text, or what it says of itself."""

from __future__ import annotations

import re

from focuscrawl.text import clean

LENGTH = 200
"""Characters aimed at; a summary is never longer than this and an ellipsis."""
_SENTENCE = re.compile(r"(?:[^。！？!?.]|\.(?!\s|$))*(?:[。！？!?.]+[”’」』）\"')]*\s*|$)")
_LEAST = 20
"""Characters of a block that reads as prose: headings, dates and bylines are shorter or have no stop."""
_PROSE = re.compile("[。！？]|[^\\W\\d_]{2}[.!?](?: |[”\"')]*$)")


def summary(text: str, description: str = "", length: int = LENGTH) -> str:
    """The first sentences of the first prose block of `text` on; without prose the page's own description, else its
    first words. Works on Chinese and Western punctuation."""
    blocks = text[: 20 * length + 2000].split("\n")
    start = next((number for number, block in enumerate(blocks) if len(block) >= _LEAST and _PROSE.search(block)), None)
    if start is None:
        return _cut(clean.line(description or " ".join(blocks), 4 * length), length)
    lead = ""
    for found in _SENTENCE.finditer(" ".join(blocks[start:])):
        sentence = found[0]
        if lead and len(lead) + len(sentence) > length:
            break
        lead += sentence
    return _cut(clean.line(lead), length)


def _cut(text: str, length: int) -> str:
    if len(text) <= length:
        return text
    head = text[:length]
    space = head.rfind(" ")
    return (head[:space] if space > length // 2 else head).rstrip(" ,，、;；") + "…"
