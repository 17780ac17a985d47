"""Finds the element of a page that holds its main text, by the layout alone: the first tier, on which the second builds.

It descends from the body: while one child holds most of the text outside of links, and what that child leaves out is neither
prose nor a heading, the child is taken. The descent begins where the markup names its main element, if much of the text is in
it, and on an article at the element around its title and text. Pieces inside that are marked as navigation, and read like it,
are left out, and so is what stands beside the text (`focuscrawl.text.beside`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from focuscrawl.text import clean
from focuscrawl.text.beside import (
    ALL_LINKS,
    LINK_LIST,
    MOSTLY_LINKS,
    beside_text,
    imprint_below,
    is_remark,
    may_be_read,
    tail_of,
    teasers_of,
)
from focuscrawl.text.boilerplate import HARD
from focuscrawl.text.layout import PROSE, Element, Layout, Piece, is_main_heading, is_prose
from focuscrawl.text.lead import lead_of
from focuscrawl.text.titles import begins_title, is_title, stands_for_title

_NAMED_SHARE = 0.5
"""Least share of the page's text in the element that the markup calls main, because some templates name a teaser so."""
_TITLED_SHARE = 0.25
"""Least share of the page's text in the element around an article and its title: comments and teasers may be longer."""
_UNSAID_SHARE, _UNSAID_PROSE = 0.5, 4
"""Least share of the page's text, and least prose, in that element if the page does not call itself an article."""
_FEW_LINKS = 0.1
"""Another part of a text has fewer bytes in `leading` links, relative to those outside of links; teasers have more."""
_CHILD_SHARE = 0.6
"""Least share of the page's text in a child that the descent enters."""
_LINE = 20
"""Least bytes of a line that may be a sentence."""
_SMALL = 150
"""A marked element with fewer bytes is dropped whatever it holds: a byline, a line of tags, a pager."""
_ENDS = frozenset({"p", "li", "pre", "blockquote", "dl", "ul", "ol", "dd"})
"""The descent does not enter these if there is anything beside them, because they are parts of a text."""
_CELLS = frozenset({"tr", "td", "th"})
"""The descent enters these if the cells beside them are links, because the table is then the layout of the page."""


@dataclass(slots=True, frozen=True)
class _PrefixSums:
    """Prefix sums over the pieces of a layout."""

    text: list[int]
    """Bytes outside of links and of HARD boilerplate, twice; those of MARKED boilerplate once. On an index, bytes in links
    count, too."""
    plain: list[int]
    """Bytes outside of links."""
    linked: list[int]
    """Bytes in links."""
    leading: list[int]
    """Bytes in links outside of prose, which lead to other texts; those in prose are part of it."""
    prose: list[int]
    """Number of pieces that are prose outside of boilerplate."""
    headings: list[int]
    """Number of headings, the page's title and those after it. The site's name may be one before it."""
    titles: list[int]
    """How many of the headings are the page's title."""


def main_element(layout: Layout) -> int:
    """Index of the element that holds the main text; 0, the body, on a page without layout."""
    elements, sums = layout.elements, _sums(layout)
    text, whole = sums.text, sums.text[-1]
    held = [text[element.last] - text[element.first] for element in elements]
    named = [at for at, element in enumerate(elements) if element.main and held[at] >= _NAMED_SHARE * whole > 0]
    at = named[-1] if named else 0  # the last is the innermost
    if layout.is_article or not named:
        titled = _around_title(layout, held, sums)
        if layout.is_article or (held[titled] >= _UNSAID_SHARE * whole and _of(sums.prose, elements[titled]) >= _UNSAID_PROSE):
            at = titled if _is_inside(elements[titled], elements[at]) else at
    # Elements that hold so much of a text lie one in the other.
    large = [
        inner
        for inner, element in enumerate(elements[at + 1 :], at + 1)
        if held[inner] >= _CHILD_SHARE * whole
        and not (layout.is_article and element.tag == "header")
        and (not element.boilerplate or held[inner] == held[element.parent])
    ]  # a marked one only if nothing stands beside it: else it may be a column that is longer than the text
    for inner in large:
        if elements[inner].parent != at or not _holds_all(layout, inner, sums):
            break
        at = inner
    return at


def _around_title(layout: Layout, held: Sequence[int], sums: _PrefixSums) -> int:
    """Index of the smallest element around the page's title and a good part of its text, beside which no other part of that
    text stands; 0 if there is no title. `held`: how much of the text each element holds."""
    title = clean.bare(layout.title)
    titles = [
        piece
        for piece in layout.pieces
        if piece.kind == "heading" and (is_title(piece, title) or (not piece.boilerplate and begins_title(piece, layout.title)))
    ]
    titles = titles or [piece for piece in layout.pieces if stands_for_title(piece, layout.title)]
    if not titles:
        return 0
    # The longest, because the site's name may be part of the title, too.
    at = max(titles, key=lambda piece: (len(clean.bare(piece.text)), is_main_heading(piece))).element
    while at > 0 and (held[at] < _TITLED_SHARE * held[0] or layout.elements[at].tag == "header"):
        at = layout.elements[at].parent
    inner = at
    while inner > 0:
        if _has_parts_beside(layout, inner, sums):
            at = layout.elements[inner].parent
        inner = layout.elements[inner].parent
    return at


