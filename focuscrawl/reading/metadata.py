"""What a page says about itself beside its text: author, dates, canonical URL, name of the site, category, licence.

Each is taken from the first of these sources that has it (dates: `focuscrawl.reading.dates`):

| | |
|---|---|
| author | JSON-LD `author` (else `creator`); meta (`AUTHOR`); microdata; a link `rel=author`; hAtom; 作者：, a byline |
| published | JSON-LD `datePublished`, `pubDate`; meta (`PUBLISHED`); microdata; URL; shown; at the title; 发布时间; scripts |
| modified | JSON-LD `dateModified`, `upDate`; meta (`MODIFIED`); microdata; a line such as "Last updated on …", 最后更新 |
| canonical | `link rel=canonical`; a header Link with `rel=canonical`; `og:url` |
| site name | `og:site_name`; JSON-LD `WebSite`, `isPartOf`, `publisher`; meta `SiteName`, `application-name` |
| category | breadcrumbs, the page above, the section of an article: `focuscrawl.reading.category` |
| licence | JSON-LD `license`; `rel=license`; meta `dc.rights`, `dcterms.license` …; a Creative Commons link beside the word |
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import islice

from selectolax.lexbor import LexborNode

from focuscrawl.links.canonical import canonical_of
from focuscrawl.reading.category import category_of
from focuscrawl.reading.dates import PageDates
from focuscrawl.reading.json_ld import Node, described, nodes_of, strings, type_of
from focuscrawl.reading.licence import licence_of_page
from focuscrawl.reading.replies import not_of_replies
from focuscrawl.text import clean
from focuscrawl.text.document import Document
from focuscrawl.text.head import Meta
from focuscrawl.text.words import words_of
from focuscrawl.url.normalize import normalize

MAX_NAME = 200
"""Characters of an author's or a site's name."""
MAX_AUTHORS = 20
AUTHOR = (
    "author", "article:author", "dc.creator", "dcterms.creator", "citation_author", "citation_authors", "parsely-author",
    "sailthru.author", "byl",
)  # fmt: skip
"""Names of meta elements, Open Graph and Dublin Core among them, the most reliable first."""
_IN_BRACKETS = re.compile(r"\s*[<(][^<>()]*(?:@|://)[^<>()]*[>)]")
"""An author's e-mail or URL: `Ada <ada@a.example>`."""
_BYLINE = re.compile(r"(?i:(?:written )?by):?((?: [A-Z][\w.’'-]*){1,5})")
"""All that a page shows of its author, where it is a byline."""
_BYLINES = ".byline, .by, .author, .post-author, .entry-author, .article-author, .article__author, .p-author"
_SHOWN = ".info, .source, .author, .meta, .article-info, .post-info, .news-info, .pages-date, .date, .time"
_SHOWN_BEHIND = re.compile(
    r"(?:^|[\s|｜丨])作\s*者\s*[:：]\s*(?:\S{0,6}(?:[记記]者|通[讯訊][员員])\s+)?(?!\d+[-/.年篇])([^\s:：|｜丨()（）]{2,20})"
)
"""A name in a line such as 来源：江城日报 作者：本报记者 林小满 2024-03-10."""
_LINE = 100
"""Most characters of such a line."""
_NO_NAME = re.compile(
    r"^(?:https?:|www\.|@?\w+@)|^(?:\d+|admin|administrator|author|root|unknown|none|null|undefined"
    r"|未知|不[详詳]|[暂暫][无無]|佚名|匿名|管理[员員]|本站|[网網][络絡])$|^discuz! team\b",
    re.IGNORECASE,
)


@dataclass(slots=True, frozen=True)
class Metadata:
    """Fields are empty if the page does not say. Dates are days in ISO 8601, `2021-03-04`."""

    author: str = ""
    """Names, with `; ` between several."""
    published: str = ""
    modified: str = ""
    """Never before `published`."""
    canonical: str = ""
    """A normal absolute URL; it may be the page's own."""
    site_name: str = ""
    licence: str = ""
    """See `focuscrawl.reading.licence`."""
    category: str = ""
    """See `focuscrawl.reading.category`."""


