"""Where the scripts of a page lead: links that no `href` says, because a click, a choice from a menu or a load runs a script.

No script is run. Each function looks for one habit from which the URL can be read as it stands in the page, and gives it as
written, to be resolved by the caller.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from selectolax.lexbor import LexborNode

from focuscrawl.links import pager
from focuscrawl.text.document import Document

_SENT_ON = re.compile(
    r"""\blocation(?:\s*\.\s*href)?\s*(?:=|\.\s*(?:replace|assign)\s*\()\s*(["'])([^"'<>\s]{1,2000})\1(?!\s*\+)"""
)
"""Where a script sends browsers: `window.location.href = "/main.html"`, `location.replace('x')`."""
_CLICKED = ("[onclick*='location']", "[onclick*='window.open']", "a[href^='javascript:' i]", "a[onclick]")
_CHOSEN = ("select[onchange*='location'] option", "select[onchange*='open'] option", "select[onchange*='jump' i] option")
"""The entries of menus from which a browser goes on, as MM_jumpMenu of Dreamweaver."""
_WRITTEN_OUT = ("http://", "https://", "/", "./", "../", "?")
"""Beginnings of what is a URL and no word."""
_MARKED = (re.compile(r"on[cC](?:lick|hange)[^>]*+"), re.compile(r":(?<=(?:[jJ]avas|JavaS)cript:)[^>]*+"))
_PAGE = r"""[^"'<>\s]{1,2000}\.(?:[sx]?html?|php|aspx?|jsp)(?:[?#][^"'<>\s]{0,2000})?"""
_LEADS = re.compile(rf"location|open|[jJ]ump|\(\s*(?:[\"']|&quot;|&#3[49];){_PAGE}")
"""Few pages have such a word behind a mark of `_MARKED` in a tag, and to look for these elements in the tree takes long. A
pattern that begins with plain letters, without a choice between them, is found in a tenth of the time."""
_FOR_SCRIPT = re.compile("data-(?:next|url|href)")
"""Beginnings of the names of attributes that scripts read URLs from."""
_NEXT = tuple(f"data-{name}" for name in ("next", "next-url", "next-href", "next-link", "next-page", "nexturl", "nextpage"))
_URLS = ("data-url", "data-href")
"""Where scripts read the URL of the next page of a list that goes on as one scrolls, or at a click: `_NEXT` anywhere,
`_URLS` in an element with a class that has `_MORE`."""
_MORE = re.compile(r"load[-_]?more", re.IGNORECASE)
_ROWS = ("tr[data-href]", "td[data-href]", "li[data-href]", "[role='link'][data-href]", "[class*='click' i][data-href]")
"""Rows and tiles that a script makes links: `<tr class="clickable-row" data-href="/judgments/7">`."""
_OPENED = re.compile(r"""\bwindow\s*\.\s*open\s*\(\s*(["'])([^"'<>\s]{1,2000})\1(?!\s*\+)""")
_SHOWN_BY = re.compile(
    r"\b(?:go|\w{0,30}(?:open|win|pop|show|view|detail|jump|link))\w{0,30}"
    rf"""\s*\(\s*(["'])({_PAGE})\1\s*[,)]""",
    re.IGNORECASE,
)
"""A function of the page's own that is called with the URL of a page: `openDoc('../t1.htm')`, `goto("a.asp?id=1")`."""
_NO_PLACE = re.compile(r"\s*(?:#|javascript:|\Z)", re.IGNORECASE)
"""The reference of a link that is nothing without its script."""
_ASKS = re.compile(r"\bconfirm\s*\(")
"""A click that is to be confirmed changes something."""
_MOST_SENT_ON = 5
_SCRIPT = 20_000
"""Characters of one script that are looked at."""


def sent_on(document: Document) -> list[str]:
    """The URLs to which the scripts of a page send browsers, as written but for `\\/`, which says `/` in a script."""
    scripts = (node.text()[:_SCRIPT] for node in document.tree.css("script:not([src])"))
    sent_on = (found[2].replace("\\/", "/") for script in scripts for found in _SENT_ON.finditer(script))
    return list(islice(sent_on, _MOST_SENT_ON))


def led_by_script(document: Document) -> Iterator[tuple[LexborNode, str]]:
    """The elements from which a script takes browsers to a URL that it says, and that URL as written."""
    if any(_LEADS.search(tag) for marked in _MARKED for tag in marked.findall(document.html)):
        yield from _clicked(document)
        yield from _chosen(document)


def _clicked(document: Document) -> Iterator[tuple[LexborNode, str]]:
    for node in document.tree.css(", ".join(_CLICKED)):
        for script in (node.attributes.get("onclick") or "", node.attributes.get("href") or ""):
            found = _SENT_ON.search(script) or _OPENED.search(script)
            if found is None and node.tag == "a" and _NO_PLACE.match(node.attributes.get("href") or ""):
                found = _SHOWN_BY.search(script)
            if found and not _ASKS.search(script):
                yield node, found[2].replace("\\/", "/")
                break


def _chosen(document: Document) -> Iterator[tuple[LexborNode, str]]:
    for node in document.tree.css(", ".join(_CHOSEN)):
        reference = (node.attributes.get("value") or "").strip()
        if reference.startswith(_WRITTEN_OUT):
            yield node, reference


def counted(document: Document) -> Iterator[tuple[LexborNode, str, str]]:
    """The further pages of a list whose script counts them: the script's element, each URL as written, and its number."""
    if pager.MARK.search(document.html):
        for node in document.tree.css("script:not([src])"):
            for reference, number in pager.further_pages(node.text()[:_SCRIPT]):
                yield node, reference, number


def loaded(document: Document) -> Iterator[tuple[LexborNode, str]]:
    """The elements that name the next page of an endless list in an attribute for its script, and its URL as written. A
    URL for pages of all numbers, which the script completes, is none."""
    said = set(_FOR_SCRIPT.findall(document.html))
    names = [*(_NEXT if "data-next" in said else ()), *(name for name in _URLS if name in said)]
    for node in document.tree.css(", ".join(f"[{name}]" for name in names)) if names else ():
        attributes = node.attributes
        if attributes.keys().isdisjoint(_NEXT) and not _MORE.search(attributes.get("class") or ""):
            continue
        for name, value in attributes.items():
            reference = (value or "").strip()
            if not name.startswith("data-") or not reference.startswith(_WRITTEN_OUT):
                continue
            if "next" in name or (name in _URLS and any(map(str.isdigit, reference))):
                yield node, reference


def rows(document: Document) -> Iterator[tuple[LexborNode, str]]:
    """The elements that are links by `data-href`, and that URL as written: neither one that a script completes nor one that
    is to be confirmed or sent."""
    for node in document.tree.css(", ".join(_ROWS)) if document.says("data-href") else ():
        attributes = node.attributes
        reference = (attributes.get("data-href") or "").strip()
        if reference and "{" not in reference and "data-method" not in attributes and "data-confirm" not in attributes:
            yield node, reference
