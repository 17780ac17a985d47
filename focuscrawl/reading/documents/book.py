"""EPUB: its chapters in reading order, each XHTML (EPUB 3.3), with the facts of the package document."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

from focuscrawl.reading.documents.document import (
    ENCRYPTED,
    MAX_LINKS,
    MAX_TEXT,
    ReadDocument,
    Reference,
    Unreadable,
    day,
    within_limit,
)  # fmt: skip
from focuscrawl.reading.documents.markup import blocks_of_markup, document_of, references_of_markup
from focuscrawl.reading.documents.package import Package, attribute, texts
from focuscrawl.text.blocks import Block
from focuscrawl.text.decode import decode
from focuscrawl.text.safe_xml import name_of

_MARKUP = ("application/xhtml+xml", "text/html")


def read_epub(body: bytes) -> ReadDocument:
    """Raises Unreadable."""
    package = Package(body)
    container = package.root("META-INF/container.xml")
    files = [] if container is None else [element for element in container.iter() if name_of(element) == "rootfile"]
    path = next((attribute(element, "full-path") for element in files), "")
    root = package.root(path)
    if root is None:
        raise Unreadable
    chapters = list(_chapters(root, path))
    if _locked(package) & set(chapters):
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
    """Names of the entries of the spine that are markup."""
    items = {attribute(item, "id"): item for item in root.iter() if name_of(item) == "item"}
    for reference in root.iter():
        item = items.get(attribute(reference, "idref")) if name_of(reference) == "itemref" else None
        if item is None or "nav" in attribute(item, "properties").split():
            continue
        if attribute(item, "media-type").lower() in _MARKUP:
            place = unquote(attribute(item, "href").partition("#")[0])
            yield posixpath.normpath(posixpath.join(posixpath.dirname(path), place))


def _locked(package: Package) -> set[str]:
    """Entries that are encrypted; fonts often are in books that anybody may read."""
    root = package.root("META-INF/encryption.xml")
    elements = [] if root is None else [element for element in root.iter() if name_of(element) == "cipherreference"]
    return {unquote(attribute(element, "URI")) for element in elements}


def _modified(root: Any) -> str:
    marks = (element for element in root.iter() if name_of(element) == "meta")
    return next((element.text or "" for element in marks if attribute(element, "property") == "dcterms:modified"), "")


def _read(package: Package, chapters: list[str]) -> tuple[list[Block], list[Reference]]:
    blocks: list[Block] = []
    references: list[Reference] = []
    length = 0
    for name in chapters:
        document = document_of(decode(package.read(name), "application/xhtml+xml").text)
        found = blocks_of_markup(document)
        blocks += found
        length += sum(len(block.text) for block in found)
        references += [link for link in references_of_markup(document) if "://" in link.address]
        if length > MAX_TEXT or len(references) > MAX_LINKS:
            break
    return blocks, references