def _has_parts_beside(layout: Layout, at: int, sums: _PrefixSums) -> bool:
    """Whether other parts of the text in an element stand beside it: elements of the same name, with prose, or ones with next
    to no links but those in prose that have some prose, or more text than this one, as code and verse."""
    this = layout.elements[at]

    def is_part(element: Element) -> bool:
        plain, prose = _of(sums.plain, element), _of(sums.prose, element)
        if element.name and element.name == this.name:
            return prose > 0 and _of(sums.linked, element) < plain
        if _of(sums.leading, element) >= _FEW_LINKS * plain:
            return False
        return prose > 1 or _of(sums.text, element) > _of(sums.text, this)

    return any(map(is_part, _beside(layout, at)))


def _beside(layout: Layout, at: int) -> Iterator[Element]:
    """The other elements directly inside of the one that is directly around this one."""
    parent = layout.elements[at].parent
    end = layout.elements[parent].last
    for inner, element in enumerate(layout.elements[parent + 1 :], parent + 1):
        if element.first >= end:
            break
        if element.parent == parent and inner != at:
            yield element


def _is_inside(inner: Element, outer: Element) -> bool:
    """Whether an element has no pieces but those of another one."""
    return outer.first <= inner.first and inner.last <= outer.last


def main_pieces(layout: Layout, root: int) -> list[int]:
    """Indices of the pieces that are the text of an element, without those that are marked as boilerplate and read like it, and
    with the page's title and lead if these come before the element."""
    element, lead = layout.elements[root], lead_of(layout)
    dropped: set[int] = set()
    for inner in layout.elements[root + 1 :]:
        if inner.first >= element.last:
            break
        if inner.boilerplate and _is_boilerplate(layout, inner):
            dropped.update(range(inner.first, inner.last))
    if lead is not None:
        dropped.discard(lead)  # it may stand in a header
    dropped |= beside_text(layout, element)
    dropped.update(at for at in range(element.first, element.last) if is_remark(layout, at))
    inside = [piece for piece in range(element.first, element.last) if piece not in dropped]
    imprint = imprint_below(layout, inside)
    inside = [piece for piece in inside if piece not in imprint]
    tail = tail_of(layout, inside)
    inside = [piece for piece in inside if piece not in tail]
    before = {*_title_before(layout, element, inside)}
    if lead is not None and lead < element.first:
        before.add(lead)
    return [*sorted(before), *(inside if root else _without_links_around(layout, inside))]


def _sums(layout: Layout) -> _PrefixSums:
    pieces, title = layout.pieces, clean.bare(layout.title)
    prose = [
        piece.size >= PROSE and piece.linked < 0.3 * piece.size and not piece.boilerplate and may_be_read(piece)
        for piece in pieces
    ]
    begin = _title_above_prose(layout, prose)
    headings = [
        piece.kind == "heading" and at >= begin and 2 * piece.linked < piece.size and piece.boilerplate < HARD
        for at, piece in enumerate(pieces)
    ]

    def sums(values: Sequence[int]) -> list[int]:
        return list(accumulate(values, initial=0))

    weights = [0 if piece.boilerplate == HARD else 1 if piece.boilerplate else 2 for piece in pieces]
    for at in teasers_of(layout):
        prose[at], weights[at] = False, 0
    text = sums([weight * (piece.size - piece.linked) for weight, piece in zip(weights, pieces, strict=True)])
    everything = sums([weight * piece.size for weight, piece in zip(weights, pieces, strict=True)])
    index = text[-1] < LINK_LIST * everything[-1] and not _is_one_article(layout)
    return _PrefixSums(
        everything if index else text,
        sums([piece.size - piece.linked for piece in pieces]),
        sums([piece.linked for piece in pieces]),
        sums([piece.linked and (0 if is_prose(piece) else piece.linked) for piece in pieces]),
        sums(prose),
        sums(headings),
        sums([heading and is_title(piece, title) for heading, piece in zip(headings, pieces, strict=True)]),
    )


def _title_above_prose(layout: Layout, prose: Sequence[bool]) -> int:
    """Index of the first heading with which the page's title begins; 0 if there is none above the first prose."""
    for at, piece in enumerate(layout.pieces):
        if piece.kind == "heading" and begins_title(piece, layout.title):
            return at
        if prose[at]:
            break
    return 0


