"""Marks the boilerplate of a page: what names of elements say (`focuscrawl.text.boilerplate`), in view of the whole page."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import takewhile

from focuscrawl.text.abstracts import mark_around_abstracts
from focuscrawl.text.boilerplate import HARD, MARKED
from focuscrawl.text.document import Document
from focuscrawl.text.layout import Element, Layout, held, is_main_heading, is_prose, prefix_sums
from focuscrawl.text.posts import mark_around_posts
from focuscrawl.text.titles import titles_of
from focuscrawl.text.walk import walk

_ARTICLE = re.compile(
    r"(?:^|[\s_-])(?:post|entry|article|chapter|story|blog|news|question|answer|product|goods|event|episode|job|recipe)[_-]{0,2}"
    r"(?:content|body|text|desc(?:ription)?|summary|details?|notes)"
    r"(?=$|[\s_-])|(?:^|\s)article(?=$|\s)",
    re.IGNORECASE,
)
"""In the class of what readers comment on."""
_PAPER = "meta[name^='citation_']"
"""In the head of a page about a paper: what search engines for papers read."""
_ASKING = 400
"""Most bytes of a box in which the page asks for an e-mail address."""
_COMMENTED = 200
"""Least bytes of prose of an article that stands before the comments on it."""


def marked_layout(document: Document, *, formulas: bool = False) -> Layout:
    """The layout of a page, with its titles found and its boilerplate marked. `formulas` as for `walk`."""
    page = walk(document, formulas=formulas)
    _clear_leads(page)
    _clear_texts(page)
    _mark_comments(page)
    _mark_boxes(page)
    _pass_down(page)
    page.titles = titles_of(page)
    if document.says("citation_") and document.tree.css_first(_PAPER) is not None:
        mark_around_abstracts(page)
    mark_around_posts(page)
    return page


def _clear_leads(page: Layout) -> None:
    """Clear the header of an article that has prose, because it has the lead, and one in `main` that has a heading, too."""
    ends = {"article": 0, "main": 0}
    """Where the last of them ends."""
    for element in page.elements:
        if element.tag in ends:
            ends[element.tag] = max(ends[element.tag], element.last)
        elif element.tag == "header" and not element.hidden:
            inside = page.inside(element)
            in_main = element.first < ends["main"] and any(piece.kind == "heading" for piece in inside)
            if (in_main or element.first < ends["article"]) and any(map(is_prose, inside)):
                element.boilerplate = 0


def _clear_texts(page: Layout) -> None:
    """Clear marks of what holds most of the page's text.

    An element that is named after its menu (`nav-content-wrap`) and holds headings is not a menu; a form is around the page, as
    ASP.NET puts one. A hidden element is shown by a script after loading, and so are hidden elements of one name that hold most
    of the text together, unless they are menus or dialogs."""
    sums = prefix_sums([piece.size - piece.linked for piece in page.pieces])
    marked = [(at, element) for at, element in enumerate(page.elements) if element.boilerplate]
    hidden = [at for at, element in marked if element.hidden]
    together = _held_together(page, sums) if hidden else {}
    for at, element in marked:
        size = together[at] if at in together else held(sums, element)
        if 2 * size > sums[-1]:
            titled = element.tag == "form" or any(piece.kind == "heading" for piece in page.inside(element))
            if element.named.sign < HARD if element.hidden else element.boilerplate == MARKED and titled:
                element.boilerplate = 0


def _held_together(page: Layout, sums: Sequence[int]) -> dict[int, int]:
    """Bytes that hidden elements of the same tag and class hold together, by index of the element, where each stands behind
    something that is shown, as answers below their questions. Those that stand right behind another hidden element may be
    versions of the text before, or dialogs."""
    apart: dict[int, tuple[str, str]] = {}
    together: Counter[tuple[str, str]] = Counter()
    inside: set[int] = set()
    """The hidden elements, and those in them."""
    end = 0
    """Where the last of them ends."""
    for at, element in enumerate(page.elements):
        if element.parent in inside:
            inside.add(at)
        elif element.hidden:
            if at - 1 not in inside or element.first > end:
                apart[at] = element.tag, element.classes
                together[apart[at]] += held(sums, element)
            inside.add(at)
            end = element.last
    return {at: together[name] for at, name in apart.items()}


def _mark_comments(page: Layout) -> None:
    """Mark readers' comments, however long they are, where the page calls itself an article, or the markup names the article
    before them. On other pages they are the text itself, as in forums."""
    comments = [element for element in page.elements if element.named.comments]
    if not comments:
        return
    in_article = [False] * len(page.elements)
    for at, element in enumerate(page.elements):
        inherited = in_article[element.parent] if element.parent >= 0 else page.is_article
        is_article = inherited or element.tag == "article" or _is_article(element.classes)
        in_article[at] = is_article and not element.named.comments
    written = prefix_sums([piece.size if in_article[piece.element] and is_prose(piece) else 0 for piece in page.pieces])
    for element in comments:
        if written[element.first] >= _COMMENTED and not any(map(is_main_heading, page.inside(element))):
            element.boilerplate = HARD


@lru_cache(maxsize=4096)
def _is_article(classes: str) -> bool:
    return _ARTICLE.search(classes) is not None


def _mark_boxes(page: Layout) -> None:
    """Mark boxes beside the text: those that are called so, and where readers are asked for an e-mail address. Each is less
    than half of the page, without a main heading, and if it is called so, less than what is in no such box: where each post of
    a list is called so, they are the text."""
    called = [element for element in page.elements if element.named.box]
    asking = [at for at, element in enumerate(page.elements) if element.asks]
    if not (called or asking):
        return
    sizes = prefix_sums([piece.size for piece in page.pieces])

    def is_beside(element: Element) -> bool:
        return 2 * held(sizes, element) < sizes[-1] and not any(map(is_main_heading, page.inside(element)))

    called = list(filter(is_beside, called))
    outside = _outside(called, sizes)
    boxes = [element for element in called if held(sizes, element) < outside]
    for at in asking:
        boxes += list(takewhile(lambda box: held(sizes, box) <= _ASKING and is_beside(box), page.around(at)))[-1:]
    for element in boxes:
        element.boilerplate = HARD


def _outside(elements: Iterable[Element], sizes: Sequence[int]) -> int:
    """Bytes that are in none of these elements, which are given in document order. `sizes`: sums of the bytes of the pieces."""
    outside, end = sizes[-1], 0
    for element in elements:
        if element.last > end:
            outside -= sizes[element.last] - sizes[max(element.first, end)]
            end = element.last
    return outside


def _pass_down(page: Layout) -> None:
    """Give each piece the strongest sign of the elements around it."""
    signs = [element.boilerplate for element in page.elements]
    for at, element in enumerate(page.elements):
        if element.parent >= 0 and (around := signs[element.parent]) > signs[at]:
            signs[at] = around
    for piece in page.pieces:
        piece.boilerplate = signs[piece.element]
