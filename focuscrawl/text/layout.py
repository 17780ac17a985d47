"""The layout of a page, from which main text is chosen: the pieces of text that a reader sees, each with its place in the tree.

The pieces are in the order of the page, and those of an element are a contiguous run, so that sums over any element are
differences of two prefix sums. `focuscrawl.text.walk` makes the layout, `focuscrawl.text.marks` marks what is boilerplate.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from focuscrawl.text.blocks import BlockKind
from focuscrawl.text.boilerplate import HARD, UNNAMED, Named

BREAK = "\x0b"
"""Stands for `<br>` in the text of a piece. Decoding removes this character from pages, and splitting takes it for a space."""
PARTS = frozenset({"p", "li", "pre", "blockquote", "dl", "ul", "ol", "dd"})
"""Elements that are parts of a text."""
HEADED_PARTS = PARTS | {"dt", "h1", "h2", "h3", "h4", "h5", "h6"}
"""Those, and what stands above them in a text."""
PROSE = 80
"""Least bytes of a piece that is prose. A heading or a slogan is shorter."""
_ALL_LINKS = 0.9
"""A piece with a larger share of its text in links is a link."""


@dataclass(slots=True)
class Element:
    """An element that is not inline. Its pieces are `pieces[first:last]` of the layout."""

    tag: str
    classes: str = ""
    """The `class` attribute as written, or its beginning."""
    id: str = ""
    parent: int = -1
    """Index of the parent; -1 for the body."""
    kind: BlockKind = "paragraph"
    level: int = 0
    """Kind and level of the pieces directly inside."""
    first: int = 0
    last: int = 0
    boilerplate: int = 0
    """0, MARKED or HARD."""
    hidden: bool = False
    """Whether the page hides it until a script shows it (`style="display: none"`), as the help of a search or a dialogue."""
    main: bool = False
    """Whether the markup itself calls it the main content (`main`, `article`, role, schema.org)."""
    named: Named = UNNAMED
    asks: bool = False
    """Whether a field directly inside is for an e-mail address."""

    @property
    def name(self) -> str:
        """Its tag and classes, which parts of one text have in common; empty if it has no class and is no `section`."""
        return f"{self.tag}.{self.classes}" if self.classes or self.tag == "section" else ""


@dataclass(slots=True)
class Piece:
    """Text without another element inside, but inline ones."""

    text: str
    """The text as in the source, with `BREAK` for `<br>`."""
    kind: BlockKind
    level: int
    element: int
    """Index of the innermost element around it."""
    size: int
    """Bytes in UTF-8, so that a Chinese sentence weighs as much as its translation."""
    linked: int
    """How many of these bytes are in links."""
    boilerplate: int = 0
    """The strongest sign of boilerplate among the elements around it."""


@dataclass(slots=True)
class Layout:
    """The elements of a page in document order, the body first, and its pieces in the same order."""

    elements: list[Element] = field(default_factory=list)
    pieces: list[Piece] = field(default_factory=list)
    title: str = ""
    """What the page's head calls it."""
    titles: list[int] = field(default_factory=list)
    """Indices of the pieces that are this title, in order (`focuscrawl.text.titles`)."""
    is_article: bool = False
    """Whether the page calls itself an article."""

    def inside(self, element: Element) -> list[Piece]:
        return self.pieces[element.first : element.last]

    def around(self, at: int) -> Iterator[Element]:
        """The element with this index and those around it, the innermost first, without the body."""
        while at > 0:
            yield self.elements[at]
            at = self.elements[at].parent

    def leave_out(self, element: Element) -> None:
        """Mark an element as boilerplate, with all pieces in it."""
        element.boilerplate = HARD
        for piece in self.inside(element):
            piece.boilerplate = HARD


def is_prose(piece: Piece) -> bool:
    """Whether a piece is long enough for prose, and not mostly links."""
    return piece.size >= PROSE and 2 * piece.linked < piece.size


def is_link(piece: Piece) -> bool:
    """Whether a piece is one of a menu: next to nothing but links."""
    return piece.linked > _ALL_LINKS * piece.size


def is_main_heading(piece: Piece) -> bool:
    return piece.kind == "heading" and piece.level == 1  # items of a nested list are of level 1, too


def size_of(text: str) -> int:
    """Bytes in UTF-8, so that a Chinese sentence weighs as much as its translation."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "replace"))


def bytes_of(pieces: Collection[Piece]) -> tuple[int, int]:
    """Bytes of these pieces in links, and all of them."""
    return sum([piece.linked for piece in pieces]), sum([piece.size for piece in pieces])


def prefix_sums(values: Iterable[int]) -> list[int]:
    """Sums over the pieces before each one, and over all of them at the end, from which `held` takes those of an element."""
    return list(accumulate(values, initial=0))


def held(sums: Sequence[int], element: Element) -> int:
    """The sum over the pieces of an element."""
    return sums[element.last] - sums[element.first]
