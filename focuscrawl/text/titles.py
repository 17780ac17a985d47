"""Which headings of a page are its title."""

from __future__ import annotations

from focuscrawl.text import clean
from focuscrawl.text.layout import Piece


def is_title(piece: Piece, title: str) -> bool:
    """Whether a heading is the main one that says what the page's title says. `title`: the letters and digits of that."""
    if not title or not is_main_heading(piece):
        return False
    heading = clean.bare(piece.text).removeprefix("title")  # "Title: ..." is a label in lists of a paper's details
    return bool(heading) and (heading in title or title in heading)


def begins_title(piece: Piece, title: str) -> bool:
    """Whether the page's title begins with a heading."""
    heading = clean.line(piece.text)
    return bool(heading) and title.startswith(heading) and not title[len(heading) :][:1].isalnum()


def is_main_heading(piece: Piece) -> bool:
    return piece.kind == "heading" and piece.level == 1  # items of a nested list are of level 1, too
