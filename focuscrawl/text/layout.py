"""The layout of a page, from which main text is chosen: the pieces of text that a reader sees, each with its place in the tree.

The pieces are in the order of the page, and those of an element are a contiguous run, so that sums over any element are
differences of two prefix sums. The layout takes one walk over the parsed tree, 1 ms on an ordinary page.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate, zip_longest

from selectolax.lexbor import LexborNode

from focuscrawl.text import clean
from focuscrawl.text.blocks import BlockKind
from focuscrawl.text.boilerplate import HARD, MARKED, MOST_NAMED, UNNAMED, Named, named
from focuscrawl.text.document import Document
from focuscrawl.text.formulas import formula, is_tex

INLINE = frozenset({
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em", "font", "i", "ins", "kbd",
    "label", "mark", "nobr", "output", "picture", "q", "rb", "rt", "ruby", "s", "samp", "slot", "small", "span", "strike",
    "strong", "sub", "sup", "time", "tt", "u", "var", "wbr",
})  # fmt: skip
"""Elements that do not end a piece of text."""
_SET_APART = frozenset({"a", "label", "span", "time"})
"""Those of them that a style sheet sets apart from one just before them: `<a>News</a><a>Sport</a>`, a label and its value. The
others change the look of words, or of parts of one."""
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")
"""A letter of a script without spaces between words: Chinese, Japanese, Thai, Lao, Burmese, Khmer."""
_UNREAD = frozenset({
    "-comment", "audio", "button", "canvas", "head", "iframe", "img", "input", "link", "math", "meta", "meter", "noembed",
    "noframes", "noscript", "object", "option", "progress", "rp", "rt", "script", "select", "source", "style", "svg",
    "template", "textarea", "track", "video",
})  # fmt: skip
_NO_WORDS_IN = frozenset({"-comment", "rp", "rt", "script", "style", "template"})
"""Those of them that have no words of a link or a heading either. A reading above characters (`rt`) repeats them."""
_KINDS: dict[str, tuple[BlockKind, int]] = {
    **{f"h{level}": ("heading", level) for level in range(1, 7)},
    "td": ("table", 0), "th": ("table", 0), "pre": ("code", 0), "blockquote": ("quote", 0),
}  # fmt: skip
"""Kind and level of the pieces directly inside an element; of all other elements `_PARAGRAPH`."""
_PARAGRAPH: tuple[BlockKind, int] = ("paragraph", 0)
_ITEMS = frozenset({"li", "dt", "dd"})
_PASSED_ON = frozenset({"item", "quote"})
"""Kinds that paragraphs inside take on: a paragraph of a quotation is a quotation."""
_MAIN = frozenset({"main", "article"})
_RARE = frozenset({"hidden", "role", "style", "itemprop", "popover"})
"""Attributes that are read and that most elements do not have."""
_CODE = frozenset({"code", "kbd", "samp", "tt"})
_PERMALINKS = frozenset({"", "#", "¶", "§", "🔗"})
"""What documentation tools write into a heading's link to itself."""
_LINES = ("div", "li", "p", "tr")
"""Elements in a block of code that may be lines of it."""
_LINES_OF_CODE = ", ".join(_LINES)
_WALKED = "br, button, script, style, textarea, svg"
"""Elements in a block of code that are not read, or not as text."""
_NOT_AS_WRITTEN = f"{_WALKED}, {_LINES_OF_CODE}"
BREAK = "\x0b"
"""Stands for `<br>` in the text of a piece. Decoding removes this character from pages, and splitting takes it for a space."""
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
_DEEPEST = 150
"""Levels of the tree that are walked. Below them all text of an element is one piece. Python's stack would end near 900."""
_ARTICLE = re.compile(
    r"(?:^|[\s_-])(?:post|entry|article|chapter|story|blog|news|question|answer|product|goods|event|episode|job|recipe)[_-]{0,2}"
    r"(?:content|body|text|desc(?:ription)?|summary|details?|notes)"
    r"(?=$|[\s_-])|(?:^|\s)article(?=$|\s)",
    re.IGNORECASE,
)
"""In the class of what readers comment on."""
_PAPER = "meta[name^='citation_']"
"""In the head of a page about a paper: what search engines for papers read."""
_ABSTRACT = re.compile(r"(?:^|(?<=\s))abstract(?=$|\s)", re.IGNORECASE)
"""A whole class or id."""
_ABSTRACT_LABEL = re.compile(r"\s*(?:(?:【\s*)?(?:中文)?摘\s*要\s*[】:：]|abstract\s*:)", re.IGNORECASE)
"""At the beginning of an abstract whose element has no name."""
_BOX = 400
"""Most bytes of a box in which the page asks for an e-mail address."""
_ENTRY = 400
"""Most bytes of an item or a cell that may be a reference or a similar paper."""
_COMMENTED = 200
"""Least bytes of prose of an article that stands before the comments on it."""
PROSE = 80
"""Least bytes of a piece that is prose. A heading or a slogan is shorter."""
_OPENING = frozenset({"aria-expanded", "data-toggle", "data-bs-toggle"})
"""Attributes of a button that opens what stands below it (WAI-ARIA Authoring Practices, "accordion"; Bootstrap)."""
_PANEL, _FOUND = "tabpanel", "until-found"
"""The role of what a reader sees once its tab is chosen, and what `hidden` says of what a browser shows when it is searched."""
_NOT_SHOWN = re.compile(r"(?:^|[;\s])display\s*:\s*none\b", re.IGNORECASE)


