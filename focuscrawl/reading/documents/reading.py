"""One entry for all formats."""

from __future__ import annotations

from focuscrawl.reading.documents.book import read_epub
from focuscrawl.reading.documents.document import BROKEN, ReadDocument, Unreadable
from focuscrawl.reading.documents.opendocument import read_odt
from focuscrawl.reading.documents.pdf import read_pdf
from focuscrawl.reading.documents.plain import read_markdown, read_text
from focuscrawl.reading.documents.word import read_docx

_PACKED = {"pdf": read_pdf, "docx": read_docx, "odt": read_odt, "epub": read_epub}
_TEXTS = {"markdown": read_markdown, "text": read_text}


def read_document(body: bytes, form: str, content_type: str = "") -> ReadDocument:
    """What a document says.

    Args:
        body: of the answer.
        form: a key of `formats.FORMATS`.
        content_type: the header's value; the charset of a text.

    Raises:
        Unreadable: with a cause; nothing else for whatever the body holds, but MemoryError where memory is limited.
    """
    try:
        return _TEXTS[form](body, content_type) if form in _TEXTS else _PACKED[form](body)
    except RecursionError as error:
        raise Unreadable(BROKEN) from error
