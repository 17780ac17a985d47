"""Reads EPUB (3.3): the chapters in reading order, each of them XHTML, and the metadata of the package document."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

from focuscrawl.links.extract import MAX_LINKS
from focuscrawl.reading.documents.document import ENCRYPTED, ReadDocument, Reference, Unreadable, day, within_limit
from focuscrawl.reading.documents.markup import blocks_of_markup, document_of, references_of_markup
from focuscrawl.reading.documents.package import Package, attribute, texts
from focuscrawl.text.blocks import Block
from focuscrawl.text.decode import decode
from focuscrawl.text.extract import MAX_TEXT
from focuscrawl.text.safe_xml import name_of

_MARKUP = ("application/xhtml+xml", "text/html")


def read_epub(body: bytes) -> ReadDocument:
    """Read a book. Raises Unreadable if it is broken, or one of its chapters is encrypted."""
    package = Package(body)
    container = package.root("META-INF/container.xml")
    files = [] if container is None else [element for element in container.iter() if name_of(element) == "rootfile"]
    path = next((attribute(element, "full-path") for element in files), "")
    root = package.root(path)
    if root is None:
        raise Unreadable
    chapters = list(_chapters(root, path))
    if _encrypted(package) & set(chapters):
        raise Unreadable(ENCRYPTED)
    facts = texts(next((child for child in root if name_of(child) == "metadata"), None))
    blocks, references = _read(package, chapters)
    return ReadDocument(
        title=facts.get("title", ""),
        author=facts.get("creator", ""),
        description=facts.get("description", ""),
        keywords=facts.get("subject", ""),
        language=facts.get("language", ""),
        published=day(facts.get("date", "")),
        modified=day(_modified(root)),
        licence=facts.get("rights", ""),
        blocks=within_limit(blocks),
        references=references,
    )


def _chapters(root: Any, path: str) -> Iterator[str]:
    """Names of the ZIP entries with chapters, in the order of the spine, without the table of contents. `path`: name of the
    entry of the package document, to which their names are relative."""
    items = {attribute(item, "id"): item for item in root.iter() if name_of(item) == "item"}
    for reference in root.iter():
        item = items.get(attribute(reference, "idref")) if name_of(reference) == "itemref" else None
        if item is None or "nav" in attribute(item, "properties").split():
            continue
        if attribute(item, "media-type").lower() in _MARKUP:
            name = unquote(attribute(item, "href").partition("#")[0])
            yield posixpath.normpath(posixpath.join(posixpath.dirname(path), name))


def _encrypted(package: Package) -> set[str]:
    """Names of the encrypted entries. In books that anybody may read these are often the fonts."""
    root = package.root("META-INF/encryption.xml")
    elements = [] if root is None else [element for element in root.iter() if name_of(element) == "cipherreference"]
    return {unquote(attribute(element, "URI")) for element in elements}


def _modified(root: Any) -> str:
    """The date of the last change in the package document, as written."""
    metas = (element for element in root.iter() if name_of(element) == "meta")
    return next((element.text or "" for element in metas if attribute(element, "property") == "dcterms:modified"), "")


def _read(package: Package, chapters: list[str]) -> tuple[list[Block], list[Reference]]:
    """Text and links of the chapters, as far as the limits go. Links within the book are left out."""
    blocks: list[Block] = []
    references: list[Reference] = []
    length = 0
    for name in chapters:
        document = document_of(decode(package.read(name), "application/xhtml+xml").text)
        found = blocks_of_markup(document)
        blocks += found
        length += sum(len(block.text) for block in found)
        references += [link for link in references_of_markup(document) if "://" in link.url]
        if length > MAX_TEXT or len(references) > MAX_LINKS:
            break
    return blocks, references
