"""Reading a fetched page: bytes in; text, facts and links out.

Ordinary pages take 2-6 ms. Heavy ones (focuscrawl.text.complexity) may take seconds and are read from a sanitized copy of the
source. A crawl reads these, and documents that are not HTML (focuscrawl.reading.documents), in a process of its own
(focuscrawl.reading.page_reader).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from time import thread_time
from typing import Any

from focuscrawl.items import Link, whole_text
from focuscrawl.links.extract import links_from, links_of
from focuscrawl.links.page_kind import longest_code, page_kind
from focuscrawl.reading.documents.document import Unreadable
from focuscrawl.reading.documents.formats import PACKED, format_of
from focuscrawl.reading.documents.reading import read_document
from focuscrawl.reading.title import title_above
from focuscrawl.text import clean, language
from focuscrawl.text.blocks import plain
from focuscrawl.text.complexity import is_heavy, sanitize
from focuscrawl.text.decode import Decoded, decode
from focuscrawl.text.document import Document, parse
from focuscrawl.text.extract import fast_text
from focuscrawl.text.head import meta
from focuscrawl.text.words import headings_of


@dataclass(slots=True)
class Reading:
    """What was read from one page. Fields that `focuscrawl.items.Page` has, too, have the same names."""

    charset: str = ""
    language: str = ""
    prose: int = 0
    """Letters of prose from which the language was detected."""
    title: str = ""
    keywords: str = ""
    description: str = ""
    summary: str = ""
    text: str = ""
    kind: str = ""
    links: list[Link] = field(default_factory=list)
    feeds: list[str] = field(default_factory=list)
    """Normal URLs of the site's feeds that the head names."""
    robots: list[tuple[str, str]] = field(default_factory=list)
    """(name, content) of each meta element that reads as a robots rule."""
    canonical: str = ""
    """Normal URL that the page names as its own; empty: none."""
    note: str = ""
    """Why there is no text: `empty`, `frames`, `refresh`, `script` or `no-text`; empty if there is some."""
    bad_bytes: int = 0
    """Malformed sequences that were replaced by U+FFFD."""
    heavy: bool = False
    """Whether it was read from a sanitized copy of the source (`focuscrawl.text.complexity`)."""
    document: str = ""
    """The format of a document that is not HTML: see `documents.formats.format_of`."""
    error: str = ""
    """`parse` if reading was given up; `document` or `encrypted` for a document that cannot be read."""
    links_capped: int = 0
    links_bad: int = 0
    timings: dict[str, float] = field(default_factory=dict)
    """Milliseconds by stage: CPU time of the thread that read it, but for `worker` the time until that process answered."""

    @property
    def whole(self) -> str:
        """Title and main text."""
        return whole_text(self.title, self.text)


class Stopwatch:
    """Measures the CPU time of this thread, which other load on the machine does not lengthen."""

    def __init__(self) -> None:
        self.timings: dict[str, float] = {}
        self._last = thread_time()

    def lap(self, stage: str) -> None:
        now = thread_time()
        self.timings[stage] = self.timings.get(stage, 0.0) + 1000 * (now - self._last)
        self._last = now


def read_page(body: bytes, content_type: str, url: str, habit: str = "") -> Reading:
    """Read the page at the normal URL `url` in this process; a heavy one may take seconds.

    `habit`: ISO 639-1 code of the language that the host usually writes, if known."""
    watch = Stopwatch()
    if form := format_of(body, content_type, url):
        return read_as_document(body, form, content_type, url, watch, habit)
    decoded, heavy = decoded_and_weighed(body, content_type, watch)
    return read_html(decoded, url, watch, habit, heavy=heavy)


def decoded_and_weighed(body: bytes, content_type: str, watch: Stopwatch) -> tuple[Decoded, bool]:
    """The text of a page, and whether it is heavy (`is_heavy`)."""
    decoded = decode(body, content_type)
    watch.lap("decode")
    heavy = is_heavy(decoded.text)
    watch.lap("weigh")
    return decoded, heavy


def read_files(paths: Iterable[Path]) -> list[tuple[str, str]]:
    """(name, text) of local files, such as a topic's examples, which are read as web pages. The text begins with the title."""
    pages = [(path.name, read_page(path.read_bytes(), "", path.absolute().as_uri())) for path in paths]
    return [(name, page.whole) for name, page in pages]


def read_heavy(body: bytes, content_type: str, url: str, habit: str = "") -> dict[str, Any]:
    """A page's `Reading` as plain values: what the worker process runs."""
    return asdict(read_page(body, content_type, url, habit))


