"""Makes the layout of a page in one walk over the parsed tree, 1 ms on an ordinary page."""

from __future__ import annotations

import re
from collections.abc import Iterable

from selectolax.lexbor import LexborNode

from focuscrawl.text import clean
from focuscrawl.text.blocks import BlockKind
from focuscrawl.text.boilerplate import HARD, MOST_NAMED, named
from focuscrawl.text.document import Attributes, Document
from focuscrawl.text.formulas import formula, is_tex
from focuscrawl.text.layout import BREAK, Element, Layout, Piece, size_of

INLINE = frozenset({
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em", "font", "i", "ins", "kbd",
    "label", "mark", "nobr", "output", "picture", "q", "rb", "ruby", "s", "samp", "slot", "small", "span", "strike", "strong",
    "sub", "sup", "time", "tt", "u", "var", "wbr",
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
_LISTS = frozenset({"ul", "ol"})
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
_DEEPEST = 150
"""Levels of the tree that are walked. Below them all text of an element is one piece. Python's stack would end near 900."""
_OPENING = frozenset({"aria-expanded", "data-toggle", "data-bs-toggle"})
"""Attributes of a button that opens what stands below it (WAI-ARIA Authoring Practices, "accordion"; Bootstrap)."""
_PANEL, _FOUND = "tabpanel", "until-found"
"""The role of what a reader sees once its tab is chosen, and what `hidden` says of what a browser shows when it is searched."""
_NOT_SHOWN = re.compile(r"(?:^|[;\s])display\s*:\s*none\b", re.IGNORECASE)


def walk(document: Document, *, formulas: bool = False) -> Layout:
    """The layout of a page, which is not changed. A page without a body has one element and no pieces. No piece is marked as
    boilerplate yet. `formulas`: with those in MathML, as TeX between dollar signs, or else in a line."""
    body, title = document.tree.body, document.tree.css_first("title")
    page = Layout(is_article=document.is_article)
    if title is not None:
        page.title = clean.line(title.text(), 1_000)
    unspoken = (node.mem_id for node in document.elements("unspoken"))
    _Walk(page, _UNREAD, formulas=formulas, left_out=unspoken).root(body)
    return page


def texts_of(node: LexborNode) -> list[str]:
    """The texts of the pieces in an element, as if it were a page, with the words of buttons and the like."""
    page = Layout()
    _Walk(page, _NO_WORDS_IN).root(node)
    return [piece.text for piece in page.pieces]


class _Walk:
    """Collects the text of inline elements until another element begins or ends, which makes a piece of it."""

    def __init__(self, page: Layout, unread: frozenset[str], *, formulas: bool = False, left_out: Iterable[int] = ()) -> None:
        """`unread`: tags of elements that are not read. `left_out`: inline elements that are not read, by their `mem_id`."""
        self._unread, self._formulas, self._left_out = unread, formulas, set(left_out)
        self._elements, self._pieces = page.elements, page.pieces
        self._made = 0
        """Number of pieces."""
        # What is around the place that the walk has reached:
        self._around, self._at = Element("body"), 0
        """The innermost element that is not inline, and its index."""
        self._depth = self._links = self._lists = 0
        """How many levels of the tree, links, and lists."""
        self._in_code = False
        # What was collected since the last piece:
        self._text: list[str] = []
        """Another list for each piece."""
        self._linked = self._code = 0
        """Bytes of it in links, and characters in elements of code."""
        self._joints = 0
        """Spaces in it that are not in the source, which have no weight."""
        self._ended, self._ended_at = "", 0
        """The inline element with text that ended last, by its tag, and the length of `_text` then; 0 at the beginning."""
        self._worded: dict[int, bool] = {}
        """By the `mem_id` of an element whether it has words beside the elements in it."""

    def root(self, node: LexborNode | None) -> None:
        """Walk over an element, which is the body of the layout."""
        self._elements.append(self._around)
        if node is not None:
            self._children(node)
        if self._text:
            self._end()
        self._around.last = self._made

    def _children(self, node: LexborNode) -> None:
        """Walk over what is in an element."""
        if self._depth > _DEEPEST:
            self._text.append(f"{BREAK}{node.text(separator=' ')}{BREAK}")
            return
        self._depth += 1
        child = node.first_child
        while child is not None:
            if (tag := child.tag) in INLINE:
                self._inline(child, tag, node)
            elif tag != "-text":
                self._other_child(child, tag or "", node)
            elif (
                (self._text or not child.is_empty_text_node)
                and (text := child.text_content)
                and (self._text or not text.isspace())
            ):
                self._text.append(text)
                if self._links:
                    self._linked += size_of(text)
                if self._in_code:
                    self._code += len(text)
            child = child.next
        self._depth -= 1

    def _other_child(self, node: LexborNode, tag: str, parent: LexborNode) -> None:
        """Walk over an element that is not inline by its tag."""
        if tag == "br":
            self._text.append(BREAK)
        elif tag in self._unread:
            self._unread_child(node, tag, parent)
        elif "-" in tag and self._in_words(parent):
            self._inline(node, tag, parent)
        elif self._around.kind == "code":
            self._in_code_block(node, tag, parent)
        else:
            if self._text:
                self._end()
            self._element(node, tag)

    def _unread_child(self, node: LexborNode, tag: str, parent: LexborNode) -> None:
        """Of an element that is not read take a formula, what it asks for, and the words of a button that is a heading."""
        if self._formulas and (tag == "math" or (tag == "script" and is_tex(node))):
            self._formula(node, parent)
        elif tag == "input" and _asks_for_address(node):
            self._around.asks = True
        elif tag == "button" and self._is_headed() and _opens(node) and not self._has_words(parent):
            self._children(node)

    def _formula(self, node: LexborNode, parent: LexborNode) -> None:
        self._text.append(text := formula(node))
        if self._links:
            self._linked += size_of(text)
        if parent.attributes.get("class") == "katex-mathml" and parent.next is not None:
            self._left_out.add(parent.next.mem_id)  # KaTeX draws the formula once more

    def _is_headed(self) -> bool:
        """Whether the text is the heading of something: of a section, or of what is described."""
        return self._around.kind == "heading" or self._around.tag == "dt"

    def _in_code_block(self, node: LexborNode, tag: str, parent: LexborNode) -> None:
        if tag in _LINES and self._text and not self._text[-1].endswith(("\n", BREAK)):
            self._text.append(BREAK)
        self._inline(node, tag, parent)

    def _inline(self, node: LexborNode, tag: str, parent: LexborNode) -> None:
        if self._left_out and node.mem_id in self._left_out:
            return
        texts, ended, begin = self._text, self._ended, len(self._text)
        follows = begin == self._ended_at > 0 and not self._in_code
        if tag != "a":
            in_code, self._in_code = self._in_code, self._in_code or tag in _CODE
            self._children(node)
            self._in_code = in_code
        elif node.text(strip=True) not in _PERMALINKS:
            self._links += 1
            self._children(node)
            self._links -= 1
        if texts is self._text and (end := len(texts)) > begin:
            if follows and tag in _SET_APART and self._is_apart(begin, ended, tag, parent):
                texts.insert(begin, " ")
                self._joints += 1
                end += 1
            self._ended, self._ended_at = tag, end

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

    def _element(self, node: LexborNode, tag: str) -> None:
        classes = own_id = role = ""
        hidden, main = False, tag in _MAIN
        if attributes := node.attributes:
            classes, own_id = (attributes.get("class") or "")[:MOST_NAMED], (attributes.get("id") or "")[:MOST_NAMED]
            if not _RARE.isdisjoint(attributes):
                role = attributes.get("role") or ""
                if role != _PANEL and "hidden" in attributes and attributes["hidden"] != _FOUND:
                    return
                hidden = _is_hidden(attributes)
                main = main or role == "main" or attributes.get("itemprop") == "articleBody"
        names, first = named(tag, classes, own_id, role), self._made
        sign = HARD if hidden else names.sign
        kind, level = self._kind(tag)
        element = Element(tag, classes, own_id, self._at, kind, level, first, first, sign, hidden, main, names)
        outside = self._around, self._at, self._lists, self._in_code
        self._around, self._at, self._in_code = element, len(self._elements), kind == "code"
        if tag in _LISTS:
            self._lists += 1
        self._elements.append(element)
        if kind == "code" and (text := _code_as_written(node)):
            self._text.append(text)
        else:
            self._children(node)
        if self._text:
            self._end()
        element.last = self._made
        self._around, self._at, self._lists, self._in_code = outside

    def _kind(self, tag: str) -> tuple[BlockKind, int]:
        """Kind and level of the pieces directly inside an element that begins here."""
        if tag in _ITEMS:
            return "item", self._lists - 1 if self._lists else 0
        around = self._around
        if around.kind in _PASSED_ON and (tag == "p" or tag == "div"):
            return around.kind, around.level
        return _KINDS.get(tag, _PARAGRAPH)

    def _end(self) -> None:
        """Make a piece of what was collected, if that is text."""
        text = "".join(self._text)
        bare = text.strip()
        if bare and bare not in _PERMALINKS:
            kind, size, linked = self._around.kind, size_of(bare) - self._joints, self._linked
            if kind == "paragraph" and BREAK in bare and self._code >= len(bare) - bare.count(BREAK):
                kind = "code"  # <code> with <br>, as PHP's highlighter writes
            piece = Piece(text, kind, self._around.level, self._at, size, linked if linked < size else size)
            self._pieces.append(piece)
            self._made += 1
        self._text = []
        self._linked = self._joints = self._code = self._ended_at = 0


def _is_hidden(attributes: Attributes) -> bool:
    """Whether an element is not shown at first. MediaWiki shows a picture of the formula in the hidden one."""
    if "popover" in attributes:
        return True
    style = attributes.get("style")
    if not style or attributes.get("role") == _PANEL or _NOT_SHOWN.search(style) is None:
        return False
    return "mwe-math-mathml" not in (attributes.get("class") or "")


def _opens(button: LexborNode) -> bool:
    """Whether a button opens what stands below it."""
    return not _OPENING.isdisjoint(button.attributes)


def _asks_for_address(field: LexborNode) -> bool:
    """Whether a field is for an e-mail address."""
    attributes = field.attributes
    kind = (attributes.get("type") or "text").lower()
    return kind == "email" or (kind == "text" and "email" in (attributes.get("name") or "").lower())


def _code_as_written(block: LexborNode) -> str:
    """The text of a block of code; empty if it cannot be taken as it is, because something in it is not read, or because its
    lines are elements without line ends."""
    if block.css_first(_NOT_AS_WRITTEN) is None:  # nearly always
        return str(block.text())
    text = block.text() if block.css_first(_WALKED) is None else ""
    return text if text.count("\n") >= len(block.css(_LINES_OF_CODE)) else ""
