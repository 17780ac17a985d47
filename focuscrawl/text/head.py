"""What a page says about itself in its head: title, keywords, robots rules, base, refresh, canonical URL."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from selectolax.lexbor import LexborNode

from focuscrawl.text import clean
from focuscrawl.text.document import Attributes, Document
from focuscrawl.text.sniff import media_type
from focuscrawl.text.words import words_of

MAX_TITLE = 500
MAX_KEYWORDS = 500
MAX_DESCRIPTION = 1000
MAX_FEEDS = 50
MAX_NEIGHBORS = 10
MAX_TRANSLATIONS = 200
FEED_TYPES = frozenset({
    "application/rss+xml", "application/atom+xml", "application/rdf+xml", "application/rss", "application/atom", "text/rss+xml",
    "text/atom+xml", "text/rss", "application/feed+json",
})  # fmt: skip
MAX_METAS = 200
"""Meta elements that are read."""
MAX_LINKS = 1_000
"""Link elements that are read."""
_MAX_URL = 4096
_NEIGHBORS = frozenset({"next", "prev", "previous"})
_UNTITLED = re.compile(
    r"(?:untitled(?: (?:document|page))?|new page|no title|[无無][标標][題题](?:文[档檔件]|[页頁])?|新(?:建)?[网網][页頁])"
    r"[\s\d-]*",
    re.IGNORECASE,
)
"""What editors of web pages write where nobody has written a title."""
_ROBOTS_RULE = re.compile(
    r"(?:^|[,;\s:])(?:(?:no)?(?:index|follow|none|all|archive|snippet|unavailable_after)|noai|noimageai)(?:$|[,;\s:])"
)
_REFRESH = re.compile(r"\s*(\d*)[\d.]*\s*(?:[;,\s]\s*(?:url\s*=\s*)?(.*))?\Z", re.ASCII | re.IGNORECASE | re.DOTALL)
"""WHATWG HTML, "shared declarative refresh steps": `5; url='x'`, `5,x`, `5 x`."""


@dataclass(slots=True)
class Meta:
    """What the head says, cleaned and cut to length. URLs are as written, not resolved."""

    title: str = ""
    keywords: str = ""
    description: str = ""
    language: str = ""
    """The label in `html lang` or its HTTP equivalent: `zh-CN`."""
    robots: list[tuple[str, str]] = field(default_factory=list)
    """(name, content) in lower case of each meta element that reads as a robots rule: `("robots", "noindex")`. The name may be
    that of one crawler."""
    canonical: str = ""
    base: str = ""
    refresh: str = ""
    """Target of a meta refresh, also in `noscript`; empty if the page only reloads itself."""
    feeds: list[tuple[str, str]] = field(default_factory=list)
    """(URL, title) of RSS and Atom feeds."""
    neighbors: list[tuple[str, str, str]] = field(default_factory=list)
    """(URL, title, `rel`) of the next and the previous page of the same list, series or manual."""
    translations: list[tuple[str, str]] = field(default_factory=list)
    """(URL, language as written) of the same page in other languages, and often of itself: `("/de/", "de-AT")`."""
    named: dict[str, str] = field(default_factory=dict)
    """Contents of the meta elements, as written, by name or property in lower case; the first of each name."""


def meta(document: Document) -> Meta:
    """What the head of a page says. The first of several titles, descriptions or bases counts, as in browsers."""
    tree = document.tree
    found = Meta()
    named = found.named
    for attributes in document.metas[:MAX_METAS]:
        _read_meta(attributes, found)
    found.title = next((title for title in _titles(document, named) if not is_placeholder(title)), "")
    found.keywords = clean.line(named.get("keywords", ""), MAX_KEYWORDS)
    description = named.get("description") or named.get("og:description", "")
    found.description = clean.line(description, MAX_DESCRIPTION)
    root = tree.root
    language = (root.attributes.get("lang") or root.attributes.get("xml:lang")) if root is not None else ""
    found.language = clean.line(language or named.get("content-language", ""), 35)
    found.base = _url(next((node.attributes for node in document.elements("base")[:MAX_METAS] if _is_html(node)), {}))
    _read_links([node.attributes for node in document.elements("rel")[:MAX_LINKS]], found)
    return found


def _titles(document: Document, named: Mapping[str, str]) -> Iterator[str]:
    """What may be the title, the most reliable first."""
    yield _text(document, "title:not(svg title)")
    yield clean.line(named.get("og:title", ""), MAX_TITLE)
    yield _text(document, "h1")


def _read_links(links: Sequence[Attributes], into: Meta) -> None:
    """Read the link elements, given by their attributes."""
    with_rel = [((link["rel"] or "").lower().split(), link) for link in links]
    alternate = [link for rel, link in with_rel if "alternate" in rel]
    feeds = [link for link in alternate if "type" in link][:MAX_FEEDS]
    into.feeds = [(_url(link), _title_of(link)) for link in feeds if _url(link) and _type_of(link) in FEED_TYPES]
    translations = [link for link in alternate if "hreflang" in link][:MAX_TRANSLATIONS]
    into.translations = [(_url(link), (link["hreflang"] or "").strip()) for link in translations]
    neighbors = [link for rel, link in with_rel if not _NEIGHBORS.isdisjoint(rel)][:MAX_NEIGHBORS]
    into.neighbors = [(_url(link), _title_of(link), link["rel"] or "") for link in neighbors]
    # a link element with an empty URL is none (WHATWG HTML, section 4.2.4.3)
    into.canonical = next((url for rel, link in with_rel if "canonical" in rel and (url := _url(link))), "")


def is_placeholder(title: str) -> bool:
    """Whether a title is none: empty, or what an editor writes instead."""
    return not title or _UNTITLED.fullmatch(title) is not None


def _read_meta(attributes: Attributes, into: Meta) -> None:
    content = attributes.get("content")
    if not content:
        return
    equivalent = (attributes["http-equiv"] or "").strip().lower() if "http-equiv" in attributes else ""
    if equivalent == "refresh":
        into.refresh = into.refresh or refresh_target(content)
    elif equivalent == "content-language":
        into.named.setdefault(equivalent, content)
    name = (attributes.get("name") or attributes.get("property") or "").strip().lower()
    if not name:
        return
    into.named.setdefault(name, content)
    if len(name) <= 40 and len(content) <= 500 and _ROBOTS_RULE.search(content.lower()):
        into.robots.append((name, content.strip().lower()))


def refresh_target(content: str) -> str:
    """The URL in the content of a meta refresh as written, without quotes; empty if there is none."""
    parsed = _REFRESH.match(content[:_MAX_URL])
    if parsed is None or not parsed[2]:
        return ""
    target: str = parsed[2].strip()
    if target[:1] in ("'", '"'):
        target = target[1:].split(target[0], 1)[0].strip()
    return target


def _is_html(node: LexborNode) -> bool:
    """Whether it is not inside a drawing or formula."""
    return node.parent is None or node.parent.tag not in ("svg", "math")


def _text(document: Document, selector: str) -> str:
    node = document.tree.css_first(selector)
    return words_of(node, MAX_TITLE) if node is not None else ""


def _url(attributes: Attributes) -> str:
    value = attributes.get("href") or ""
    return value.strip() if len(value) <= _MAX_URL else ""


def _title_of(attributes: Attributes) -> str:
    return clean.line(attributes.get("title") or "", MAX_TITLE)


def _type_of(attributes: Attributes) -> str:
    return media_type(attributes.get("type") or "")
