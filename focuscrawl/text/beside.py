"""Finds what stands beside the text of a page: lists of other pages and their teasers, what is said of the author, appeals to
readers, the imprint."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from itertools import accumulate, pairwise, takewhile

from focuscrawl.text import clean
from focuscrawl.text.layout import Element, Layout, Piece, is_main_heading, is_prose, size_of
from focuscrawl.text.other_pages import announces_others
from focuscrawl.text.titles import is_title

MOSTLY_LINKS = 0.5
"""A marked element with a larger share of its text in links is a menu."""
LINK_LIST = 0.3
"""A page with a smaller share of text outside of links is an index, whose links are its text."""
ALL_LINKS = 0.9
"""A piece with a larger share of its text in links is one of a menu."""
_ENDS_OF_SENTENCES = (".", "!", "?", "。", "！", "？")
_BOXES = frozenset({"div", "section", "aside"})
"""What may be a box beside a text."""
_LISTED = 0.3
"""Least share of links in a list of other pages without prose, whose rows may have a date and a name beside the link."""
_CALLS = re.compile(
    r"(?:(?:story|article)continuesbelow)?(?:this)?advertisement|(?:share|listento)this(?:article|story|post)"
    r"|广告|廣告|(?:点击|點擊)?(?:展[开開]|[阅閱][读讀])全文|分享[至到].{0,12}"
    r"|(?:打[开開]|下[载載]).{0,8}(?:app|客[户戶]端)(?:(?:[阅閱][读讀]|查?看|[观觀]看).{0,10})?"
)
"""What asks readers for something, alone in its paragraph, in the same form."""
_EDITED = re.compile(
    r"(?:[（(\[【][编編][辑輯]|[（(\[【]?(?:(?:[责責]任|值班|[实實][习習]|本文|[网網][络絡])[编編][辑輯]|[责責][编編]))\s*[:：]"
    r"\s*[\u4e00-\u9fff·]{2,4}(?:[\s、，,/]+[\u4e00-\u9fff·]{2,4})*\s*[）)\]】]?"
)
"""The names of those who have edited a Chinese article, in a paragraph of their own."""
_CREDIT = re.compile(
    r"[\s(\[]*(?:©|(?:foto(?:s|graf|grafie|nachweis|quelle)?|photo(?:s|graph|graphs|grapher|graphie)?|images?|pictures?|titelbild"
    r"|bild(?:er|nachweis|quelle|rechte)?|cr[ée]di(?:t|to)s?|imagen|fot\.|zdjęcie|фото|kuva|kép|billede|görsel"
    r"|图片来源|圖片來源|图源|圖源|摄影|攝影|供图|供圖|写真提供|사진)"
    r"(?:\s+(?:by|courtesy|credits?|photo))*\s*[:：©](?!\s*\d)"
    r"|(?:photo(?:s|graph|graphs)?|images?|pictures?)\s+(?:by|courtesy\s+of)\s)",
    re.IGNORECASE,
)
"""The beginning of a line that says whose a picture is. A number behind a label, as in `Credits: 3`, is no name."""
_CREDITED = 100
"""Most bytes of such a line, which is made of names."""
_CHINESE_NAME = 8
"""Most characters of a Chinese name in such a line, as in 新华社记者李四. 支持夜景模式和人像模式 is a feature of a phone."""
_IN_NAMES = re.compile(
    r"(?:by|via|for|of|the|and|courtesy|von|vom|van|de|den|der|des|di|da|del|du|la|le|el|e|i|y|et|und|für|privat|private|archiv|dpa|afp"
    r"|ap|epa|imago|picture|alliance|getty|istock|shutterstock|unsplash|pixabay|pexels|flickr|wikimedia|commons|zvg|cc)\W*"
)
"""Words in such a line that may be written small."""
_IMPRINT = 300
"""Most bytes of a line of the imprint."""
_MAY_BE_IMPRINT = ("©", "opyright", "OPYRIGHT", "(c)", "(C)", "eserved", "ESERVED", "ICP", "公网安备", "版权所有", "版權所有")
"""One of these is in each such line. It takes a tenth of the time to look for them."""
_RIGHTS = re.compile(
    r"\W{0,3}(?:copyright|©|\(c\))\W{0,5}(?:copyright|©|\(c\))?\W{0,5}(?:by\b|\d{4})|.{0,100}\ball rights reserved\b"
    r"|\W{0,3}(?:copyright.{0,40})?版[权權]所有(?![者人])|.{0,100}(?:ICP[备備证證]|公网安备)\s*\d",
    re.IGNORECASE | re.DOTALL,
)
"""The beginning of a line that says whose the site is."""
_SENTENCE = re.compile("[，。]|[a-z][.,] ")
_CHINESE = re.compile("[\u4e00-\u9fff]{4}")
"""A text in Chinese has the first where it has the second; addresses, numbers and lists of names have not."""
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
_LABELLED = re.compile(r"\W{0,2}\w[^:：]{0,30}[:：]\s*\S")
"""The beginning of a line that says something in one place, as each line of a film's crew does."""
_FIELDS = 2
"""Least other lines beside a credit that make it one of a list."""
_ADDRESS = re.compile(r"\A\W*(?:https?:|www\.)|\.\w{2,4}\W*\Z")
"""In a text that is a web address, or the name of a file."""
_SHORT = 60
"""Most bytes of a piece that may announce a list of other pages."""


