"""Reads Word's DOCX: paragraphs, lists, tables and links of the main part (ECMA-376, part 1, chapter 17), and properties."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from focuscrawl.reading.documents.document import ReadDocument, Unreadable, day, within_limit, written_urls
from focuscrawl.reading.documents.package import Package, PackageReader, attribute, joined_code, texts
from focuscrawl.text import clean
from focuscrawl.text.blocks import Block, table
from focuscrawl.text.safe_xml import name_of

_BODY = "word/document.xml"
_HEADING = re.compile(r"heading (\d)")
_CODE = re.compile(r"code|preformatted|plain text")
_FIELD = re.compile(r'HYPERLINK\s+"([^"]+)"')
_SKIPPED = frozenset({"fallback", "del", "movefrom", "rpr", "ppr", "txbxcontent"})
"""Second copies, what was deleted, and properties. A text box is in each of the alternatives of its drawing."""
_BREAKS = {"tab": " ", "br": "\n", "cr": "\n", "nobreakhyphen": "-"}
_WRAPPERS = frozenset({"sdt", "sdtcontent", "smarttag", "ins", "moveto", "customxml"})


def read_docx(body: bytes) -> ReadDocument:
    """Read a text. Raises Unreadable if it is broken or encrypted."""
    package = Package(body)
    root = package.root(_BODY)
    main = next((child for child in root if name_of(child) == "body"), None) if root is not None else None
    if main is None:
        raise Unreadable
    facts = texts(package.root("docProps/core.xml"))
    reader = _WordReader(_styles(package), _targets(package))
    blocks = within_limit(joined_code(reader.blocks(main)))
    return ReadDocument(
        title=facts.get("title", "") or reader.title,
        author=facts.get("creator", ""),
        description=facts.get("description", "") or facts.get("subject", ""),
        keywords=facts.get("keywords", ""),
        language=facts.get("language", ""),
        published=day(facts.get("created", "")),
        modified=day(facts.get("modified", "")),
        blocks=blocks,
        references=reader.references + written_urls(blocks),
    )


def _styles(package: Package) -> dict[str, str]:
    """Names of styles in lower case by their ids. Built-in styles have English names in every language of Word."""
    root, found = package.root("word/styles.xml"), {}
    for style in () if root is None else root:
        if name_of(style) == "style":
            named = next((child for child in style if name_of(child) == "name"), None)
            found[attribute(style, "styleId")] = attribute(named, "val").lower() if named is not None else ""
    return found


def _targets(package: Package) -> dict[str, str]:
    """The URLs of links by the ids of their relationships."""
    root = package.root("word/_rels/document.xml.rels")
    links = () if root is None else [link for link in root if attribute(link, "TargetMode") == "External"]
    return {attribute(link, "Id"): attribute(link, "Target") for link in links}


class _WordReader(PackageReader):
    def __init__(self, styles: dict[str, str], targets: dict[str, str]) -> None:
        super().__init__()
        self._styles = styles
        self._targets = targets

    def blocks(self, parent: Any) -> Iterator[Block]:
        """The blocks below an element."""
        for child in parent:
            name = name_of(child)
            if name == "p":
                yield self._paragraph(child)
            elif name == "tbl":
                yield self._table(child)
            elif name in _WRAPPERS:
                yield from self.blocks(child)

    def _paragraph(self, element: Any) -> Block:
        text = self._text(element)
        properties = {name_of(each): each for each in element.iterfind("{*}pPr/*")}
        style = self._styles.get(attribute(properties["pstyle"], "val"), "") if "pstyle" in properties else ""
        if _CODE.search(style):
            return Block("code", text)
        text = clean.line(text)
        if style == "title":
            self.title = self.title or text
            return Block("heading", text, 1)
        if found := _HEADING.match(style):
            return Block("heading", text, min(max(int(found[1]), 1), 6))
        if "numpr" in properties or style.startswith("list "):
            depth = next((attribute(each, "val") for each in element.iterfind("{*}pPr/{*}numPr/{*}ilvl")), "0")
            return Block("item", text, int(depth) if depth.isdigit() and len(depth) < 3 else 0)
        return Block("quote" if "quote" in style else "paragraph", text)

    def _table(self, element: Any) -> Block:
        rows = [[clean.line(self._text(cell)) for cell in row.iterfind("{*}tc")] for row in element.iterfind("{*}tr")]
        return table(rows)

    def _gather(self, element: Any, found: list[str], links: list[tuple[str, str]], depth: int) -> None:
        for child in element if depth < 100 else ():
            name = name_of(child)
            if name == "t":
                found.append(child.text or "")
            elif name == "instrtext":
                links += [(url, "") for url in _FIELD.findall(child.text or "")]
            elif name in _BREAKS:
                found.append(_BREAKS[name])
            elif name not in _SKIPPED:
                start = len(found)
                self._gather(child, found, links, depth + 1)
                if name == "p":
                    found.append("\n")
                target = self._targets.get(attribute(child, "id"), "") if name == "hyperlink" else ""
                if target:
                    links.append((target, "".join(found[start:])))
