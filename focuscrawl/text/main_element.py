"""Finds the element of a page that holds its main text, by the layout alone: the first tier, on which the second builds.

It descends from the body: while one child holds most of the text outside of links, and what that child leaves out is neither
prose nor a heading, the child is taken. The descent begins where the markup names its main element, if much of the text is in
it, and on an article at the element around its title and text. Pieces inside that are marked as navigation, and read like it,
are left out, and so is what stands beside the text (`focuscrawl.text.beside`).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from focuscrawl.text.beside import LINK_LIST, MOSTLY_LINKS, beside_text, tail_of, teasers_of
from focuscrawl.text.boilerplate import HARD
from focuscrawl.text.layout import (
    PARTS,
    PROSE,
    Element,
    Layout,
    bytes_of,
    held,
    is_link,
    is_prose,
    prefix_sums,
)
from focuscrawl.text.lead import lead_of
from focuscrawl.text.remarks import imprint_below, is_remark, may_be_read
from focuscrawl.text.titles import title_of, titles_and_main_headings

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
_CELLS = frozenset({"tr", "td", "th"})
"""The descent enters these if the cells beside them are links, because the table is then the layout of the page."""


@dataclass(slots=True, frozen=True)
class _PrefixSums:
    """Prefix sums over the pieces of a page."""

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


def main_element(page: Layout) -> int:
    """Index of the element that holds the main text; 0, the body, on a page without layout."""
    sums = _sums(page)
    at = _begin(page, sums)
    for inner in _large(page, sums, at):
        if page.elements[inner].parent != at or not _holds_all(page, inner, sums):
            break
        at = inner
    return at


def _begin(page: Layout, sums: _PrefixSums) -> int:
    """Index of the element where the descent begins."""
    elements, whole = page.elements, sums.text[-1]
    called = [
        at for at, element in enumerate(elements) if element.main and held(sums.text, element) >= _NAMED_SHARE * whole > 0
    ]
    begin = called[-1] if called else 0  # the last is the innermost
    if called and not page.is_article:
        return begin
    titled = _around_title(page, sums)
    element = elements[titled]
    is_text = held(sums.text, element) >= _UNSAID_SHARE * whole and held(sums.prose, element) >= _UNSAID_PROSE
    return titled if (page.is_article or is_text) and _is_inside(element, elements[begin]) else begin


def _large(page: Layout, sums: _PrefixSums, begin: int) -> Iterator[int]:
    """The elements behind this one that hold so much of the text that they lie one in the other. A marked one is among them
    only if nothing stands beside it: else it may be a column that is longer than the text."""
    whole = sums.text[-1]
    for at in _around_middle(page, sums, begin):
        element = page.elements[at]
        size = held(sums.text, element)
        if size < _CHILD_SHARE * whole or (page.is_article and element.tag == "header"):
            continue
        if not element.boilerplate or size == held(sums.text, page.elements[element.parent]):
            yield at


def _around_middle(page: Layout, sums: _PrefixSums, begin: int) -> Sequence[int]:
    """The elements behind this one around the piece in the middle of the page's text, the outermost first: no other element
    holds half of the text. All elements if there is no text."""
    whole = sums.text[-1]
    if not whole:
        return range(begin + 1, len(page.elements))
    at = page.pieces[bisect_right(sums.text, whole / 2) - 1].element
    around: list[int] = []
    while at > begin:
        around.append(at)
        at = page.elements[at].parent
    return around[::-1]


def _around_title(page: Layout, sums: _PrefixSums) -> int:
    """Index of the smallest element around the page's title and a good part of its text, beside which no other part of that
    text stands; 0 if there is no title."""
    title = title_of(page)
    if title is None:
        return 0
    at = page.pieces[title].element
    least = _TITLED_SHARE * sums.text[-1]
    while at > 0 and (held(sums.text, page.elements[at]) < least or page.elements[at].tag == "header"):
        at = page.elements[at].parent
    inner = at
    while inner > 0:
        if _has_parts_siblings(page, inner, sums):
            at = page.elements[inner].parent
        inner = page.elements[inner].parent
    return at


def _has_parts_siblings(page: Layout, at: int, sums: _PrefixSums) -> bool:
    """Whether other parts of the text in an element stand beside it: elements of the same name, with prose, or ones with next
    to no links but those in prose that have some prose, or more text than this one, as code and verse."""
    this = page.elements[at]

    def is_part(element: Element) -> bool:
        plain, prose = held(sums.plain, element), held(sums.prose, element)
        if element.name and element.name == this.name:
            return prose > 0 and held(sums.linked, element) < plain
        if held(sums.leading, element) >= _FEW_LINKS * plain:
            return False
        return prose > 1 or held(sums.text, element) > held(sums.text, this)

    return any(map(is_part, _siblings(page, at)))


def _siblings(page: Layout, at: int) -> Iterator[Element]:
    """The other elements directly inside of the one that is directly around this one."""
    parent = page.elements[at].parent
    end = page.elements[parent].last
    for inner, element in enumerate(page.elements[parent + 1 :], parent + 1):
        if element.first >= end:
            break
        if element.parent == parent and inner != at:
            yield element


def _is_inside(inner: Element, outer: Element) -> bool:
    """Whether an element has no pieces but those of another one."""
    return outer.first <= inner.first and inner.last <= outer.last


def main_pieces(page: Layout, root: int) -> list[int]:
    """Indices of the pieces that are the text of an element, without those that are marked as boilerplate and read like it, and
    with the page's title and lead if these come before the element."""
    element, lead = page.elements[root], lead_of(page)
    dropped: set[int] = set()
    for inner in page.elements[root + 1 :]:
        if inner.first >= element.last:
            break
        if inner.boilerplate and _is_boilerplate(page, inner):
            dropped.update(range(inner.first, inner.last))
    dropped -= {title_of(page), lead}  # they may stand in a header
    dropped |= beside_text(page, element)
    dropped.update([at for at in range(element.first, element.last) if is_remark(page, at)])
    inside = [piece for piece in range(element.first, element.last) if piece not in dropped]
    imprint = imprint_below(page, inside)
    inside = [piece for piece in inside if piece not in imprint]
    tail = tail_of(page, inside)
    inside = [piece for piece in inside if piece not in tail]
    before = {*_title_before(page, element, inside)}
    if lead is not None and lead < element.first:
        before.add(lead)
    return [*sorted(before), *(inside if root else _without_links_around(page, inside))]