@dataclass(slots=True)
class Element:
    """An element that is not inline. Its pieces are `pieces[first:last]` of the layout."""

    tag: str
    classes: str
    """The `class` attribute as written, or its beginning."""
    id: str
    parent: int
    """Index of the parent; -1 for the body."""
    first: int
    last: int = 0
    boilerplate: int = 0
    """0, MARKED or HARD."""
    hidden: bool = False
    """Whether the page hides it until a script shows it (`style="display: none"`), as the help of a search or a dialogue."""
    main: bool = False
    """Whether the markup itself calls it the main content (`main`, `article`, role, schema.org)."""
    named: Named = UNNAMED

    @property
    def name(self) -> str:
        """Its tag and classes, which parts of one text have in common; empty if it has no class and is no `section`."""
        return f"{self.tag}.{self.classes}" if self.classes or self.tag == "section" else ""


@dataclass(slots=True)
class Piece:
    """Text without a block element inside."""

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
    boilerplate: int
    """The strongest sign of boilerplate among the elements around it."""


@dataclass(slots=True)
class Layout:
    """The elements of a page in document order, the body first, and its pieces in the same order."""

    elements: list[Element] = field(default_factory=list)
    pieces: list[Piece] = field(default_factory=list)
    title: str = ""
    is_article: bool = False
    """Whether the page calls itself an article."""


_Around = tuple[int, BlockKind, int, int, int, int]
"""The block element around a text as (index of the element, kind and level of its pieces, strongest sign of boilerplate around
them, number of lists around them, depth in the tree). A plain tuple, for speed."""


def layout(document: Document, *, formulas: bool = False) -> Layout:
    """The layout of a page, which is not changed. A page without a body has one element and no pieces. `formulas`: with
    those in MathML, as TeX between dollar signs, or else in a line."""
    tree = document.tree
    walk = _Walk(
        Layout(is_article=document.is_article), formulas, frozenset(node.mem_id for node in document.elements("unspoken"))
    )
    body, title = tree.body, tree.css_first("title")
    if title is not None:
        walk.layout.title = clean.line(title.text(), 1_000)
    walk.layout.elements.append(Element("body", "", "", -1, 0))
    if body is not None:
        walk.inside(body, (0, "paragraph", 0, 0, 0, 0), False)
        walk.layout.elements[0].last = len(walk.layout.pieces)
        comments = _mark_comments(walk.layout)
        cleared = _clear_misleading(walk.layout, comments)
        if _mark_boxes(walk.layout, walk.asking) or cleared or comments:
            _sign_pieces(walk.layout)
        if document.says("citation_") and tree.css_first(_PAPER) is not None:
            _mark_around_abstracts(walk.layout)
    return walk.layout


def _mark_comments(page: Layout) -> set[int]:
    """Mark readers' comments, however long they are, where the page calls itself an article, or the markup names the article
    before them. On other pages they are the text itself, as in forums. Returns their indices."""
    comments = [at for at, element in enumerate(page.elements) if element.named.comments]
    if not comments:
        return set()
    in_article: list[bool] = []
    for element in page.elements:
        inherited = in_article[element.parent] if element.parent >= 0 else page.is_article
        is_article = inherited or element.tag == "article" or _is_article(element.classes)
        in_article.append(is_article and not element.named.comments)
    said = [piece.size if in_article[piece.element] and is_prose(piece) else 0 for piece in page.pieces]
    written = list(accumulate(said, initial=0))
    titles = list(accumulate([piece.kind == "heading" and piece.level == 1 for piece in page.pieces], initial=0))
    marked: set[int] = set()
    for at in comments:
        element = page.elements[at]
        if written[element.first] >= _COMMENTED and titles[element.first] == titles[element.last]:
            element.boilerplate = HARD
            marked.add(at)
    return marked


