"""Which pieces of a page are its title.

They are the headings that say what the title in the page's head says: those with which it begins, and main ones that have a
part of it or all of it. Where no heading does, they are the lines with which it begins, because many pages show their title as
one.
"""

from __future__ import annotations

from focuscrawl.text import clean
from focuscrawl.text.layout import Layout, Piece, is_link, is_main_heading

_LONGER_THAN_LABELS = 12
"""Least bytes of a line that is a title: four Chinese characters."""


def titles_of(page: Layout) -> list[int]:
    """Indices of the pieces that are the title of a page, in order. A page may show it twice, or the name of its site, too."""
    title = clean.bare(page.title)
    if not title:
        return []
    pieces = page.pieces
    headings = [at for at, piece in enumerate(pieces) if piece.kind == "heading" and _says(piece, page.title, title)]
    return headings or [at for at, piece in enumerate(pieces) if _is_line(piece) and _begins(page.title, piece)]


def title_of(page: Layout, *, linked: bool = True) -> int | None:
    """Index of the title that is the page's own, and not its site's; None if it has none. It is the longest of those with which
    the title in its head begins, or else of all; of equals one that is neither a link nor boilerplate, or the last. `linked`:
    whether it may be a link, as that of a post to itself, and the name of a site to its start."""
    pieces = page.pieces

    def rank(at: int) -> tuple[bool, int, bool, bool, int]:
        piece = pieces[at]
        return _begins(page.title, piece), len(clean.bare(piece.text)), not is_link(piece), not piece.boilerplate, at

    return max((at for at in page.titles if linked or not is_link(pieces[at])), key=rank, default=None)


def titles_and_main_headings(page: Layout) -> set[int]:
    """Indices of the titles of a page and of its main headings, which may say its title in other words than its head."""
    return {*page.titles, *(at for at, piece in enumerate(page.pieces) if is_main_heading(piece))}


def _says(heading: Piece, words: str, title: str) -> bool:
    """Whether a heading says what the page's title says. `words`: that title. `title`: its letters and digits."""
    if _begins(words, heading):
        return True
    if not is_main_heading(heading):
        return False
    said = clean.bare(heading.text).removeprefix("title")  # "Title: ..." is a label in lists of a paper's details
    return bool(said) and (said in title or title in said)


def _is_line(piece: Piece) -> bool:
    """Whether a piece may be shown as a title though it is no heading: neither a label nor a link."""
    return piece.kind != "heading" and piece.size >= _LONGER_THAN_LABELS and not (piece.linked or piece.boilerplate)


def _begins(title: str, piece: Piece) -> bool:
    """Whether a page's title begins with a piece."""
    words = clean.line(piece.text)
    return bool(words) and title.startswith(words) and not title[len(words) :][:1].isalnum()