def _sums(page: Layout) -> _PrefixSums:
    pieces, titles, teasers = page.pieces, set(page.titles), teasers_of(page)
    prose = [
        piece.size >= PROSE and piece.linked < 0.3 * piece.size and not piece.boilerplate and may_be_read(piece)
        for piece in pieces
    ]
    begin = _title_above_prose(page, prose)
    headings = [
        piece.kind == "heading" and at >= begin and 2 * piece.linked < piece.size and piece.boilerplate < HARD
        for at, piece in enumerate(pieces)
    ]
    return _PrefixSums(
        text=_text(page, teasers),
        plain=prefix_sums([piece.size - piece.linked for piece in pieces]),
        linked=prefix_sums([piece.linked for piece in pieces]),
        leading=prefix_sums([piece.linked and (0 if is_prose(piece) else piece.linked) for piece in pieces]),
        prose=prefix_sums([said and at not in teasers for at, said in enumerate(prose)]),
        headings=prefix_sums(headings),
        titles=prefix_sums([heading and at in titles for at, heading in enumerate(headings)]),
    )


def _text(page: Layout, teasers: Collection[int]) -> list[int]:
    """The sums of `_PrefixSums.text`. Teasers do not count."""
    weights = [0 if piece.boilerplate == HARD else 1 if piece.boilerplate else 2 for piece in page.pieces]
    for at in teasers:
        weights[at] = 0
    text = prefix_sums([weight * (piece.size - piece.linked) for weight, piece in zip(weights, page.pieces, strict=True)])
    everything = prefix_sums([weight * piece.size for weight, piece in zip(weights, page.pieces, strict=True)])
    return everything if text[-1] < LINK_LIST * everything[-1] and not _is_one_article(page) else text


