"""Recognizes documents that are not HTML by their first bytes, because labels and extensions are often wrong.

`%PDF-` and `PK\\3\\4` are signatures of the WHATWG's MIME Sniffing Standard (section 6.2, section 7.1); what a ZIP file holds
is recognized by its entry `mimetype` (OpenDocument 1.3 part 2, section 3.3; EPUB OCF 3.3, section 4.3) or by its main part
(ECMA-376).
"""

from __future__ import annotations

import re
from urllib.parse import unquote

from focuscrawl.text.sniff import media_type

PACKED = frozenset({"pdf", "docx", "odt", "epub"})
"""Formats whose bytes are not text. The others are `markdown` and `text`."""
CHOICES = (*sorted(PACKED), "txt")
"""Values of READING_DOCUMENTS. Each is the extension of the URLs that it admits to the frontier. Plain text at other URLs is
read without `txt`, too."""
_ZIP = b"PK\x03\x04"
_MIMETYPES = {
    b"mimetypeapplication/epub+zip": "epub",
    b"mimetypeapplication/vnd.oasis.opendocument.text": "odt",
}
_PARTS = {b"word/document.xml": "docx", b"META-INF/container.xml": "epub"}
_NAME_AT = 30
"""Where the name of a ZIP file's first entry begins (APPNOTE 4.3.7)."""
_MARKDOWN_PATH = re.compile(r"\.(?:md|markdown)\Z", re.IGNORECASE)


def format_of(body: bytes, content_type: str, url: str = "") -> str:
    """One of `PACKED`, `markdown` or `text`; empty for HTML and for what cannot be read. `content_type`: the header's value."""
    if body.startswith(b"%PDF-") or (b"%PDF-" in body[:1024] and b"<" not in body[:1024].partition(b"%PDF-")[0]):
        return "pdf"  # the header may be anywhere in the first 1024 bytes (ISO 32000-1, annex H.3.4.1)
    if body.startswith(_ZIP):
        return _of_zip(body)
    label = media_type(content_type)
    if label in ("text/markdown", "text/x-markdown"):
        return "markdown"
    if label == "text/plain":
        path = unquote(url.partition("?")[0].partition("#")[0])
        return "markdown" if _MARKDOWN_PATH.search(path) else "text"
    return ""


def _of_zip(body: bytes) -> str:
    """The format of a ZIP file: by its first entry, `mimetype`, which is not compressed, else by the name of its main part."""
    start = body[_NAME_AT : _NAME_AT + 100]
    for mark, name in _MIMETYPES.items():
        if start.startswith(mark):
            return name if start[len(mark) : len(mark) + 1] in (b"P", b"\r", b"\n", b" ", b"") else ""
    return next((name for part, name in _PARTS.items() if part in body), "")