def metadata_of(document: Document, head: Meta, url: str, fetched_at: float, in_headers: str = "") -> Metadata:
    """Everything known of a page beside its text, in 0.4 to 1.2 ms (`tools/bench/stages.py`).

    Args:
        document: The page.
        head: What was read from its head.
        url: Its normal URL.
        fetched_at: Epoch seconds; 0: not known. No date is later than the day after it.
        in_headers: The normal URL that the headers of the answer name as its own; empty: none.
    """
    nodes = nodes_of(document.tree)
    base = normalize(head.base, url) or url
    fetched = datetime.fromtimestamp(fetched_at, UTC).replace(tzinfo=None) if fetched_at else datetime(9998, 1, 1)
    dates = PageDates(document, head, nodes, url, fetched + timedelta(days=1))
    published = dates.published()
    modified = dates.modified()
    return Metadata(
        author=_author(document, head, nodes),
        published=published,
        modified=modified if modified >= published else "",
        canonical=canonical_of(head.canonical, base) or in_headers or canonical_of(head.named.get("og:url", "").strip(), base),
        site_name=_site_name(head, nodes),
        category=category_of(document, nodes, url),
        licence=licence_of_page(document, head, nodes, base),
    )


def _author(document: Document, head: Meta, nodes: list[Node]) -> str:
    tree = document.tree
    for node in described(nodes):
        for key in ("author", "creator"):
            if found := _names(strings(node.get(key))):
                return found
    for name in AUTHOR:
        several = tree.css(f'meta[name="{name}" i]')[:MAX_AUTHORS] if name == "citation_author" and name in head.named else []
        written = [node.attributes.get("content") or "" for node in several] or [head.named.get(name, "")]
        if name == "citation_authors":
            written = written[0].split(";")
        if found := _names(written):
            return found
    if document.says("author", "Author", "AUTHOR"):  # on few pages
        for elements in _called_authors(document):
            if found := _names(_texts(not_of_replies(elements))):
                return found
    return _shown_author(document)


def _called_authors(document: Document) -> Iterator[list[LexborNode]]:
    """Elements that the markup calls authors, the most reliable first."""
    yield document.marked('[itemprop="author"]', "itemprop")
    yield document.marked('a[rel~="author" i]', "rel")
    yield document.tree.css(".author.vcard .fn, .p-author")


def _shown_author(document: Document) -> str:
    """The name behind 作者, or in a byline, in a short line for it; empty if there are several: those of a list of pages."""
    found: set[str] = set()
    if document.says("作者", "作 者"):
        found.update(name[1] for line in _lines(document, _SHOWN) if (name := _SHOWN_BEHIND.search(line)))
    elif document.says("author", "byline", 'class="by"'):
        found.update(name[1].strip() for line in _lines(document, _BYLINES) if (name := _BYLINE.fullmatch(line)))
    return _names(found) if len(found) == 1 else ""


def _lines(document: Document, selector: str) -> Iterator[str]:
    """The words of elements that show one short line."""
    for node in islice(not_of_replies(document.tree.css(selector)), 2 * MAX_AUTHORS):
        if len(line := clean.line(node.text(separator=" "), _LINE + 1)) <= _LINE:
            yield line


def _texts(nodes: Iterable[LexborNode]) -> list[str]:
    """The name in each element of microdata."""
    found = []
    for node in islice(nodes, 2 * MAX_AUTHORS):
        name = node.css_first('[itemprop="name"]') or node
        found.append(name.attributes.get("content") or words_of(name, 2 * MAX_NAME))
    return found


def _names(texts: Iterable[str]) -> str:
    """The different names, without URLs and names such as `admin`. Empty if there are more than `MAX_AUTHORS`, because these
    are the authors of a list of pages."""
    names = (_without_by(clean.line(_IN_BRACKETS.sub("", text), MAX_NAME).rstrip(".")) for text in texts)
    found = list(dict.fromkeys(name for name in names if name and not _NO_NAME.search(name)))
    return clean.line("; ".join(found), MAX_NAME) if len(found) <= MAX_AUTHORS else ""


def _without_by(name: str) -> str:
    """A name without the *By* of a byline before it."""
    words = name.split(" ", 1)
    return words[1] if len(words) > 1 and words[0].lower() == "by" else name


def _site_name(head: Meta, nodes: list[Node]) -> str:
    def named() -> Iterator[str]:
        yield head.named.get("og:site_name", "")
        for node in nodes:
            if type_of(node) == "WebSite":
                yield from strings(node)
        for key in ("isPartOf", "publisher"):
            for node in described(nodes):
                yield from strings(node.get(key))
        yield head.named.get("sitename", "")
        yield head.named.get("application-name", "")

    return next((name for text in named() if (name := clean.line(text, MAX_NAME))), "")
