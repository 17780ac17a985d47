"""Is this HTML? By its first bytes, as browsers tell it (WHATWG, MIME Sniffing, sections 3 to 5 and 7.1)."""

from __future__ import annotations

import codecs
import re

LENGTH = 1445
"""Bytes that are looked at (section 5.2)."""
UNTOLD = frozenset({"", "unknown/unknown", "application/unknown", "*/*", "application/octet-stream", "binary/octet-stream"})
"""Content types that tell nothing, in lower case: those of section 5.1, and what servers say of files they do not know."""
_TAGS = "!doctype html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p|!--"
_HTML = re.compile(rf"[\t\n\f\r ]*<(?:{_TAGS})[ >]".encode(), re.IGNORECASE)
"""The patterns of section 7.1: white space, a tag, and the byte that ends its name."""
_XHTML = re.compile(rb"[\t\n\f\r ]*<\?xml[^>]*>.*<html[\s>]", re.IGNORECASE | re.DOTALL)
_BINARY = bytes({*range(0x00, 0x09), 0x0B, *range(0x0E, 0x1B), *range(0x1C, 0x20)})


def is_html(body: bytes) -> bool:
    """Whether a body begins as HTML does, a byte order mark before it or not. XHTML counts when its root is told in time."""
    start = body[:LENGTH].removeprefix(codecs.BOM_UTF8)
    return bool(_HTML.match(start) or _XHTML.match(start))


def is_binary(body: bytes) -> bool:
    """Whether bytes that no text has are among the first (section 3: binary data bytes)."""
    start = body[:LENGTH]
    return len(start.translate(None, _BINARY)) < len(start)
