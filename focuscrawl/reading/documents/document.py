"""What is read from a document, whatever its format."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date

from focuscrawl.text.blocks import Block

MAX_TEXT = 200_000
"""Characters of text that are read, as of a page."""
MAX_LINKS = 2_000
BROKEN = "document"
"""Cause: broken, or larger than the limits."""
ENCRYPTED = "encrypted"
"""Cause: it asks for a password, or is sold with a lock."""


class Unreadable(Exception):
    """The document cannot be read. Its argument is the cause."""

    def __init__(self, cause: str = BROKEN) -> None:
        super().__init__(cause)
        self.cause = cause


@dataclass(slots=True, frozen=True)
class Reference:
    """A link as written, with its words and the text around it."""

    address: str
    anchor: str = ""
    context: str = ""


@dataclass(slots=True)
class ReadDocument:
    """The text of a document and what it says of itself. Dates are days (`2024-05-01`), empty where unknown."""

    title: str = ""
    author: str = ""
    description: str = ""
    keywords: str = ""
    language: str = ""
    """As labelled: a BCP 47 tag, if the document is right."""
    published: str = ""
    modified: str = ""
    licence: str = ""
    """As written: an address or a sentence."""
    blocks: list[Block] = field(default_factory=list)
    references: list[Reference] = field(default_factory=list)


_DAY = re.compile(r"(?:D:)?(\d{4})(?:-?(\d\d)(?:-?(\d\d))?)?")
"""ISO 8601 and W3CDTF; PDF's `D:20240501120000+02'00'` (ISO 32000-1, 7.9.4)."""


def day(text: str) -> str:
    """The day, month or year at the beginning of a date in the notation of the formats, as ISO 8601; empty if it is none."""
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


_ADDRESS = re.compile(r"\bhttps?://[^\s<>\"'，。；、）】》”’\u3000]{3,500}")
_CLOSING = ".,;:!?)]}"


def written_addresses(blocks: Sequence[Block]) -> list[Reference]:
    """Addresses that stand in the text."""
    found = []
    for block in blocks:
        for match in _ADDRESS.finditer(block.text):
            address = match[0].rstrip(_CLOSING)
            found.append(Reference(address, "", block.text[max(0, match.start() - 100) : match.end() + 100]))
            if len(found) == MAX_LINKS:
                return found
    return found
