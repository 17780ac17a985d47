"""Which headings of a page are its title, and which other pieces stand for one."""

from __future__ import annotations

from focuscrawl.text import clean
from focuscrawl.text.layout import Piece, is_main_heading

_LONGER_THAN_LABELS = 12
"""Least bytes of a piece that stands for a title: four Chinese characters."""


def is_title(piece: Piece, title: str) -> bool:
    """Whether a heading is the main one that says what the page's title says. `title`: the letters and digits of that."""
    if not title or not is_main_heading(piece):
        return False
    heading = clean.bare(piece.text).removeprefix("title")  # "Title: ..." is a label in lists of a paper's details
    return bool(heading) and (heading in title or title in heading)


def begins_title(piece: Piece, title: str) -> bool:
    """Whether the page's title begins with a piece."""
    words = clean.line(piece.text)
    return bool(words) and title.startswith(words) and not title[len(words) :][:1].isalnum()


def stands_for_title(piece: Piece, title: str) -> bool:
    """Whether the page's title begins with a piece that is no heading, but likely shown as one: neither a label nor a link."""
    is_plain = piece.kind != "heading" and not piece.linked and not piece.boilerplate
    return is_plain and piece.size >= _LONGER_THAN_LABELS and begins_title(piece, title)
