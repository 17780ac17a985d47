"""Finds the lead of an article: what it says in short between its title and its text.

Extractors take it for a part of the page's head and leave it out, and so does a search for the element with most of the text.
"""

from __future__ import annotations

from focuscrawl.text import clean
from focuscrawl.text.layout import PROSE, Layout, Piece, is_prose, size_of
from focuscrawl.text.posts import is_stamp
from focuscrawl.text.remarks import is_remark
from focuscrawl.text.titles import title_of

_LONGEST = 1_000
"""Most bytes of a lead."""
_KINDS = frozenset({"paragraph", "heading"})
_PICTURE, _CAPTION = "figure", "caption"
"""The element of a picture and its caption, which may stand above the lead, and what classes call such a caption."""


def lead_of(page: Layout) -> int | None:
    """Index of the first prose below the title of a page that calls itself an article; None if that is no lead: a part of a
    list, with links, too long, or cut. It may stand in the page's header. Below a link to its start a site says what it is."""
    title = title_of(page, linked=False) if page.is_article else None
    if title is None:
        return None
    for at, piece in enumerate(page.pieces[title + 1 :], title + 1):
        is_said = is_prose(piece) and size_of(clean.line(piece.text)) >= PROSE and not is_stamp(piece)
        if is_said and not is_remark(page, at) and _is_open(page, piece):
            return at if _may_be_lead(piece) else None
    return None


def _may_be_lead(piece: Piece) -> bool:
    return piece.kind in _KINDS and piece.size <= _LONGEST and not piece.linked and not clean.is_cut(piece.text)


def _is_open(page: Layout, piece: Piece) -> bool:
    """Whether a piece is no caption, and nothing around it is marked as boilerplate but headers."""
    return not any(
        element.hidden
        or element.tag == _PICTURE
        or _CAPTION in element.classes.lower()
        or (element.boilerplate and element.tag != "header")
        for element in page.around(piece.element)
    )
