"""The words of an element in one line, as of a link or a heading: apart where a reader sees them so."""

from __future__ import annotations

import re

from selectolax.lexbor import LexborNode

from focuscrawl.text import clean
from focuscrawl.text.document import Document
from focuscrawl.text.walk import texts_of

JOINT = "\x0c"
"""Stands between the texts of a tree."""
_TOUCHING = re.compile(rf"{JOINT}(?=\S)(?<=\S{JOINT})")
_BESIDE_MARK = re.compile(rf"{JOINT}(?:(?=[.,;:!?)\]}}、。》」』】！），：；？])|(?<=[(\[{{《「『【（]{JOINT}))")
"""Before a mark that ends something, or after one that begins it. There is never a space. Both patterns begin with the one
character that is rare, by which `re` finds them in a fifth of the time."""
_MOST_TEXT, _MOST_MARKUP = 600, 4_000
"""Most characters of an element's text, and of its source, whose joints are looked at one by one, in the tree. Of longer texts
around a link only a part is kept, and each joint in it is a space."""
_MOST_HEADINGS, _LONGEST_HEADING = 10, 300
"""Main headings of a page that are read, and characters of one."""


def words_of(node: LexborNode, limit: int = 0) -> str:
    """All words of an element, cut at `limit` characters (0: not cut)."""
    return clean.line(set_apart(node, node.text(separator=JOINT)), limit)


def set_apart(node: LexborNode, texts: str) -> str:
    """The texts of an element, or the first of them, which `JOINT` separates, with a space where a reader sees one."""
    if JOINT not in texts or JOINT not in texts.strip():  # it is white space, too, and may stand at the ends alone
        return texts
    texts = _BESIDE_MARK.sub("", texts)
    if len(texts) <= _MOST_TEXT and _TOUCHING.search(texts) and len(node.html or "") <= _MOST_MARKUP:
        return " ".join(texts_of(node))  # the tree tells how they are joined
    return texts.replace(JOINT, " ")


def headings_of(document: Document) -> list[str]:
    """The words of the first main headings."""
    nodes = document.elements("heading")[:_MOST_HEADINGS]
    return [text for text in (words_of(node, _LONGEST_HEADING) for node in nodes) if text]
