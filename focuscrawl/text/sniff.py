"""Recognizes HTML by the first bytes of a body, as browsers do (WHATWG, MIME Sniffing, sections 3 to 5 and 7.1)."""

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


def is_html(body: bytes) -> bool:
    """Whether a body begins like HTML, with or without a byte order mark. XHTML counts if its root is in reach."""
    start = body[:LENGTH].removeprefix(codecs.BOM_UTF8)
    return bool(_HTML.match(start) or _XHTML.match(start))


def is_binary(body: bytes) -> bool:
    """Whether the first bytes include some that no text has (section 3: binary data bytes)."""
    start = body[:LENGTH]
    return len(start.translate(None, _BINARY)) < len(start)
