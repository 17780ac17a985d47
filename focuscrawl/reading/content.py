"""Reads a kept page whole: its main text by vote, language, metadata, licence, rights reserved and quality.

This takes 20-100 ms a page, so it is done for kept pages only, after their commit, from the archived response and in a process
of its own. `scrapy extract` does it again for a stored crawl.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

from focuscrawl.items import Content, Names
from focuscrawl.links.canonical import canonical_in_headers
from focuscrawl.politeness.reserved import joined, reserved_by_page
from focuscrawl.reading.documents.document import Unreadable
from focuscrawl.reading.documents.formats import format_of
from focuscrawl.reading.documents.reading import read_document
from focuscrawl.reading.licence import licence_of
from focuscrawl.reading.metadata import metadata_of
from focuscrawl.text import language
from focuscrawl.text.blocks import Block, outline, plain
from focuscrawl.text.complexity import is_heavy, sanitize
from focuscrawl.text.decode import decode
from focuscrawl.text.document import Document, parse
from focuscrawl.text.extract import MAX_TEXT, digests_of, main_text
from focuscrawl.text.head import Meta, meta
from focuscrawl.text.language_labels import code
from focuscrawl.text.quality import assess
from focuscrawl.text.repeated import Site, SiteTexts


@dataclass(slots=True, frozen=True)
class ArchivedResponse:
    """An archived response without its body."""

    url: str
    content_type: str
    headers: Sequence[tuple[str, str]] = ()
    language: str = ""
    """The language that was detected when the page was fetched (`focuscrawl.reading.page`)."""
    fetched_at: float = 0.0
    """Epoch seconds; 0: not known. Later dates on the page are not taken."""
    agent: str = "focuscrawl"
    """Our product token, by which a directive addresses only us."""
    reserved: Names = ()
    """What the robots.txt of its origin reserves: see `focuscrawl.politeness.reserved`."""


def read_content(body: bytes, response: ArchivedResponse) -> Content:
    """Read a page whole, without knowledge of its site's other pages. Never raises for its contents."""
    return _read(body, response, Site())


_SITES = SiteTexts()
"""What this process has learned of each site, page by page. If a page kills the process, the next process begins without it."""


def site_of(url: str) -> Site:
    """What this process knows of the site of a page."""
    return _SITES.of(urlsplit(url).netloc)


def read_apart(body: bytes, **response: Any) -> dict[str, Any]:
    """The page's content as plain values, read with what earlier pages of its site taught: what the worker process runs."""
    archived = ArchivedResponse(**response)
    return values_of(_read(body, archived, site_of(archived.url)))


def learn_from(site: Site, body: bytes, url: str, content_type: str) -> None:
    """Learn what is on a page of a site that was read whole before, in a tenth of the time."""
    if format_of(body, content_type, url) or is_heavy(html := decode(body, content_type).text):
        return
    site.learn(url, digests_of(parse(html)), {})


def values_of(content: Content) -> dict[str, Any]:
    """The fields by name, for JSON. Not by `dataclasses.asdict`, which would copy the outline piece by piece."""
    return {field.name: getattr(content, field.name) for field in fields(content)}


def _read(body: bytes, response: ArchivedResponse, site: Site) -> Content:
    """Read a page whole, and teach `site` what is on it."""
    if form := format_of(body, response.content_type, response.url):
        return _of_document(body, form, response)
    html = decode(body, response.content_type).text
    heavy = is_heavy(html)
    document = parse(sanitize(html) if heavy else html)
    head = meta(document)
    content = Content()
    found = main_text(document, response.url, site, vote=not heavy)
    site.learn(response.url, found.digests, found.votes)
    content.extractor, content.template, content.link_share = found.extractor, found.template, found.link_share
    _set_text(content, found.blocks)
    _set_language(content, found.blocks, head, response)
    _set_metadata(content, document, head, response)
    _set_quality(content, found.blocks, document)
    return content


def _of_document(body: bytes, form: str, response: ArchivedResponse) -> Content:
    """Read a document that is not HTML. If it cannot be read, the result has only what its headers say."""
    content, nothing = Content(language=response.language), parse("")
    content.reserved = joined(response.reserved, reserved_by_page(nothing, Meta(), response.headers, response.agent))
    content.canonical = canonical_in_headers(response.headers, response.url)
    try:
        found = read_document(body, form, response.content_type)
    except Unreadable:
        return content
    content.extractor = form
    _set_text(content, found.blocks)
    content.author, content.licence = found.author, licence_of(found.licence)
    # ISO 8601 dates compare as strings, also where one is a year or a month only.
    fetched = datetime.fromtimestamp(response.fetched_at, UTC).date().isoformat() if response.fetched_at else "9999"
    content.published, content.modified = (date if date <= fetched else "" for date in (found.published, found.modified))
    _set_language(content, found.blocks, Meta(language=found.language), response)
    _set_quality(content, found.blocks, nothing)
    return content


def from_plain(values: dict[str, Any]) -> Content:
    """The inverse of `values_of`, also after its values went through JSON, which makes lists of tuples."""
    names = {name: tuple(value) for name, value in values.items() if isinstance(value, list)}
    return Content(**{**values, **names, "outline": tuple((kind, level, size) for kind, level, size in values["outline"])})


def _set_text(content: Content, blocks: Sequence[Block]) -> None:
    content.text, content.outline = plain(blocks), outline(blocks)
    content.characters = len(content.text)


def _set_language(content: Content, blocks: Sequence[Block], head: Meta, response: ArchivedResponse) -> None:
    """Set the languages of the prose, or of the code if there is no prose."""
    if not content.text:
        content.language = response.language
        return
    paragraphs = [block.text for block in blocks if block.kind != "code"] or [block.text for block in blocks]
    found = language.tags(paragraphs, head.language, response.language)
    content.language = found[0] if found else response.language
    content.languages = tuple(found) if len(found) > 1 else ()


def _set_metadata(content: Content, document: Document, head: Meta, response: ArchivedResponse) -> None:
    in_headers = canonical_in_headers(response.headers, response.url)
    found = metadata_of(document, head, response.url, response.fetched_at, in_headers)
    content.author, content.published, content.modified = found.author, found.published, found.modified
    content.canonical, content.site_name, content.licence = found.canonical, found.site_name, found.licence
    content.category = found.category
    content.reserved = joined(response.reserved, reserved_by_page(document, head, response.headers, response.agent))


def _set_quality(content: Content, blocks: Sequence[Block], document: Document) -> None:
    """Judge the prose: the main text without its code. Without a main text, all text of the page is judged."""
    blocks = blocks or [Block("paragraph", document.text(MAX_TEXT))]
    prose = [block for block in blocks if block.kind != "code"]
    items = sum(block.kind == "item" for block in prose)
    found = assess((block.text for block in prose), code(content.language), items)
    whole = sum(len(block.text) for block in blocks)
    content.code_share = round(1 - sum(len(block.text) for block in prose) / whole, 4) if whole else 0.0
    content.characters = content.characters or whole
    content.words, content.signals, content.quality = found.words, found.signals, found.quality
