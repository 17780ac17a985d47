"""Which links does a page offer, and in which words? One pass over the parsed tree, in document order."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from selectolax.lexbor import LexborNode

from focuscrawl.items import Link
from focuscrawl.links.context import MAX_ANCHOR, Surroundings, anchor_of
from focuscrawl.links.pagekind import file_name
from focuscrawl.text.document import Document
from focuscrawl.text.meta import Meta, meta
from focuscrawl.url.hosts import host_name, in_site, registered_domain
from focuscrawl.url.normalize import normalize

MAX_LINKS = 2_000
"""Different addresses that are taken from one page; the rest is counted."""
MAX_FEEDS = 5
_COMMENTS = re.compile(r"comment|[ck]om+ent[aá]|评论|評論|留言|回复|コメント|댓글", re.IGNORECASE)
_SELECTOR = "a[href], area[href], frame[src], iframe[src]"
_OTHER_SCHEME = re.compile(r"\s*(?!https?:)([a-zA-Z][a-zA-Z0-9+.\-]*):")
"""`mailto:`, `javascript:`, `data:`, …, and `host:8080/` too, as for browsers."""


@dataclass(slots=True)
class Found:
    """The links of a page and what was left out of it."""

    links: list[Link] = field(default_factory=list)
    feeds: list[str] = field(default_factory=list)
    """Normal addresses of feeds of the same registered domain."""
    capped: int = 0
    """Link elements beyond `MAX_LINKS`, unread."""
    ignored: int = 0
    """Elements with another scheme, or that lead to a place on the same page."""
    bad: int = 0
    """Elements whose address cannot be one."""


def links_of(document: Document, page_url: str, charset: str = "utf-8", head: Meta | None = None) -> Found:
    """The different pages that `document`, fetched from the normal URL `page_url`, links to.

    Repeated links are one: its first place and context, all its anchors. Links are normalized against `base href` with
    queries in the page's charset. A meta refresh and frames are links too (positions `meta` and as in the tree); links to
    the page itself are left out.
    """
    head = meta(document) if head is None else head
    collected = _Collector(page_url, (normalize(head.base, page_url, charset) if head.base else "") or page_url, charset)
    if head.refresh:
        collected.add_refresh(head.refresh)
    collected.add_feeds(head.feeds)
    nodes = document.tree.css(_SELECTOR)
    for number, node in enumerate(nodes):
        if len(collected.by_url) >= MAX_LINKS:
            collected.found.capped = len(nodes) - number
            break
        collected.add(node)
    return collected.result()


class _Collector:
    """Gathers the links of one page, each address normalized once."""

    def __init__(self, page_url: str, base: str, charset: str) -> None:
        self._base = base
        self._charset = charset
        self._page_url = page_url
        self._page_host = host_name(page_url)
        self._around = Surroundings()
        self._by_reference: dict[str, str | None] = {}
        self.by_url: dict[str, Link] = {}
        self.found = Found()

    def add(self, node: LexborNode) -> None:
        attributes = node.attributes
        frame = "src" in attributes and node.tag in ("frame", "iframe")
        url = self._resolved((attributes["src"] if frame else attributes.get("href")) or "")
        if url is None:
            return
        anchor = anchor_of(node)
        known = self.by_url.get(url)
        if known is not None:
            _join(known, anchor)
            return
        self.by_url[url] = Link(
            url=url,
            anchor=anchor,
            context=self._around.context(node, anchor),
            position=self._around.position(node),
            rel=tuple((attributes.get("rel") or "").lower().split()[:8]),
            in_site=in_site(host_name(url), self._page_host),
        )

    def add_refresh(self, reference: str) -> None:
        url = self._resolved(reference)
        if url is not None:
            self.by_url[url] = Link(url=url, position="meta", in_site=in_site(host_name(url), self._page_host))

    def add_feeds(self, references: Sequence[tuple[str, str]]) -> None:
        """(address, title): of the site, not of the comments on it or on this page."""
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
        """Blogs give every article a feed of its comments: `/2024/05/title/feed/`."""
        page = self._page_url.rstrip("/")
        return feed.startswith(page + "/") and bool(file_name(self._page_url))

    def result(self) -> Found:
        self.found.links = list(self.by_url.values())
        return self.found

    def _resolved(self, reference: str) -> str | None:
        """The normal URL, None if it is not to be followed; counts why."""
        if reference in self._by_reference:
            return self._by_reference[reference]
        url = None
        if not reference or reference[0] == "#" or _OTHER_SCHEME.match(reference):
            self.found.ignored += 1
        else:
            url = normalize(reference, self._base, self._charset)
            if url is None:
                self.found.bad += 1
            elif url == self._page_url:
                self.found.ignored += 1
                url = None
        self._by_reference[reference] = url
        return url


def _join(link: Link, anchor: str) -> None:
    """Adds the words of another link to the same page, if they say something new and there is room."""
    if not anchor or anchor in link.anchor:
        return
    joined = f"{link.anchor} {anchor}" if link.anchor else anchor
    if len(joined) <= MAX_ANCHOR:
        link.anchor = joined
