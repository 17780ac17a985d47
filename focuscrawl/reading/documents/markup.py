"""The blocks and links of HTML that is all main text: chapters of books, and rendered Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator

from selectolax.lexbor import LexborNode

from focuscrawl.links.extract import MAX_LINKS
from focuscrawl.reading.documents.document import Reference
from focuscrawl.text import clean
from focuscrawl.text.blocks import Block, BlockKind, table
from focuscrawl.text.complexity import is_heavy, sanitize
from focuscrawl.text.document import Document, parse

_UNREAD = ["script", "style", "template", "svg", "head", "iframe", "object"]
_INLINE = frozenset({
    "a", "abbr", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em", "font", "i", "img", "ins", "kbd",
    "mark", "q", "rp", "rt", "ruby", "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "time", "tt", "u", "var",
    "wbr", "-text",
})  # fmt: skip
_BREAK = re.compile(r"<br\b[^<>]*>", re.IGNORECASE)
"""Words on two lines are two words."""
_MAX_DEPTH = 200
"""Levels of the tree that are walked. Below them all text of an element is one block."""


def document_of(html: str) -> Document:
    """The parsed source, which is sanitized first if parsing it could take long."""
    return parse(sanitize(html) if is_heavy(html) else html)


def blocks_of_markup(document: Document) -> list[Block]:
    """All text of the document as blocks, in document order."""
    body = parse(_BREAK.sub(" ", document.html)).tree
    body.strip_tags(_UNREAD, recursive=True)
    return list(_blocks(body.body)) if body.body is not None else []


def references_of_markup(document: Document) -> list[Reference]:
    """The links with their words, and the text of their parent elements as context."""
    found = []
    for node in document.tree.css("a[href]")[:MAX_LINKS]:
        around = node.parent
        text = clean.line(around.text(), 300) if around is not None and around.tag not in ("body", "html") else ""
        found.append(Reference(node.attributes.get("href") or "", clean.line(node.text(), 300), text))
    return found


def _blocks(parent: LexborNode, items: int = -1, depth: int = 0) -> Iterator[Block]:
    """The blocks of the children of an element. `items`: depth of the list around them, from 0 on; -1 outside of lists."""
    if depth > _MAX_DEPTH:
        yield _text_block(parent.text(separator=" "), items)
        return
    words: list[str] = []
    for node in parent.iter(include_text=True):
        tag = node.tag or ""
        if tag in _INLINE:
            words.append(node.text())
            continue
        if any(map(str.strip, words)):
            yield _text_block("".join(words), items)
        words = []
        yield from _of_element(node, tag, items, depth)
    if any(map(str.strip, words)):
        yield _text_block("".join(words), items)


def _of_element(node: LexborNode, tag: str, items: int, depth: int) -> Iterator[Block]:
    """The blocks of an element that is not inline."""
    if len(tag) == 2 and tag[0] == "h" and tag[1] in "123456":
        yield Block("heading", clean.line(node.text()), int(tag[1]))
    elif tag == "pre":
        yield Block("code", node.text().strip("\n"))
    elif tag == "table":
        yield table(_rows(node))
    elif tag == "blockquote":
        yield from (
            Block("quote" if block.kind == "paragraph" else block.kind, block.text, block.level)
            for block in _blocks(node, -1, depth + 1)
        )
    elif tag in ("ul", "ol", "dl"):
        yield from _blocks(node, items + 1, depth + 1)
    elif tag == "p" and items < 0:
        yield _text_block(node.text(), items)
    elif not tag.startswith(("-", "_")):
        yield from _blocks(node, items, depth + 1)


def _rows(node: LexborNode) -> Iterator[list[str]]:
    for row in node.css("tr"):
        yield [clean.line(cell.text(separator=" ")) for cell in row.css("td, th")]


def _text_block(text: str, items: int) -> Block:
    kind: BlockKind = "item" if items >= 0 else "paragraph"
    return Block(kind, clean.line(text), max(items, 0))