def beside_text(layout: Layout, element: Element) -> set[int]:
    """The pieces of an element that are about other pages or the author, and those above the page's title."""
    others = _lists_of_other_pages(layout, element) | _about_authors(layout, element) | _boxes_of_teasers(layout, element)
    if layout.is_article:
        others |= _boxes_of_links(layout, element)
    return others.union(_above_title(layout, element))


def _lists_of_other_pages(layout: Layout, root: Element) -> set[int]:
    """The pieces of an element that announce links to other pages, and these; none in an index, which consists of them."""
    pieces = layout.pieces[root.first : root.last]
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
    teasers = _cut_below_links(layout) if announcing else ()
    for at in announcing:
        if at not in found:
            found |= _announced(layout, root, at, teasers)
    return found


def _announced(layout: Layout, root: Element, at: int, teasers: Collection[int]) -> set[int]:
    """This piece and the links that it announces: the largest element that begins with it and lists links, perhaps with
    `teasers`, or else the links that follow it; nothing if there are none."""
    end, box = at + 1, layout.elements[layout.pieces[at].element]
    while box is not root and box.first == at:
        inside = [layout.pieces[inner] for inner in range(at + 1, box.last) if inner not in teasers]
        least = MOSTLY_LINKS if any(map(is_prose, inside)) else _LISTED
        if sum(piece.linked for piece in inside) > least * sum(piece.size for piece in inside) or _are_teasers(inside):
            end = box.last
        box = layout.elements[box.parent]
    if end == at + 1:
        while end < root.last and layout.pieces[end].linked > ALL_LINKS * layout.pieces[end].size:
            end += 1
    return set(range(at, end)) if end > at + 1 else set()


def _are_teasers(pieces: Iterable[Piece]) -> bool:
    """Whether these pieces are links to other pages, each with no more text behind it than the beginning of one."""
    links = run = 0
    for piece in pieces:
        if piece.linked > ALL_LINKS * piece.size:
            links, run = links + 1, 0
        else:
            run += piece.size
            if run > _LONGEST_TEASER:
                return False
    return links >= _LEAST_TEASERS


def _announces_its_links(piece: Piece) -> bool:
    """Whether a piece announces links to other pages and says no more than these: `Read also: <a>…</a>`."""
    label, *titles = _COLON.split(piece.text, maxsplit=1)
    whole = bool(titles) and 0 < ALL_LINKS * size_of(titles[0].strip()) < piece.linked
    return whole and size_of(label) <= _SHORT and announces_others(label)


def _about_authors(layout: Layout, root: Element) -> set[int]:
    """The pieces of an element that say who wrote the text above: a label, and what stands in its box, or else below it up to
    the next heading."""
    pieces, found = layout.pieces, set[int]()
    begin = next((at for at in range(root.first, root.last) if is_prose(pieces[at])), root.last)
    sums = list(accumulate([piece.size for piece in pieces], initial=0))
    heading = root.last
    for at in reversed(range(begin, root.last)):
        piece = pieces[at]
        if piece.size <= _SHORT and not is_main_heading(piece) and _says_about_authors(piece.text):
            box = _box_below(layout, root, at)
            around = box if box is root else layout.elements[box.parent]
            end = box.last if box is not root and box.last > at + 1 else min(heading, around.last)
            if sums[end] - sums[at + 1] <= _LIFE:
                found.update(range(at, end))
        if piece.kind == "heading":
            heading = at
    return found


