"""Finds by its place, and by the labels above it, what stands beside the text of a page: lists of other pages and their
teasers, what is said of the author, what is above the title, what is left at the end."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from itertools import pairwise, takewhile

from focuscrawl.text import clean
from focuscrawl.text.layout import (
    Element,
    Layout,
    Piece,
    bytes_of,
    held,
    is_link,
    is_main_heading,
    is_prose,
    prefix_sums,
    size_of,
)
from focuscrawl.text.other_pages import announces_others

MOSTLY_LINKS = 0.5
"""A marked element with a larger share of its text in links is a menu."""
LINK_LIST = 0.3
"""A page with a smaller share of text outside of links is an index, whose links are its text."""
_ENDS_OF_SENTENCES = (".", "!", "?", "。", "！", "？")
_BOXES = frozenset({"div", "section", "aside"})
"""What may be a box beside a text."""
_ALL_LINKS = 0.9
"""Least share of the links behind a label that announces them."""
_LISTED = 0.3
"""Least share of links in a list of other pages without prose, whose rows may have a date and a name beside the link."""
_LEAST_TEASERS = 3
"""Least teasers of other pages beside an article, and least links of an announced list of them."""
_LONGEST_TEASER = 300
"""Most bytes of text behind one of these links."""
_AUTHORS = re.compile(
    r"(?:about(?:the|this)?(?:authors?|writers?|contributors?)|(?:关于|關於)(?:本文)?作者|作者(?:简介|簡介|介绍|介紹))"
)
"""The label above what is said of the authors, in lower case and without spaces and marks."""
_LIFE = 1_500
"""Most bytes of what is said of the authors."""
_COLON = re.compile("[:：]")
_ADDRESS = re.compile(r"\A\W*(?:https?:|www\.)|\S@\w|\.\w{2,}(?:/\S*)?\W*\Z|\b(?:pdf|docx?|xlsx?)\b|附件", re.IGNORECASE)
"""In a text that is an address, or names a file."""
_SHORT = 60
"""Most bytes of a piece that may announce a list of other pages."""


def beside_text(page: Layout, element: Element) -> set[int]:
    """The pieces of an element that are about other pages or the author, and those above the page's title."""
    others = _lists_of_other_pages(page, element) | _about_authors(page, element) | _boxes_of_teasers(page, element)
    if page.is_article:
        others |= _boxes_of_links(page, element)
    return others.union(_above_title(page, element))


def _lists_of_other_pages(page: Layout, root: Element) -> set[int]:
    """The pieces of an element that announce links to other pages, and these; none in an index, which consists of them."""
    pieces = page.inside(root)
    if _is_index(pieces):
        return set()
    announcing = [
        at
        for at, piece in enumerate(pieces[:-1], root.first)
        if piece.size <= _SHORT
        and (piece.kind == "heading" or not piece.linked)
        and announces_others(piece.text)
        and not is_main_heading(piece)
    ]
    found: set[int] = set()
    found.update(at for at, piece in enumerate(pieces, root.first) if piece.linked and _announces_its_links(piece))
    teasers = _cut_below_links(page) if announcing else ()
    for at in announcing:
        if at not in found:
            found |= _announced(page, root, at, teasers)
    return found


def _announced(page: Layout, root: Element, at: int, teasers: Collection[int]) -> set[int]:
    """This piece and the links that it announces: the largest element that begins with it and lists links, perhaps with
    `teasers`, or else the links that follow it; nothing if there are none."""
    end, box = at + 1, page.elements[page.pieces[at].element]
    while box is not root and box.first == at:
        inside = [page.pieces[inner] for inner in range(at + 1, box.last) if inner not in teasers]
        least = MOSTLY_LINKS if any(map(is_prose, inside)) else _LISTED
        linked, size = bytes_of(inside)
        if linked > least * size or _are_teasers(inside):
            end = box.last
        box = page.elements[box.parent]
    if end == at + 1:
        while end < root.last and is_link(page.pieces[end]):
            end += 1
    return set(range(at, end)) if end > at + 1 else set()


def _are_teasers(pieces: Iterable[Piece]) -> bool:
    """Whether these pieces are links to other pages, each with no more text behind it than the beginning of one."""
    links = run = 0
    for piece in pieces:
        if is_link(piece):
            links, run = links + 1, 0
        else:
            run += piece.size
            if run > _LONGEST_TEASER:
                return False
    return links >= _LEAST_TEASERS


def _announces_its_links(piece: Piece) -> bool:
    """Whether a piece announces links to other pages and says no more than these: `Read also: <a>…</a>`."""
    if ":" not in piece.text and "：" not in piece.text:
        return False
    label, titles = _COLON.split(piece.text, maxsplit=1)
    are_links = 0 < _ALL_LINKS * size_of(titles.strip()) < piece.linked
    return are_links and size_of(label) <= _SHORT and announces_others(label)


def _about_authors(page: Layout, root: Element) -> set[int]:
    """The pieces of an element that say who wrote the text above: a label, and what stands in its box, or else below it up to
    the next heading."""
    pieces, found = page.pieces, set[int]()
    begin = next((at for at in range(root.first, root.last) if is_prose(pieces[at])), root.last)
    sums = prefix_sums([piece.size for piece in pieces])
    heading = root.last
    for at in reversed(range(begin, root.last)):
        piece = pieces[at]
        if piece.size <= _SHORT and not is_main_heading(piece) and _says_about_authors(piece.text):
            box = _box_below(page, root, at)
            around = box if box is root else page.elements[box.parent]
            end = box.last if box is not root and box.last > at + 1 else min(heading, around.last)
            if sums[end] - sums[at + 1] <= _LIFE:
                found.update(range(at, end))
        if piece.kind == "heading":
            heading = at
    return found