def _mark_boxes(page: Layout, asking: Collection[int]) -> bool:
    """Mark boxes beside the text: those that are called so, and where readers are asked for an e-mail address. Each is less
    than half of the page, without a main heading, and if it is called so, less than what is in no such box: where each post of
    a list is called so, they are the text. Returns whether there were any. `asking`: the elements around the fields for such
    an address."""
    called = [element for element in page.elements if element.named.box]
    if not (called or asking):
        return False
    sums = list(accumulate([piece.size for piece in page.pieces], initial=0))
    titles = list(accumulate([piece.kind == "heading" and piece.level == 1 for piece in page.pieces], initial=0))

    def held(element: Element) -> int:
        return sums[element.last] - sums[element.first]

    def is_beside(element: Element) -> bool:
        return 2 * held(element) < sums[-1] and titles[element.first] == titles[element.last]

    called = list(filter(is_beside, called))
    outside = _outside(called, sums)
    boxes = [element for element in called if held(element) < outside]
    for at in asking:
        around = -1
        while at > 0 and held(page.elements[at]) <= _BOX and is_beside(page.elements[at]):
            around, at = at, page.elements[at].parent
        if around > 0:
            boxes.append(page.elements[around])
    for element in boxes:
        element.boilerplate = HARD
    return bool(boxes)


def _outside(elements: Iterable[Element], sums: Sequence[int]) -> int:
    """Bytes that are in none of these elements, which are given in document order. `sums`: of the bytes of the pieces."""
    outside, end = sums[-1], 0
    for element in elements:
        if element.last > end:
            outside -= sums[element.last] - sums[max(element.first, end)]
            end = element.last
    return outside


def _opens(button: LexborNode) -> bool:
    """Whether a button opens what stands below it."""
    return not _OPENING.isdisjoint(button.attributes)


def _asks_for_address(field: LexborNode) -> bool:
    """Whether a field is for an e-mail address."""
    attributes = field.attributes
    kind = (attributes.get("type") or "text").lower()
    return kind == "email" or (kind == "text" and "email" in (attributes.get("name") or "").lower())


def _mark_around_abstracts(page: Layout) -> None:
    """On a page about a paper, call its abstract the main content and all else boilerplate: details, services, references,
    similar papers. It may be there in two languages. Not where other prose is longer, which may be the paper itself."""
    abstracts = _abstracts(page)
    inside = {at for element in abstracts for at in range(element.first, element.last)}
    around = [piece for at, piece in enumerate(page.pieces) if at not in inside]
    written = sum(page.pieces[at].size for at in inside if is_prose(page.pieces[at]))
    if written <= sum(piece.size for piece in around if _may_be_of_paper(piece)):
        return
    if len(abstracts) == 1:
        abstracts[0].main = True
    title = clean.bare(page.title)
    stays = list(accumulate((at in inside or _is_in_title(piece, title) for at, piece in enumerate(page.pieces)), initial=0))
    for element in page.elements:
        if stays[element.first] == stays[element.last]:
            element.boilerplate = HARD
    for piece in around:
        piece.boilerplate = HARD


def _may_be_of_paper(piece: Piece) -> bool:
    """Whether a piece beside the abstract may be prose of the paper itself. References and similar papers are short items."""
    return piece.boilerplate < HARD and is_prose(piece) and (piece.kind not in {"item", "table"} or piece.size >= _ENTRY)


def _abstracts(page: Layout) -> list[Element]:
    """The innermost elements that are named abstracts, or else those that begin with that word."""
    named = [element for element in page.elements if _ABSTRACT.search(element.classes) or _ABSTRACT.fullmatch(element.id)]
    if not named:
        begun = {piece.element for piece in page.pieces if _ABSTRACT_LABEL.match(piece.text)}
        named = [page.elements[at] for at in sorted(begun)]
    named = [element for element in named if element.first < element.last]
    return [
        element for element, following in zip_longest(named, named[1:]) if following is None or following.first >= element.last
    ]