def _box_below(layout: Layout, root: Element, at: int) -> Element:
    """The largest element inside of another that begins with this piece."""
    box = layout.elements[layout.pieces[at].element]
    while box is not root and layout.elements[box.parent] is not root and layout.elements[box.parent].first == at:
        box = layout.elements[box.parent]
    return box


@lru_cache(maxsize=4096)
def _says_about_authors(text: str) -> bool:
    return _AUTHORS.fullmatch(clean.bare(text)) is not None


def _above_title(layout: Layout, element: Element) -> range:
    """The pieces of an element that stand above the page's title: labels, and links back to lists. None if one of them is
    prose, a sentence, code, or another main heading, which begins the text."""
    title = clean.bare(layout.title)
    for at in range(element.first, element.last):
        piece = layout.pieces[at]
        if is_title(piece, title):
            return range(element.first, at)
        begins = is_prose(piece) or is_main_heading(piece) or piece.text.rstrip().endswith(_ENDS_OF_SENTENCES)
        if begins or piece.kind == "code":
            break
    return range(0)


def _boxes_of_links(layout: Layout, root: Element) -> set[int]:
    """The pieces of those boxes in an article that are mostly links and stand before or after all prose in it; none in an
    index. A list of links that stands in the text itself is no box."""
    pieces = layout.pieces
    prose = [at for at in range(root.first, root.last) if is_prose(pieces[at]) and not pieces[at].boilerplate]
    if not prose or _is_index(pieces[root.first : root.last]):
        return set()
    linked = list(accumulate([piece.linked for piece in pieces], initial=0))
    sizes = list(accumulate([piece.size for piece in pieces], initial=0))
    titles = list(accumulate(map(is_main_heading, pieces), initial=0))
    found: set[int] = set()
    for element in layout.elements:
        first, last = element.first, element.last
        is_around = root.first <= first <= last <= prose[0] or prose[-1] < first <= last <= root.last
        is_box = element.tag in _BOXES and first not in found and titles[first] == titles[last]
        if is_around and is_box and linked[last] - linked[first] > MOSTLY_LINKS * (sizes[last] - sizes[first]):
            found.update(range(first, last))
    return found


def _boxes_of_teasers(layout: Layout, root: Element) -> set[int]:
    """The pieces of those boxes in an element that the page calls teasers and that lead to other pages: behind the first prose,
    where no lead is, without a main heading, each less than half of the text. None where they are most of it, unless the page
    calls itself an article: it lists other pages."""
    called = [element for element in layout.elements if element.named.teaser]
    pieces = layout.pieces
    if not called:
        return set()
    begin = next((at for at in range(root.first, root.last) if is_prose(pieces[at]) and not pieces[at].boilerplate), root.last)
    whole = _bytes(pieces[root.first : root.last])
    found: set[int] = set()
    for element in called:
        inside = pieces[element.first : element.last]
        is_behind = begin < element.first and element.last <= root.last and element.first not in found
        leads = is_behind and any(piece.linked for piece in inside) and not any(map(is_main_heading, inside))
        if leads and 2 * _bytes(inside) < whole:
            found.update(range(element.first, element.last))
    is_list = 2 * sum(pieces[at].size for at in found) >= whole
    return set() if is_list and not layout.is_article else found


def _bytes(pieces: Iterable[Piece]) -> int:
    return sum([piece.size for piece in pieces])


def _is_index(pieces: Sequence[Piece]) -> bool:
    """Whether these pieces consist of links."""
    linked, size = sum([piece.linked for piece in pieces]), sum([piece.size for piece in pieces])
    return size - linked < LINK_LIST * size


def teasers_of(layout: Layout) -> set[int]:
    """The beginnings of other pages, on a page that has one article: those outside of it."""
    found = _cut_below_links(layout)
    if len(found) < _LEAST_TEASERS:
        return set()
    prose = list(accumulate((is_prose(piece) and at not in found for at, piece in enumerate(layout.pieces)), initial=0))
    articles = [
        element for element in layout.elements if element.tag == "article" and prose[element.last] > prose[element.first]
    ]
    return found.difference(range(articles[0].first, articles[0].last)) if len(articles) == 1 else set()


