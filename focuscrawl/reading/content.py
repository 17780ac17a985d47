"""What is known of a page that is kept: its main text and the facts about it, read by a second tier behind the commit.

Reading a page whole takes 20-100 ms, so it is done for kept pages alone, from the archived answer, in a process of its own.
`scrapy extract` does it again for a stored crawl.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

from focuscrawl.items import Content, Names
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
from focuscrawl.text.extract import MAX_TEXT, main_text
from focuscrawl.text.head import Meta, meta
from focuscrawl.text.language_labels import code
from focuscrawl.text.quality import assess
from focuscrawl.text.repeated import Site, SiteTexts


@dataclass(slots=True, frozen=True)
class Answer:
    """An archived answer, as `read_content` takes it."""

    url: str
    content_type: str
    headers: Sequence[tuple[str, str]] = ()
    language: str = ""
    """As the first tier detected it."""
    fetched_at: float = 0.0
    """Epoch seconds: no date of the page is later; 0: it is not known."""
    agent: str = "focuscrawl"
    """Our product token, for directives that are for us alone."""
    reserved: Names = ()
    """What the robots.txt of its origin reserves: see `focuscrawl.politeness.reserved`."""


def read_content(body: bytes, answer: Answer) -> Content:
    """Read a page whole, without what is known of its site's other pages. Never raises for its contents."""
    return _read(body, answer, Site())


_SITES = SiteTexts()
"""Of the process that reads one page after the other. One that a page costs its life is followed by one that knows nothing."""


def read_apart(body: bytes, **answer: Any) -> dict[str, Any]:
    """The worker process's side: the page's content in plain values, read with what the pages of its site before it taught."""
    page = Answer(**answer)
    return values_of(_read(body, page, _SITES.of(urlsplit(page.url).netloc)))


def values_of(content: Content) -> dict[str, Any]:
    """The fields by name, for JSON. `dataclasses.asdict` would copy the outline piece by piece."""
    return {field.name: getattr(content, field.name) for field in fields(content)}


def _read(body: bytes, answer: Answer, site: Site) -> Content:
    """`site` is taught the page."""
    if form := format_of(body, answer.content_type, answer.url):
        return _of_document(body, form, answer)
    html = decode(body, answer.content_type).text
    heavy = is_heavy(html)
    document = parse(sanitize(html) if heavy else html)
    head = meta(document)
    content = Content()
    found = main_text(document, answer.url, site, vote=not heavy)
    site.learn(answer.url, found.digests, found.votes)
    content.extractor, content.template, content.link_share = found.extractor, found.template, found.link_share
    _set_text(content, found.blocks)
    _set_language(content, found.blocks, head, answer)
    _set_metadata(content, document, head, answer)
    _set_quality(content, found.blocks, document)
    return content


def _of_document(body: bytes, form: str, answer: Answer) -> Content:
    """Of a document that is no HTML; what an unreadable one says is not known."""
    content, nothing = Content(language=answer.language), parse("")
    content.reserved = joined(answer.reserved, reserved_by_page(nothing, Meta(), answer.headers, answer.agent))
    try:
        found = read_document(body, form, answer.content_type)
    except Unreadable:
        return content
    content.extractor = form
    _set_text(content, found.blocks)
    content.author, content.licence = found.author, licence_of(found.licence)
    fetched = datetime.fromtimestamp(answer.fetched_at, UTC).date().isoformat() if answer.fetched_at else "9999"
    content.published, content.modified = (date if date <= fetched else "" for date in (found.published, found.modified))
    _set_language(content, found.blocks, Meta(language=found.language), answer)
    _set_quality(content, found.blocks, nothing)
    return content


def from_plain(values: dict[str, Any]) -> Content:
    """The inverse of `values_of` after a journey through JSON."""
    lists = {name: tuple(values[name]) for name in ("languages", "reserved")}
    return Content(**{**values, **lists, "outline": tuple((kind, level, size) for kind, level, size in values["outline"])})


def _set_text(content: Content, blocks: Sequence[Block]) -> None:
    content.text, content.outline = plain(blocks), outline(blocks)
    content.characters = len(content.text)


def _set_language(content: Content, blocks: Sequence[Block], head: Meta, answer: Answer) -> None:
    """Of the blocks without code; of all of them where there is nothing else."""
    if not content.text:
        content.language = answer.language
        return
    paragraphs = [block.text for block in blocks if block.kind != "code"] or [block.text for block in blocks]
    found = language.tags(paragraphs, head.language, answer.language)
    content.language = found[0] if found else answer.language
    content.languages = tuple(found) if len(found) > 1 else ()


def _set_metadata(content: Content, document: Document, head: Meta, answer: Answer) -> None:
    found = metadata_of(document, head, answer.url, answer.fetched_at)
    content.author, content.published, content.modified = found.author, found.published, found.modified
    content.canonical, content.site_name, content.licence = found.canonical, found.site_name, found.licence
    content.category = found.category
    content.reserved = joined(answer.reserved, reserved_by_page(document, head, answer.headers, answer.agent))


def _set_quality(content: Content, blocks: Sequence[Block], document: Document) -> None:
    """Of the prose: the main text without its blocks of code; of the first tier's text where there is no other."""
    blocks = blocks or [Block("paragraph", document.text(MAX_TEXT))]
    prose = [block for block in blocks if block.kind != "code"]
    items = sum(block.kind == "item" for block in prose)
    found = assess((block.text for block in prose), code(content.language), items)
    whole = sum(len(block.text) for block in blocks)
    content.code_share = round(1 - sum(len(block.text) for block in prose) / whole, 4) if whole else 0.0
    content.characters = content.characters or whole
    content.words, content.signals, content.quality = found.words, found.signals, found.quality