def _is_in_title(piece: Piece, title: str) -> bool:
    """Whether a piece is a heading whose words the page's title has. `title`: the letters and digits of that."""
    heading = clean.bare(piece.text) if piece.kind == "heading" else ""
    return bool(heading) and heading in title


@lru_cache(maxsize=4096)
def _is_article(classes: str) -> bool:
    return _ARTICLE.search(classes) is not None


def is_prose(piece: Piece) -> bool:
    """Whether a piece is long enough for prose, and not mostly links."""
    return piece.size >= PROSE and 2 * piece.linked < piece.size


def _clear_misleading(page: Layout, comments: Collection[int]) -> bool:
    """Clear marks that must be wrong, but not those of `comments`; whether there were any.

    An element that is named after its menu (`nav-content-wrap`) but holds most of the page's text, and headings, is not a menu;
    a form that holds most of it is around the page, as ASP.NET puts one. A hidden element that holds most of the text is shown
    by a script after loading, and so are hidden elements of one name that hold most of it together, unless they are menus or
    dialogs. The header of an article with prose has its lead, and so has one in `main` that has a heading, too."""
    sums = list(accumulate([piece.size - piece.linked for piece in page.pieces], initial=0))
    headings = list(accumulate([piece.kind == "heading" for piece in page.pieces], initial=0))
    hidden = [element for element in page.elements if element.hidden]
    together = _held_together(page, sums) if hidden else {}
    cleared = False
    article = main = 0
    """Where the last article and the last `main` end."""
    for at, element in enumerate(page.elements):
        if element.tag == "article":
            article = max(article, element.last)
        elif element.tag == "main":
            main = max(main, element.last)
        if not element.boilerplate or at in comments:
            continue
        in_main = element.first < main and headings[element.last] > headings[element.first]
        in_article = element.tag == "header" and (element.first < article or in_main) and not element.hidden
        if in_article and any(map(is_prose, page.pieces[element.first : element.last])):
            element.boilerplate, cleared = 0, True
        held = together.get(at, sums[element.last] - sums[element.first])
        titled = element.tag == "form" or headings[element.last] > headings[element.first]
        misleading = element.named.sign < HARD if element.hidden else element.boilerplate == MARKED and titled
        if misleading and 2 * held > sums[-1]:
            element.boilerplate, cleared = 0, True
    return cleared


def _held_together(page: Layout, sums: Sequence[int]) -> dict[int, int]:
    """Bytes that hidden elements of the same tag and class hold together, by index of the element, where each stands behind
    something that is shown, as answers below their questions. Those that stand right behind another hidden element may be
    versions of the text before, or dialogs."""
    apart: dict[int, tuple[str, str]] = {}
    held: Counter[tuple[str, str]] = Counter()
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
                held[apart[at]] += sums[element.last] - sums[element.first]
            inside.add(at)
            end = element.last
    return {at: held[name] for at, name in apart.items()}


def _sign_pieces(page: Layout) -> None:
    """Give each piece the strongest sign of the elements around it."""
    signs: list[int] = []
    for element in page.elements:
        own, around = element.boilerplate, signs[element.parent] if element.parent >= 0 else 0
        signs.append(own if own > around else around)
    for piece in page.pieces:
        piece.boilerplate = signs[piece.element]


