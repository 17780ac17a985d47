"""Finds what stands around the posts of a thread: authors, dates, signatures and buttons, which each post repeats in one place.

A list of functions or of releases repeats its parts, too. Posts are those that the markup calls so, and that have dates.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

from focuscrawl.text import clean
from focuscrawl.text.boilerplate import HARD
from focuscrawl.text.layout import HEADED_PARTS, Layout, Piece, held, is_prose, prefix_sums

DATE = re.compile(
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
_NUMBER = re.compile(r"\d+")
_NUMBERED = re.compile(r"([A-Za-z_-]{3,})\d+")


def mark_around_posts(page: Layout) -> None:
    """Mark what stands around the text of posts as boilerplate, element by element. Code is always text."""
    named = [at for at, element in enumerate(page.elements) if element.named.post]
    if len(named) < _LEAST:
        return
    for at in _Thread(page, named).around():
        page.leave_out(page.elements[at])


def is_stamp(piece: Piece) -> bool:
    """Whether a piece may be a post's date and author."""
    return piece.size <= _STAMP and piece.kind not in {"code", "heading"} and DATE.search(piece.text) is not None


class _Part(NamedTuple):
    """An element in a post, and that post, both as numbers of elements."""

    at: int
    post: int


class _Thread:
    """The elements of a page that may have posts, by parent, and prefix sums over its pieces."""

    def __init__(self, page: Layout, named: Iterable[int]) -> None:
        """`named`: the elements that are called posts."""
        self._page = page
        self._children: defaultdict[int, list[int]] = defaultdict(list)
        for at, element in enumerate(page.elements):
            self._children[element.parent].append(at)
        self._named = set(named)
        """Those, and the elements in which one of these is the only element."""
        for at in named:
            while (at := page.elements[at].parent) >= 0 and len(self._children[at]) == 1:
                self._named.add(at)

    @cached_property
    def _bytes(self) -> list[int]:
        """Of text outside of links and of boilerplate."""
        pieces = self._page.pieces
        return prefix_sums([piece.size - piece.linked if piece.boilerplate < HARD else 0 for piece in pieces])

    @cached_property
    def _prose(self) -> list[int]:
        return prefix_sums([piece.boilerplate < HARD and is_prose(piece) for piece in self._page.pieces])

    @cached_property
    def _code(self) -> list[int]:
        return prefix_sums([piece.kind == "code" for piece in self._page.pieces])

    @cached_property
    def _stamps(self) -> list[int]:
        return prefix_sums(map(is_stamp, self._page.pieces))

    def around(self) -> set[int]:
        """The elements around the texts of all posts. Those inside of posts that were read are not searched for posts."""
        around: set[int] = set()
        read = 0
        parents = Counter([self._page.elements[at].parent for at in self._named])
        for parent, siblings in self._children.items():
            if parent not in parents or parents[parent] < _LEAST:
                continue
            if parent >= 0 and self._page.elements[parent].first < read:
                continue
            groups: defaultdict[str, list[int]] = defaultdict(list)
            for at in siblings:
                groups[self._form(at)].append(at)
            for posts in filter(self._are_posts, groups.values()):
                if found := self._around(posts):
                    around |= found
                    read = max(read, self._page.elements[posts[-1]].last)
        return around

    def _sum(self, sums: list[int], at: int) -> int:
        return held(sums, self._page.elements[at])

    def _form(self, at: int) -> str:
        """What elements have in common that are built alike: tag, first class, and an id that ends in a number, without
        numbers."""
        element = self._page.elements[at]
        numbered = _NUMBERED.fullmatch(element.id)
        return f"{element.tag}.{_NUMBER.sub('', element.classes.partition(' ')[0])}#{numbered[1] if numbered else ''}"

    def _are_posts(self, posts: Sequence[int]) -> bool:
        if (
            len(posts) < _LEAST
            or self._page.elements[posts[0]].tag in HEADED_PARTS - {"li"}
            or not self._named.issuperset(posts[:_LEAST])
        ):
            return False
        if sum(self._sum(self._prose, at) > 0 for at in posts) < _LEAST:
            return False
        return sum(self._sum(self._stamps, at) > 0 for at in posts) >= max(_LEAST, _DATED * len(posts))

    def _around(self, posts: Sequence[int]) -> set[int]:
        """The elements around what the authors of these posts wrote: those beside the way down to the part that holds most."""
        around: set[int] = set()
        titles: set[str] = set()
        way = [_Part(at, at) for at in posts]
        while True:
            signatures, groups = self._inside(way)
            around |= signatures
            whole = self._size(part.at for part in way) - self._size(signatures)
            largest = max(groups, key=lambda group: self._size(part.at for part in group), default=[])
            # What only some posts have, as a table or a caption, their authors wrote.
            usual = [group for group in groups if 2 * len({part.post for part in group}) > len(posts)]
            beside = sorted(part.at for group in usual if group is not largest for part in group)
            if not largest or not self._is_entered(largest, whole) or self._says_much(beside, len(way)):
                return around
            around.update(at for at in beside if not (self._has_title(at, titles) or self._sum(self._code, at)))
            way = largest

    def _inside(self, way: Sequence[_Part]) -> tuple[set[int], list[list[_Part]]]:
        """The parts directly inside of these: signatures, and the others in groups that are built alike."""
        signatures: set[int] = set()
        groups: defaultdict[str, list[_Part]] = defaultdict(list)
        for outer in way:
            for at in self._children.get(outer.at, ()):
                if _SIGNATURE.search(self._names(at)):
                    signatures.add(at)
                else:
                    groups[self._form(at)].append(_Part(at, outer.post))
        return signatures, list(groups.values())

    def _is_entered(self, parts: Sequence[_Part], whole: int) -> bool:
        """Whether the text lies further inside of these parts. `whole`: bytes of all that stands beside and in them."""
        is_text = self._page.elements[parts[0].at].tag in HEADED_PARTS
        return not is_text and self._size(part.at for part in parts) >= _SHARE * whole

    def _says_much(self, beside: Sequence[int], count: int) -> bool:
        """Whether too many of these parts, beside the text of `count` posts, are prose themselves."""
        return sum(self._sum(self._prose, at) > 0 for at in beside) > _WORDY * count

    def _size(self, elements: Iterable[int]) -> int:
        return sum(self._sum(self._bytes, at) for at in elements)

    def _names(self, at: int) -> str:
        return f"{self._page.elements[at].classes} {self._page.elements[at].id}"

    def _has_title(self, at: int, seen: set[str]) -> bool:
        """Whether a part has a heading that is neither its author's name nor one of those before once more ("Re: ..."). On an
        index these are the titles of the posts."""
        found = False
        for piece in self._page.inside(self._page.elements[at]):
            if piece.kind == "heading" and not self._is_name(piece.element, at):
                title = clean.bare(piece.text).removeprefix("re")
                found = found or title not in seen
                seen.add(title)
        return found

    def _is_name(self, inner: int, outer: int) -> bool:
        """Whether an element or one around it, up to the outer one, is called an author's."""
        while inner >= outer:
            if _AUTHOR.search(self._names(inner)):
                return True
            inner = self._page.elements[inner].parent
        return False