def from_plain(values: dict[str, Any]) -> Reading:
    """The inverse of `dataclasses.asdict`, also after its values went through JSON."""
    # `asdict` includes the cached key, which `Link` does not take.
    fields = [{name: value for name, value in link.items() if name != "_key"} for link in values["links"]]
    links = [Link(**{**link, "rel": tuple(link["rel"])}) for link in fields]
    robots = [(name, content) for name, content in values["robots"]]
    return Reading(**{**values, "links": links, "robots": robots})


def read_html(decoded: Decoded, url: str, watch: Stopwatch, habit: str, heavy: bool = False) -> Reading:
    """Read a decoded page. `heavy`: as `decoded_and_weighed` says."""
    html = sanitize(decoded.text) if heavy else decoded.text
    document = parse(html)
    watch.lap("parse")
    head = meta(document)
    watch.lap("meta")
    text = fast_text(document)
    watch.lap("text")
    found = links_of(document, url, decoded.charset, head)
    watch.lap("links")
    head.title = head.title or title_above(text, found.anchors)
    written = language.guess(whole_text(head.title, text), head.language, habit)
    reading = Reading(
        charset=decoded.charset,
        language=written.language,
        prose=written.prose,
        title=head.title,
        keywords=head.keywords,
        description=head.description,
        summary=summary(text, head.description),
        text=text,
        kind=page_kind(url, text, headings_of(document), found.anchors, longest_code(document), found.places),
        links=found.links,
        feeds=found.feeds,
        robots=head.robots,
        canonical=found.canonical,
        note="" if text else _note(document, bool(head.refresh)),
        bad_bytes=decoded.bad,
        heavy=heavy,
        links_capped=found.capped,
        links_bad=found.bad,
        timings=watch.timings,
    )
    watch.lap("describe")
    return reading


def read_as_document(body: bytes, form: str, content_type: str, url: str, watch: Stopwatch, habit: str) -> Reading:
    """Read a document that is not HTML. `form`: its format, as `format_of` gives it."""
    reading = Reading(document=form)
    try:
        document = read_document(body, form, content_type)
    except Unreadable as unreadable:
        reading.error = unreadable.cause
        return reading
    watch.lap("parse")
    text = plain(document.blocks)
    written = language.guess(whole_text(document.title, text), document.language, habit)
    links = links_from(((link.url, link.anchor, link.context) for link in document.references), url, form)
    if form not in PACKED:
        decoded = decode(body, content_type)
        reading.charset, reading.bad_bytes = decoded.charset, decoded.bad
    reading.language, reading.prose = written.language, written.prose
    reading.title, reading.keywords, reading.description = document.title, document.keywords, document.description
    reading.text, reading.summary = text, summary(text, document.description)
    reading.kind = "content" if form in PACKED else page_kind(url, text)
    reading.links, reading.links_capped, reading.links_bad = links.links, links.capped, links.bad
    reading.note = "" if text else "empty" if form not in PACKED else "no-text"
    watch.lap("describe")
    reading.timings = watch.timings
    return reading


def _note(document: Document, refresh: bool) -> str:
    """Why a page has no text (`Reading.note`). `refresh`: whether it sends browsers to another URL."""
    tree = document.tree
    if refresh:
        return "refresh"
    if not document.html.strip():
        return "empty"
    if tree.css_first("frame, iframe") is not None:
        return "frames"
    return "script" if tree.css_first("script") is not None else "no-text"


# --- a page in two lines: the first sentences of its main text, or its own description ---------------------------------

LENGTH = 200
"""Most characters of a summary, without the ellipsis."""
_SENTENCE = re.compile(r"(?:[^。！？!?.]|\.(?!\s|$))*(?:[。！？!?.]+[”’」』）\"')]*\s*|$)")
_LEAST = 20
"""Least characters of a block of prose. Headings, dates and bylines are shorter, or have no full stop."""
_PROSE = re.compile("[。！？]|[^\\W\\d_]{2}[.!?](?: |[”\"')]*$)")


def summary(text: str, description: str = "", length: int = LENGTH) -> str:
    """The first sentences of `text` from its first block of prose on. Without prose, the page's own description, or else the
    first words. Understands Chinese and Western punctuation."""
    blocks = text[: 20 * length + 2000].split("\n")
    start = next((number for number, block in enumerate(blocks) if len(block) >= _LEAST and _PROSE.search(block)), None)
    if start is None:
        return _cut(clean.line(description or " ".join(blocks), 4 * length), length)
    lead = ""
    for match in _SENTENCE.finditer(" ".join(blocks[start:])):
        sentence = match[0]
        if lead and len(lead) + len(sentence) > length:
            break
        lead += sentence
    return _cut(clean.line(lead), length)


def _cut(text: str, length: int) -> str:
    """The text cut at the last space within `length` characters, or at `length` if that would lose more than half."""
    if len(text) <= length:
        return text
    head = text[:length]
    space = head.rfind(" ")
    return (head[:space] if space > length // 2 else head).rstrip(" ,，、;；") + "…"
