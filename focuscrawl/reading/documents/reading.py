"""Reads a document of any format."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module

from focuscrawl.reading.documents.document import BROKEN, ReadDocument, Unreadable
from focuscrawl.text import clean
from focuscrawl.text.blocks import Block

_PACKED = {"pdf": "pdf:read_pdf", "docx": "word:read_docx", "odt": "opendocument:read_odt", "epub": "book:read_epub"}
_TEXTS = {"markdown": "plain:read_markdown", "text": "plain:read_text"}
"""By format its module and function, imported with the first document of the format, because PDFium and lxml take 0.1 s."""


def read_document(body: bytes, form: str, content_type: str = "") -> ReadDocument:
    """The text of a document and what it says about itself.

    Args:
        body: of the response.
        form: one of `formats.PACKED`, `markdown` or `text`.
        content_type: the header's value, which may name the charset of a text.

    Raises:
        Unreadable: whatever is wrong with the body; besides it only MemoryError, if memory is limited.
    """
    module, _, name = (_PACKED.get(form) or _TEXTS[form]).partition(":")
    read = getattr(import_module(f"focuscrawl.reading.documents.{module}"), name)
    try:
        document: ReadDocument = read(body, content_type) if form in _TEXTS else read(body)
    except RecursionError as error:
        raise Unreadable(BROKEN) from error
    document.title = document.title or _first_words(document.blocks)
    return document


def _first_words(blocks: Sequence[Block]) -> str:
    """The first heading, else the first line; it serves as the title."""
    headings = (block.text for block in blocks if block.kind == "heading")
    first = next(headings, "") or next((block.text for block in blocks), "")
    return clean.line(first.partition("\n")[0], 120)
