"""Finds the abstract on a page about a paper, and marks all else: details, services, references, similar papers."""

from __future__ import annotations

import re
from itertools import zip_longest

from focuscrawl.text.boilerplate import HARD
from focuscrawl.text.layout import Element, Layout, Piece, held, is_prose, prefix_sums

_ABSTRACT = re.compile(r"(?:^|(?<=\s))abstract(?=$|\s)", re.IGNORECASE)
"""A whole class or id."""
_LABEL = re.compile(r"\s*(?:(?:【\s*)?(?:中文)?摘\s*要\s*[】:：]|abstract\s*:)", re.IGNORECASE)
"""At the beginning of an abstract whose element has no name."""
_ENTRY = 400
"""Most bytes of an item or a cell that may be a reference or a similar paper."""


def mark_around_abstracts(page: Layout) -> None:
    """Call the abstract the main content and all else boilerplate. It may be there in two languages. Not where other prose is
    longer, which may be the paper itself."""
    abstracts = _abstracts(page)
    inside = {at for element in abstracts for at in range(element.first, element.last)}
    around = [piece for at, piece in enumerate(page.pieces) if at not in inside]
    written = sum(page.pieces[at].size for at in inside if is_prose(page.pieces[at]))
    if written <= sum(piece.size for piece in around if _may_be_of_paper(piece)):
        return
    if len(abstracts) == 1:
        abstracts[0].main = True
    stay = inside.union(page.titles)
    stays = prefix_sums(at in stay for at in range(len(page.pieces)))
    for element in page.elements:
        if not held(stays, element):
            element.boilerplate = HARD
    for piece in around:
        piece.boilerplate = HARD


def _may_be_of_paper(piece: Piece) -> bool:
    """Whether a piece beside the abstract may be prose of the paper itself. References and similar papers are short items."""
    return piece.boilerplate < HARD and is_prose(piece) and (piece.kind not in {"item", "table"} or piece.size >= _ENTRY)


def _abstracts(page: Layout) -> list[Element]:
    """The innermost elements that are named abstracts, or else those that begin with that word."""
    found = [element for element in page.elements if _ABSTRACT.search(element.classes) or _ABSTRACT.fullmatch(element.id)]
    if not found:
        begun = {piece.element for piece in page.pieces if _LABEL.match(piece.text)}
        found = [page.elements[at] for at in sorted(begun)]
    found = [element for element in found if element.first < element.last]
    return [
        element for element, following in zip_longest(found, found[1:]) if following is None or following.first >= element.last
    ]
