"""The category of its site that a page is in, as the page itself names it.

It is taken from the first of these that the page has: a BreadcrumbList (JSON-LD, microdata); a trail of links in an element
that is called breadcrumb, or Sphinx's `related`; the page above (`rel=up`, or the link with the access key `u` of DocBook and
Texinfo); the section or category of an article (`article:section`, `ColumnName`, links that are called so in its head).

A category is the levels from the site's start page down to the page, both left out: `The Python Standard Library / Data Types`.
If nothing is left between them, the page has no category.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any
from urllib.parse import urlsplit

from selectolax.lexbor import LexborNode

from focuscrawl.text import clean
from focuscrawl.text.document import Document
from focuscrawl.text.words import words_of
from focuscrawl.url.normalize import normalize

JOIN = " / "
"""Between the levels of a category."""
MAX_LABEL, MAX_LEVELS = 80, 6
"""Most characters of a level, and most levels. What has more is not a trail of categories."""
MAX_NODES = 50
"""Elements of each kind that are examined."""
_TRAILS = (
    "[itemtype*='BreadcrumbList'], [class*='breadcrumb'], [class*='Breadcrumb'], [id*='breadcrumb'], "
    "[aria-label*='readcrumb'], [class~='crumbs'], [id='crumbs'], div.related[role='navigation'] ul, "
    "div.related ul:has(li.right), [class~='path-navigation']"
)
_SIGNS_OF_TRAIL = ("readcrumb", "crumbs", "related", "path-navigation")
"""One of these is in each of `_TRAILS`."""
_UP = ("a[rel~='up'], a[accesskey='u']", "link[rel~='up']")
"""The links that readers see come first, because Texinfo's link elements have the names of its nodes instead of titles."""
_SECTION = "meta[property='article:section'], meta[name='ColumnName']"
"""The second is that of Chinese offices (国办发〔2017〕47号)."""
_ARTICLE = (
    "[class*='post-meta'] a, [class*='post-meta-categor'], [class*='article-meta'] a, [class*='entry-meta'] a, "
    "[class*='post-info'] a, [class*='cat-links'] a, [class*='posted-in'] a, a[rel~='category'], [itemprop='articleSection'], "
    "[itemprop='about'] a"
)
"""Elements around an article that may link to its category; `_CATEGORY` decides for each link."""
_CLASSES_OF_ARTICLE = ("-meta", "post-info", "cat-links", "posted-in")
"""One of these is in the class of each of them that is known by its class."""
_CATEGORY = re.compile(r"categor|rubri|/section/", re.IGNORECASE)
"""In the attributes of a link to a category."""
_SIGNS_OF_CATEGORY = ("ategor", "CATEGOR", "ubri", "RUBRI", "ection/", "articleSection")
"""One of these is on each page with such a link."""
_ASIDE = re.compile(r"aside|source|edit|search|next|prev|right|share|github", re.IGNORECASE)
"""In the attributes of buttons that stand in a trail."""
_HOME = re.compile(
    r"(?:home|start|index|main page|homepage|docs?|documentation|top|up|首页|主页|首頁|主頁|目录|返回|文档)\W*", re.IGNORECASE
)
_INDEX = re.compile(r"/(?:index(?:\.\w+)?)?$", re.IGNORECASE)
NUMBERED = re.compile(
    r"^(?:(?:chapter|part|appendix|section)\s+[\dA-Z]+(?:\.\d+)*\.?|第\s*\S+\s*[章部篇节]|[\dIVX]+(?:\.\d+)*\.)\s+",
    re.IGNORECASE,
)
"""The number of a chapter before its title."""
_SEPARATORS = " \t\n»›>/|·•→\u00a0"


def category_of(document: Document, nodes: Sequence[Mapping[str, Any]], url: str) -> str:
    """The levels of the category with ` / ` between them; empty if the page names none.

    Args:
        document: the page.
        nodes: the nodes of its JSON-LD.
        url: its normal URL.
    """
    return next((JOIN.join(levels) for trail in _sources(document, nodes, url) if (levels := _levels(trail))), "")


def _sources(document: Document, nodes: Sequence[Mapping[str, Any]], url: str) -> Iterator[list[str]]:
    """The labels from each source, the most reliable first."""
    yield _listed(nodes, url)
    yield from _trails(document, url)
    yield _above(document, url)
    yield _of_article(document)


def _levels(trail: Iterable[str]) -> list[str]:
    """The labels without chapter numbers and repeats; none if they are too many or too long for a category."""
    levels = [NUMBERED.sub("", label) for label in map(_label, trail)]
    levels = list(dict.fromkeys(label for label in levels if label))
    too_long = len(levels) > MAX_LEVELS or any(len(label) > MAX_LABEL for label in levels)
    return [] if too_long else levels


