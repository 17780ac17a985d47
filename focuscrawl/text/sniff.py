"""Recognizes HTML by the first bytes of a body, as browsers do (WHATWG, MIME Sniffing, sections 3 to 5 and 7.1), and texts that
are for programs by theirs."""

from __future__ import annotations

import codecs
import re

LENGTH = 1445
"""Bytes that are examined (section 5.2)."""
UNDECLARED = frozenset({"", "unknown/unknown", "application/unknown", "*/*", "application/octet-stream", "binary/octet-stream"})
"""Content types that say nothing, in lower case: those of section 5.1, and those that servers give to unknown files."""
_TAGS = "!doctype html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p|!--"
_HTML = re.compile(rf"[\t\n\f\r ]*<(?:{_TAGS})[ >]".encode(), re.IGNORECASE)
"""The patterns of section 7.1: white space, a tag, and the byte that ends its name."""
_XHTML = re.compile(rb"[\t\n\f\r ]*<\?xml[^>]*>.*<html[\s>]", re.IGNORECASE | re.DOTALL)
_BINARY = bytes({*range(0x00, 0x09), 0x0B, *range(0x0E, 0x1B), *range(0x1C, 0x20)})

_PROGRAMS = frozenset({
    "text/calendar", "text/css", "text/csv", "text/directory", "text/ecmascript", "text/javascript",
    "text/tab-separated-values", "text/vcard", "text/x-bibtex", "text/x-endnote", "text/x-research-info-systems",
    "text/x-ris", "text/x-vcalendar", "text/x-vcard",
})  # fmt: skip
"""Types of texts that programs read, in lower case."""
_FILES = frozenset({
    "application/atom+xml", "application/feed+json", "application/json", "application/ld+json", "application/octet-stream",
    "application/rdf+xml", "application/rss+xml", "application/x-bibtex", "application/x-endnote-refer",
    "application/x-research-info-systems", "application/zip",
})  # fmt: skip
"""Other types of files that are no pages."""
_RECORD = re.compile(
    rb"\s*+(?:TY {1,2}- ?[A-Z]|%0 [A-Z][^\n]{0,60}\n%|@[a-z]{2,20}\s?\{[^\s{}]{0,200},|BEGIN:V(?:CALENDAR|CARD)\b"
    rb"|RT [^\n]{2,60}\n(?:SR|ID|A1|T1) |PMID- ?[0-9]|FN [^\n]{0,60}\r?\nVR )",
    re.IGNORECASE,
)
"""The beginnings of RIS, EndNote, BibTeX, iCalendar and vCard, RefWorks, MEDLINE and Web of Science."""


def media_type(label: str) -> str:
    """The media type that a Content-Type, or a link, gives, in lower case and without its parameters."""
    return label.partition(";")[0].strip().lower()


def is_html(body: bytes) -> bool:
    """Whether a body begins like HTML, with or without a byte order mark. XHTML counts if its root is in reach."""
    start = body[:LENGTH].removeprefix(codecs.BOM_UTF8)
    return bool(_HTML.match(start) or _XHTML.match(start))


def is_for_programs(content_type: str, body: bytes) -> bool:
    """Whether a text is no page, but for programs: a reference, a date of a calendar, a table."""
    kind = media_type(content_type)
    return bool(_RECORD.match(body[:LENGTH].removeprefix(codecs.BOM_UTF8))) or (kind in _PROGRAMS and not is_html(body))


def announces_file(label: str) -> bool:
    """Whether a media type that a link has says that it leads to a file that is no page, nor a document."""
    kind = media_type(label)
    return kind.startswith(("image/", "audio/", "video/")) or kind in _FILES or kind in _PROGRAMS


def is_binary(body: bytes) -> bool:
    """Whether the first bytes include some that no text has (section 3: binary data bytes)."""
    start = body[:LENGTH]
    return len(start.translate(None, _BINARY)) < len(start)
