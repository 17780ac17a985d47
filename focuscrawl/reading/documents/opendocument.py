"""Reads OpenDocument text (1.3, part 3): headings, paragraphs, lists, tables and links, and the metadata in meta.xml."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from focuscrawl.reading.documents.document import ENCRYPTED, ReadDocument, Unreadable, day, within_limit, written_urls
from focuscrawl.reading.documents.package import Package, PackageReader, attribute, joined_code, texts
from focuscrawl.text import clean
from focuscrawl.text.blocks import Block, table
from focuscrawl.text.safe_xml import name_of

_SKIPPED = frozenset({"annotation", "tracked-changes", "note", "ruby-text", "bibliography-mark"})
_SECTIONS = frozenset({"section", "index-body", "text-box", "frame", "table-of-content", "numbered-paragraph"})
_MOST_SPACES = 100
"""Most spaces that one element stands for, which may claim any number."""


def read_odt(body: bytes) -> ReadDocument:
    """Read a text. Raises Unreadable if it is broken or encrypted."""
    package = Package(body)
    if b"manifest:encryption-data" in package.read("META-INF/manifest.xml"):
        raise Unreadable(ENCRYPTED)
    root = package.root("content.xml")
    main = None if root is None else root.find("{*}body/{*}text")
    if main is None:
        raise Unreadable
    facts = texts(package.root("meta.xml"))
    reader = _OpenDocumentReader(_code_styles(root))
    blocks = within_limit(joined_code(reader.blocks(main)))
    return ReadDocument(
        title=facts.get("title", "") or reader.title,
        author=facts.get("initial-creator", "") or facts.get("creator", ""),
        description=facts.get("description", "") or facts.get("subject", ""),
        keywords=facts.get("keyword", ""),
        language=facts.get("language", ""),
        published=day(facts.get("creation-date", "")),
        modified=day(facts.get("date", "")),
        blocks=blocks,
        references=reader.references + written_urls(blocks),
    )


def _code_styles(root: Any) -> frozenset[str]:
    """Names of the automatic styles that stand for preformatted text."""
    styles = root.iterfind("{*}automatic-styles/{*}style")
    return frozenset(attribute(style, "name") for style in styles if _is_code(attribute(style, "parent-style-name")))


def _is_code(style: str) -> bool:
    return style.startswith("Preformatted") or "code" in style.lower()


class _OpenDocumentReader(PackageReader):
    def __init__(self, code_styles: frozenset[str]) -> None:
        super().__init__()
        self._code_styles = code_styles

    def blocks(self, parent: Any, depth: int = -1) -> Iterator[Block]:
        """The blocks below an element. `depth`: of the list around it, from 0 on; -1 outside of lists."""
        for child in parent if depth < 50 else ():
            name = name_of(child)
            style = attribute(child, "style-name")
            if name == "p" and (style in self._code_styles or _is_code(style)):
                yield Block("code", self._text(child))
            elif name in ("h", "p"):
                yield self._paragraph(child, name, style, depth)
            elif name == "list":
                yield from self.blocks(child, depth + 1)
            elif name in ("list-item", "list-header") or name in _SECTIONS:
                yield from self.blocks(child, depth)
            elif name == "table":
                yield self._table(child)

    def _paragraph(self, element: Any, name: str, style: str, depth: int) -> Block:
        text = clean.line(self._text(element))
        if name == "h":
            level = attribute(element, "outline-level")
            return Block("heading", text, min(max(int(level), 1), 6) if level.isdigit() and len(level) < 3 else 1)
        if style == "Title":
            self.title = self.title or text
            return Block("heading", text, 1)
        if depth >= 0:
            return Block("item", text, depth)
        return Block("quote" if style == "Quotations" else "paragraph", text)

    def _table(self, element: Any) -> Block:
        rows = [
            [clean.line(self._text(cell)) for cell in row if name_of(cell) == "table-cell"]
            for row in element.iter()
            if name_of(row) == "table-row"
        ]
        return table(rows)

    def _gather(self, element: Any, found: list[str], links: list[tuple[str, str]], depth: int) -> None:
        found.append(element.text or "")
        for child in element if depth < 100 else ():
            name = name_of(child)
            start = len(found)
            if name == "s":
                count = attribute(child, "c")
                found.append(" " * min(int(count) if count.isdigit() and len(count) < 9 else 1, _MOST_SPACES))
            elif name == "tab":
                found.append(" ")
            elif name in ("line-break", "p"):
                found.append("\n")
            if name not in _SKIPPED:
                self._gather(child, found, links, depth + 1)
            if name == "a":
                links.append((attribute(child, "href"), "".join(found[start:])))
            found.append(child.tail or "")
