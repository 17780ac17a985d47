"""Which category of its site a page is in, as the page itself says.

From the first of these that says it: a BreadcrumbList (JSON-LD, microdata); a trail of links in an element that is called
breadcrumb, or Sphinx's `related`; the page above (`rel=up`, or the link with the key `u` of DocBook and Texinfo); the section
or category of an article (`article:section`, links called so in its head). The way is from the site's start down to the page,
both left out: `The Python Standard Library / Data Types`. A category that is all of a site says nothing, so it is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any
from urllib.parse import urlsplit

from selectolax.lexbor import LexborHTMLParser, LexborNode

from focuscrawl.text import clean
from focuscrawl.url.normalize import normalize

JOIN = " / "
"""Between the levels of a category."""
MAX_LABEL, MAX_LEVELS = 80, 6
"""Characters of a level, and levels; a trail with longer ones is none."""
MAX_NODES = 50
"""Elements that are looked at."""
_TRAILS = (
    "[itemtype*='BreadcrumbList'], [class*='breadcrumb'], [class*='Breadcrumb'], [id*='breadcrumb'], "
    "[aria-label*='readcrumb'], [class~='crumbs'], [id='crumbs'], div.related ul, [class~='path-navigation']"
)
_UP = ("a[rel~='up'], a[accesskey='u']", "link[rel~='up']")
"""What is shown first: Texinfo's link elements have names of nodes."""
_ARTICLE = (
    "[class*='post-meta'] a, [class*='post-meta-categor'], [class*='article-meta'] a, [class*='entry-meta'] a, "
    "[class*='post-info'] a, [class*='cat-links'] a, [class*='posted-in'] a, a[rel~='category'], [itemprop='articleSection'], "
    "[itemprop='about'] a"
)
_CATEGORY = re.compile(r"categor|rubri|/section/", re.IGNORECASE)
_ASIDE = re.compile(r"aside|source|edit|search|next|prev|right|share|github", re.IGNORECASE)
_HOME = re.compile(
    r"(?:home|start|index|main page|homepage|docs?|documentation|top|up|首页|主页|首頁|主頁|目录|返回|文档)\W*", re.IGNORECASE
)
_INDEX = re.compile(r"/(?:index(?:\.\w+)?)?$", re.IGNORECASE)
NUMBERED = re.compile(
    r"^(?:(?:chapter|part|appendix|section)\s+[\dA-Z]+(?:\.\d+)*\.?|第\s*\S+\s*[章部篇节]|[\dIVX]+(?:\.\d+)*\.)\s+",
    re.IGNORECASE,
)
_SEPARATORS = " \t\n»›>/|·•→\u00a0"


def category_of(tree: LexborHTMLParser, nodes: Sequence[Mapping[str, Any]], url: str) -> str:
    """The levels with ` / ` between them; empty where the page says nothing. `nodes`: its JSON-LD; `url`: its own."""
    for trail in (_listed(nodes, url), *_trails(tree, url), _above(tree, url), _of_article(tree, url)):
        levels = _levels(trail)
        if levels:
            return JOIN.join(levels)
    return ""


def _levels(trail: Iterable[str]) -> list[str]:
    levels = [NUMBERED.sub("", label) for label in map(_label, trail)]
    levels = list(dict.fromkeys(label for label in levels if label))
    too_long = len(levels) > MAX_LEVELS or any(len(label) > MAX_LABEL for label in levels)
    return [] if too_long else levels


def _label(text: str) -> str:
    return clean.line(text).strip(_SEPARATORS)


def _listed(nodes: Sequence[Mapping[str, Any]], url: str) -> list[str]:
    """Of JSON-LD: an element is {name, item} or {item: {@id, name}}."""
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


def _trails(tree: LexborHTMLParser, url: str) -> Iterator[list[str]]:
    for node in islice(tree.css(_TRAILS), MAX_NODES):
        links = [link for link in node.css("a[href]")[:MAX_NODES] if not _is_aside(link, node)]
        if links:
            yield _between([(link.text(), _absolute(link.attributes["href"] or "", url)) for link in links], url)


def _absolute(given: str, url: str) -> str:
    """The normal URL that a link on the page `url` means; empty if it is none."""
    return normalize(given, url) or ""


def _is_aside(link: LexborNode, trail: LexborNode) -> bool:
    """A button that stands in the trail: edit, source, next page."""
    node: LexborNode | None = link
    while node is not None:
        signs = " ".join(filter(None, (node.attributes.get("class"), node.attributes.get("rel"))))
        if _ASIDE.search(signs):
            return True
        node = None if node == trail else node.parent
    return False


def _between(trail: list[tuple[str, str]], url: str) -> list[str]:
    """The labels of a trail of (label, address) without its start and the page itself."""
    site = urlsplit(url).netloc
    steps = [(label, target) for label, target in trail if urlsplit(target).netloc == site]
    steps = [(label, target) for label, target in steps if target.partition(":")[2] != url.partition(":")[2]]
    if steps and (len(steps) > 1 or _is_start(*steps[0], url)):
        steps = steps[1:]
    return [label for label, target in steps if not _HOME.fullmatch(_label(label))]


def _is_start(label: str, target: str, url: str) -> bool:
    """Whether it is the start of the site, or of the manual that the page is in."""
    above = _INDEX.sub("/", urlsplit(target).path)
    return bool(_HOME.fullmatch(_label(label))) or (above.endswith("/") and urlsplit(url).path.startswith(above))


def _above(tree: LexborHTMLParser, url: str) -> list[str]:
    for node in islice(chain.from_iterable(map(tree.css, _UP)), MAX_NODES):
        target = _absolute(node.attributes.get("href") or "", url)
        is_named = "up" in (node.attributes.get("rel") or "")  # else its text is "Up"
        label = _label(node.attributes.get("title") or (node.text() if is_named else ""))
        if label and not _HOME.fullmatch(label) and not _is_start(label, target, url):
            return [label]
    return []


def _of_article(tree: LexborHTMLParser, url: str) -> list[str]:
    """Of one article: lists of articles name many, and those of a sidebar all."""
    section = tree.css_first("meta[property='article:section']")
    if section is not None:
        return [section.attributes.get("content") or ""]
    found: dict[str, None] = {}
    for node in islice(tree.css(_ARTICLE), MAX_NODES):
        signs = " ".join(filter(None, (node.attributes.get(name) for name in ("class", "rel", "href", "itemprop"))))
        if node.tag == "a" and (_CATEGORY.search(signs) or "articleSection" in signs):
            found[_label(node.text())] = None
    return list(found) if len(found) < MAX_LEVELS else []