def _label(text: str) -> str:
    return clean.line(text).strip(_SEPARATORS)


def _listed(nodes: Sequence[Mapping[str, Any]], url: str) -> list[str]:
    """The labels of the first BreadcrumbList in JSON-LD, whose elements are `{name, item}` or `{item: {@id, name}}`."""
    for node in nodes:
        elements = node.get("itemListElement")
        if node.get("@type") != "BreadcrumbList" or not isinstance(elements, list):
            continue
        found = []
        for element in elements[:MAX_NODES]:
            item = element.get("item") if isinstance(element, dict) else None
            inner = item if isinstance(item, dict) else {}
            name = (element.get("name") if isinstance(element, dict) else "") or inner.get("name") or ""
            found.append((str(name), _absolute(str(inner.get("@id") or (item if isinstance(item, str) else "")), url)))
        return _between(found, url)
    return []


def _trails(document: Document, url: str) -> Iterator[list[str]]:
    """The labels of each trail of links on the page."""
    for node in islice(document.tree.css(_TRAILS), MAX_NODES) if document.says(*_SIGNS_OF_TRAIL) else ():
        links = [link for link in node.css("a[href]")[:MAX_NODES] if not _is_aside(link, node)]
        if links:
            yield _between([(words_of(link), _absolute(link.attributes["href"] or "", url)) for link in links], url)


def _absolute(reference: str, url: str) -> str:
    """The normal URL of a reference on the page `url`; empty if it is not one."""
    return normalize(reference, url) or ""


def _is_aside(link: LexborNode, trail: LexborNode) -> bool:
    """Whether a link in a trail is a button that stands beside it: edit, source, next page."""
    node: LexborNode | None = link
    while node is not None:
        signs = " ".join(filter(None, (node.attributes.get("class"), node.attributes.get("rel"))))
        if _ASIDE.search(signs):
            return True
        node = None if node == trail else node.parent
    return False


def _between(trail: list[tuple[str, str]], url: str) -> list[str]:
    """The labels of a trail of (label, normal URL) without the site's start page and the page itself."""
    site = urlsplit(url).netloc
    steps = [(label, target) for label, target in trail if urlsplit(target).netloc == site]
    # The page itself, whether its link has the same scheme or not.
    steps = [(label, target) for label, target in steps if target.partition(":")[2] != url.partition(":")[2]]
    if steps and (len(steps) > 1 or _is_start(*steps[0], url)):
        steps = steps[1:]
    return [label for label, target in steps if not _HOME.fullmatch(_label(label))]


def _is_start(label: str, target: str, url: str) -> bool:
    """Whether a link leads to the start page of the site, or of the manual that the page is in."""
    above = _INDEX.sub("/", urlsplit(target).path)
    return bool(_HOME.fullmatch(_label(label))) or (above.endswith("/") and urlsplit(url).path.startswith(above))


def _above(document: Document, url: str) -> list[str]:
    """The label of the page above, if that is not a start page."""
    for node in islice(chain.from_iterable(document.marked(up, "rel", "accesskey") for up in _UP), MAX_NODES):
        target = _absolute(node.attributes.get("href") or "", url)
        is_named = "up" in (node.attributes.get("rel") or "")  # a link with the access key alone has the text "Up"
        label = _label(node.attributes.get("title") or (words_of(node) if is_named else ""))
        if label and not _HOME.fullmatch(label) and not _is_start(label, target, url):
            return [label]
    return []


def _of_article(document: Document) -> list[str]:
    """The section or the categories of an article. Many categories are those of a list of articles, or all of the site's."""
    tree = document.tree
    section = tree.css_first(_SECTION) if document.says("article:section", "ColumnName") else None
    if section is not None:
        return [section.attributes.get("content") or ""]
    if not document.says(*_SIGNS_OF_CATEGORY):
        return []
    around = tree.css(_ARTICLE) if document.says(*_CLASSES_OF_ARTICLE) else document.marked(_ARTICLE, "rel", "itemprop")
    found: dict[str, None] = {}
    for node in around[:MAX_NODES]:
        signs = " ".join(filter(None, (node.attributes.get(name) for name in ("class", "rel", "href", "itemprop"))))
        if node.tag == "a" and (_CATEGORY.search(signs) or "articleSection" in signs):
            found[_label(words_of(node))] = None
    return list(found) if len(found) < MAX_LEVELS else []
