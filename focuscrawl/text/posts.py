"""Finds what stands around the posts of a thread: authors, dates, signatures and buttons, which each post repeats in one place.

A list of functions or of releases repeats its parts, too. Posts are those that the markup calls so, and that have dates.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache

from focuscrawl.text import clean
from focuscrawl.text.layout import HARD, Element, Layout, Piece, is_prose

_POST = re.compile(
    r"(?:^|[\s_-]|(?<=[a-z])(?=[A-Z]))(?:js[_-])?(?i:posts?|messages?|msg|repl(?:y|ies)|answers?|comments?|topic|floor)"
    r"(?=$|[\s_-]|\d|item|body|[A-Z])"
)
"""In the class or id of a post, or of the only element in it."""
_DATE = re.compile(
    r"\d{4}\s?[-/.年]\s?\d{1,2}\s?[-/.月]\s?\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{4}"
    r"|(?i:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s\d{1,2}(?:\D|$)|\d{1,2}\.?\s(?i:jan|feb|mar|apr|may|jun|jul|aug"
    r"|sep|oct|nov|dec)[a-z]*|\d+\s?(?i:seconds?|minutes?|hours?|days?|weeks?|months?|years?|[smhdwy])\sago|(?i:today|yesterday)\b"
    r"|\d+\s?(?:秒|分钟|分鐘|小时|小時|天|周|週|个月|個月|年)前|昨天|前天|今天"
)
_SIGNATURE = re.compile(r"(?:^|[\s_-])(?:sign|sig|signature)(?=$|[\s_-]|\d)", re.IGNORECASE)
_AUTHOR = re.compile(r"author|user|member|nick|poster|creator|(?:^|[\s_-])name(?=$|[\s_-])", re.IGNORECASE)
_STAMP = 120
"""Most bytes of a piece that may be a post's date and author."""
_LEAST = 2
"""Least posts of a thread, and least of them that are prose."""
_DATED = 0.7
"""Least share of the posts that have a date."""
_SHARE = 0.5
"""Least share of the posts' text in a part that is entered on the way to what their authors wrote."""
_WORDY = 0.2
"""Most share of the posts that have prose beside that part."""
_WHOLE = frozenset({"p", "li", "pre", "blockquote", "ul", "ol", "dl", "dd", "dt", "h1", "h2", "h3", "h4", "h5", "h6"})
"""Parts of a text, which are not entered."""
_NUMBER = re.compile(r"\d+")
_NUMBERED = re.compile(r"([A-Za-z_-]{3,})\d+")


def mark_posts(page: Layout) -> None:
    """Mark what stands around the text of posts as boilerplate, element by element."""
    if sum(_is_named(element.classes, element.id) for element in page.elements) < _LEAST:
        return
    children: defaultdict[int, list[int]] = defaultdict(list)
    for at, element in enumerate(page.elements):
        children[element.parent].append(at)
    around: set[int] = set()
    for siblings in list(children.values()):
        for posts in _alike(page, siblings):
            if _are_posts(page, posts, children):
                around.update(_around(page, posts, children))
    for at in around:
        element = page.elements[at]
        element.boilerplate = HARD
        for piece in page.pieces[element.first : element.last]:
            piece.boilerplate = HARD


def _alike(page: Layout, siblings: Sequence[int]) -> Iterator[list[int]]:
    """Elements beside each other that are built alike, in groups."""
    if len(siblings) < _LEAST:
        return
    groups: defaultdict[str, list[int]] = defaultdict(list)
    for at in siblings:
        groups[_form(page.elements[at])].append(at)
    yield from (group for group in groups.values() if len(group) >= _LEAST)


def _form(element: Element) -> str:
    """What elements have in common that are built alike: tag, first class, and an id that ends in a number, without numbers."""
    numbered = _NUMBERED.fullmatch(element.id)
    return f"{element.tag}.{_NUMBER.sub('', element.classes.partition(' ')[0])}#{numbered[1] if numbered else ''}"


def _are_posts(page: Layout, posts: Sequence[int], children: dict[int, list[int]]) -> bool:
    if page.elements[posts[0]].tag in _WHOLE - {"li"} or not all(_named(page, at, children) for at in posts[:_LEAST]):
        return False
    pieces = [page.pieces[page.elements[at].first : page.elements[at].last] for at in posts]
    dated = sum(any(map(_is_stamp, each)) for each in pieces)
    return dated >= max(_LEAST, _DATED * len(posts)) and sum(any(map(_is_text, each)) for each in pieces) >= _LEAST


def _is_stamp(piece: Piece) -> bool:
    return piece.size <= _STAMP and piece.kind not in {"code", "heading"} and _DATE.search(piece.text) is not None


def _named(page: Layout, at: int, children: dict[int, list[int]]) -> bool:
    element = page.elements[at]
    if _is_named(element.classes, element.id):
        return True
    inside = children.get(at, ())
    return len(inside) == 1 and _named(page, inside[0], children)


@lru_cache(maxsize=4096)
def _is_named(classes: str, own_id: str) -> bool:
    return _POST.search(classes) is not None or _POST.search(own_id) is not None


def _is_text(piece: Piece) -> bool:
    return is_prose(piece) and piece.boilerplate < HARD


def _around(page: Layout, posts: Sequence[int], children: dict[int, list[int]]) -> set[int]:
    """The elements around what the authors of these posts wrote: those beside the way down to the part that holds most."""
    around: set[int] = set()
    seen: set[str] = set()
    while True:
        parts: defaultdict[str, list[int]] = defaultdict(list)
        whole = sum(_size(page, at) for at in posts)
        for part in (child for at in posts for child in children.get(at, ())):
            if _SIGNATURE.search(_names(page.elements[part])):
                around.add(part)
                whole -= _size(page, part)
            else:
                parts[_form(page.elements[part])].append(part)
        sizes = {form: sum(_size(page, part) for part in alike) for form, alike in parts.items()}
        largest = max(sizes, key=lambda form: sizes[form], default="")
        beside = [part for form, alike in parts.items() if form != largest for part in alike]
        if (
            not largest
            or page.elements[parts[largest][0]].tag in _WHOLE
            or sizes[largest] < _SHARE * whole
            or sum(any(map(_is_text, _pieces(page, part))) for part in beside) > _WORDY * len(posts)
        ):
            return around
        around.update(part for part in sorted(beside) if not _has_title(page, part, seen))
        posts = parts[largest]


def _names(element: Element) -> str:
    return f"{element.classes} {element.id}"


def _pieces(page: Layout, at: int) -> list[Piece]:
    return page.pieces[page.elements[at].first : page.elements[at].last]


def _size(page: Layout, at: int) -> int:
    """Bytes outside of links and of boilerplate."""
    return sum(piece.size - piece.linked for piece in _pieces(page, at) if piece.boilerplate < HARD)


def _has_title(page: Layout, at: int, seen: set[str]) -> bool:
    """Whether a part has a heading that is neither its author's name nor one of those before once more ("Re: ..."). On an index
    these are the titles of the posts."""
    found = False
    for piece in _pieces(page, at):
        if piece.kind == "heading" and not _is_name(page, piece.element, at):
            title = clean.bare(piece.text).removeprefix("re")
            found = found or title not in seen
            seen.add(title)
    return found


def _is_name(page: Layout, inner: int, outer: int) -> bool:
    """Whether an element or one around it, up to the outer one, is called an author's."""
    while inner >= outer:
        if _AUTHOR.search(_names(page.elements[inner])):
            return True
        inner = page.elements[inner].parent
    return False
