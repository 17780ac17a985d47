"""What is read from a document, whatever its format, and what the readers of all formats share."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date

from focuscrawl.links.extract import MAX_LINKS
from focuscrawl.text.blocks import Block
from focuscrawl.text.extract import MAX_TEXT

BROKEN = "document"
"""Cause: the document is broken, or larger than the limits."""
ENCRYPTED = "encrypted"
"""Cause: the document needs a password, or is a book with copy protection."""


class Unreadable(Exception):
    """A document cannot be read. `cause`: `BROKEN` or `ENCRYPTED`."""

    def __init__(self, cause: str = BROKEN) -> None:
        super().__init__(cause)
        self.cause = cause


@dataclass(slots=True, frozen=True)
class Reference:
    """A link in a document."""

    url: str
    """As written."""
    anchor: str = ""
    context: str = ""
    """Text around the link, including its words."""


@dataclass(slots=True)
class ReadDocument:
    """The text of a document and what it says about itself. Dates are as `day` gives them; what is not known is empty."""

    title: str = ""
    author: str = ""
    description: str = ""
    keywords: str = ""
    language: str = ""
    """As labelled, which should be a BCP 47 tag."""
    published: str = ""
    modified: str = ""
    licence: str = ""
    """As written: a URL or a sentence."""
    blocks: list[Block] = field(default_factory=list)
    references: list[Reference] = field(default_factory=list)


_DAY = re.compile(r"(?:D:)?(\d{4})(?:-?(\d\d)(?:-?(\d\d))?)?")
"""ISO 8601 and W3CDTF; PDF's `D:20240501120000+02'00'` (ISO 32000-1, section 7.9.4)."""


def day(text: str) -> str:
    """The day of a date as documents write it, or its month or year if it has no more, in ISO 8601; empty if it is invalid."""
    found = _DAY.match(text.strip())
    if not found:
        return ""
    try:
        date(int(found[1]), int(found[2] or 1), int(found[3] or 1))
    except ValueError:
        return ""
    return "-".join(part for part in found.groups() if part)


def within_limit(blocks: Iterable[Block]) -> list[Block]:
    """The blocks with text, up to `MAX_TEXT` characters."""
    kept, left = [], MAX_TEXT
    for block in blocks:
        text = block.text[:left]
        if text.strip():
            kept.append(Block(block.kind, text, block.level))
            left -= len(text) + 1
        if left <= 0:
            break
    return kept


_URL = re.compile(r"\bhttps?://[^\s<>\"'，。；、）】》”’\u3000]{3,500}")
_CLOSING = ".,;:!?)]}"
"""Marks at the end of a URL that belong to the sentence around it."""


def written_urls(blocks: Sequence[Block]) -> list[Reference]:
    """The URLs that are written out in the text, at most `MAX_LINKS`."""
    found = []
    for block in blocks:
        for match in _URL.finditer(block.text):
            url = match[0].rstrip(_CLOSING)
            found.append(Reference(url, "", block.text[max(0, match.start() - 100) : match.end() + 100]))
            if len(found) == MAX_LINKS:
                return found
    return found