class _Walk:
    """Collects the text of inline elements until a block begins or ends."""

    def __init__(
        self, layout: Layout, formulas: bool = False, left_out: frozenset[int] = frozenset(), unread: frozenset[str] = _UNREAD
    ) -> None:
        self.layout, self._formulas, self._left_out, self._unread = layout, formulas, left_out, unread
        self._elements, self._pieces = layout.elements, layout.pieces
        self._text: list[str] = []
        self._ended, self._ended_at = "", 0
        """The inline element with text that ended last, by its tag, and the length of `_text` then; 0 at the beginning."""
        self._worded: dict[int, bool] = {}
        """By the `mem_id` of an element whether it has words beside the elements in it."""
        self._linked = self._joints = 0
        """Bytes of `_text` in links; and spaces that are not in the source, which have no weight."""
        self._code = 0
        """Characters of `_text` in elements of code."""
        self._drawn = 0
        """The element that draws the last formula once more (KaTeX); 0: none does."""
        self.asking: list[int] = []
        """Indices of the elements in which the page asks for an e-mail address."""

    def inside(self, node: LexborNode, around: _Around, linked: bool) -> None:
        """Collect all that is inside a block element."""
        _, kind, _, _, _, depth = around
        if kind == "code" and (text := _code_as_written(node)):
            self._text.append(text)
        else:
            self._children(node, around, linked, False, depth)
        if self._text:
            self._end(around)

    def _children(self, node: LexborNode, around: _Around, linked: bool, code: bool, depth: int) -> None:
        texts, in_code_block = self._text, around[1] == "code"
        child = node.first_child
        while child is not None:
            if not texts and child.is_empty_text_node:
                pass  # between blocks
            elif child.is_text_node:
                text = child.text_content
                if text and (texts or not text.isspace()):
                    texts.append(text)
                    if linked:
                        self._linked += size_of(text)
                    if code:
                        self._code += len(text)
            else:
                tag = child.tag or ""
                if tag == "br":
                    texts.append(BREAK)
                elif tag in self._unread:
                    if self._formulas and (tag == "math" or (tag == "script" and is_tex(child))):
                        self._formula(child, linked)
                    elif tag == "input" and _asks_for_address(child):
                        self.asking.append(around[0])
                    elif tag == "button" and _opens(child) and not self._has_words(node) and self._is_headed(around):
                        self._children(child, around, linked, code, depth + 1)
                elif self._left_out and child.mem_id in self._left_out:
                    pass
                elif self._drawn and child.mem_id == self._drawn:
                    self._drawn = 0
                elif depth >= _DEEPEST:
                    texts.append(f"{BREAK}{child.text(separator=' ')}{BREAK}")
                elif tag in INLINE or in_code_block or ("-" in tag and self._in_words(node)):
                    if in_code_block and tag in _LINES and texts and not texts[-1].endswith(("\n", BREAK)):
                        texts.append(BREAK)
                    at, pieces, ended = len(texts), len(self._pieces), self._ended
                    follows = at == self._ended_at > 0 and not (code or in_code_block)
                    if tag != "a":
                        self._children(child, around, linked, code or tag in _CODE, depth + 1)
                    elif child.text().strip() not in _PERMALINKS:
                        self._children(child, around, True, code, depth + 1)
                    end = len(texts)
                    if end > at and len(self._pieces) == pieces:
                        if follows and tag in _SET_APART and self._is_apart(at, ended, tag, node):
                            texts.insert(at, " ")
                            self._joints += 1
                            end += 1
                        self._ended, self._ended_at = tag, end
                else:
                    if texts:
                        self._end(around)
                    self._block(child, tag, around, linked, depth + 1)
            child = child.next

    def _is_apart(self, at: int, ended: str, begun: str, around: LexborNode) -> bool:
        """Whether the text from `at` on, in an inline element behind another, begins another word: beside a link, a label or a
        time, and in a span without words beside it. But in scripts without spaces links follow each other in a sentence, and a
        sentence may be a row of spans; so may a word be, a letter in each."""
        before, behind = self._text[at - 1], self._text[at]
        joint = before[-1] + behind[0]
        if not joint.isalnum() or (begun == "span" and len(before) == len(behind) == 1 and joint.isalpha()):
            return False
        if not _UNSPACED.search(joint):
            return not _SET_APART.isdisjoint({ended, begun} - {"span"}) or not self._has_words(around)
        is_list = "span" not in (ended, begun) or around.tag == "a"
        return ended in _SET_APART and is_list and not self._has_words(around)

    def _is_headed(self, around: _Around) -> bool:
        """Whether a text is the heading of something: of a section, or of what is described."""
        return around[1] == "heading" or self._elements[around[0]].tag == "dt"

    def _in_words(self, node: LexborNode | None) -> bool:
        """Whether an element without a meaning of its own, inside of this one, stands in a sentence. A browser shows it in the
        line, unless a style sheet says otherwise."""
        while node is not None and (node.tag in INLINE or "-" in (node.tag or "")) and not self._has_words(node):
            node = node.parent
        return node is not None and self._has_words(node)

    def _has_words(self, node: LexborNode) -> bool:
        """Whether there are words between the elements directly inside of this one."""
        key = node.mem_id
        if key not in self._worded:
            texts = (child.text_content or "" for child in node.iter(include_text=True) if child.is_text_node)
            self._worded[key] = not all(map(str.isspace, texts))
        return self._worded[key]

    def _block(self, node: LexborNode, tag: str, around: _Around, linked: bool, depth: int) -> None:
        parent, outer_kind, outer_level, outer_sign, lists, _ = around
        attributes = node.attributes
        classes = own_id = role = ""
        hidden, main = False, tag in _MAIN
        if attributes:
            classes, own_id = (attributes.get("class") or "")[:MOST_NAMED], (attributes.get("id") or "")[:MOST_NAMED]
            if not _RARE.isdisjoint(attributes):
                role = attributes.get("role") or ""
                if role == _PANEL:
                    pass
                elif "hidden" in attributes and attributes["hidden"] != _FOUND:
                    return
                elif style := attributes.get("style"):
                    # MediaWiki shows a picture of the formula in the hidden element.
                    hidden = _NOT_SHOWN.search(style) is not None and "mwe-math-mathml" not in classes
                hidden = hidden or "popover" in attributes
                main = main or role == "main" or attributes.get("itemprop") == "articleBody"
        names = named(tag, classes, own_id, role)
        sign = HARD if hidden else names.sign
        at = len(self._elements)
        element = Element(tag, classes, own_id, parent, len(self._pieces), 0, sign, hidden, main, names)
        self._elements.append(element)
        if tag in _ITEMS:
            inner: tuple[BlockKind, int] = "item", lists - 1 if lists else 0
        elif outer_kind in _PASSED_ON and (tag == "p" or tag == "div"):
            inner = outer_kind, outer_level
        else:
            inner = _KINDS.get(tag, _PARAGRAPH)
        if tag == "ul" or tag == "ol":
            lists += 1
        self.inside(node, (at, *inner, sign if sign > outer_sign else outer_sign, lists, depth), linked)
        element.last = len(self._pieces)

    def _formula(self, node: LexborNode, linked: bool) -> None:
        text = formula(node)
        self._text.append(text)
        if linked:
            self._linked += size_of(text)
        around = node.parent
        if around is not None and around.attributes.get("class") == "katex-mathml" and around.next is not None:
            self._drawn = around.next.mem_id

    def _end(self, around: _Around) -> None:
        text = "".join(self._text)
        self._text.clear()
        bare = text.strip()
        if bare and bare not in _PERMALINKS:
            element, kind, level, boilerplate, _, _ = around
            size = size_of(bare) - self._joints
            if kind == "paragraph" and BREAK in bare and self._code >= len(bare) - bare.count(BREAK):
                kind = "code"  # <code> with <br>, as PHP's highlighter writes
            linked = min(size, self._linked) if self._linked else 0
            self._pieces.append(Piece(text, kind, level, element, size, linked, boilerplate))
        self._linked = self._joints = self._code = self._ended_at = 0


