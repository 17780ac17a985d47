"""Reads XML from strangers safely: no entities, no DTD, no network; bytes, elements and depth are bounded.

Entities become plain text before the parser sees them, and a document type with declarations of its own is refused, so that
nothing expands. Broken XML is repaired as far as libxml2 can.
"""

from __future__ import annotations

import re
from typing import Any

from lxml import etree

from focuscrawl.text.coding import unzip
from focuscrawl.text.decode import decode

MAX_BYTES = 16 << 20
"""Of an unpacked file; the rest is cut."""
_GZIP = b"\x1f\x8b"
_LONE = re.compile(r"&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[0-9a-fA-F]{1,6});)")
"""An ampersand that does not begin one of XML's own references: `?a=1&b=2` as many write it, `&nbsp;` and `&#X41;` of HTML,
`&lol9;`."""
_PROLOG = re.compile(r"(?:\s++|<\?(?>.*?\?>)|<!--(?>.*?-->))*+", re.DOTALL)
"""Blanks, processing instructions and comments, or nothing."""
_DOCTYPE = re.compile(r"<!DOCTYPE[^\[<>]{0,1000}+>", re.IGNORECASE)
"""A document type without declarations, as in RSS 0.91 and in pages that are shown in place of a missing file. What is no match
stays in front of the root element, where it is refused."""


def is_packed(body: bytes) -> bool:
    """Whether this is a gzip file."""
    return body.startswith(_GZIP)


def unpacked(body: bytes, most: int = MAX_BYTES) -> bytes:
    """The content of a gzip file, as far as it is whole, else the body itself; never more than `most` bytes."""
    return unzip(body, most).body[:most]


def read_text(body: bytes, content_type: str = "") -> str:
    """The text in the charset that it really has, without characters that would end a parse."""
    return decode(body, content_type).text


def root_of(text: str) -> Any:
    """lxml's root element of an XML document; None if it is not XML, or would declare entities."""
    start = _body_start(text)
    if start < 0:
        return None
    parser = etree.XMLParser(
        encoding="utf-8", recover=True, resolve_entities=False, load_dtd=False, dtd_validation=False, attribute_defaults=False,
        no_network=True, huge_tree=False, remove_comments=True, remove_pis=True,
    )  # fmt: skip
    try:
        return etree.fromstring(_LONE.sub("&amp;", text[start:]).encode("utf-8", "replace"), parser)
    except etree.XMLSyntaxError:
        return None


def name_of(element: Any) -> str:
    """The local name of an element, in lower case; empty for a comment or processing instruction."""
    tag = element.tag
    return tag.rpartition("}")[2].rpartition(":")[2].lower() if isinstance(tag, str) else ""


def text_of(element: Any) -> str:
    """The text before an element's first child."""
    return (element.text or "").strip()


def _body_start(text: str) -> int:
    """The position where the root element begins; -1 if there is none, or if declarations precede it."""
    start = _after_prolog(text, 0)
    if doctype := _DOCTYPE.match(text, start):
        start = _after_prolog(text, doctype.end())
    first_of_name = text[start + 1 : start + 2]
    return start if text[start : start + 1] == "<" and (first_of_name.isalpha() or first_of_name == "_") else -1


def _after_prolog(text: str, start: int) -> int:
    found = _PROLOG.match(text, start)
    assert found  # because it matches nothing, too
    return found.end()