def _box_below(page: Layout, root: Element, at: int) -> Element:
    """The largest element inside of another that begins with this piece."""
    box = page.elements[page.pieces[at].element]
    while box is not root and page.elements[box.parent] is not root and page.elements[box.parent].first == at:
        box = page.elements[box.parent]
    return box


@lru_cache(maxsize=4096)
def _says_about_authors(text: str) -> bool:
    return _AUTHORS.fullmatch(clean.bare(text)) is not None


def _above_title(page: Layout, element: Element) -> range:
    """The pieces of an element that stand above the page's title: labels, and links back to lists. None if one of them is
    prose, a sentence, code, or another main heading, which begins the text."""
    title = next((at for at in page.titles if element.first <= at < element.last), element.first)
    above = range(element.first, title)
    return range(0) if any(_begins_text(page.pieces[at]) for at in above) else above


def _begins_text(piece: Piece) -> bool:
    """Whether a piece is the beginning of a text, and no label above one."""
    ends_sentence = piece.text.rstrip().endswith(_ENDS_OF_SENTENCES)
    return is_prose(piece) or is_main_heading(piece) or ends_sentence or piece.kind == "code"


def _boxes_of_links(page: Layout, root: Element) -> set[int]:
    """The pieces of those boxes in an article that are mostly links and stand before or after all prose in it; none in an
    index. A list of links that stands in the text itself is no box."""
    pieces = page.pieces
    prose = [at for at in range(root.first, root.last) if not pieces[at].boilerplate and is_prose(pieces[at])]
    if not prose or _is_index(page.inside(root)):
        return set()
    linked, sizes = prefix_sums([piece.linked for piece in pieces]), prefix_sums([piece.size for piece in pieces])
    found: set[int] = set()
    for element in page.elements:
        first, last = element.first, element.last
        is_around = root.first <= first <= last <= prose[0] or prose[-1] < first <= last <= root.last
        is_menu = is_around and held(linked, element) > MOSTLY_LINKS * held(sizes, element)
        if is_menu and element.tag in _BOXES and first not in found and not any(map(is_main_heading, page.inside(element))):
            found.update(range(first, last))
    return found


def _boxes_of_teasers(page: Layout, root: Element) -> set[int]:
    """The pieces of those boxes in an element that the page calls teasers and that lead to other pages, each by a title or line
    that is a link: behind the first prose, without a main heading, each less than half of the text. None where they are most of
    it, unless the page calls itself an article: it lists other pages."""
    called = [element for element in page.elements if element.named.teaser]
    pieces = page.pieces
    if not called:
        return set()
    begin = next((at for at in range(root.first, root.last) if is_prose(pieces[at]) and not pieces[at].boilerplate), root.last)
    whole = bytes_of(page.inside(root))[1]
    found: set[int] = set()
    for element in called:
        inside = page.inside(element)
        is_behind = begin < element.first and element.last <= root.last and element.first not in found
        leads = is_behind and any(map(is_link, inside)) and not any(map(is_main_heading, inside))
        if leads and 2 * bytes_of(inside)[1] < whole:
            found.update(range(element.first, element.last))
    is_list = 2 * sum(pieces[at].size for at in found) >= whole
    return set() if is_list and not page.is_article else found


def _is_index(pieces: Sequence[Piece]) -> bool:
    """Whether these pieces consist of links."""
    linked, size = bytes_of(pieces)
    return size - linked < LINK_LIST * size


def teasers_of(page: Layout) -> set[int]:
    """The beginnings of other pages, on a page that has one article: those outside of it."""
    found = _cut_below_links(page)
    if len(found) < _LEAST_TEASERS:
        return set()
    prose = prefix_sums(is_prose(piece) and at not in found for at, piece in enumerate(page.pieces))
    articles = [element for element in page.elements if element.tag == "article" and held(prose, element)]
    return found.difference(range(articles[0].first, articles[0].last)) if len(articles) == 1 else set()


def _cut_below_links(page: Layout) -> set[int]:
    """The pieces that break off, each below a link: the beginnings of other pages. None if most of the prose below links is
    whole, as in a thread, whose posts stand below the names of their authors. Code that ends in dots is none."""
    below = {
        at
        for at, (before, piece) in enumerate(pairwise(page.pieces), 1)
        if before.linked and not piece.linked and piece.kind != "code" and is_link(before)
    }
    cut = {at for at in below if clean.is_cut(page.pieces[at].text)}
    whole = sum(is_prose(page.pieces[at]) for at in below - cut)
    return cut if len(cut) > whole else set()


def tail_of(page: Layout, inside: Sequence[int]) -> set[int]:
    """Which of these pieces, of the main text of a page that calls itself an article, are no text though they stand at its end:
    headings with nothing below them, or else links to other pages in paragraphs of their own right below prose. Elsewhere such
    links may be sources or places, and addresses and files are."""
    if not page.is_article:
        return set()
    pieces, tail = page.pieces, list(reversed(inside))
    if headings := set(takewhile(lambda at: pieces[at].kind == "heading" and not is_main_heading(pieces[at]), tail)):
        return headings
    links = list(takewhile(lambda at: pieces[at].kind == "paragraph" and is_link(pieces[at]), tail))
    above = tail[len(links)] if len(links) < len(tail) else None
    is_below_prose = above is not None and is_prose(pieces[above]) and not pieces[above].text.rstrip().endswith((":", "："))
    leads = is_below_prose and not any(_ADDRESS.search(pieces[at].text.strip()) for at in links)
    return set(links) if leads else set()