def _code_as_written(block: LexborNode) -> str:
    """The text of a block of code; empty if it cannot be taken as it is, because something in it is not read, or because its
    lines are elements without line ends."""
    if block.css_first(_NOT_AS_WRITTEN) is None:  # nearly always
        return str(block.text())
    text = block.text() if block.css_first(_WALKED) is None else ""
    return text if text.count("\n") >= len(block.css(_LINES_OF_CODE)) else ""


def words_of(node: LexborNode, limit: int = 0) -> str:
    """All words of an element in one line, apart where a reader sees them so, cut at `limit` characters (0: not cut)."""
    return clean.line(set_apart(node, node.text(separator=JOINT)), limit)


def set_apart(node: LexborNode, texts: str) -> str:
    """The texts of an element, or the first of them, which `JOINT` separates, with a space where a reader sees one."""
    if JOINT not in texts:
        return texts
    texts = _BESIDE_MARK.sub("", texts)
    if len(texts) <= _MOST_TEXT and _TOUCHING.search(texts) and len(node.html or "") <= _MOST_MARKUP:
        walk = _Walk(Layout(), unread=_NO_WORDS_IN)  # the tree tells how they are joined
        walk.inside(node, (0, "paragraph", 0, 0, 0, 0), False)
        texts = " ".join(piece.text for piece in walk.layout.pieces)
    return texts.replace(JOINT, " ")


def headings_of(document: Document) -> list[str]:
    """The words of the first main headings."""
    nodes = document.elements("heading")[:_MOST_HEADINGS]
    return [text for text in (words_of(node, _LONGEST_HEADING) for node in nodes) if text]


def size_of(text: str) -> int:
    """Bytes in UTF-8, so that a Chinese sentence weighs as much as its translation."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "replace"))