def _is_one_article(layout: Layout) -> bool:
    """Whether the markup says that the page has one article, which is no list of links: it may be shorter than all lists
    around it."""
    articles = [layout.pieces[element.first : element.last] for element in layout.elements if element.tag == "article"]
    return len(articles) == 1 and 2 * sum(piece.linked for piece in articles[0]) < sum(piece.size for piece in articles[0])


def _of(sums: list[int], element: Element) -> int:
    """The sum over the pieces of an element."""
    return sums[element.last] - sums[element.first]


def _holds_all(layout: Layout, at: int, sums: _PrefixSums) -> bool:
    """Whether everything that an element leaves out of the one around it is likely boilerplate."""
    inner = layout.elements[at]
    outer = layout.elements[inner.parent]

    def outside(values: list[int]) -> int:
        return _of(values, outer) - _of(values, inner)

    headings, titles = outside(sums.headings), sums.titles[inner.first] - sums.titles[outer.first]
    if titles and not _says_something(layout, outer, inner):
        headings -= titles  # the title stands above all columns, perhaps with a date: `_title_before` adds it
    prose = outside(sums.prose)
    if (prose or headings) and outside(sums.linked) <= outside(sums.plain):
        return False
    if prose and not (layout.is_article and prose == _prose_in_boxes(layout, at, sums)):
        return False
    if inner.tag in _CELLS:
        return outside(sums.plain) <= max(_SMALL, outside(sums.linked))
    return inner.tag not in _ENDS or inner.last - inner.first == outer.last - outer.first


def _prose_in_boxes(layout: Layout, at: int, sums: _PrefixSums) -> int:
    """How much prose stands beside an element in boxes that are mostly links: slogans, hints, teasers. A further part of the
    text is no box."""
    name = layout.elements[at].name
    boxes = (element for element in _beside(layout, at) if not name or element.name != name)
    return sum(_of(sums.prose, box) for box in boxes if _of(sums.linked, box) > _of(sums.plain, box))


def _says_something(layout: Layout, outer: Element, inner: Element) -> bool:
    """Whether a paragraph, an item or the like of at least `_LINE` bytes, without links, is in `outer` and not in `inner`."""
    return any(
        layout.elements[piece.element].tag in _ENDS
        and piece.size >= _LINE
        and 2 * piece.linked < piece.size
        and not piece.boilerplate
        for piece in (*layout.pieces[outer.first : inner.first], *layout.pieces[inner.last : outer.last])
    )


def _is_boilerplate(layout: Layout, element: Element) -> bool:
    """Whether a marked element also reads like boilerplate."""
    pieces = layout.pieces[element.first : element.last]
    size, linked = sum([piece.size for piece in pieces]), sum([piece.linked for piece in pieces])
    if element.tag == "header":
        return linked > MOSTLY_LINKS * size  # the header of an article has its title and lead
    if element.boilerplate == HARD or size < _SMALL or linked > MOSTLY_LINKS * size:
        return True
    # The lines of a poem are paragraphs, though none is long enough for prose.
    in_paragraphs = sum(piece.size - piece.linked for piece in pieces if layout.elements[piece.element].tag == "p")
    return 2 * in_paragraphs <= size and not any(map(is_prose, pieces))


def _without_links_around(layout: Layout, inside: list[int]) -> list[int]:
    """The pieces of a page without layout, without its menu: the pieces before and after the text that are all links. An index
    keeps all its pieces."""
    texts = [number for number, at in enumerate(inside) if layout.pieces[at].linked <= ALL_LINKS * layout.pieces[at].size]
    size = sum(layout.pieces[inside[number]].size for number in texts)
    if size < LINK_LIST * sum(layout.pieces[at].size for at in inside):
        return inside
    return inside[texts[0] : texts[-1] + 1] if texts else inside


def _title_before(layout: Layout, element: Element, inside: Iterable[int]) -> list[int]:
    """The piece, if any, that is the page's title and stands before an element: a main heading, one of any level with which
    the title begins, or else what stands for it. None if such a piece is among those that are text in the element, `inside`."""
    pieces, title = layout.pieces, clean.bare(layout.title)

    def begins(piece: Piece) -> bool:
        return piece.kind == "heading" and begins_title(piece, layout.title)

    texts = [pieces[at] for at in inside]
    if not title or any(is_main_heading(piece) or begins(piece) for piece in texts):
        return []
    before = range(element.first - 1, -1, -1)
    headings = (at for at in before if is_title(pieces[at], title) or begins(pieces[at]))
    if (found := next(headings, None)) is None and not any(stands_for_title(piece, layout.title) for piece in texts):
        found = next((at for at in before if stands_for_title(pieces[at], layout.title)), None)
    return [] if found is None else [found]
