"""Extracts the links of a page with their anchors and contexts, in one pass over the parsed tree, in document order."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice

from selectolax.lexbor import LexborNode

from focuscrawl.items import CANONICAL, FILE, UNFOLLOWED, Link
from focuscrawl.links import pager
from focuscrawl.links.page_kind import file_name
from focuscrawl.text import clean
from focuscrawl.text.document import Document
from focuscrawl.text.head import Meta, meta
from focuscrawl.text.language_labels import code
from focuscrawl.text.sniff import announces_file
from focuscrawl.url.filters import file_type
from focuscrawl.url.hosts import bare_host, host_name, in_site, registered_domain
from focuscrawl.url.normalize import normalize, split
from focuscrawl.url.versions import is_version

MAX_LINKS = 2_000
"""Different URLs that are taken from one page. Further link elements are only counted."""
MAX_FEEDS = 5
_UNFOLLOWED = frozenset((*UNFOLLOWED, FILE))
_MAY_BE_READ = ("", "document", "source")
"""Kinds of files that a crawl may read."""
_COMMENTS = re.compile(r"comment|[ck]om+ent[aá]|评论|評論|留言|回复|コメント|댓글", re.IGNORECASE)
_SELECTOR = "a[href], area[href], frame[src], iframe[src]"
_OTHER_SCHEME = re.compile(r"\s*(?!https?:)([a-z][a-z0-9+.\-]*):", re.IGNORECASE)
"""`mailto:`, `javascript:`, `data:`, …, and also `host:8080/`, as in browsers."""
_SENT_ON = re.compile(
    r"""\blocation(?:\s*\.\s*href)?\s*(?:=|\.\s*(?:replace|assign)\s*\()\s*(["'])([^"'<>\s]{1,2000})\1(?!\s*\+)"""
)
"""Where a script sends browsers: `window.location.href = "/main.html"`, `location.replace('x')`."""
_CLICKED = ("[onclick*='location']", "[onclick*='window.open']", "a[href^='javascript:' i]", "a[onclick]")
_CHOSEN = ("select[onchange*='location'] option", "select[onchange*='open'] option", "select[onchange*='jump' i] option")
"""The entries of menus from which a browser goes on, as MM_jumpMenu of Dreamweaver."""
_WRITTEN_OUT = ("http://", "https://", "/", "./", "../", "?")
"""Beginnings of what is an address and no word."""
_MARKS = ("onclick", "onClick", "onchange", "onChange", "javascript:", "Javascript:", "JavaScript:")
_MARKED = re.compile(rf"(?:{'|'.join(_MARKS)})[^>]*+")
_PAGE = r"""[^"'<>\s]{1,2000}\.(?:[sx]?html?|php|aspx?|jsp)(?:[?#][^"'<>\s]{0,2000})?"""
_LEADS = re.compile(rf"location|open|[jJ]ump|\(\s*(?:[\"']|&quot;|&#3[49];){_PAGE}")
"""Few pages have a tag with one of `_MARKS` and such a word behind it, and to look for these elements in the tree takes long,
as it does to look for `_MARKED` without `_MARKS`."""
_LOADED = (
    *(f"[data-{name}]" for name in ("next", "next-url", "next-href", "next-link", "next-page", "nexturl", "nextpage")),
    *(f"[class*='{name}' i][data-{kind}]" for name in ("load-more", "loadmore", "load_more") for kind in ("url", "href")),
)
"""Where scripts read the address of the next page of a list that goes on as one scrolls, or at a click."""
_LOADS = ("data-next", "data-url", "data-href")
"""A page without any of these has neither `_LOADED` nor `_ROWS`. Each begins with `data-`: most pages are searched once."""
_ROWS = ("tr[data-href]", "td[data-href]", "li[data-href]", "[role='link'][data-href]", "[class*='click' i][data-href]")
"""Rows and tiles that a script makes links: `<tr class="clickable-row" data-href="/judgments/7">`."""
_OPENED = re.compile(r"""\bwindow\s*\.\s*open\s*\(\s*(["'])([^"'<>\s]{1,2000})\1(?!\s*\+)""")
_SHOWN_BY = re.compile(
    r"\b(?:go|\w{0,30}(?:open|win|pop|show|view|detail|jump|link))\w{0,30}"
    rf"""\s*\(\s*(["'])({_PAGE})\1\s*[,)]""",
    re.IGNORECASE,
)
"""A function of the page's own that is called with the address of a page: `openDoc('../t1.htm')`, `goto("a.asp?id=1")`."""
_NO_PLACE = re.compile(r"\s*(?:#|javascript:|\Z)", re.IGNORECASE)
"""The reference of a link that is nothing without its script."""
_ASKS = re.compile(r"\bconfirm\s*\(")
"""A click that is to be confirmed changes something."""
_MOST_SENT_ON = 5
_SCRIPT = 20_000
"""Characters of one script that are looked at."""


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
    ignored: int = 0
    """Number of different references with another scheme, or that lead to a place on the same page."""
    bad: int = 0
    """Number of different references that cannot be a URL."""


def links_of(document: Document, page_url: str, charset: str = "utf-8", head: Meta | None = None) -> PageLinks:
    """The different pages that `document`, fetched from the normal URL `page_url`, links to.

    Links to the same URL become one, with the position and context of the first, the anchors of all, and the `rel` of one that
    may be followed if there is one. The language of a link is that of its `hreflang`, or that of a translation which the head
    names. Links are normalized against `base href`, with queries in the page's charset. A meta refresh (position `meta`) and
    frames (their position in the tree) are links, too, and so are the next and the previous page that the head names (position
    `head/link`) where no element of the body links there, the address of its host that it names as its own (`rel=canonical`),
    where a click or the choice from a menu leads by a script that says the address, rows with `data-href`, and the further
    pages of a list that a script counts (`links.pager`) or loads. On a page without any link it is also where its scripts send
    browsers, as on many home pages. Links to the page itself are left out.
    """
    head = meta(document) if head is None else head
    collected = _Collector(page_url, _base(head.base, page_url, charset), charset)
    if head.refresh:
        collected.add_refresh(head.refresh)
    collected.add_feeds(head.feeds)
    nodes = document.tree.css(_SELECTOR)
    for number, node in enumerate(nodes):
        if len(collected.by_url) >= MAX_LINKS:
            collected.found.capped = len(nodes) - number
            break
        collected.add(node)
    collected.add_neighbors(head.neighbors)
    for address, label in head.translations:
        collected.name_language(address, label)
    if any(mark in document.html for mark in _MARKS) and any(map(_LEADS.search, _MARKED.findall(document.html))):
        for node, reference in _led_by_script(document):
            collected.add_once(node, reference)
    if pager.MARK in document.html and any(mark in document.html for mark in pager.MARKS):
        for node in document.tree.css("script:not([src])"):
            for reference, shown in pager.further_pages(node.text()[:_SCRIPT]):
                collected.add_page(node, reference, shown)
    if "data-" in document.html and any(mark in document.html for mark in _LOADS):
        for node, reference in _loaded(document):
            collected.add_page(node, reference, "", ("next",))
        for node, reference in _rows(document):
            collected.add_once(node, reference)
    if not collected.by_url:
        for target in _sent_on(document):
            collected.add_refresh(target)
    if head.canonical:
        collected.add_canonical(head.canonical)
    return collected.result()


def _sent_on(document: Document) -> list[str]:
    """The addresses to which the scripts of a page send browsers, as written but for `\\/`, which says `/` in a script."""
    scripts = (node.text()[:_SCRIPT] for node in document.tree.css("script:not([src])"))
    sent_on = (found[2].replace("\\/", "/") for script in scripts for found in _SENT_ON.finditer(script))
    return list(islice(sent_on, _MOST_SENT_ON))


def _led_by_script(document: Document) -> Iterator[tuple[LexborNode, str]]:
    """The elements from which a script takes browsers to an address that it says, and that address as written."""
    for node in document.tree.css(", ".join(_CLICKED)):
        for script in (node.attributes.get("onclick") or "", node.attributes.get("href") or ""):
            found = _SENT_ON.search(script) or _OPENED.search(script)
            if found is None and node.tag == "a" and _NO_PLACE.match(node.attributes.get("href") or ""):
                found = _SHOWN_BY.search(script)
            if found and not _ASKS.search(script):
                yield node, found[2].replace("\\/", "/")
                break
    for node in document.tree.css(", ".join(_CHOSEN)):
        reference = (node.attributes.get("value") or "").strip()
        if reference.startswith(_WRITTEN_OUT):
            yield node, reference


def _loaded(document: Document) -> Iterator[tuple[LexborNode, str]]:
    """The elements that name the next page of an endless list in an attribute for its script, and its address as written. An
    address for pages of all numbers, which the script completes, is none."""
    for node in document.tree.css(", ".join(_LOADED)):
        for name, value in node.attributes.items():
            reference = (value or "").strip()
            if not name.startswith("data-") or not reference.startswith(_WRITTEN_OUT):
                continue
            if "next" in name or (name in ("data-url", "data-href") and any(map(str.isdigit, reference))):
                yield node, reference


def _rows(document: Document) -> Iterator[tuple[LexborNode, str]]:
    """The elements that are links by `data-href`, and that address as written: neither one that a script completes nor one that
    is to be confirmed or sent."""
    for node in document.tree.css(", ".join(_ROWS)):
        attributes = node.attributes
        reference = (attributes.get("data-href") or "").strip()
        if reference and "{" not in reference and "data-method" not in attributes and "data-confirm" not in attributes:
            yield node, reference


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
    for address, anchor, context in references:
        if len(collected.by_url) >= MAX_LINKS:
            collected.found.capped += 1
            continue
        collected.add_reference(address.strip(), anchor[:MAX_ANCHOR], context, position)
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

    def add(self, node: LexborNode) -> None:
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
        if label := attributes.get("hreflang"):
            self._note_language(url, label)
        known = self.by_url.get(url)
        if known is not None:
            _join(known, anchor)
            if known.rel and not _is_closed(rel := _rel(attributes)):
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
        url = self._resolved(reference)
        if url is not None and url not in self.by_url and len(self.by_url) < MAX_LINKS:
            anchor, attributes = self._around.words(node), node.attributes
            context, position = self._around.context(node, anchor), self._around.position(node, attributes)
            self.by_url[url] = Link(url, anchor, context, position, _rel(attributes), self._in_site(url))

    def add_page(self, node: LexborNode, reference: str, number: str, rel: tuple[str, ...] = ()) -> None:
        """Add a further page of the list, to which a script leads at `node`, if it is no link yet. `number`: its anchor."""
        url = self._resolved(reference)
        if url is not None and url not in self.by_url and len(self.by_url) < MAX_LINKS:
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
            url = self._resolved(reference)
            if url is not None and url not in self.by_url and len(self.by_url) < MAX_LINKS:
                anchor = title[:MAX_ANCHOR]
                self.by_url[url] = Link(url, anchor, anchor, "head/link", _tokens(rel), in_site=self._in_site(url))

    def add_canonical(self, reference: str) -> None:
        """Note the address that the page names as its own. If it is that of another version of a manual, or of its host, it is
        a link. Any other (`?from=home` or a category left out) is marked where it is one, but not worth a request for each
        page."""
        if not reference.startswith("#"):
            self.found.canonical = normalize(reference, self._base, self._charset) or ""
        url = self._resolved(reference)
        if url is None or bare_host(url) != bare_host(self._page_url):
            return
        if url not in self.by_url and _without_version(url) != _without_version(self._page_url):
            return
        link = self.by_url.setdefault(url, Link(url, position="head/link", in_site=self._in_site(url)))
        link.rel = (CANONICAL,) if _is_closed(link.rel) else (*link.rel, CANONICAL)

    def name_language(self, reference: str, label: str) -> None:
        """Note that the page there is in this language, if that is a link."""
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

    def _resolved(self, reference: str) -> str | None:
        """The normal URL; None if it is not to be followed, the reason of which is counted."""
        if reference in self._by_reference:
            return self._by_reference[reference]
        url = None
        if not reference or reference[0] == "#" or (":" in reference and _OTHER_SCHEME.match(reference)):
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


def _without_version(url: str) -> list[str]:
    """The parts of the address, without its host and directories that may be versions."""
    return [part for part in split(url)[1].split("/") if not is_version(part)]


def _is_closed(rel: tuple[str, ...]) -> bool:
    """Whether a link with these tokens is not to be followed."""
    return not _UNFOLLOWED.isdisjoint(rel)


def _rel(attributes: Mapping[str, str | None]) -> tuple[str, ...]:
    """The tokens of `rel`, some of which are written with commas, and FILE."""
    tokens = _tokens(attributes.get("rel") or "")
    return (*tokens, FILE) if _is_file(attributes) else tokens


def _is_file(attributes: Mapping[str, str | None]) -> bool:
    """Whether a link says that it leads to a file that is no page, nor a document."""
    label, name = attributes.get("type"), attributes.get("download")
    return bool(label and announces_file(label)) or bool(name and file_type(f"http://a.b/{name}") not in _MAY_BE_READ)


def _tokens(rel: str) -> tuple[str, ...]:
    return tuple(rel.lower().replace(",", " ").split()[:8])


def _join(link: Link, anchor: str) -> None:
    """Add the words of another link to the same page, if they are new and there is room."""
    if not anchor or anchor in link.anchor:
        return
    joined = f"{link.anchor} {anchor}" if link.anchor else anchor
    if len(joined) <= MAX_ANCHOR:
        link.anchor = joined


# --- anchor, context and position of a link --------------------------------------------------------------------------------
# The context of a link is all text under its aggregation node: the parent of the link's element, as in the adaptive crawler. As
# long as that node has no more text than the anchor and is inline, a heading or a table cell, its parent is taken instead, so
# that the texts of teasers and table rows count. Long contexts are cut to the neighborhood of the anchor.

MAX_ANCHOR = 300
MAX_CONTEXT = 200
"""Characters of context besides the anchor: half before it, half after it."""
MAX_LEVELS = 6
"""Innermost levels of the tree in a position. They tell list items from menus; outer ones are the same all over a page."""
_MOST_NEAR = 20
"""Elements in which the images of one without text are looked for, if such elements may lie in each other."""
_MAX_NODE_TEXT = 100_000
_TEXT_BUDGET = 5_000_000
"""Characters of node texts that are made for one page. After these, the anchor of a link is its context. Only nested containers
of a huge page, each with links of its own, reach this limit."""
_TOO_NARROW = frozenset({
    "a", "abbr", "b", "bdi", "bdo", "big", "cite", "code", "em", "font", "i", "ins", "kbd", "label", "mark", "nobr",
    "q", "s", "small", "span", "strike", "strong", "sub", "sup", "tt", "u", "h1", "h2", "h3", "h4", "h5", "h6", "td",
    "th",
})  # fmt: skip
"""Elements that are not the aggregation node if they have no more text than the anchor."""
_DIGITS = re.compile(r"\d+")
_PATH_CLASS = 24
"""Most characters of a class in a position."""
_ROOTS = ("html", "-document")
Attributes = Mapping[str, str | None]


class Surroundings:
    """Contexts and positions of the links of one page. The text of each node is made once, however many links it holds."""

    def __init__(self) -> None:
        # These are by `mem_id` of the node, which identifies it as long as the tree lives.
        self._texts: dict[int, str] = {}
        self._searched: dict[int, int] = {}
        """Where in a node's text the search for the next anchor begins."""
        self._paths: dict[int, tuple[str, ...]] = {}
        self._budget = _TEXT_BUDGET

    def context(self, node: LexborNode, anchor: str) -> str:
        """The text around the link element `node`, including its words, which are `anchor`."""
        around = node.parent
        text = self._text(around) if around is not None else ""
        while around is not None and len(text) <= len(anchor) and around.tag in _TOO_NARROW:
            around = around.parent
            text = self._text(around) if around is not None else ""
        if around is None or not text:
            return anchor[:MAX_CONTEXT]
        return text if len(text) <= MAX_CONTEXT + len(anchor) else self._window(around.mem_id, text, anchor)

    def words(self, node: LexborNode) -> str:
        """As `anchor_of`, for elements that may lie in each other, so that their texts are bounded together."""
        near = islice(node.traverse(), _MOST_NEAR)
        return clean.line(self._text(node), MAX_ANCHOR) or _other_words(node, [each for each in near if each.tag == "img"])

    def position(self, node: LexborNode, attributes: Attributes) -> str:
        """Tags with their first classes, outermost first, digits removed: `div.main/ul/li/a`. `attributes`: those of `node`,
        passed because it makes them again at each access."""
        return "/".join((*self._path(node.parent), _label(node.tag, attributes))[-MAX_LEVELS:])

    def _text(self, node: LexborNode) -> str:
        key = node.mem_id
        text = self._texts.get(key)
        if text is None:
            if self._budget <= 0:
                return ""
            whole = node.text(separator=" ")
            self._budget -= len(whole)
            text = self._texts[key] = clean.line(whole[:_MAX_NODE_TEXT])
        return text

    def _window(self, key: int, text: str, anchor: str) -> str:
        """The neighborhood of the anchor. Links come in document order, so the search starts where the last one ended."""
        start = text.find(anchor, self._searched.get(key, 0)) if anchor else -1
        if start < 0:
            return text[: MAX_CONTEXT + len(anchor)]
        end = start + len(anchor)
        self._searched[key] = end
        return text[max(0, start - MAX_CONTEXT // 2) : end + MAX_CONTEXT // 2].strip()

    def _path(self, around: LexborNode | None) -> tuple[str, ...]:
        """The path of an element with links inside."""
        chain: list[LexborNode] = []
        at = around
        path: tuple[str, ...] = ()
        while at is not None and len(chain) < MAX_LEVELS - 1 and at.tag not in _ROOTS:
            known = self._paths.get(at.mem_id)
            if known is not None:
                path = known
                break
            chain.append(at)
            at = at.parent
        for element in reversed(chain):
            path = self._paths[element.mem_id] = (*path, _label(element.tag, element.attributes))[-MAX_LEVELS:]
        return path


def anchor_of(node: LexborNode) -> str:
    """The words of a link: its text, else the alt texts of its images, else its title, label or name."""
    text = "" if node.tag in ("frame", "iframe") else clean.line(node.text(separator=" "), MAX_ANCHOR)
    return text or _other_words(node, node.css("img[alt]")[:5] if node.first_child else [])


def _other_words(node: LexborNode, images: Iterable[LexborNode]) -> str:
    """The words of a link without text, which holds these images."""
    alts, named = [image.attributes.get("alt") or "" for image in images], node.attributes
    others = (named.get(name) or "" for name in ("title", "aria-label", "alt", "value" if node.tag == "input" else "name"))
    return clean.line(" ".join(alts), MAX_ANCHOR) or clean.line(next(filter(None, others), ""), MAX_ANCHOR)


def _label(tag: str | None, attributes: Attributes) -> str:
    classes = (attributes.get("class") or "").split(None, 1)
    return _labelled(tag or "", classes[0] if classes else "")


@lru_cache(maxsize=1024)  # the elements of a template are on all of its pages
def _labelled(tag: str, first_class: str) -> str:
    if tag == "body":
        return tag  # its class names the page, not a position
    first = _DIGITS.sub("", first_class)[:_PATH_CLASS].rstrip("-_")
    return f"{tag}.{first}" if first else tag