def _cut_below_links(layout: Layout) -> set[int]:
    """The pieces that break off, each below a link: the beginnings of other pages. None if most of the prose below links is
    whole, as in a thread, whose posts stand below the names of their authors. Code that ends in dots is none."""
    below = {
        at
        for at, (before, piece) in enumerate(pairwise(layout.pieces), 1)
        if before.linked and not piece.linked and before.linked > ALL_LINKS * before.size and piece.kind != "code"
    }
    cut = {at for at in below if clean.is_cut(layout.pieces[at].text)}
    whole = sum(is_prose(layout.pieces[at]) for at in below - cut)
    return cut if len(cut) > whole else set()


def is_remark(layout: Layout, at: int) -> bool:
    """Whether a piece asks readers for something, or says who has edited the text, or whose a picture is."""
    piece = layout.pieces[at]
    if piece.kind != "paragraph" or piece.size > _CREDITED:
        return False
    return (piece.size <= _SHORT and _remarks(piece.text)) or (_credits(piece.text) and not _is_field(layout, at))


def _is_field(layout: Layout, at: int) -> bool:
    """Whether a credit is one of a list of lines with labels, as in a film's crew: other such lines stand right beside it, in
    one element, and say something else."""
    parent = layout.elements[layout.pieces[at].element].parent

    def is_field(piece: Piece) -> bool:
        return (
            layout.elements[piece.element].parent == parent
            and piece.size <= _CREDITED
            and _LABELLED.match(piece.text) is not None
        )

    before, after = layout.pieces[max(0, at - _FIELDS) : at], layout.pieces[at + 1 : at + 1 + _FIELDS]
    fields = (*takewhile(is_field, reversed(before)), *takewhile(is_field, after))
    return sum(not _credits(piece.text) for piece in fields) >= _FIELDS


@lru_cache(maxsize=4096)
def _remarks(text: str) -> bool:
    return _CALLS.fullmatch(clean.bare(text)) is not None or _EDITED.fullmatch(text.strip()) is not None


def _credits(text: str) -> bool:
    """Whether a text says whose a picture is, and no more: a label, and names behind it."""
    label = _CREDIT.match(text)
    if label is None or "，" in text or "。" in text:
        return False
    words = re.split(r"[\s/、]+", text[label.end() :].strip())
    return bool(words[0]) and all(_may_be_name(word) for word in words)


def _may_be_name(word: str) -> bool:
    if _CHINESE.search(word):
        return len(word) <= _CHINESE_NAME
    return not word[:1].islower() or _IN_NAMES.fullmatch(word) is not None


def imprint_below(layout: Layout, inside: Sequence[int]) -> set[int]:
    """Which of these pieces, of the main text, are the imprint below it."""
    found: set[int] = set()
    for at in reversed(inside):
        piece = layout.pieces[at]
        if _is_imprint(piece):
            found.add(at)
        elif is_prose(piece):
            break
    return found


def tail_of(layout: Layout, inside: Sequence[int]) -> set[int]:
    """Which of these pieces, of the main text of a page that calls itself an article, are no text though they stand behind its
    last prose: links to other pages in paragraphs of their own, and a heading with nothing below it. Not links below a heading,
    which may be sources, and neither addresses nor files."""
    found: set[int] = set()
    for at in reversed(inside if layout.is_article else ()):
        piece = layout.pieces[at]
        if is_prose(piece):
            return found
        if piece.kind == "heading":
            return {at} if at == inside[-1] and not is_main_heading(piece) else set()
        if piece.kind == "paragraph" and piece.linked > ALL_LINKS * piece.size and _ADDRESS.search(piece.text.strip()) is None:
            found.add(at)
    return set()


def may_be_read(piece: Piece) -> bool:
    """Whether a long piece may be a text: neither an imprint nor Chinese without a comma or full stop, as an address is."""
    text = piece.text
    if not text.isascii() and _SENTENCE.search(text) is None and _CHINESE.search(text) is not None:
        return False
    return not _is_imprint(piece)


def _is_imprint(piece: Piece) -> bool:
    """Whether a piece says whose the site is."""
    return (
        piece.size <= _IMPRINT
        and piece.kind != "code"
        and any(map(piece.text.__contains__, _MAY_BE_IMPRINT))
        and _RIGHTS.match(piece.text.strip()) is not None
    )
