"""Reads OPML (versions 1 and 2), the lists of sites and their feeds that feed readers and blogrolls export."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

from focuscrawl.items import SourceEntry
from focuscrawl.recrawl.entries import MAX_TITLE, MAX_URL, SourceContent, merged
from focuscrawl.text import clean
from focuscrawl.text.safe_xml import name_of
from focuscrawl.url.normalize import normalize

ROOT = "opml"
MAX_OUTLINES = 50_000


class Outline(NamedTuple):
    """One site of the list."""

    written: str
    """Its URL as written: that of its page, or of its feed if the list names no page."""
    title: str
    page: bool
    """Whether the URL is that of a page."""


def outlines(root: Any) -> Iterator[Outline]:
    """The sites of a parsed OPML document, given by its root element. Folders have no URL and are passed over."""
    for element in islice((element for element in root.iter() if name_of(element) == "outline"), MAX_OUTLINES):
        said = {name.lower(): value.strip() for name, value in element.attrib.items()}
        title = clean.line(said.get("title") or said.get("text") or "", MAX_TITLE)
        for name in ("htmlurl", "xmlurl", "url"):
            if written := said.get(name, "")[: MAX_URL + 1]:
                yield Outline(written, title, name == "htmlurl")
                break


def read_root(root: Any, url: str) -> SourceContent:
    """The sites of the list at the normal URL `url`; what may be a feed or a further list is among `further`."""
    found = SourceContent()
    for outline in outlines(root):
        normal = normalize(outline.written, url) if len(outline.written) <= MAX_URL else None
        if normal:
            entries = found.entries if outline.page else found.further
            entries.append(SourceEntry(normal, title=outline.title))
    return SourceContent(merged(found.entries), merged(found.further), sites=True)