def _title_above_prose(page: Layout, prose: Sequence[bool]) -> int:
    """Index of the page's title; 0 if it does not stand above all prose."""
    title = title_of(page) or 0
    return 0 if any(prose[:title]) else title


def _is_one_article(page: Layout) -> bool:
    """Whether the markup says that the page has one article, which is no list of links: it may be shorter than all lists
    around it."""
    articles = [element for element in page.elements if element.tag == "article"]
    if len(articles) != 1:
        return False
    linked, size = bytes_of(page.inside(articles[0]))
    return 2 * linked < size


def _holds_all(page: Layout, at: int, sums: _PrefixSums) -> bool:
    """Whether everything that an element leaves out of the one around it is likely boilerplate."""
    inner = page.elements[at]
    outer = page.elements[inner.parent]

    def outside(values: list[int]) -> int:
        return held(values, outer) - held(values, inner)

    headings, titles = outside(sums.headings), sums.titles[inner.first] - sums.titles[outer.first]
    if titles and not _says_something(page, outer, inner):
        headings -= titles  # the title stands above all columns, perhaps with a date: `_title_before` adds it
    prose = outside(sums.prose)
    if (prose or headings) and outside(sums.linked) <= outside(sums.plain):
        return False
    if prose and not (page.is_article and prose == _prose_in_boxes(page, at, sums)):
        return False
    if inner.tag in _CELLS:
        return outside(sums.plain) <= max(_SMALL, outside(sums.linked))
    # A part of a text is not entered if there is anything beside it.
    return inner.tag not in PARTS or inner.last - inner.first == outer.last - outer.first


def _prose_in_boxes(page: Layout, at: int, sums: _PrefixSums) -> int:
    """How much prose stands beside an element in boxes that are mostly links: slogans, hints, teasers. A further part of the
    text is no box."""
    name = page.elements[at].name
    boxes = (element for element in _siblings(page, at) if not name or element.name != name)
    return sum(held(sums.prose, box) for box in boxes if held(sums.linked, box) > held(sums.plain, box))


def _says_something(page: Layout, outer: Element, inner: Element) -> bool:
    """Whether a paragraph, an item or the like of at least `_LINE` bytes, without links, is in `outer` and not in `inner`."""
    return any(
        page.elements[piece.element].tag in PARTS
        and piece.size >= _LINE
        and 2 * piece.linked < piece.size
        and not piece.boilerplate
        for piece in (*page.pieces[outer.first : inner.first], *page.pieces[inner.last : outer.last])
    )


def _is_boilerplate(page: Layout, element: Element) -> bool:
    """Whether a marked element also reads like boilerplate."""
    pieces = page.inside(element)
    linked, size = bytes_of(pieces)
    if element.tag == "header":
        return linked > MOSTLY_LINKS * size  # the header of an article has its title and lead
    if element.boilerplate == HARD or size < _SMALL or linked > MOSTLY_LINKS * size:
        return True
    # The lines of a poem are paragraphs, though none is long enough for prose.
    in_paragraphs = sum(piece.size - piece.linked for piece in pieces if page.elements[piece.element].tag == "p")
    return 2 * in_paragraphs <= size and not any(map(is_prose, pieces))


def _without_links_around(page: Layout, inside: list[int]) -> list[int]:
    """The pieces of a page without page, without its menu: the pieces before and after the text that are all links. An index
    keeps all its pieces."""
    texts = [number for number, at in enumerate(inside) if not is_link(page.pieces[at])]
    size = sum(page.pieces[inside[number]].size for number in texts)
    if size < LINK_LIST * sum(page.pieces[at].size for at in inside):
        return inside
    return inside[texts[0] : texts[-1] + 1] if texts else inside


def _title_before(page: Layout, element: Element, inside: Iterable[int]) -> list[int]:
    """The last title of the page before an element, if any; none if a title or a main heading is in the text, `inside`."""
    if not titles_and_main_headings(page).isdisjoint(inside):
        return []
    return [at for at in page.titles if at < element.first][-1:]
