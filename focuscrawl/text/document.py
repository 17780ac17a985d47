"""One parse of a page, shared by everything that reads its tree (Lexbor: HTML5, deep trees kept whole)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from selectolax.lexbor import LexborHTMLParser, LexborNode

from focuscrawl.text import clean
from focuscrawl.text.complexity import MAX_HTML
from focuscrawl.text.composed import composed, parsed

_UNREAD = ["script", "style", "template", "svg", "iframe", "textarea", "select", "noembed", "noframes", "object"]
_BOILERPLATE = ["nav", "header", "footer", "aside", "form", "button"]
Attributes = Mapping[str, str | None]
Kind = Literal["link", "heading", "code", "meta", "base", "rel", "unspoken"]
_SELECTORS: dict[Kind, str] = {
    "link": "a[href], area[href], frame[src], iframe[src]",
    "heading": "h1, h2",
    "code": "pre",
    "meta": "meta",
    "base": "base[href]",
    "rel": "link[rel][href]",
    "unspoken": "span.mw-editsection, span.sr-only, span.visually-hidden, span.screen-reader-text",
}
"""What is looked for on every page. `unspoken`: inline elements that do not belong to the words around them, which are
MediaWiki's "[edit]" at a heading, and what is only read aloud."""
_SELECTOR = ", ".join(_SELECTORS.values())
_KINDS: dict[str | None, Kind] = {
    "a": "link", "area": "link", "frame": "link", "iframe": "link", "h1": "heading", "h2": "heading", "pre": "code",
    "meta": "meta", "base": "base", "link": "rel", "span": "unspoken",
}  # fmt: skip
"""The kinds by tag. No tag is of two."""
_SCHEMA = (
    re.compile(r"\"@type\"\s*:\s*\[?\s*\"(?:\w*NewsArticle|Article|BlogPosting)\""),
    re.compile(r"schema\.org/(?:NewsArticle|BlogPosting)\b"),
)
"""Two patterns, because `re` finds what begins with plain letters in a fraction of the time. Not
`schema.org/Article` in an attribute, which manuals of a theme of Sphinx say of themselves."""
_THREADS = ("DiscussionForumPosting", "QAPage")
Mark = Literal["itemprop", "rel", "accesskey", "pubdate", "role", "article", "main"]
_MARKED = (
    "[itemprop], [rel~=license i], [rel~=author i], [rel~=up], [rel~=category], [accesskey=u], time[pubdate], article, main, "
    "[role=main]"
)
"""Elements in which a page describes itself to machines. Many pages have few kinds of them, or none."""


@dataclass(frozen=True)
class Document:
    """A parsed page. `html` is its source as parsed, with all parts in their places (`focuscrawl.text.composed`)."""

    html: str
    tree: LexborHTMLParser

    def elements(self, kind: Kind) -> list[LexborNode]:
        """All elements of a kind, in document order."""
        return self._by_kind[kind]

    @cached_property
    def _by_kind(self) -> dict[Kind, list[LexborNode]]:
        """One search of the tree for all kinds, because it takes as long as for one: most of it is the walk."""
        found: dict[Kind, list[LexborNode]] = {kind: [] for kind in _SELECTORS}
        for node in self.tree.css(_SELECTOR):
            found[_KINDS[node.tag]].append(node)
        return found

    def marked(self, selector: str, *marks: Mark) -> list[LexborNode]:
        """The elements of a selector, each of which must be one of `_MARKED` or stand in one. They are looked for only where
        `_MARKED` has one with such a tag or attribute; one search of the tree tells so for all selectors."""
        return [] if self._marks.isdisjoint(marks) else self.tree.css(selector)

    @cached_property
    def _marks(self) -> frozenset[str]:
        """The tags and attributes of the elements that are marked."""
        return frozenset(name for node in self.tree.css(_MARKED) for name in (node.tag or "", *node.attributes))

    def says(self, *words: str) -> bool:
        """Whether one of these words stands in the source. Where a rule needs one, most pages are told faster by this than by a
        search of the tree."""
        return any(map(self.html.__contains__, words))

    @cached_property
    def metas(self) -> list[Attributes]:
        """The attributes of all meta elements, which the tree makes again at each access."""
        return [node.attributes for node in self.elements("meta")]

    @cached_property
    def is_article(self) -> bool:
        """Whether the page calls itself an article, by the Open Graph protocol or schema.org, and not a thread."""
        said = any(map(_says_article, self.metas))
        said = said or (self.says("schema.org") and any(pattern.search(self.html) for pattern in _SCHEMA))
        return said and not self.says(*_THREADS)

    def text(self, limit: int) -> str:
        """All words of the body without navigation, one line for each piece of the tree; every word if there is nothing else.

        It parses the page again, because removing elements from the shared tree would take links away.
        """
        tree = parse(self.html).tree
        tree.strip_tags(_UNREAD, recursive=True)
        everything = _words(tree, limit)
        tree.strip_tags(_BOILERPLATE, recursive=True)
        return _words(tree, limit) or everything


def parse(html: str) -> Document:
    """The parsed page. Never raises for odd markup. Quadratic for hostile pages: ask `focuscrawl.text.complexity.is_heavy`
    first."""
    html = composed(html[:MAX_HTML])
    return Document(html, parsed(html))


def _says_article(meta: Attributes) -> bool:
    """Whether a meta element, given by its attributes, says by the Open Graph protocol that the page is an article, which
    Chinese portals call news."""
    name = (meta.get("property") or meta.get("name") or "").lower()
    if name != "og:type":
        return name == "article:published_time"
    return (meta.get("content") or "").strip().lower() in ("article", "news")


def _words(tree: LexborHTMLParser, limit: int) -> str:
    body = tree.body
    return clean.lines(body.text(separator="\n", strip=True), limit) if body is not None else ""
