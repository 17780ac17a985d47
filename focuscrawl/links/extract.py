"""The links of a page, each once, in document order.

What counts as a link is decided here. The words around it are read by `links.surroundings`, and where scripts lead by
`links.scripted`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from selectolax.lexbor import LexborNode

from focuscrawl.items import FILE, Link
from focuscrawl.links import scripted
from focuscrawl.links.canonical import canonical_link, canonical_of, is_closed
from focuscrawl.links.page_kind import file_name
from focuscrawl.links.surroundings import MAX_ANCHOR, MAX_CONTEXT, Attributes, Surroundings, anchor_of
from focuscrawl.text.document import Document
from focuscrawl.text.head import Meta, meta
from focuscrawl.text.language_labels import code
from focuscrawl.text.sniff import announces_file
from focuscrawl.url.filters import file_type
from focuscrawl.url.hosts import host_name, in_site, registered_domain
from focuscrawl.url.normalize import normalize, split

MAX_LINKS = 2_000
"""Different URLs that are taken from one page. Further link elements are only counted."""
MAX_FEEDS = 5
_MAY_BE_READ = ("", "document", "source")
"""Kinds of files that a crawl may read."""
_COMMENTS = re.compile(r"comment|[ck]om+ent[aá]|评论|評論|留言|回复|コメント|댓글", re.IGNORECASE)
_LONGEST_REL = 200
"""Characters of `rel` that are read."""
_RELATED = frozenset({"rel", "type", "download"})
_OTHER_SCHEME = re.compile(r"\s*(?!https?:)([a-z][a-z0-9+.\-]*):", re.IGNORECASE)
"""`mailto:`, `javascript:`, `data:`, …, and also `host:8080/`, as in browsers."""


@dataclass(slots=True)
class PageLinks:
    """The links of a page and what was left out of it."""

    links: list[Link] = field(default_factory=list)
    feeds: list[str] = field(default_factory=list)
    """Normal URLs of feeds of the same registered domain."""
    canonical: str = ""
    """Normal URL that the page names as its own; empty: none."""
    anchors: set[str] = field(default_factory=set)
    """The words of each link element, including links to places on the same page."""
    places: set[str] = field(default_factory=set)
    """The words of those links that lead to no other page."""
    capped: int = 0
    """Number of link elements beyond `MAX_LINKS`, which were not read."""
    bad: int = 0
    """Number of different references that cannot be a URL."""


def links_of(document: Document, page_url: str, charset: str = "utf-8", head: Meta | None = None) -> PageLinks:
    """The different pages that `document`, fetched from the normal URL `page_url`, links to.

    What counts as a link:

    - elements with a reference (`a`, `area`, frames), and a meta refresh (position `meta`);
    - the next and the previous page that the head names (position `head/link`), where no element of the body links there;
    - the URL that the page names as its own (`rel=canonical`), if it is of the same host: see `links.canonical`;
    - where a script leads that says the URL (`links.scripted`), among these the further pages of a list. Where scripts send
      browsers by themselves counts only on a page without any other link, as many home pages are.

    Links to the same URL become one, with the position and context of the first, the anchors of all, and the `rel` of one that
    may be followed, if there is one. Its language is that of its `hreflang`, or of a translation that the head names. Links are
    normalized against `base href`, with queries in the page's charset. Links to the page itself are left out.
    """
    head = meta(document) if head is None else head
    collected = _Collector(page_url, _base(head.base, page_url, charset), charset)
    collected.add_refresh(head.refresh)
    collected.add_feeds(head.feeds)
    collected.add_elements(document.elements("link"))
    collected.add_neighbors(head.neighbors)
    collected.name_languages(head.translations)
    _add_scripted(collected, document)
    if head.canonical:
        collected.add_canonical(head.canonical)
    return collected.result()


def _add_scripted(collected: _Collector, document: Document) -> None:
    for node, reference in scripted.led_by_script(document):
        collected.add_once(node, reference)
    for node, reference, shown in scripted.counted(document):
        collected.add_page(node, reference, shown)
    for node, reference in scripted.loaded(document):
        collected.add_page(node, reference, "", ("next",))
    for node, reference in scripted.rows(document):
        collected.add_once(node, reference)
    if not collected.by_url:
        for target in scripted.sent_on(document):
            collected.add_refresh(target)


def _base(reference: str, page_url: str, charset: str) -> str:
    """The URL to which references on the page are relative. It is empty if the page gives a base of another scheme, so that
    only absolute references are links; a base with a scheme that browsers ignore does not count."""
    other = _OTHER_SCHEME.match(reference)
    if other:
        return page_url if other[1].lower() in ("data", "javascript") else ""
    return (normalize(reference, page_url, charset) if reference else "") or page_url


def links_from(references: Iterable[tuple[str, str, str]], page_url: str, position: str) -> PageLinks:
    """The pages that a document without markup links to.

    Args:
        references: (URL as written, anchor, text around it) in the document's order.
        page_url: normal URL of the document.
        position: the position that all links get.
    """
    collected = _Collector(page_url, page_url, "utf-8")
    for written, anchor, context in references:
        if len(collected.by_url) >= MAX_LINKS:
            collected.found.capped += 1
            continue
        collected.add_reference(written.strip(), anchor[:MAX_ANCHOR], context, position)
    return collected.result()


class _Collector:
    """Gathers the links of one page. Each reference is normalized once."""

    def __init__(self, page_url: str, base: str, charset: str) -> None:
        self._base = base
        self._charset = charset
        self._page_url = page_url
        self._page_host = host_name(page_url)
        self._page_origin = split(page_url)[0] + "/"
        self._around = Surroundings()
        self._by_reference: dict[str, str | None] = {}
        """What `_resolved` gave for each reference."""
        self._languages: dict[str, set[str]] = {}
        """By URL, the languages in which the page is that is there, as references say."""
        self.by_url: dict[str, Link] = {}
        self.found = PageLinks()

    def add_elements(self, nodes: Sequence[LexborNode]) -> None:
        room = MAX_LINKS - len(self.by_url)
        for number, node in enumerate(nodes):
            if number >= room and len(self.by_url) >= MAX_LINKS:
                self.found.capped = len(nodes) - number
                break
            self._add(node)

    def _add(self, node: LexborNode) -> None:
        attributes = node.attributes
        frame = "src" in attributes and node.tag in ("frame", "iframe")
        reference = (attributes["src"] if frame else attributes.get("href")) or ""
        url = self._resolved(reference)
        if url is None and not reference.startswith("#"):
            return
        anchor = anchor_of(node)
        self.found.anchors.add(anchor)
        if url is None:
            self.found.places.add(anchor)
            return
        if "hreflang" in attributes:
            self._note_language(url, attributes["hreflang"] or "")
        known = self.by_url.get(url)
        if known is not None:
            _join(known, anchor)
            if known.rel and not is_closed(rel := _rel(attributes)):
                known.rel = rel  # one link that may be followed is enough
            return
        self.by_url[url] = Link(
            url=url,
            anchor=anchor,
            context=self._around.context(node, anchor),
            position=self._around.position(node, attributes),
            rel=_rel(attributes),
            in_site=self._in_site(url),
        )

    def add_once(self, node: LexborNode, reference: str) -> None:
        """Add an element that leads there by a script, if nothing else does so."""
        if url := self._unknown(reference):
            anchor, attributes = self._around.words(node), node.attributes
            context, position = self._around.context(node, anchor), self._around.position(node, attributes)
            self.by_url[url] = Link(url, anchor, context, position, _rel(attributes), self._in_site(url))

    def add_page(self, node: LexborNode, reference: str, number: str, rel: tuple[str, ...] = ()) -> None:
        """Add a further page of the list, to which a script leads at `node`, if it is no link yet. `number`: its anchor."""
        if url := self._unknown(reference):
            position = self._around.position(node, node.attributes)
            self.by_url[url] = Link(url, number, number, position, rel, self._in_site(url))

    def add_reference(self, reference: str, anchor: str, context: str, position: str) -> None:
        """Add a link that is not an element of the tree."""
        url = self._resolved(reference)
        if url is None:
            return
        if known := self.by_url.get(url):
            _join(known, anchor)
            return
        context = context[: MAX_CONTEXT + len(anchor)] or anchor
        self.by_url[url] = Link(url, anchor, context, position, in_site=self._in_site(url))

    def add_refresh(self, reference: str) -> None:
        url = self._resolved(reference)
        if url is not None:
            self.by_url[url] = Link(url=url, position="meta", in_site=self._in_site(url))

    def add_neighbors(self, neighbors: Sequence[tuple[str, str, str]]) -> None:
        """Add the next and the previous page, given as (URL as written, title, `rel`), as far as they are no links yet."""
        for reference, title, rel in neighbors:
            if url := self._unknown(reference):
                anchor, tokens = title[:MAX_ANCHOR], _tokens(rel[:_LONGEST_REL])
                self.by_url[url] = Link(url, anchor, anchor, "head/link", tokens, in_site=self._in_site(url))

    def add_canonical(self, reference: str) -> None:
        """Note the URL that the page names as its own, and mark the link to it."""
        url = self.found.canonical = canonical_of(reference, self._base, self._charset)
        if url and (link := canonical_link(url, self._page_url, self.by_url.get(url))):
            self.by_url[url] = link

    def name_languages(self, translations: Sequence[tuple[str, str]]) -> None:
        """Note in which languages pages are, given as (URL as written, language as written), as far as they are links."""
        for reference, label in translations:
            url = normalize(reference, self._base, self._charset)
            if url is not None:
                self._note_language(url, label)

    def _note_language(self, url: str, label: str) -> None:
        if language := code(label):
            self._languages.setdefault(url, set()).add(language)

    def add_feeds(self, references: Sequence[tuple[str, str]]) -> None:
        """Add feeds, given as (URL as written, title), of the site itself, not of the comments on it or on this page."""
        site = registered_domain(self._page_host)
        for reference, title in references:
            url = normalize(reference, self._base, self._charset)
            if url is None or url == self._page_url or registered_domain(host_name(url)) != site:
                continue
            if _COMMENTS.search(url) or _COMMENTS.search(title) or self._is_of_article(url):
                continue
            if url not in self.found.feeds and len(self.found.feeds) < MAX_FEEDS:
                self.found.feeds.append(url)

    def _is_of_article(self, feed: str) -> bool:
        """Whether it is a feed of the comments on this article, as blogs have them: `/2024/05/title/feed/`."""
        page = self._page_url.rstrip("/")
        return feed.startswith(page + "/") and bool(file_name(self._page_url))

    def result(self) -> PageLinks:
        for url, languages in self._languages.items():
            if len(languages) == 1 and url in self.by_url:
                (self.by_url[url].language,) = languages
        self.found.links = list(self.by_url.values())
        return self.found

    def _in_site(self, url: str) -> bool:
        return url.startswith(self._page_origin) or in_site(host_name(url), self._page_host)

    def _unknown(self, reference: str) -> str:
        """The normal URL, if it is no link yet and there is room for one; else empty."""
        url = self._resolved(reference)
        return url if url is not None and url not in self.by_url and len(self.by_url) < MAX_LINKS else ""

    def _resolved(self, reference: str) -> str | None:
        """The normal URL; None if it is not to be followed. What cannot be a URL is counted."""
        if reference in self._by_reference:
            return self._by_reference[reference]
        url = None
        if reference and reference[0] != "#" and not (":" in reference and _OTHER_SCHEME.match(reference)):
            url = normalize(reference, self._base, self._charset)
            if url is None:
                self.found.bad += 1
            elif url == self._page_url:
                url = None
        self._by_reference[reference] = url
        return url


def _rel(attributes: Attributes) -> tuple[str, ...]:
    """The tokens of `rel`, some of which are written with commas, and FILE."""
    if _RELATED.isdisjoint(attributes):  # as of most links
        return ()
    rel = attributes.get("rel")
    tokens = _tokens(rel[:_LONGEST_REL]) if rel else ()
    return (*tokens, FILE) if _is_file(attributes) else tokens


def _is_file(attributes: Attributes) -> bool:
    """Whether a link says that it leads to a file that is no page, nor a document."""
    label, name = attributes.get("type"), attributes.get("download")
    return bool(label and announces_file(label)) or bool(name and file_type(f"http://a.b/{name}") not in _MAY_BE_READ)


@lru_cache(maxsize=256)  # most pages have the same few
def _tokens(rel: str) -> tuple[str, ...]:
    return tuple(rel.lower().replace(",", " ").split()[:8])


def _join(link: Link, anchor: str) -> None:
    """Add the words of another link to the same page, if they are new and there is room."""
    if not anchor or anchor in link.anchor:
        return
    joined = f"{link.anchor} {anchor}" if link.anchor else anchor
    if len(joined) <= MAX_ANCHOR:
        link.anchor = joined
